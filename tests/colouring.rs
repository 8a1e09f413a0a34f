//! Patterns, their colorings, and matrices recovered from sums.

use diffi::sparse::{ColoringProblem, GreedyColoring, Order, Pattern, coloring, compress, decompress};
use serde_json::Value;

/// The cases of `data/colorings.json`, whose entries are listed or follow a formula.
fn pattern(case: &Value) -> Pattern {
    let size = |k: usize| case["input"]["shape"][k].as_u64().expect("a size") as usize;
    let (rows, columns) = (size(0), size(1));
    if let Some(entries) = case["input"]["entries"].as_array() {
        let places = entries.iter().map(|e| (e[0].as_u64().unwrap() as usize, e[1].as_u64().unwrap() as usize));
        return Pattern::from_triplets(rows, columns, places).expect("inside");
    }
    match case["id"].as_str().expect("a name") {
        "cs_band10" => band(rows, 5),
        "cs_band20" => band(rows, 10),
        "cc_bruss6" => brusselator(6),
        "cc_bruss12" => brusselator(12),
        other => panic!("no formula for {other}"),
    }
}

/// So many diagonals on either side.
fn band(n: usize, half: usize) -> Pattern {
    Pattern::from_rows(n, (0..n).map(|i| i.saturating_sub(half)..(i + half + 1).min(n))).expect("inside")
}

/// Two species on a periodic grid of n times n points, each coupled to its four neighbors and to the other species.
fn brusselator(n: usize) -> Pattern {
    let index = |i: usize, j: usize, species: usize| species * n * n + i * n + j;
    let (next, last) = (|i: usize| (i + 1) % n, |i: usize| (i + n - 1) % n);
    let rows = (0..2 * n * n).map(|row| {
        let (species, i, j) = (row / (n * n), row / n % n, row % n);
        vec![
            row,
            index(next(i), j, species),
            index(last(i), j, species),
            index(i, next(j), species),
            index(i, last(j), species),
            index(i, j, 1 - species),
        ]
    });
    Pattern::from_rows(2 * n * n, rows).expect("inside")
}

fn integers(values: &Value) -> Option<Vec<u32>> {
    Some(values.as_array()?.iter().map(|v| v.as_u64().expect("a color") as u32).collect())
}

#[test]
fn listed_colorings() -> diffi::Result<()> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("data/colorings.json")).expect("valid");
    for case in &cases {
        let problem = match case["problem"]["partition"].as_str() {
            Some("column") if case["problem"]["structure"] == "nonsymmetric" => ColoringProblem::Column,
            Some("row") => ColoringProblem::Row,
            _ => continue,
        };
        let pattern = pattern(case);
        if let Some(nnz) = case["input"]["nnz"].as_u64() {
            assert_eq!(pattern.nnz() as u64, nnz);
        }
        let found = coloring(&pattern, problem, GreedyColoring::new(Order::Natural))?;
        let expected = &case["expected"];
        assert_eq!(found.ncolors() as u64, expected["ncolors_natural"].as_u64().expect("a count"), "{}", case["id"]);
        if let Some(colors) = integers(&expected["colors_natural"]) {
            assert_eq!([found.column_colors(), found.row_colors()].concat(), colors, "{}", case["id"]);
        }
        let mut matrix = pattern.to_sparse(diffi::sparse::Storage::CSR, 0.0);
        matrix.data_mut().iter_mut().zip(1..).for_each(|(v, k)| *v = f64::from(k));
        assert_eq!(decompress(&compress(&matrix, &found)?, &found)?, matrix);
    }
    Ok(())
}
