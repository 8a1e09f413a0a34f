//! Matrices recovered from sums, for all problems, orders and storages.

use crate::matrices::{Random, arrowhead, band, brusselator, frame, from_rows, grid};
use diffi::sparse::{
    Coloring, ColoringProblem, Colors, Decompressor, Degree, Direction, GreedyColoring, Order, Pattern, Recover,
    Storage, Triangle, check_coloring, coloring, compress, decompress, is_acyclic_coloring, is_star_coloring,
};
use ndarray::Array2;
use sprs::CsMat;

const PROBLEMS: [ColoringProblem; 4] =
    [ColoringProblem::Column, ColoringProblem::Row, ColoringProblem::Symmetric, ColoringProblem::Bidirectional];

fn orders() -> [Order; 9] {
    [
        Order::Natural,
        Order::Random(3),
        Order::LargestFirst,
        Order::AscendingDegree,
        Order::SmallestLast,
        Order::IncidenceDegree,
        Order::DynamicLargestFirst,
        Order::DynamicDegree { degree: Degree::Forward, direction: Direction::HighToLow },
        Order::DynamicDegree { degree: Degree::Back, direction: Direction::LowToHigh },
    ]
}

fn patterns() -> Vec<Pattern> {
    let mut random = Random(1);
    let mut patterns = vec![
        band(12, 2),
        arrowhead(9),
        frame(5, 8),
        grid(5),
        brusselator(3),
        Pattern::dense(4, 3).expect("small"),
        Pattern::dense(5, 5).expect("small"),
        from_rows(6, (0..6).map(|i| [i])),
        from_rows(4, (0..4).map(|i| [3 - i])),
        from_rows(3, [vec![], vec![0, 2], vec![]]),
        from_rows(0, [[0; 0]; 3]),
        from_rows(3, [[0; 0]; 0]),
        from_rows(0, [[0; 0]; 0]),
        from_rows(3, [[0; 0]; 3]),
    ];
    for (rows, columns, entries) in [(1, 1, 1), (3, 7, 8), (7, 3, 8), (10, 20, 30), (20, 10, 60), (30, 30, 90)] {
        patterns.push(random.pattern(rows, columns, entries));
    }
    for (n, entries) in [(5, 5), (10, 12), (10, 30), (30, 60), (50, 60), (40, 300)] {
        patterns.push(random.symmetric(n, entries, true));
        patterns.push(random.symmetric(n, entries, false));
    }
    patterns
}

/// Whole numbers, so that sums and differences are exact; symmetric where the pattern is.
fn numbered(pattern: &Pattern) -> CsMat<i64> {
    let n = pattern.columns().max(pattern.rows());
    let mut matrix = pattern.to_sparse(Storage::CSR, 0);
    let places: Vec<_> = pattern.iter().collect();
    for (value, (i, j)) in matrix.data_mut().iter_mut().zip(places) {
        *value = (i.min(j) * n + i.max(j)) as i64 * 7919 % 10_007 + 1;
    }
    matrix
}

fn recovered(pattern: &Pattern, coloring: &Coloring, recover: Recover) {
    let problem = coloring.problem();
    let colors = Colors { columns: coloring.column_colors().to_vec(), rows: coloring.row_colors().to_vec() };
    assert!(check_coloring(pattern, problem, recover, &colors), "{problem:?} {colors:?} {pattern:?}");
    assert_eq!(coloring.ncolors(), colors.count());
    assert!(coloring.column_groups().iter().chain(coloring.row_groups().iter()).all(|group| !group.is_empty()));

    let matrix = numbered(pattern);
    let sums = compress(&matrix, coloring).expect("the same pattern");
    assert_eq!(compress(&matrix.to_dense(), coloring).expect("the same pattern"), sums);
    assert_eq!(decompress(&sums, coloring).expect("the same shapes"), matrix, "{problem:?} {recover:?}");
    let triangles: &[Triangle] = match problem {
        ColoringProblem::Symmetric => &[Triangle::Full, Triangle::Upper, Triangle::Lower],
        _ => &[Triangle::Full],
    };
    for storage in [Storage::CSR, Storage::CSC] {
        for &triangle in triangles {
            let decompressor = Decompressor::new(coloring, storage, triangle).expect("symmetric");
            let within = |(i, j): (usize, usize)| match triangle {
                Triangle::Full => true,
                Triangle::Upper => i <= j,
                Triangle::Lower => i >= j,
            };
            let part = matrix.to_dense().indexed_iter().map(|(at, v)| if within(at) { *v } else { 0 }).collect();
            let part = Array2::from_shape_vec(matrix.shape(), part).expect("the same shape");
            let mut found = decompressor.matrix();
            assert_eq!(found.nnz(), pattern.iter().filter(|at| within(*at)).count());
            decompressor.decompress_into(&mut found, &sums).expect("prepared");
            assert_eq!((found.storage(), found.to_dense()), (storage, part.clone()));
            let mut dense = Array2::from_elem(pattern.shape(), -1);
            decompressor.dense_into(dense.view_mut(), &sums).expect("prepared");
            assert_eq!(dense, part);
            let mut by_color = decompressor.matrix();
            color_by_color(&decompressor, coloring, &sums, &mut by_color);
            assert_eq!(by_color, found);
        }
    }
}

/// The same, with one sum at hand after the other.
fn color_by_color(
    decompressor: &Decompressor,
    coloring: &Coloring,
    sums: &diffi::sparse::Compressed<i64>,
    matrix: &mut CsMat<i64>,
) {
    let by_color = decompressor.by_color();
    let values = matrix.data_mut();
    for color in 1..=coloring.column_groups().len() {
        let sum = sums.columns.column(color - 1).to_vec();
        by_color.column_into(values, color as u32, |i| sum[i]);
    }
    for color in 1..=coloring.row_groups().len() {
        let sum = sums.rows.row(color - 1).to_vec();
        by_color.row_into(values, color as u32, |j| sum[j]);
    }
    by_color.finish(values);
}

#[test]
fn whatever_the_order() {
    for pattern in patterns() {
        for problem in PROBLEMS {
            if problem == ColoringProblem::Symmetric && !pattern.is_symmetric() {
                continue;
            }
            for order in orders() {
                for substitution in [false, true] {
                    let greedy = GreedyColoring::new(order);
                    let (greedy, recover) = if substitution {
                        (greedy.substitution(), Recover::BySubstitution)
                    } else {
                        (greedy, Recover::Directly)
                    };
                    let all = coloring(&pattern, problem, greedy.clone().postprocessing(false)).expect("colored");
                    recovered(&pattern, &all, recover);
                    let some = coloring(&pattern, problem, greedy).expect("colored");
                    recovered(&pattern, &some, recover);
                    assert!(some.ncolors() <= all.ncolors());
                    if problem == ColoringProblem::Symmetric && pattern.nnz() > 0 {
                        let valid = if substitution { is_acyclic_coloring } else { is_star_coloring };
                        assert!(valid(&pattern, all.column_colors()), "{order:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_best_of_several() {
    for pattern in patterns() {
        for problem in PROBLEMS {
            if problem == ColoringProblem::Symmetric && !pattern.is_symmetric() {
                continue;
            }
            let one = |order| coloring(&pattern, problem, GreedyColoring::new(order)).expect("colored").ncolors();
            let least = orders().into_iter().map(one).min();
            let best = coloring(&pattern, problem, GreedyColoring::best_of(orders())).expect("colored");
            assert_eq!(Some(best.ncolors()), least);
            recovered(&pattern, &best, Recover::Directly);
        }
    }
}

#[test]
fn nothing_to_recover_needs_no_color() {
    let empty = from_rows(3, [[0; 0]; 3]);
    for problem in PROBLEMS {
        assert_eq!(coloring(&empty, problem, GreedyColoring::default()).expect("colored").ncolors(), 0);
    }
}

/// Off the diagonal there is nothing to read from one of two colors.
#[test]
fn neutral_columns() {
    let pattern = from_rows(4, [vec![1, 2, 3], vec![0], vec![0], vec![0]]);
    let found = coloring(&pattern, ColoringProblem::Symmetric, GreedyColoring::default()).expect("symmetric");
    assert_eq!(found.column_colors(), [1, 0, 0, 0]);
    recovered(&pattern, &found, Recover::Directly);
}
