//! Sparse Hessians: their values, in every variant, beside the dense ones.

use crate::functions::*;
use diffi::prelude::*;
use diffi::sparse::{KnownHessianSparsity, Pattern, Storage, Triangle};
use ndarray::Array2;
use sprs::CsMat;

const LOCAL: TracerLocalSparsityDetector = TracerLocalSparsityDetector;

fn sparse() -> AutoSparse<AutoReverse, TracerLocalSparsityDetector> {
    AutoSparse::new(AutoReverse).detector(LOCAL)
}

fn near(found: &CsMat<f64>, expected: &Array2<f64>, tolerance: f64) {
    let dense = found.to_dense();
    assert_eq!(dense.dim(), expected.dim());
    let far = dense.iter().zip(expected).any(|(a, b)| (a - b).abs() > tolerance * b.abs().max(1.0));
    assert!(!far, "{dense:?} is not {expected:?}");
}

#[test]
fn listing_two() -> Result<()> {
    let n = 1000;
    let mut prep = prepare_hessian(squared_slopes::D, sparse(), &point(n))?;
    assert_eq!((prep.ncolors(), prep.sparsity_pattern().nnz()), (3, 3 * n - 2));
    assert_eq!((prep.column_colors().len(), prep.row_colors().len()), (n, 0));
    let h = prep.hessian(&point(n))?;
    for (value, (i, j)) in &h {
        let exact = if i != j {
            -2.0
        } else if i == 0 || i == n - 1 {
            2.0
        } else {
            4.0
        };
        assert_eq!(*value, exact, "at ({i}, {j})");
    }
    Ok(())
}

#[test]
fn beside_the_dense_ones() -> Result<()> {
    let x = point(24);
    let dense = hessian(arrow_head::D, AutoReverse, (&x, Constant(2)))?;
    macro_rules! near_with {
        ($($backend:expr, $tolerance:expr;)+) => { $(
            let backend = AutoSparse::new($backend).detector(LOCAL).checked(true);
            near(&hessian(arrow_head::D, backend, (&x, Constant(2)))?, &dense, $tolerance);
        )+ };
    }
    near_with! {
        AutoReverse, 1e-12;
        AutoForward, 1e-12;
        AutoReverse.batch_size(1), 1e-12;
        SecondOrder(AutoForward, AutoReverse), 1e-12;
        SecondOrder(AutoReverse, AutoForward), 1e-12;
        SecondOrder(AutoFiniteDiff, AutoReverse), 1e-6;
        AutoFiniteDiff, 1e-3;
    }
    Ok(())
}

#[test]
fn values_alone() -> Result<()> {
    let x = point(24);
    let of_both = |triangle, checked| sparse().triangle(triangle).checked(checked);
    for backend in [sparse(), of_both(Triangle::Lower, false), of_both(Triangle::Full, true)] {
        // a Hessian that changes, and one that does not
        macro_rules! same {
            ($f:ident, $args:expr) => {
                let mut prep = prepare_hessian($f::D, backend.clone(), $args)?;
                let h = prep.hessian($args)?;
                let mut values = vec![f64::NAN; h.nnz()];
                prep.hessian_values_into(&mut values, $args)?;
                assert_eq!(values, h.data());
            };
        }
        same!(arrow_head, (&x, Constant(3)));
        same!(squared_slopes, &x);
    }
    Ok(())
}

#[test]
fn value_and_gradient_besides() -> Result<()> {
    let x = point(24);
    let args = (&x, Constant(3));
    let (y, g, h) = value_gradient_and_hessian(arrow_head::D, AutoReverse, args)?;
    let mut prep = prepare_hessian(arrow_head::D, sparse(), args)?;
    let (sy, sg, sh) = prep.value_gradient_and_hessian(args)?;
    assert_eq!((sy, &sg), (y, &g));
    near(&sh, &h, 1e-12);
    let (mut into_g, mut into_h) = (vec![f64::NAN; 24], prep.sparsity_pattern().to_sparse(Storage::CSR, f64::NAN));
    let y = prep.value_gradient_and_hessian_into(&mut into_g, &mut into_h, args)?;
    assert_eq!((y, into_g), (sy, sg));
    assert_eq!(into_h.to_dense(), sh.to_dense());
    Ok(())
}

#[test]
fn several_active_arguments_are_one() -> Result<()> {
    let (a, b) = (point(9), point(9));
    let dense = hessian(coupled::D, AutoReverse, (&a, &b))?;
    let (y, (ga, gb), h) = value_gradient_and_hessian(coupled::D, sparse(), (&a, &b))?;
    assert_eq!((y, (ga, gb)), {
        let (y, g) = value_and_gradient(coupled::D, AutoReverse, (&a, &b))?;
        (y, g)
    });
    near(&h, &dense, 1e-12);
    near(&hessian(coupled::D, sparse(), (Constant(&a), &b))?, &dense.slice(ndarray::s![9.., 9..]).to_owned(), 1e-12);
    Ok(())
}

#[test]
fn through_scratch() -> Result<()> {
    let x = point(15);
    let mut scratch = vec![0.0; 15];
    let dense = hessian(apart::D, AutoReverse, (&x, Constant(3), Constant(2.0), Cache(&mut scratch)))?;
    let h = hessian(apart::D, sparse().checked(true), (&x, Constant(3), Constant(2.0), Cache(&mut scratch)))?;
    near(&h, &dense, 1e-12);
    assert!(h.nnz() < 60);
    Ok(())
}

#[test]
fn one_triangle() -> Result<()> {
    let x = point(24);
    let args = (&x, Constant(2));
    let whole = hessian(arrow_head::D, sparse(), args)?;
    for (triangle, keeps) in
        [(Triangle::Lower, (|i, j| i >= j) as fn(usize, usize) -> bool), (Triangle::Upper, |i, j| i <= j)]
    {
        let mut prep = prepare_hessian(arrow_head::D, sparse().triangle(triangle).checked(true), args)?;
        let part = prep.hessian(args)?;
        let expected: Vec<_> = whole.iter().filter(|(_, (i, j))| keeps(*i, *j)).map(|(v, at)| (*v, at)).collect();
        assert_eq!(part.iter().map(|(v, at)| (*v, at)).collect::<Vec<_>>(), expected);
        let mut by_rows = part.to_csr();
        by_rows.data_mut().fill(0.0);
        prep.hessian_into(&mut by_rows, args)?;
        assert_eq!(by_rows.to_csc(), part);
    }
    Ok(())
}

#[test]
fn nothing_to_find() -> Result<()> {
    for n in [0, 1, 7] {
        let x = point(n);
        let mut prep = prepare_hessian(flat::D, sparse().checked(true), &x)?;
        assert_eq!((prep.ncolors(), prep.sparsity_pattern().shape()), (0, (n, n)));
        let (y, g, h) = prep.value_gradient_and_hessian(&x)?;
        assert_eq!((y, g, h.nnz(), h.shape()), (flat(&x), vec![3.0; n], 0, (n, n)));
    }
    Ok(())
}

#[test]
fn known_patterns_must_fit() -> Result<()> {
    let x = point(4);
    let known = |pattern: Pattern| AutoSparse::new(AutoReverse).detector(KnownHessianSparsity(pattern));
    let full = hessian(squared_slopes::D, known(Pattern::dense(4, 4)?), &x)?;
    assert_eq!(full.to_dense(), hessian(squared_slopes::D, AutoReverse, &x)?);
    let wrong = prepare_hessian(squared_slopes::D, known(Pattern::dense(5, 5)?), &x);
    assert!(matches!(wrong, Err(Error::PatternMismatch { .. })));
    let lopsided = Pattern::from_triplets(4, 4, [(0, 1)])?;
    assert!(matches!(hessian(squared_slopes::D, known(lopsided), &x), Err(Error::NotSymmetric { .. })));
    let diagonal = Pattern::from_triplets(4, 4, (0..4).map(|i| (i, i)))?;
    let drift = hessian(squared_slopes::D, known(diagonal).checked(true), &x);
    assert!(matches!(drift, Err(Error::PatternDrift { .. })), "{drift:?}");
    Ok(())
}
