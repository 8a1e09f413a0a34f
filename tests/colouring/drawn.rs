//! Patterns and colorings as text and as drawings.

use crate::matrices::{arrowhead, band, from_rows};
use diffi::sparse::{ColoringProblem, GreedyColoring, Pattern, coloring};

#[test]
fn text() -> diffi::Result<()> {
    assert_eq!(band(4, 0).to_string(), "[⠑⢄]\n");
    assert_eq!(Pattern::dense(4, 2)?.to_string(), "[⣿]\n");
    assert_eq!(from_rows(2, [[0; 0]; 0]).to_string(), "");
    // larger than a page: dots stand for several entries
    let large = band(1000, 1).to_string();
    assert_eq!((large.lines().count(), large.lines().next().map(|line| line.chars().count())), (30, Some(62)));
    let both = coloring(&arrowhead(4), ColoringProblem::Bidirectional, GreedyColoring::default())?;
    let bar = '\u{332}';
    let lines = format!("1{bar}1{bar}1{bar}1{bar}\n21··\n2·1·\n2··1\n");
    assert_eq!(both.to_string(), format!("2 colors of 4 columns and 1 of 4 rows, 10 entries in 4x4\n{lines}"));
    Ok(())
}

#[test]
fn drawings() -> diffi::Result<()> {
    let pattern = from_rows(3, [vec![0, 1], vec![2]]);
    let svg = pattern.to_svg();
    assert!(svg.contains("viewBox=\"0 0 3 2\"") && svg.contains("M0 0h2v1h-2zM2 1h1v1h-1z"), "{svg}");
    let found = coloring(&pattern, ColoringProblem::Column, GreedyColoring::default())?;
    let svg = found.to_svg();
    assert_eq!(svg.matches("<path").count(), 2, "{svg}");
    // every entry is drawn once
    let area: usize = svg.split('h').skip(1).filter_map(|run| run.split('v').next()?.parse::<usize>().ok()).sum();
    assert_eq!(area, pattern.nnz());
    Ok(())
}
