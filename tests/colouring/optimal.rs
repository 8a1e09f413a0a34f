//! The fewest colors, beside all colors that there are.

use crate::matrices::{Random, arrowhead, frame, from_rows};
use diffi::sparse::{
    ColoringProblem, Colors, GreedyColoring, OptimalColoring, Pattern, Recover, check_coloring, coloring,
};

/// The fewest colors that the checker accepts, by trying them all.
fn fewest(pattern: &Pattern, recover: Recover) -> usize {
    let (rows, columns) = pattern.shape();
    let most = rows.min(columns) as u32;
    let mut numbers = vec![0; rows + columns];
    let mut least = usize::MAX;
    loop {
        let (by_columns, by_rows) = numbers.split_at(columns);
        let colors = Colors { columns: by_columns.to_vec(), rows: by_rows.to_vec() };
        if colors.count() < least && check_coloring(pattern, ColoringProblem::Bidirectional, recover, &colors) {
            least = colors.count();
        }
        let Some(at) = numbers.iter().position(|number| *number < most) else { return least };
        numbers[..at].fill(0);
        numbers[at] += 1;
    }
}

#[test]
fn both_directions() -> diffi::Result<()> {
    let mut random = Random(3);
    let mut patterns = vec![
        from_rows(3, [[0, 1], [1, 2], [0, 2]]),
        from_rows(4, (0..4).map(|i| [3 - i])),
        arrowhead(4),
        Pattern::dense(2, 3)?,
    ];
    patterns.extend((0..6).map(|k| random.pattern(3 + k % 2, 4, 6 + k)));
    for pattern in patterns {
        for recover in [Recover::Directly, Recover::BySubstitution] {
            let optimal = OptimalColoring::default();
            let optimal = if recover == Recover::Directly { optimal } else { optimal.substitution() };
            let found = coloring(&pattern, ColoringProblem::Bidirectional, optimal)?;
            assert_eq!(found.ncolors(), fewest(&pattern, recover), "{recover:?} {pattern:?}");
        }
    }
    Ok(())
}

#[test]
fn never_more_than_greedy_ones() -> diffi::Result<()> {
    for pattern in [arrowhead(12), frame(5, 6), Random(4).pattern(7, 7, 16)] {
        let greedy = coloring(&pattern, ColoringProblem::Bidirectional, GreedyColoring::default())?;
        let optimal = coloring(&pattern, ColoringProblem::Bidirectional, OptimalColoring::default())?;
        assert!(optimal.ncolors() <= greedy.ncolors());
    }
    Ok(())
}
