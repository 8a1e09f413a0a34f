//! Patterns that are none, colors that do not do, matrices that do not fit.

use crate::matrices::{band, from_rows};
use diffi::Error;
use diffi::sparse::{
    Coloring, ColoringProblem, Colors, ConstantColoring, Decompressor, GreedyColoring, OptimalColoring, Pattern,
    Recover, Storage, Triangle, coloring, compress, decompress_into,
};

fn message<T: std::fmt::Debug>(result: diffi::Result<T>) -> String {
    result.expect_err("refused").to_string()
}

#[test]
fn patterns() {
    let outside = message(Pattern::from_triplets(2, 3, [(0, 0), (2, 1)]));
    assert_eq!(outside, "this is no sparsity pattern: the entry (2, 1) is outside of its 2x3 places");
    let outside = message(Pattern::from_rows(3, [vec![0], vec![1, 3]]));
    assert_eq!(outside, "this is no sparsity pattern: the entry (1, 3) is outside of its 2x3 places");
    assert!(Pattern::new(3, vec![0, 2], vec![2, 1]).is_err());
    assert!(Pattern::new(3, vec![0, 2], vec![1, 3]).is_err());
    assert!(Pattern::new(3, vec![0, 2, 1], vec![1]).is_err());
    assert!(Pattern::new(3, vec![], vec![]).is_err());
    assert!(Pattern::new(3, vec![0, 1], vec![1, 2]).is_err());
}

#[test]
fn asymmetry() {
    let triangular = from_rows(2, [vec![0, 1], vec![1]]);
    let found = message(coloring(&triangular, ColoringProblem::Symmetric, GreedyColoring::default()));
    assert_eq!(found, "the sparsity pattern is not symmetric: (0, 1) is there, and (1, 0) is not");
    assert!(coloring(&triangular.transpose(), ColoringProblem::Symmetric, GreedyColoring::default()).is_err());
    let wide = from_rows(3, [[0, 1], [1, 2]]);
    assert_eq!(
        message(coloring(&wide, ColoringProblem::Symmetric, GreedyColoring::default())),
        "the sparsity pattern is not symmetric: it is 2x3"
    );
    let by_columns = coloring(&band(3, 1), ColoringProblem::Column, GreedyColoring::default()).expect("colored");
    assert!(matches!(Decompressor::new(&by_columns, Storage::CSR, Triangle::Lower), Err(Error::NotSymmetric { .. })));
}

#[test]
fn colors() {
    let tridiagonal = band(5, 1);
    let two = [1, 2, 1, 2, 1];
    let refused = |problem, algorithm: &ConstantColoring| {
        matches!(coloring(&tridiagonal, problem, algorithm), Err(Error::InvalidColoring { .. }))
    };
    assert!(refused(ColoringProblem::Column, &ConstantColoring::columns(two)));
    assert!(refused(ColoringProblem::Row, &ConstantColoring::rows(two)));
    assert!(refused(ColoringProblem::Symmetric, &ConstantColoring::columns(two)));
    assert!(refused(ColoringProblem::Column, &ConstantColoring::columns([1, 2, 3])));
    assert!(refused(ColoringProblem::Row, &ConstantColoring::columns([1, 2, 3, 1, 2])));
    assert!(refused(ColoringProblem::Column, &ConstantColoring::columns([1, 2, 3, 1, 0])));
    assert!(refused(ColoringProblem::Column, &ConstantColoring::columns([1, 2, 3, 1, u32::MAX])));
    assert!(refused(ColoringProblem::Bidirectional, &ConstantColoring::bidirectional([0; 5], [1, 2, 1, 2, 1])));
    let by_substitution = ConstantColoring::columns(two).substitution();
    assert_eq!(coloring(&tridiagonal, ColoringProblem::Symmetric, by_substitution).expect("acyclic").ncolors(), 2);
    let found = message(coloring(&tridiagonal, ColoringProblem::Column, ConstantColoring::columns(two)));
    assert_eq!(found, "the coloring is not valid: the entry (1, 2) cannot be recovered from the sums");
    let whole = Colors { columns: vec![1; 5], rows: vec![] };
    assert!(Coloring::new(tridiagonal, ColoringProblem::Symmetric, Recover::BySubstitution, whole).is_err());
}

#[test]
fn matrices() {
    let found = coloring(&band(5, 1), ColoringProblem::Column, GreedyColoring::default()).expect("colored");
    let other = compress(&band(4, 1).to_sparse(Storage::CSR, 1.0), &found);
    assert_eq!(message(other), "the sparsity pattern expects 5x5, and the matrix has 4x4");
    let wider = compress(&band(5, 2).to_sparse(Storage::CSR, 1.0), &found);
    assert_eq!(
        message(wider),
        "the sparsity pattern expects entries in the pattern, and the matrix has an entry at (0, 2)"
    );
    let sums = compress(&band(5, 1).to_sparse(Storage::CSR, 1.0), &found).expect("the same pattern");
    assert!(decompress_into(&mut band(5, 2).to_sparse(Storage::CSR, 1.0), &sums, &found).is_err());
    assert!(decompress_into(&mut band(5, 0).to_sparse(Storage::CSC, 1.0), &sums, &found).is_err());
    decompress_into(&mut band(5, 1).to_sparse(Storage::CSC, 0.0), &sums, &found).expect("the same pattern");
    let decompressor = Decompressor::new(&found, Storage::CSR, Triangle::Full).expect("colored");
    assert!(decompressor.decompress_into(&mut band(5, 1).to_sparse(Storage::CSC, 1.0), &sums).is_err());
    assert!(decompressor.values_into(&mut [0.0; 12], sums.columns.view(), sums.rows.view()).is_err());
    let transposed = decompressor.values_into(&mut [0.0; 13], sums.columns.t(), sums.rows.view());
    assert_eq!(message(transposed), "expected a result buffer of size (5x3, 0x5), found (3x5, 0x5)");
}

#[test]
fn what_takes_too_long() {
    let pattern = crate::matrices::Random(5).pattern(60, 60, 400);
    for problem in [ColoringProblem::Column, ColoringProblem::Bidirectional] {
        let hasty = coloring(&pattern, problem, OptimalColoring::default().steps(50));
        assert!(matches!(hasty, Err(Error::UnsupportedColoring { .. })));
    }
}
