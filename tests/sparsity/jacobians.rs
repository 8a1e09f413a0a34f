//! Sparse Jacobians: their values, in every variant, beside the dense ones.

use crate::functions::*;
use diffi::prelude::*;
use diffi::sparse::{ColoringProblem, KnownJacobianSparsity, Pattern};
use ndarray::Array2;
use sprs::CsMat;

const LOCAL: TracerLocalSparsityDetector = TracerLocalSparsityDetector;

fn forward() -> AutoSparse<AutoForward, TracerLocalSparsityDetector> {
    AutoSparse::new(AutoForward).detector(LOCAL)
}

fn reverse() -> AutoSparse<AutoReverse, TracerLocalSparsityDetector> {
    AutoSparse::new(AutoReverse).detector(LOCAL)
}

fn near(found: &CsMat<f64>, expected: &Array2<f64>, tolerance: f64) {
    let dense = found.to_dense();
    assert_eq!(dense.dim(), expected.dim());
    let far = dense.iter().zip(expected).any(|(a, b)| (a - b).abs() > tolerance * b.abs().max(1.0));
    assert!(!far, "{dense:?} is not {expected:?}");
}

#[test]
fn slopes_are_one_and_minus_one() -> Result<()> {
    let x = point(6);
    let j = jacobian(slopes::D, forward(), &x)?;
    assert!(j.is_csc());
    assert_eq!((j.shape(), j.nnz()), ((5, 6), 10));
    for (value, (row, column)) in &j {
        assert_eq!(*value, if row == column { -1.0 } else { 1.0 });
    }
    assert_eq!(jacobian(slopes::D, reverse(), &x)?, j);
    let (y, same) = value_and_jacobian(slopes::D, reverse(), &x)?;
    assert_eq!((y, same), (slopes(&x), j));
    Ok(())
}

#[test]
fn prepared_objects_show_what_they_found() -> Result<()> {
    let x = point(50);
    let mut by_columns = prepare_jacobian(slopes::D, forward(), &x)?;
    assert_eq!(by_columns.ncolors(), 2);
    assert_eq!((by_columns.column_colors().len(), by_columns.row_colors().len()), (50, 0));
    assert_eq!(by_columns.sparsity_pattern().nnz(), 98);
    assert_eq!(by_columns.mode(), Mode::Forward);
    let mut by_rows = prepare_jacobian(slopes::D, reverse(), &x)?;
    assert_eq!((by_rows.ncolors(), by_rows.row_colors().len(), by_rows.column_colors().len()), (2, 49, 0));
    assert_eq!(by_rows.mode(), Mode::Reverse);
    let other = vec![1.5; 50];
    assert_eq!(by_columns.jacobian(&other)?, by_rows.jacobian(&other)?);
    assert!(matches!(by_rows.jacobian(&other[1..]), Err(Error::PreparationMismatch { .. })));
    by_rows.resize(&other[..3])?;
    assert_eq!(by_rows.jacobian(&other[..3])?.to_dense(), ndarray::array![[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]]);
    Ok(())
}

#[test]
fn buffers_by_columns_and_by_rows() -> Result<()> {
    let x = point(40);
    let dense = jacobian(arrow::D, AutoForward, &x)?;
    let mut prep = prepare_jacobian(arrow::D, forward(), &x)?;
    let mut by_columns = prep.sparsity_pattern().to_sparse(diffi::sparse::Storage::CSC, f64::NAN);
    let mut by_rows = prep.sparsity_pattern().to_sparse(diffi::sparse::Storage::CSR, f64::NAN);
    prep.jacobian_into(&mut by_columns, &x)?;
    let y = prep.value_and_jacobian_into(&mut by_rows, &x)?;
    assert_eq!(y, arrow(&x));
    assert!(by_columns.is_csc() && by_rows.is_csr());
    assert_eq!((by_columns.to_dense(), by_rows.to_dense()), (dense.clone(), dense));
    let mut other = Pattern::dense(40, 40)?.to_sparse(diffi::sparse::Storage::CSC, 0.0);
    assert!(matches!(prep.jacobian_into(&mut other, &x), Err(Error::PatternMismatch { .. })));
    let mut smaller = CsMat::<f64>::zero((2, 2));
    assert!(matches!(prep.jacobian_into(&mut smaller, &x), Err(Error::PatternMismatch { .. })));
    Ok(())
}

#[test]
fn several_active_arguments_have_blocks() -> Result<()> {
    let (u, rate, mut v) = (point(30), vec![0.1; 30], vec![0.0; 30]);
    let (du, drate) = jacobian(diffused::D, AutoForward, (&u, &rate, &mut v))?;
    for_each_backend(|name, find| {
        let (su, srate) = find(&u, &rate);
        near(&su, &du, 1e-9);
        near(&srate, &drate, 1e-9);
        assert!(su.nnz() < 100 && srate.nnz() < 100, "{name}");
    });
    let mut prep = prepare_jacobian(diffused::D, forward(), (&u, &rate, &mut v))?;
    let (mut a, mut b) = prep.jacobian((&u, &rate, &mut v))?;
    let rows = b.to_csr();
    let mut b_rows = rows.clone();
    prep.jacobian_into((&mut a, &mut b_rows), (&u, &rate, &mut v))?;
    assert_eq!(b_rows, rows);
    b.data_mut().fill(0.0);
    prep.jacobian_into(&mut (a, b), (&u, &rate, &mut v))?;
    let only = jacobian(diffused::D, forward(), (&u, Constant(&rate), &mut v))?;
    near(&only, &du, 1e-12);
    Ok(())
}

type Blocks<'a> = &'a dyn Fn(&[f64], &[f64]) -> (CsMat<f64>, CsMat<f64>);

fn for_each_backend(mut check: impl FnMut(&str, Blocks<'_>)) {
    macro_rules! with {
        ($($backend:expr),+) => { $(
            check(stringify!($backend), &|u, rate| {
                let mut v = vec![0.0; u.len()];
                jacobian(diffused::D, $backend.detector(LOCAL).checked(true), (u, rate, &mut v)).unwrap()
            });
        )+ };
    }
    with!(
        AutoSparse::new(AutoForward),
        AutoSparse::new(AutoForward.batch_size(1)),
        AutoSparse::new(AutoReverse),
        AutoSparse::new(AutoReverse.batch_size(3)),
        AutoSparse::new(AutoForwardFromPrimitive(AutoForward)),
        AutoSparse::new(AutoReverseFromPrimitive(AutoReverse)),
        AutoSparse::new(AutoDual),
        AutoSparse::new(AutoHyperDual),
        AutoSparse::new(AutoTaylor),
        AutoSparse::new(AutoTape)
    );
}

#[test]
fn differences() -> Result<()> {
    let x = point(30);
    let backend = AutoSparse::new(AutoFiniteDiff).detector(LOCAL).checked(true);
    near(&jacobian(arrow::D, backend.clone(), &x)?, &jacobian(arrow::D, AutoForward, &x)?, 1e-7);
    let known = KnownJacobianSparsity(jacobian_sparsity(slopes::D, LOCAL, &x)?);
    let closure = |x: &[f64]| -> Vec<f64> { x.windows(2).map(|w| (w[1] - w[0]).powi(3)).collect() };
    let j = jacobian(closure, backend.detector(known), &x)?;
    for (value, (row, column)) in &j {
        let exact = 3.0 * (x[row + 1] - x[row]).powi(2) * if row == column { -1.0 } else { 1.0 };
        assert!((value - exact).abs() < 1e-7);
    }
    Ok(())
}

#[test]
fn both_directions_at_once() -> Result<()> {
    let x = point(60);
    let dense = jacobian(arrow::D, AutoForward, &x)?;
    let mixed = AutoSparse::new(MixedMode(AutoForward, AutoReverse)).detector(LOCAL).checked(true);
    let mut prep = prepare_jacobian(arrow::D, mixed.clone(), &x)?;
    assert_eq!(prep.coloring().problem(), ColoringProblem::Bidirectional);
    assert!(prep.ncolors() < 10, "an arrow needs few colors for rows and columns, not {}", prep.ncolors());
    assert_eq!((prep.row_colors().len(), prep.column_colors().len()), (60, 60));
    assert_eq!(prep.mode(), Mode::ForwardAndReverse);
    near(&prep.jacobian(&x)?, &dense, 1e-12);
    let (y, j) = prep.value_and_jacobian(&x)?;
    assert_eq!(y, arrow(&x));
    near(&j, &dense, 1e-12);
    let fewest = prepare_jacobian(slopes::D, mixed.fewest(), &x)?;
    assert_eq!((fewest.coloring().problem(), fewest.ncolors()), (ColoringProblem::Column, 2));
    Ok(())
}

#[test]
fn input_and_output_in_one() -> Result<()> {
    let x = point(20);
    let (mut a, mut b) = (x.clone(), x.clone());
    let dense = jacobian(mixed::D, AutoForward, &mut a)?;
    let j = jacobian(mixed::D, forward(), &mut b)?;
    assert_eq!(a, b);
    near(&j, &dense, 1e-12);
    let mut c = x.clone();
    let both = AutoSparse::new(MixedMode(AutoForward, AutoReverse)).detector(LOCAL).checked(true);
    near(&jacobian(mixed::D, both, &mut c)?, &dense, 1e-12);
    assert_eq!(a, c);
    Ok(())
}

#[test]
fn nothing_to_find() -> Result<()> {
    for n in [0, 1, 5] {
        let x = point(n);
        let mut prep = prepare_jacobian(constant::D, forward(), &x)?;
        assert_eq!((prep.ncolors(), prep.sparsity_pattern().shape()), (0, (n, n)));
        let (y, j) = prep.value_and_jacobian(&x)?;
        assert_eq!((y, j.shape(), j.nnz()), (vec![1.0; n], (n, n), 0));
        assert_eq!(jacobian(constant::D, reverse(), &x)?.nnz(), 0);
        let both = AutoSparse::new(MixedMode(AutoForward, AutoReverse)).detector(LOCAL).checked(true);
        let (y, j) = value_and_jacobian(constant::D, both, &x)?;
        assert_eq!((y.len(), j.nnz()), (n, 0));
    }
    Ok(())
}

#[test]
fn single_precision() -> Result<()> {
    let j = jacobian(squares::D, AutoSparse::new(AutoReverse).detector(LOCAL).checked(true), &[1.0f32, 2.0, 3.0])?;
    assert_eq!(j.to_dense(), ndarray::array![[2.0f32, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 6.0]]);
    Ok(())
}

#[test]
fn a_drift_of_the_pattern_is_an_error() -> Result<()> {
    let (there, elsewhere) = (point(12), point(12).iter().map(|v| -v).collect::<Vec<f64>>());
    macro_rules! drifts {
        ($($dense:expr),+) => { $(
            let mut prep = prepare_jacobian(branching::D, AutoSparse::new($dense).detector(LOCAL).checked(true), &there)?;
            near(&prep.jacobian(&there)?, &jacobian(branching::D, AutoForward, &there)?, 1e-6);
            let drift = prep.jacobian(&elsewhere);
            assert!(matches!(drift, Err(Error::PatternDrift { .. })), "{drift:?}");
        )+ };
    }
    drifts!(AutoForward, AutoReverse, MixedMode(AutoForward, AutoReverse), AutoFiniteDiff);
    Ok(())
}

#[test]
fn known_patterns_must_fit() -> Result<()> {
    let x = point(5);
    let pattern = |rows, columns| KnownJacobianSparsity(Pattern::dense(rows, columns).unwrap());
    let sparse = |rows, columns| AutoSparse::new(AutoForward).detector(pattern(rows, columns));
    assert_eq!(jacobian(slopes::D, sparse(4, 5), &x)?.to_dense(), jacobian(slopes::D, AutoForward, &x)?);
    assert!(matches!(prepare_jacobian(slopes::D, sparse(4, 4), &x), Err(Error::PatternMismatch { .. })));
    assert!(matches!(jacobian(slopes::D, sparse(5, 5), &x), Err(Error::PatternMismatch { .. })));
    Ok(())
}

#[test]
fn values_alone() -> Result<()> {
    let (u, rate, mut v) = (point(40), point(40), vec![0.0; 40]);
    macro_rules! same {
        ($($dense:expr),+) => { $(
            let mut prep = prepare_jacobian(diffused::D, AutoSparse::new($dense), (&u, &rate, &mut v))?;
            let (a, b) = prep.jacobian((&u, &rate, &mut v))?;
            let mut values = vec![f64::NAN; a.nnz() + b.nnz()];
            prep.jacobian_values_into(&mut values, (&u, &rate, &mut v))?;
            assert_eq!(values, [a.data(), b.data()].concat(), "{}", stringify!($dense));
        )+ };
    }
    same!(AutoForward, AutoReverse, MixedMode(AutoForward, AutoReverse), AutoFiniteDiff);
    Ok(())
}
