//! What cannot be, and what is hardly anything: errors, or empty results.

use crate::functions::{constant, flat, point, slopes, squared_slopes};
use diffi::prelude::*;
use diffi::sparse::{ConstantColoring, KnownHessianSparsity, KnownJacobianSparsity, Pattern, Storage};

const BOTH: MixedMode<AutoForward, AutoReverse> = MixedMode(AutoForward, AutoReverse);

/// For every direction that a Jacobian can be found in.
macro_rules! all_ways {
    ($check:ident) => {{
        $check!(AutoForward);
        $check!(AutoReverse);
        $check!(BOTH);
        $check!(AutoFiniteDiff);
    }};
}

#[test]
fn a_pattern_of_the_wrong_size() -> Result<()> {
    let x = point(5);
    for (rows, columns) in [(4, 4), (3, 5), (5, 4), (0, 0)] {
        let known = KnownJacobianSparsity(Pattern::dense(rows, columns)?);
        macro_rules! refused {
            ($dense:expr) => {
                let found = jacobian(slopes::D, AutoSparse::new($dense).detector(known.clone()), &x);
                assert!(matches!(found, Err(Error::PatternMismatch { .. })), "{found:?}");
            };
        }
        all_ways!(refused);
        let known = KnownHessianSparsity(Pattern::dense(rows, columns)?);
        let found = hessian(squared_slopes::D, AutoSparse::new(AutoReverse).detector(known), &x);
        assert!(matches!(found, Err(Error::PatternMismatch { .. })), "{found:?}");
    }
    Ok(())
}

#[test]
fn a_matrix_of_another_pattern() -> Result<()> {
    let x = point(5);
    let mut prep = prepare_jacobian(slopes::D, AutoSparse::new(AutoForward), &x)?;
    for (rows, columns) in [(4, 5), (5, 4), (5, 5), (0, 0)] {
        for storage in [Storage::CSC, Storage::CSR] {
            let mut other = Pattern::dense(rows, columns)?.to_sparse(storage, 0.0);
            assert!(matches!(prep.jacobian_into(&mut other, &x), Err(Error::PatternMismatch { .. })));
        }
    }
    let shifted = Pattern::from_rows(5, (0..4).map(|i| [(i + 1) % 5, (i + 2) % 5]))?;
    for storage in [Storage::CSC, Storage::CSR] {
        let found = prep.jacobian_into(&mut shifted.to_sparse(storage, 0.0), &x);
        assert!(matches!(found, Err(Error::PatternMismatch { .. })), "as many entries in other places: {found:?}");
    }
    Ok(())
}

#[test]
fn more_or_fewer_values_than_entries() -> Result<()> {
    let x = point(5);
    let mut by_columns = prepare_jacobian(slopes::D, AutoSparse::new(AutoForward), &x)?;
    let mut second = prepare_hessian(squared_slopes::D, AutoSparse::new(AutoReverse), &x)?;
    for count in [0, 7, 9, 12, 14] {
        let mut values = vec![0.0; count];
        let found = by_columns.jacobian_values_into(&mut values, &x);
        assert!(matches!(found, Err(Error::PatternMismatch { .. })), "{count} values for 8 entries");
        let found = second.hessian_values_into(&mut values, &x);
        assert!(matches!(found, Err(Error::PatternMismatch { .. })), "{count} values for 13 entries");
        assert_eq!(values, vec![0.0; count]);
    }
    Ok(())
}

#[test]
fn a_coloring_that_is_not_valid() -> Result<()> {
    let x = point(5);
    for colors in [vec![1; 5], vec![1, 2, 1, 1, 2], vec![1, 2, 1, 2], vec![1, 2, 1, 2, 0], vec![1, 2, 1, 2, u32::MAX]] {
        let given = AutoSparse::new(AutoForward).coloring(ConstantColoring::columns(colors.clone()));
        let found = jacobian(slopes::D, given, &x);
        assert!(matches!(found, Err(Error::InvalidColoring { .. })), "{colors:?}: {found:?}");
        let given = AutoSparse::new(AutoReverse).coloring(ConstantColoring::columns(colors.clone()));
        let found = hessian(squared_slopes::D, given, &x);
        assert!(matches!(found, Err(Error::InvalidColoring { .. })), "{colors:?}: {found:?}");
    }
    let rows_instead = AutoSparse::new(AutoForward).coloring(ConstantColoring::rows([1, 2, 1, 2]));
    assert!(matches!(jacobian(slopes::D, rows_instead, &x), Err(Error::InvalidColoring { .. })));
    Ok(())
}

/// The second row depends on nothing, and nothing depends on the last number.
#[differentiable]
fn with_gaps(x: &[f64]) -> Vec<f64> {
    vec![x[0] * x[1], 4.0, x[1] * x[1]]
}

#[test]
fn an_empty_row_and_an_empty_column() -> Result<()> {
    let x = [2.0, 3.0, 5.0];
    macro_rules! right {
        ($dense:expr) => {
            let mut prep = prepare_jacobian(with_gaps::D, AutoSparse::new($dense).checked(true), &x)?;
            assert_eq!(prep.sparsity_pattern().row(1), [0; 0]);
            let found = prep.jacobian(&x)?;
            assert_eq!((found.shape(), found.nnz()), ((3, 3), 3));
            let exact = ndarray::array![[3.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 6.0, 0.0]];
            assert!(found.to_dense().iter().zip(&exact).all(|(a, b): (&f64, &f64)| (a - b).abs() < 1e-6));
        };
    }
    all_ways!(right);
    Ok(())
}

#[test]
fn no_dependence_at_all() -> Result<()> {
    let x = point(4);
    macro_rules! nothing {
        ($dense:expr) => {
            let mut prep = prepare_jacobian(constant::D, AutoSparse::new($dense).checked(true), &x)?;
            assert_eq!(prep.ncolors(), 0);
            let (y, j) = prep.value_and_jacobian(&x)?;
            assert_eq!((y, j.shape(), j.nnz()), (vec![1.0; 4], (4, 4), 0));
        };
    }
    all_ways!(nothing);
    let mut prep = prepare_hessian(flat::D, AutoSparse::new(AutoReverse), &x)?;
    let (y, g, h) = prep.value_gradient_and_hessian(&x)?;
    assert_eq!((y, g, h.shape(), h.nnz()), (flat(&x), vec![3.0; 4], (4, 4), 0));
    Ok(())
}

#[test]
fn no_numbers() -> Result<()> {
    let none: [f64; 0] = [];
    macro_rules! empty {
        ($dense:expr) => {
            let j = jacobian(constant::D, AutoSparse::new($dense).checked(true), &none[..])?;
            assert_eq!((j.shape(), j.nnz()), ((0, 0), 0));
        };
    }
    all_ways!(empty);
    let (y, g, h) = value_gradient_and_hessian(flat::D, AutoSparse::new(AutoReverse), &none[..])?;
    assert_eq!((y, g, h.shape(), h.nnz()), (0.0, vec![], (0, 0), 0));
    assert_eq!(jacobian_sparsity(constant::D, TracerSparsityDetector, &none[..])?.shape(), (0, 0));
    assert_eq!(hessian_sparsity(flat::D, TracerLocalSparsityDetector, &none[..])?.shape(), (0, 0));
    Ok(())
}
