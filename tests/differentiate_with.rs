//! Functions that another backend differentiates: alone, and within larger ones, by every backend.
#![allow(clippy::needless_borrows_for_generic_args, reason = "arguments are written as users write them")]

use std::cell::Cell;

use diffi::prelude::*;
use ndarray::{Array2, array};

/// Its derivative cannot be seen in the code: it says two, the function says three. So a test sees who differentiates.
#[differentiable(pushforward = twice_dx)]
fn thrice(x: f64) -> f64 {
    3.0 * x
}

fn twice_dx(_x: f64, dx: f64) -> f64 {
    2.0 * dx
}

#[differentiable]
fn by_its_rule(x: f64) -> f64 {
    thrice(x) * x
}

#[differentiable]
fn by_differences(x: f64) -> f64 {
    differentiate_with(thrice::D, AutoFiniteDiff).call(x) * x
}

fn close(a: &[f64], b: &[f64]) {
    assert!(
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-7 * b.abs().max(1.0)),
        "{a:?} {b:?}"
    );
}

#[test]
fn the_backend_that_is_named_differentiates() -> Result<()> {
    for (by_rule, by_differences) in [
        (derivative(by_its_rule::D, AutoForward, 2.0)?, derivative(by_differences::D, AutoForward, 2.0)?),
        (derivative(by_its_rule::D, AutoReverse, 2.0)?, derivative(by_differences::D, AutoReverse, 2.0)?),
        (derivative(by_its_rule::D, AutoDual, 2.0)?, derivative(by_differences::D, AutoDual, 2.0)?),
        (derivative(by_its_rule::D, AutoTape, 2.0)?, derivative(by_differences::D, AutoTape, 2.0)?),
        (derivative(by_its_rule::D, AutoTaylor, 2.0)?, derivative(by_differences::D, AutoTaylor, 2.0)?),
    ] {
        close(&[by_rule, by_differences], &[2.0 * 2.0 + 6.0, 3.0 * 2.0 + 6.0]);
    }
    assert_eq!(derivative(thrice::D, AutoReverse, 1.0)?, 2.0);
    close(&[derivative(differentiate_with(thrice::D, AutoFiniteDiff), AutoReverse, 1.0)?], &[3.0]);
    close(&[derivative(differentiate_with(thrice::D, AutoFiniteDiff), AutoForward, 1.0)?], &[3.0]);
    Ok(())
}

#[differentiable]
fn weighed(x: &[f64], weights: &[f64], n: usize) -> Vec<f64> {
    x.iter().zip(weights).map(|(x, w)| w * x.powi(n as i32)).collect()
}

/// Several arguments, a constant one, and a result that is a vector; used in a loop.
#[differentiable]
fn inside(x: &[f64], w: &[f64], s: f64) -> f64 {
    let mut sum = 0.0;
    for k in 1..3 {
        let y: Vec<f64> = differentiate_with(weighed::D, AutoForward).call((x, w, Constant(k)));
        for v in y.iter() {
            sum += s * v * v;
        }
    }
    sum
}

/// The same without.
#[differentiable]
fn plain(x: &[f64], w: &[f64], s: f64) -> f64 {
    let mut sum = 0.0;
    for k in 1..3 {
        let y: Vec<f64> = weighed(x, w, k);
        for v in y.iter() {
            sum += s * v * v;
        }
    }
    sum
}

const X: [f64; 3] = [0.5, -1.0, 2.0];
const W: [f64; 3] = [1.0, 0.3, -0.7];

#[test]
fn with_contexts_and_several_arguments() -> Result<()> {
    assert_eq!(inside(&X, &W, 1.5), plain(&X, &W, 1.5));
    let (gx, gw, gs) = gradient(plain::D, AutoReverse, (&X, &W, 1.5))?;
    macro_rules! compare {
        ($($backend:expr),+) => { $(
            let (x, w, s) = gradient(inside::D, $backend, (&X, &W, 1.5))?;
            close(&x, &gx);
            close(&w, &gw);
            close(&[s], &[gs]);
            close(&gradient(inside::D, $backend, (&X, Constant(&W), Constant(1.5)))?, &gx);
            close(&gradient(inside::D, $backend, (Constant(&X), &W, Constant(1.5)))?, &gw);
            close(&[gradient(inside::D, $backend, (Constant(&X), Constant(&W), 1.5))?], &[gs]);
        )+ };
    }
    compare!(AutoForward, AutoReverse, AutoFiniteDiff, MixedMode(AutoForward, AutoReverse));
    compare!(
        AutoDual,
        AutoDual.nan_safe(),
        AutoHyperDual,
        AutoTape,
        AutoTape.replayed(),
        AutoTaylor,
        AutoFiniteDifferences
    );
    let mut prepared = prepare_gradient(inside::D, AutoReverse, (&W, &X, 1.0))?;
    close(&prepared.gradient((&X, &W, 1.5))?.0, &gx);
    let several = pullback(inside::D, AutoReverse, (&X, Constant(&W), Constant(1.5)), [1.0, -2.0])?;
    close(&several[1], &gx.iter().map(|v| -2.0 * v).collect::<Vec<_>>());
    Ok(())
}

/// The backend stands in a variable, or in an argument, and another one in the next iteration.
#[differentiable(constant(step))]
fn chosen(x: f64, step: f64, n: usize) -> f64 {
    let b = AutoFiniteDiff.relative_step(step);
    let mut y = differentiate_with(thrice::D, b).call(x);
    for k in 0..n {
        let b = AutoFiniteDiff.relative_step(step * (k + 1) as f64);
        y *= differentiate_with(thrice::D, b).call(x);
    }
    y
}

#[test]
fn the_backend_may_stand_in_a_variable() -> Result<()> {
    let (args, slope) = ((2.0, Constant(1e-5), Constant(2)), 81.0 * 4.0);
    for found in [
        derivative(chosen::D, AutoForward, args)?,
        derivative(chosen::D, AutoReverse, args)?,
        derivative(chosen::D, AutoDual, args)?,
        derivative(chosen::D, AutoTape, args)?,
    ] {
        close(&[found], &[slope]);
    }
    Ok(())
}

#[test]
fn operators_take_it() -> Result<()> {
    let with = differentiate_with(weighed::D, AutoReverse);
    let expected = array![[0.5 * 2.0, 0.0, 0.0], [0.0, -0.6, 0.0], [0.0, 0.0, -2.8]];
    assert_eq!(with.call((&X, &W, Constant(2))), weighed(&X, &W, 2));
    for j in [
        jacobian(with, AutoForward, (&X, Constant(&W), Constant(2)))?,
        jacobian(with, AutoReverse, (&X, Constant(&W), Constant(2)))?,
        jacobian(with, AutoDual, (&X, Constant(&W), Constant(2)))?,
        jacobian(with, AutoTape, (&X, Constant(&W), Constant(2)))?,
        jacobian(with, AutoTaylor, (&X, Constant(&W), Constant(2)))?,
    ] {
        assert!((j - &expected).iter().all(|d| d.abs() < 1e-15));
    }
    let (by_x, by_w) = pullback(with, AutoReverse, (&X, &W, Constant(2)), &[1.0, 1.0, 1.0])?;
    close(&by_x, &[1.0, -0.6, -2.8]);
    close(&by_w, &[0.25, 1.0, 4.0]);
    let mut at = prepare_pullback_same_point(with, AutoReverse, (&X, Constant(&W), Constant(2)), &[0.0; 3])?;
    close(&at.pullback(&[0.0, 1.0, 0.0])?, &[0.0, -0.6, 0.0]);
    Ok(())
}

#[test]
fn closures_too() -> Result<()> {
    let scale = 3.0;
    let with = differentiate_with(move |x: &[f64]| scale * x[0] * x[0], AutoFiniteDiff);
    close(&gradient(with, AutoReverse, &[2.0])?, &[12.0]);
    close(&gradient(with, AutoForward, &[2.0])?, &[12.0]);
    Ok(())
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn tick() {
    CALLS.set(CALLS.get() + 1);
}

#[differentiable]
fn counted(x: &[f64]) -> f64 {
    tick();
    x[0] * x[1]
}

#[differentiable]
fn of_counted(x: &[f64]) -> f64 {
    let y: f64 = differentiate_with(counted::D, AutoReverse).call(x);
    y.sin()
}

/// One evaluation, even where the sweeps are apart.
#[test]
fn nothing_is_evaluated_twice() -> Result<()> {
    let mut prepared = prepare_gradient(of_counted::D, AutoReverse, &[0.3, 0.5])?;
    CALLS.set(0);
    let g = prepared.gradient(&[0.3, 0.5])?;
    assert_eq!(CALLS.get(), 1);
    close(&g, &[0.15f64.cos() * 0.5, 0.15f64.cos() * 0.3]);
    Ok(())
}

/// The same function, its part by one backend after the other.
macro_rules! by {
    ($($name:ident $backend:expr, $tolerance:expr;)+) => {
        $(mod $name {
            use super::*;

            #[differentiable]
            fn energy(x: &[f64], w: &[f64], s: f64) -> f64 {
                let mut sum = 0.0;
                for k in 1..4 {
                    let y: Vec<f64> = differentiate_with(weighed::D, $backend).call((x, w, Constant(k)));
                    for v in y.iter() {
                        sum += s * v * v;
                    }
                }
                sum
            }

            fn near(found: Array2<f64>, expected: &Array2<f64>) {
                assert_eq!(found.dim(), expected.dim());
                let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= $tolerance * (1.0 + b.abs()));
                assert!(near, "{found}\n{expected}");
            }

            #[test]
            fn second_derivatives() -> Result<()> {
                let expected = hessian(cubes::D, AutoReverse, (&X, &W, 1.5))?;
                near(hessian(energy::D, AutoReverse, (&X, &W, 1.5))?, &expected);
                near(hessian(energy::D, SecondOrder(AutoForward, AutoReverse), (&X, &W, 1.5))?, &expected);
                near(hessian(energy::D, AutoDual, (&X, &W, 1.5))?, &expected);
                near(hessian(energy::D, AutoHyperDual, (&X, &W, 1.5))?, &expected);
                let expected = hessian(cubes::D, AutoReverse, (&X, Constant(&W), 1.5))?;
                near(hessian(energy::D, AutoForward, (&X, Constant(&W), 1.5))?, &expected);
                near(hessian(energy::D, AutoTaylor, (&X, Constant(&W), 1.5))?, &expected);
                let mut prepared = prepare_hessian(energy::D, AutoReverse, (&W, Constant(&X), 1.0))?;
                near(prepared.hessian((&X, Constant(&W), 1.5))?, &expected);
                Ok(())
            }
        })+
    };
}
by! {
    by_forward AutoForward, 1e-12;
    by_reverse AutoReverse, 1e-12;
    by_duals AutoDual, 1e-12;
    by_hyper_duals AutoHyperDual, 1e-12;
    by_tape AutoTape, 1e-12;
    by_symbols AutoSymbolic, 1e-12;
    by_series AutoTaylor, 1e-12;
    by_steps AutoFiniteDiff, 1e-3;
}

/// The same without.
#[differentiable]
fn cubes(x: &[f64], w: &[f64], s: f64) -> f64 {
    let mut sum = 0.0;
    for k in 1..4 {
        for v in weighed(x, w, k).iter() {
            sum += s * v * v;
        }
    }
    sum
}

#[differentiable]
fn waves(t: f64) -> [f64; 2] {
    [t.sin(), t * t * t]
}

#[test]
fn second_derivatives_by_operators() -> Result<()> {
    let expected = [-0.5f64.sin(), 3.0];
    for found in [
        second_derivative(differentiate_with(waves::D, AutoForward), AutoForward, 0.5)?,
        second_derivative(differentiate_with(waves::D, AutoReverse), AutoReverse, 0.5)?,
        second_derivative(differentiate_with(waves::D, AutoDual), AutoDual, 0.5)?,
        second_derivative(differentiate_with(waves::D, AutoReverse), AutoTaylor, 0.5)?,
    ] {
        close(&found, &expected);
    }
    let twice = differentiate_with(differentiate_with(counted::D, AutoReverse), AutoForward);
    assert_eq!(hessian(twice, AutoReverse, &[0.3, 0.5])?, array![[0.0, 1.0], [1.0, 0.0]]);
    assert_eq!(hvp(twice, AutoForward, &[0.3, 0.5], &[2.0, 1.0])?, [1.0, 2.0]);
    Ok(())
}

/// Differences of a gradient know nothing of its code.
#[test]
fn second_derivatives_by_differences() -> Result<()> {
    let h = hessian(of_counted::D, SecondOrder(AutoFiniteDiff, AutoReverse), &[0.3, 0.5])?;
    let by_code = array![
        [-0.15f64.sin() * 0.25, 0.15f64.cos() - 0.15 * 0.15f64.sin()],
        [0.15f64.cos() - 0.15 * 0.15f64.sin(), -0.15f64.sin() * 0.09]
    ];
    assert!((h - by_code).iter().all(|d| d.abs() < 1e-7));
    Ok(())
}

/// A tape that was recorded at one point knows the part of another backend there alone: it is recorded again elsewhere.
#[test]
fn a_tape_is_recorded_again() -> Result<()> {
    let mut prepared = prepare_gradient(inside::D, AutoTape.replayed(), (&W, Constant(&W), Constant(1.5)))?;
    for x in [X, W, X] {
        let expected = gradient(plain::D, AutoReverse, (&x, Constant(&W), Constant(1.5)))?;
        close(&prepared.gradient((&x, Constant(&W), Constant(1.5)))?, &expected);
    }
    Ok(())
}

/// What is known at one point alone has no second derivative, and is no expression.
#[test]
fn what_needs_more_is_refused() {
    assert_eq!(hessian(inside::D, AutoTape, (&X, Constant(&W), Constant(1.5))), Err(Error::OnlyLinear));
    assert_eq!(second_derivative(by_differences::D, AutoTape, 2.0), Err(Error::OnlyLinear));
    assert_eq!(derivative(by_differences::D, AutoSymbolic, 2.0), Err(Error::OnlyLinear));
    assert_eq!(gradient(inside::D, AutoSymbolic, (&X, Constant(&W), Constant(1.5))), Err(Error::OnlyLinear));
}
