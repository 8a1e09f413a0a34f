//! Auxiliary outputs: what a function gives beside the result that is differentiated comes back beside what operators give.

use diffi::prelude::*;
use ndarray::{Array2, array};

const X: [f64; 2] = [1.0, 2.0];

/// What was found on the way: of no type that carries derivatives.
#[derive(Clone, Debug, PartialEq)]
struct Trace {
    terms: Vec<f64>,
    label: String,
}

fn trace() -> Trace {
    Trace { terms: vec![1.0, 8.0], label: "9.0".to_owned() }
}

#[differentiable(has_aux)]
fn cubes(x: &[f64]) -> (f64, Trace) {
    let terms: Vec<f64> = x.iter().map(|v| v * v * v).collect();
    let sum = terms.iter().sum();
    (sum, Trace { terms: terms.clone(), label: format!("{sum:.1}") })
}

#[differentiable(has_aux)]
fn waves(x: &[f64], k: f64) -> (Vec<f64>, Vec<f64>) {
    let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    let scaled = squares.iter().map(|v| k * v).collect();
    (scaled, squares)
}

#[differentiable(has_aux)]
fn newton(a: f32) -> (f32, usize) {
    let (mut x, mut steps) = (a, 0);
    while (x * x - a).abs() > 1e-6 {
        x = 0.5 * (x + a / x);
        steps += 1;
    }
    (x, steps)
}

#[differentiable(has_aux)]
fn either(x: f64) -> (f64, &'static str) {
    if x > 0.0 { (x * x, "above") } else { (-x, "below") }
}

#[differentiable(has_aux)]
fn written(x: &[f64], y: &mut [f64]) -> (f64, usize) {
    y[0] = x[0] * x[1];
    (x[0], y.len())
}

/// The function itself is as it was.
#[test]
fn the_function_is_untouched() {
    assert_eq!(cubes(&X), (9.0, trace()));
    assert_eq!(either(-1.0), (1.0, "below"));
}

macro_rules! gradients {
    ($($backend:expr),+) => { $({
        let (b, g) = ($backend, [3.0, 12.0]);
        let close = |found: &[f64]| found.iter().zip(g).all(|(v, w)| (v - w).abs() < 1e-6);
        let (found, aux) = gradient(cubes::D, b, &X)?;
        assert!(close(&found) && aux == trace(), "{b:?}: {found:?}");
        let ((y, aux), found) = value_and_gradient(cubes::D, b, &X)?;
        assert!(close(&found) && aux == trace() && y == 9.0, "{b:?}: {found:?}");
        let mut buffer = [0.0; 2];
        assert_eq!(gradient_into(cubes::D, b, &mut buffer, &X)?, trace());
        assert!(close(&buffer));
        let mut prepared = prepare_gradient(cubes::D, b, &[0.5, 0.25])?;
        let (found, aux) = prepared.gradient(&X)?;
        assert!(close(&found) && aux == trace());
        assert_eq!(prepared.gradient_into(&mut buffer, &X)?, trace());
        let (y, aux) = prepared.value_and_gradient_into(&mut buffer, &X)?;
        assert!(close(&buffer) && aux == trace() && y == 9.0);
    })+ };
}

#[test]
fn gradients() -> Result<()> {
    gradients!(
        AutoForward,
        AutoReverse,
        AutoFiniteDiff,
        MixedMode(AutoForward, AutoReverse),
        AutoForwardFromPrimitive(AutoForward),
        AutoReverseFromPrimitive(AutoReverse),
        AutoDual,
        AutoDual.nan_safe().chunk_size(1),
        AutoHyperDual,
        AutoTape,
        AutoTape.replayed(),
        AutoTaylor,
        AutoComplexStep
    );
    // an auxiliary output looks at numbers, and no expression can hold that
    assert_eq!(gradient(cubes::D, AutoSymbolic, &X), Err(Error::ActiveBranch));
    assert_eq!(gradient(cubes::D, AutoZero, &X)?, (vec![0.0; 2], trace()));
    Ok(())
}

macro_rules! products {
    ($($backend:expr),+) => { $({
        let (b, squares) = ($backend, vec![1.0, 4.0]);
        assert_eq!(pushforward(waves::D, b, (&X, Constant(3.0)), &[1.0, 1.0])?, (vec![6.0, 12.0], squares.clone()));
        assert_eq!(pullback(waves::D, b, (&X, 3.0), &[1.0, 1.0])?, ((vec![6.0, 12.0], 5.0), squares.clone()));
        let ([one, two], aux) = pullback(waves::D, b, (&X, Constant(3.0)), [&[1.0, 0.0], &[0.0, 1.0]])?;
        assert_eq!((one, two, aux), (vec![6.0, 0.0], vec![0.0, 12.0], squares.clone()));
        let (j, aux) = jacobian(waves::D, b, (&X, Constant(3.0)))?;
        assert_eq!((j, aux), (array![[6.0, 0.0], [0.0, 12.0]], squares.clone()));
        let ((y, aux), (jx, jk)) = value_and_jacobian(waves::D, b, (&X, 3.0))?;
        assert_eq!((y, aux, jx.dim(), jk), (vec![3.0, 12.0], squares.clone(), (2, 2), array![[1.0], [4.0]]));
        let mut j = Array2::zeros((2, 2));
        let mut prepared = prepare_jacobian(waves::D, b, (&[0.5, 0.25], Constant(1.0)))?;
        assert_eq!(prepared.jacobian_into(&mut j, (&X, Constant(3.0)))?, squares);
        assert_eq!(j, array![[6.0, 0.0], [0.0, 12.0]]);
    })+ };
}

#[test]
fn products_and_jacobians() -> Result<()> {
    products!(
        AutoForward,
        AutoReverse,
        MixedMode(AutoForward, AutoReverse),
        AutoDual,
        AutoHyperDual,
        AutoTape,
        AutoTaylor
    );
    let mut at = prepare_pullback_same_point(waves::D, AutoReverse, (&X, 3.0), &[0.0, 0.0])?;
    assert_eq!(
        (at.pullback(&[1.0, 1.0])?, at.value(), at.aux()),
        ((vec![6.0, 12.0], 5.0), vec![3.0, 12.0], vec![1.0, 4.0])
    );
    Ok(())
}

#[test]
fn derivatives_in_single_precision() -> Result<()> {
    for (slope, steps) in [derivative(newton::D, AutoForward, 4.0)?, derivative(newton::D, AutoReverse, 4.0)?] {
        assert!((slope - 0.25).abs() < 1e-5 && steps == newton(4.0).1);
    }
    let ((y, steps), slope) = value_and_derivative(newton::D, AutoForward, 4.0f32)?;
    assert!((y - 2.0).abs() < 1e-6 && steps > 2 && (slope - 0.25).abs() < 1e-5);
    Ok(())
}

#[test]
fn branches() -> Result<()> {
    for backend in [AutoReverse, AutoReverse.batch_size(1)] {
        assert_eq!(derivative(either::D, backend, 3.0)?, (6.0, "above"));
        assert_eq!(derivative(either::D, backend, -3.0)?, (-1.0, "below"));
        assert_eq!(second_derivative(either::D, backend, 3.0)?, (2.0, "above"));
    }
    assert_eq!(second_derivative(either::D, AutoForward, 3.0)?, (2.0, "above"));
    assert_eq!(value_derivative_and_second_derivative(either::D, AutoForward, 3.0)?, ((9.0, "above"), 6.0, 2.0));
    Ok(())
}

macro_rules! second {
    ($($backend:expr),+) => { $({
        let (b, v) = ($backend, [1.0, 0.5]);
        assert_eq!(hessian(cubes::D, b, &X)?, (array![[6.0, 0.0], [0.0, 12.0]], trace()));
        assert_eq!(hvp(cubes::D, b, &X, &v)?, (vec![6.0, 6.0], trace()));
        assert_eq!(gradient_and_hvp(cubes::D, b, &X, &v)?, ((vec![3.0, 12.0], vec![6.0, 6.0]), trace()));
        let ((y, aux), g, h) = value_gradient_and_hessian(cubes::D, b, &X)?;
        assert_eq!((y, aux, g, h.dim()), (9.0, trace(), vec![3.0, 12.0], (2, 2)));
        let (mut g, mut hv, mut h) = (vec![0.0; 2], vec![0.0; 2], Array2::zeros((2, 2)));
        let mut prepared = prepare_hvp(cubes::D, b, &[0.5, 0.25], &v)?;
        assert_eq!(prepared.hvp_into(&mut hv, &X, &v)?, trace());
        assert_eq!(prepared.gradient_and_hvp_into(&mut g, &mut hv, &X, &v)?, trace());
        assert_eq!((&g[..], &hv[..]), (&[3.0, 12.0][..], &[6.0, 6.0][..]));
        assert_eq!(prepare_hessian(cubes::D, b, &X)?.hessian_into(&mut h, &X)?, trace());
        assert_eq!(h, array![[6.0, 0.0], [0.0, 12.0]]);
    })+ };
}

#[test]
fn second_order() -> Result<()> {
    second!(AutoForward, AutoReverse, SecondOrder(AutoForward, AutoReverse), SecondOrder(AutoReverse, AutoReverse));
    second!(AutoDual, AutoHyperDual, AutoTape, AutoTape.replayed(), SecondOrder(AutoDual, AutoTape));
    let (h, aux) = hessian(cubes::D, AutoFiniteDiff, &X)?;
    assert!((h[[1, 1]] - 12.0).abs() < 1e-3 && aux == trace());
    Ok(())
}

/// What a tape would replay is not what another point has beside the result.
#[test]
fn replays_do_not_keep_it() -> Result<()> {
    let mut prepared = prepare_gradient(cubes::D, AutoTape.replayed(), &[0.5, 0.25])?;
    for x in [X, [3.0, 4.0], X] {
        assert_eq!(prepared.gradient(&x)?, (x.iter().map(|v| 3.0 * v * v).collect(), cubes(&x).1));
    }
    let mut prepared = prepare_derivative(either::D, AutoTape.replayed(), 1.0)?;
    assert_eq!((prepared.derivative(3.0)?, prepared.derivative(-3.0)?), ((6.0, "above"), (-1.0, "below")));
    Ok(())
}

#[test]
fn beside_outputs_among_the_parameters() -> Result<()> {
    let mut y = [0.0];
    let (dx, aux) = pullback(written::D, AutoReverse, (&X, &mut y), (1.0, &[2.0]))?;
    assert_eq!((dx, aux, y), (vec![5.0, 2.0], 1, [2.0]));
    let (dx, aux) = pullback(written::D, AutoTape, (&X, &mut y), (1.0, &[2.0]))?;
    assert_eq!((dx, aux, y), (vec![5.0, 2.0], 1, [2.0]));
    Ok(())
}
