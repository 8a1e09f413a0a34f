//! Every backend, with its builders, and closures, sparse matrices, functions over any number type.

use super::{near, nears};
use diffi::prelude::*;
use ndarray::array;

#[differentiable]
fn product(x: &[f64]) -> f64 {
    x[0] * x[1] * x[1]
}
#[differentiable]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v * v).collect()
}
#[differentiable]
fn wave(x: f64) -> f64 {
    x * x * x
}
#[differentiable]
fn diffs(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).collect()
}
#[differentiable]
fn sum_diffs(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
}
const X: [f64; 2] = [2.0, 3.0];

macro_rules! each { ($($b:expr),+ $(,)?) => { $( {
    let b = $b; let g = gradient(product::D, b.clone(), &X).unwrap(); for (g, w) in g.iter().zip([9.0, 12.0]) { assert!((g - w).abs() < 1e-5, "{:?} {g}", b); }
    let j = jacobian(squares::D, b.clone(), &X).unwrap(); assert!((j[[0, 0]] - 4.0).abs() < 1e-5 && (j[[1, 1]] - 6.0).abs() < 1e-5 && j[[0, 1]].abs() < 1e-8);
    assert!((derivative(wave::D, b.clone(), 2.0).unwrap() - 12.0).abs() < 1e-5);
    assert!((pushforward(squares::D, b.clone(), &X, &[1.0, 0.0]).unwrap()[0] - 4.0).abs() < 1e-5);
    assert!((pullback(squares::D, b.clone(), &X, &[1.0, 0.0]).unwrap()[0] - 4.0).abs() < 1e-5);
    let _ = (b.mode(), b.inner(), b.outer(), b.forward_counterpart(), b.reverse_counterpart());
} )+ } }
macro_rules! second { ($($b:expr),+ $(,)?) => { $( {
    let b = $b; let h = hessian(product::D, b.clone(), &X).unwrap(); for (g, w) in h.iter().zip([0.0, 6.0, 6.0, 4.0]) { assert!((g - w).abs() < 1e-3, "{:?} {h}", b); }
    assert!((second_derivative(wave::D, b.clone(), 2.0).unwrap() - 12.0).abs() < 1e-3);
    assert!((hvp(product::D, b.clone(), &X, &[1.0, 0.0]).unwrap()[1] - 6.0).abs() < 1e-3);
    let _ = (b.mode(), b.inner(), b.outer());
} )+ } }
#[test]
fn all() {
    each!(
        AutoForward,
        AutoReverse,
        AutoDual::default(),
        AutoHyperDual::default(),
        AutoTape::default(),
        AutoTaylor::default(),
        AutoSymbolic,
        AutoFiniteDiff,
        AutoFiniteDifferences::default(),
        AutoForward::default(),
        AutoFiniteDiff.relative_step(1e-5),
        AutoFiniteDiff::default().relative_step(1e-6),
        MixedMode(AutoForward, AutoReverse),
        AutoForwardFromPrimitive(AutoForward),
        AutoReverseFromPrimitive(AutoReverse),
        AutoTape.replayed()
    );
    second!(
        AutoForward,
        AutoReverse,
        AutoDual::default(),
        AutoHyperDual::default(),
        AutoTape::default(),
        AutoTaylor::default(),
        AutoSymbolic,
        AutoFiniteDiff,
        AutoFiniteDifferences::default(),
        SecondOrder(AutoForward, AutoReverse),
        SecondOrder(AutoReverse, AutoForward),
        SecondOrder(AutoForward, AutoForward),
        SecondOrder(AutoReverse, AutoReverse),
        SecondOrder(AutoFiniteDiff, AutoReverse),
        SecondOrder(AutoFiniteDiff, AutoForward)
    );
    let _ = gradient(product::D, AutoZero, &X).unwrap();
    let _ = (AutoDual, AutoHyperDual, AutoTape, AutoTaylor, AutoSymbolic, AutoZero, NoAutoDiff, AutoFiniteDifferences);
    let f: AutoForward = AutoForward::default().batch_size(4);
    let _ = f;
    assert_eq!(AutoFiniteDiff.mode(), Mode::Forward);
}
#[test]
fn sparse() -> Result<()> {
    let x = [1.0, 2.0, 4.0, 7.0];
    let backend =
        AutoSparse::new(AutoForward).detector(TracerSparsityDetector::default()).coloring(GreedyColoring::default());
    let j: sprs::CsMat<f64> = jacobian(diffs::D, backend.clone(), &x)?;
    assert_eq!(j.shape(), (3, 4));
    near(*j.get(0, 1).unwrap(), 2.0);
    let h: sprs::CsMat<f64> = hessian(sum_diffs::D, AutoSparse::new(AutoReverse), &x)?;
    near(*h.get(1, 1).unwrap(), 4.0);
    let mut p = prepare_jacobian(diffs::D, AutoSparse::new(AutoForward), &x)?;
    let mut out = p.jacobian(&x)?;
    p.jacobian_into(&mut out, &x)?;
    let (_, _) = p.value_and_jacobian(&x)?;
    println!("{:?} {:?} {:?} {}", p.sparsity_pattern(), p.column_colors(), p.row_colors(), p.ncolors());
    let mut p = prepare_hessian(sum_diffs::D, AutoSparse::new(SecondOrder(AutoForward, AutoReverse)), &x)?;
    let h = p.hessian(&x)?;
    let (y, g, h2) = p.value_gradient_and_hessian(&x)?;
    near(y, 14.0);
    nears(&g, &[-2.0, -2.0, -2.0, 6.0]);
    assert_eq!(h, h2);
    println!("{:?} {}", p.sparsity_pattern(), p.ncolors());
    let pat = jacobian_sparsity(diffs::D, TracerSparsityDetector::default(), &x)?;
    let _ = hessian_sparsity(sum_diffs::D, TracerSparsityDetector::default(), &x)?;
    let _ = jacobian(diffs::D, AutoSparse::new(MixedMode(AutoForward, AutoReverse)), &x)?;
    let _ = jacobian(diffs::D, AutoSparse::new(AutoForward).detector(TracerLocalSparsityDetector::default()), &x)?;
    let _ = jacobian(diffs::D, AutoSparse::new(AutoForward).detector(KnownJacobianSparsity(pat.clone())), &x)?;
    Ok(())
}
#[test]
fn closures() -> Result<()> {
    let k = 3.0;
    near((gradient(|x: &[f64]| k * x[0] * x[0], AutoFiniteDiff, &[2.0])?[0] * 1e4).round() / 1e4, 12.0);
    near((derivative(|x: f64| k * x * x, AutoFiniteDiff, 2.0)? * 1e4).round() / 1e4, 12.0);
    near((gradient(|x: [f64; 2]| k * x[0] * x[0], AutoFiniteDiff, [2.0, 1.0])?[0] * 1e4).round() / 1e4, 12.0);
    near(
        (gradient(|x: &[f64], c: f64| c * x[0] * x[0], AutoFiniteDiff, (&[2.0], Constant(3.0)))?[0] * 1e4).round()
            / 1e4,
        12.0,
    );
    near((gradient(|x: &Vec<f64>| k * x[0] * x[0], AutoFiniteDiff, &vec![2.0])?[0] * 1e4).round() / 1e4, 12.0);
    near(
        (gradient(|x: &[f64], n: usize| x[n] * x[n], AutoFiniteDiff, (&[2.0], Constant(0)))?[0] * 1e4).round() / 1e4,
        4.0,
    );
    near((gradient(|t: f64, x: &[f64]| t * x[0], AutoFiniteDiff, (2.0, Constant(&[3.0])))? * 1e4).round() / 1e4, 3.0);
    let h = hessian(|x: &[f64]| x[0] * x[1], AutoFiniteDiff, &[2.0, 1.0])?;
    assert!((h[[0, 1]] - 1.0).abs() < 1e-3);
    let j = jacobian(|x: &[f64]| vec![x[0] * x[1]], AutoFiniteDifferences::default(), &[2.0, 1.0])?;
    assert!((j[[0, 1]] - 2.0).abs() < 1e-6);
    let j = jacobian(|x: &[f64], y: &mut [f64]| y[0] = x[0] * x[1], AutoFiniteDiff, (&[2.0, 1.0], &mut [0.0]))?;
    assert!((j[[0, 1]] - 2.0).abs() < 1e-6);
    Ok(())
}
struct Sum;
impl diffi::ScalarFn for Sum {
    type Input = [f64];
    type Output = f64;
    fn call<S: diffi::Real<Base = f64>>(&self, x: &[S]) -> S {
        x[0] * x[1]
    }
}
#[test]
fn scalar_fn() -> Result<()> {
    nears(&gradient(Sum, AutoDual, &[2.0, 3.0])?, &[3.0, 2.0]);
    nears(&gradient(Sum, AutoTape, &[2.0, 3.0])?, &[3.0, 2.0]);
    assert_eq!(hessian(Sum, AutoHyperDual, &[2.0, 3.0])?, array![[0.0, 1.0], [1.0, 0.0]]);
    Ok(())
}
#[differentiable]
fn outer(x: &[f64]) -> f64 {
    x[0] * differentiate_with(product::D, AutoFiniteDiff).call(x)
}
#[test]
fn with() -> Result<()> {
    let g = gradient(differentiate_with(product::D, AutoFiniteDiff), AutoReverse, &X)?;
    assert!((g[0] - 9.0).abs() < 1e-5);
    let g = gradient(outer::D, AutoReverse, &X)?;
    assert!((g[0] - 36.0).abs() < 1e-4, "{g:?}");
    let g = gradient(outer::D, AutoForward, &X)?;
    assert!((g[0] - 36.0).abs() < 1e-4, "{g:?}");
    Ok(())
}
