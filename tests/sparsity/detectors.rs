//! Detectors beside each other.

use crate::functions::*;
use diffi::prelude::*;
use diffi::{Real, ScalarFn};

const LOCAL: TracerLocalSparsityDetector = TracerLocalSparsityDetector;

#[test]
fn dense_backends_see_the_same_entries() -> Result<()> {
    let x = point(40);
    let exact = DenseSparsityDetector::new(AutoForward);
    assert_eq!(jacobian_sparsity(arrow::D, exact, &x)?, jacobian_sparsity(arrow::D, LOCAL, &x)?);
    let rough = DenseSparsityDetector::new(AutoFiniteDiff).tolerance(1e-6);
    assert_eq!(jacobian_sparsity(arrow::D, rough, &x)?, jacobian_sparsity(arrow::D, LOCAL, &x)?);
    let args = (&x, Constant(3));
    let seen = hessian_sparsity(arrow_head::D, DenseSparsityDetector::new(AutoReverse), args)?;
    assert_eq!(seen, hessian_sparsity(arrow_head::D, LOCAL, args)?);
    Ok(())
}

/// Many inputs go another way than few.
#[test]
fn sets_of_every_size() -> Result<()> {
    for n in [511, 512, 513, 1500, 2048, 2049, 5000] {
        let x = point(n);
        let j = jacobian_sparsity(arrow::D, LOCAL, &x)?;
        assert_eq!(j.row(0).len(), n);
        assert!((1..n).all(|i| j.row(i) == [0, i as u32]));
        let h = hessian_sparsity(squared_slopes::D, LOCAL, &x)?;
        assert_eq!(h.nnz(), 3 * n - 2);
        assert!((0..n).all(|i| h.row(i).iter().all(|j| (*j as usize).abs_diff(i) <= 1)));
    }
    Ok(())
}

#[test]
fn a_point_of_its_own() -> Result<()> {
    let there = jacobian_sparsity(branching::D, LOCAL, &[1.0, 2.0, 3.0])?;
    let elsewhere = jacobian_sparsity(branching::D, LOCAL, &[-1.0, 2.0, 3.0])?;
    assert_eq!(there.iter().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 2)]);
    assert_eq!(elsewhere.iter().collect::<Vec<_>>(), [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]);
    Ok(())
}

#[test]
fn patterns_that_hold_everywhere() -> Result<()> {
    let (x, global) = (point(30), TracerSparsityDetector);
    assert_eq!(jacobian_sparsity(slopes::D, global, &x)?, jacobian_sparsity(slopes::D, LOCAL, &x)?);
    assert_eq!(jacobian_sparsity(arrow::D, global, &[0.0; 30])?, jacobian_sparsity(arrow::D, LOCAL, &x)?);
    assert_eq!(hessian_sparsity(squared_slopes::D, global, &x)?, hessian_sparsity(squared_slopes::D, LOCAL, &x)?);
    assert_eq!(hessian_sparsity(coupled::D, global, (&x, &x))?, hessian_sparsity(coupled::D, LOCAL, (&x, &x))?);
    let mut scratch = vec![0.0; 30];
    let everywhere = hessian_sparsity(apart::D, global, (&x, Constant(3), Constant(0.0), Cache(&mut scratch)))?;
    let here = hessian_sparsity(apart::D, LOCAL, (&x, Constant(3), Constant(2.0), Cache(&mut scratch)))?;
    assert_eq!(everywhere, here);
    for n in [0, 1, 3] {
        assert_eq!(hessian_sparsity(flat::D, global, &vec![1.0; n])?.nnz(), 0);
    }
    let (mut v, rate) = (vec![0.5; 30], vec![0.1; 30]);
    let inputs = jacobian_sparsity(diffused::D, global, (&x, &rate, &mut v))?;
    assert_eq!(inputs, jacobian_sparsity(diffused::D, LOCAL, (&x, &rate, &mut v))?);
    let in_place = jacobian_sparsity(mixed::D, global, &mut v)?;
    assert_eq!((in_place, &v), (jacobian_sparsity(mixed::D, LOCAL, &mut v.clone())?, &vec![0.5; 30]));
    Ok(())
}

/// Written over any number type by hand.
struct Chain;

impl ScalarFn for Chain {
    type Input = [f64];
    type Output = f64;
    fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
        let mut sum = S::lit(0.0);
        for i in 1..x.len() {
            sum += x[i].atan2(x[i - 1]);
        }
        if sum.value() > 0.0 { sum } else { x[0] * x[1] }
    }
}

#[test]
fn functions_over_numbers() -> Result<()> {
    let local = TracerLocalSparsityDetector.overloaded();
    let chain = hessian_sparsity(Chain, local, &[1.0; 10])?;
    assert_eq!(chain.nnz(), 28);
    assert_eq!(hessian_sparsity(Chain, local, &[-1.0; 10])?.nnz(), 2);
    assert_eq!(hessian_sparsity(Chain, TracerSparsityDetector, &[1.0; 10]), Err(Error::ValueNeeded));
    let h = hessian(Chain, AutoSparse::new(AutoFiniteDiff).detector(local), &[1.0; 10])?;
    assert_eq!(h.nnz(), 28);
    Ok(())
}
