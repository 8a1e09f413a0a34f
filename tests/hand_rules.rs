//! Rules written by hand, alone and in functions that call the ones with rules, against differences and closed forms.

use diffi::prelude::*;

/// Both halves; the pullback has derivatives itself.
#[differentiable(pushforward = norm_jvp, pullback = norm_vjp::D)]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn norm_jvp(x: &[f64], dx: &[f64]) -> f64 {
    x.iter().zip(dx).map(|(x, dx)| x * dx).sum::<f64>() / norm(x)
}

#[differentiable]
fn norm_vjp(x: &[f64], dy: f64) -> Vec<f64> {
    let length = x.iter().map(|v| v * v).sum::<f64>().sqrt();
    x.iter().map(|v| dy * v / length).collect()
}

/// A pullback alone, of several arguments.
#[differentiable(pullback = scaled_vjp)]
fn scaled(x: &[f64], s: f64, n: usize) -> Vec<f64> {
    x.iter().map(|v| v * s * n as f64).collect()
}

fn scaled_vjp(x: &[f64], s: f64, n: usize, dy: &[f64]) -> (Vec<f64>, f64) {
    let n = n as f64;
    (dy.iter().map(|d| d * s * n).collect(), dy.iter().zip(x).map(|(d, x)| d * x * n).sum())
}

/// A pushforward alone, of a function with an output.
#[differentiable(pushforward = exponentials_jvp, output(y))]
fn exponentials(x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x.exp();
    }
}

fn exponentials_jvp(x: &[f64], dx: &[f64], dy: &mut [f64]) {
    for ((dy, x), dx) in dy.iter_mut().zip(x).zip(dx) {
        *dy = x.exp() * dx;
    }
}

/// The same, with a pullback that has derivatives itself.
#[differentiable(pullback = squares_vjp::D, output(y))]
fn squares(x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
}

#[differentiable]
fn squares_vjp(x: &[f64], dy: &[f64]) -> Vec<f64> {
    x.iter().zip(dy).map(|(x, d)| 2.0 * x * d).collect()
}

/// An array by value, a tuple as the result.
#[differentiable(pullback = polar_vjp)]
fn polar(p: [f64; 2]) -> (f64, f64) {
    (p[0].hypot(p[1]), p[1].atan2(p[0]))
}

fn polar_vjp(p: [f64; 2], (dr, da): &(f64, f64)) -> [f64; 2] {
    let r = p[0].hypot(p[1]);
    [p[0] / r * dr - p[1] / (r * r) * da, p[1] / r * dr + p[0] / (r * r) * da]
}

#[differentiable(pushforward = half_jvp, pullback = half_vjp)]
fn half(x: f32) -> f32 {
    x * x / 2.0
}

fn half_jvp(x: f32, dx: f32) -> f32 {
    x * dx
}

fn half_vjp(x: f32, dy: f32) -> f32 {
    x * dy
}

/// Of no influence, though it looks otherwise.
#[differentiable(constant)]
fn frozen(x: &[f64]) -> f64 {
    x[0] * x[1]
}

/// A function that takes a closure: the integral of a polynomial of degree 3 at most, by Simpson's rule.
#[differentiable(pullback = integral_vjp)]
fn integral<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b))
}

fn integral_vjp<F: Fn(f64) -> f64>(f: F, a: f64, b: f64, dy: f64) -> (f64, f64) {
    (-dy * f(a), dy * f(b))
}

#[differentiable(pullback = wrong_vjp)]
fn wrong(x: f64) -> f64 {
    x * x
}

fn wrong_vjp(x: f64, dy: f64) -> f64 {
    x * dy
}

#[differentiable(pushforward = apart_jvp, pullback = apart_vjp)]
fn apart(x: f64) -> f64 {
    x * x
}

fn apart_jvp(x: f64, dx: f64) -> f64 {
    2.0 * x * dx
}

fn apart_vjp(x: f64, dy: f64) -> f64 {
    2.0 * x * dy + 1e-9
}

#[differentiable(pullback = short_vjp)]
fn short(x: &[f64]) -> f64 {
    x[0]
}

fn short_vjp(_: &[f64], dy: f64) -> Vec<f64> {
    vec![dy]
}

/// Calls them all; in a loop, so that the sweeps are apart.
#[differentiable]
fn caller(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut y = vec![0.0; x.len()];
    for k in 1..4 {
        exponentials(x, &mut y);
        let z = scaled(&y, total + 0.1, k);
        let (r, a) = polar([x[0], z[1] + 1.0]);
        total = 0.01 * total * norm(&z[1..]) + 0.1 * r * a + frozen(x);
        total += integral(move |t| t * t, x[1], total) / 100.0;
    }
    total
}

/// The same without rules.
fn caller_alone(x: &[f64], constant: f64) -> f64 {
    let mut total = 0.0;
    let mut y = vec![0.0; x.len()];
    for k in 1..4 {
        exponentials(x, &mut y);
        let z = scaled(&y, total + 0.1, k);
        let (r, a) = polar([x[0], z[1] + 1.0]);
        total = 0.01 * total * norm(&z[1..]) + 0.1 * r * a + constant;
        total += integral(|t| t * t, x[1], total) / 100.0;
    }
    total
}

#[differentiable]
fn curved_caller(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    squares(x, &mut y);
    norm(&y) * x[1] + frozen(x) * x[2]
}

const X: [f64; 3] = [0.5, 1.25, -0.75];

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} is not {b}");
}

fn all_close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).for_each(|(a, b)| close(*a, *b, tolerance));
}

#[test]
fn every_half_fits_its_function() -> Result<()> {
    check_rule(norm::D, &X)?;
    check_rule(scaled::D, (&X, 0.7, Constant(3)))?;
    check_rule(exponentials::D, (&X, &mut [0.0; 3]))?;
    check_rule(squares::D, (&X, &mut [0.0; 3]))?;
    check_rule(polar::D, [0.3, -0.8])?;
    check_rule(half::D, 0.75f32)?;
    check_rule(integral::D, (Constant(|t: f64| 1.0 + t * t), 0.5, 2.0))?;
    Ok(())
}

#[test]
fn a_wrong_rule_is_found() {
    let error = check_rule(wrong::D, 1.5).unwrap_err();
    assert!(matches!(error, Error::RuleMismatch { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "the rule does not fit its function: the pushforward is 5.0e-1 away from differences, the pullback 5.0e-1, one from \
         the other 0.0e0"
    );
    assert!(check_rule(apart::D, 1.0).is_err(), "halves that disagree by a constant");
    assert!(check_rule(frozen::D, &X).is_err(), "a constant that is none");
}

#[test]
#[should_panic(expected = "the rule `short_vjp` gave 1 numbers where 3 are expected")]
fn a_cotangent_of_another_length() {
    let _ = gradient(short::D, AutoReverse, &X);
}

#[test]
fn callers_use_the_rules() -> Result<()> {
    let constant = frozen(&X);
    let expected = gradient(move |x: &[f64]| caller_alone(x, constant), AutoFiniteDiff, &X)?;
    close(caller(&X), caller_alone(&X, constant), 1e-15);
    all_close(&gradient(caller::D, AutoReverse, &X)?, &expected, 1e-8);
    all_close(&gradient(caller::D, AutoForward, &X)?, &expected, 1e-8);
    Ok(())
}

/// Without functions that write or take closures, for numbers of other types.
#[differentiable]
fn reading_caller(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for k in 1..4 {
        let z = scaled(x, total + 0.1, k);
        let (r, a) = polar([x[0], z[1] + 1.0]);
        total = 0.01 * total * norm(&z[1..]) + 0.1 * r * a + frozen(x);
    }
    total
}

#[differentiable]
fn wrong_caller(x: f64) -> f64 {
    x * wrong(x)
}

#[test]
fn numbers_of_other_types_use_the_rules() -> Result<()> {
    let expected = gradient(reading_caller::D, AutoReverse, &X)?;
    macro_rules! compare {
        ($($backend:expr),+) => { $(
            all_close(&gradient(reading_caller::D, $backend, &X)?, &expected, 1e-12);
            close(derivative(wrong_caller::D, $backend, 3.0)?, 9.0 + 3.0 * 3.0, 1e-12);
            close(derivative(wrong::D, $backend, 3.0)?, 3.0, 1e-12);
            all_close(&gradient(norm::D, $backend, &X)?, &gradient(norm::D, AutoReverse, &X)?, 1e-12);
        )+ };
    }
    compare!(AutoForward, AutoDual, AutoHyperDual, AutoTape, AutoTape.replayed(), AutoTaylor);
    assert_eq!(derivative(half::D, AutoDual, 3.0)?, 3.0f32);
    Ok(())
}

#[test]
fn a_rule_that_has_derivatives_gives_second_ones() -> Result<()> {
    let plain = |x: &[f64]| {
        let length = x.iter().map(|v| v.powi(4)).sum::<f64>().sqrt();
        length * x[1] + X[0] * X[1] * x[2]
    };
    let expected = hessian(plain, AutoFiniteDiff, &X)?;
    let found = hessian(curved_caller::D, AutoReverse, &X)?;
    for (found, expected) in found.iter().zip(&expected) {
        close(*found, *expected, 1e-5);
    }
    let (gradient, product) = gradient_and_hvp(curved_caller::D, AutoReverse, &X, [1.0, 0.0, 0.0])?;
    all_close(&gradient, &self::gradient(plain, AutoFiniteDiff, &X)?, 1e-8);
    all_close(&product, &found.row(0).to_vec(), 1e-12);
    Ok(())
}

#[test]
fn several_seeds_go_through_one_by_one() -> Result<()> {
    let seeds = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    let [first, second] =
        pushforward(scaled::D, AutoForward, (&X, Constant(2.0), Constant(3)), [&seeds[0], &seeds[1]])?;
    assert_eq!(first, [6.0, 0.0, 0.0]);
    assert_eq!(second, [0.0, 12.0, 0.0]);
    let only_factor = pullback(scaled::D, AutoReverse, (Constant(&X), 2.0, Constant(3)), [1.0, 1.0, 1.0])?;
    close(only_factor, 3.0 * X.iter().sum::<f64>(), 1e-15);
    Ok(())
}

#[test]
fn the_same_point_serves_several_cotangents() -> Result<()> {
    let mut at = prepare_pullback_same_point(scaled::D, AutoReverse, (&X, 2.0, Constant(3)), [0.0; 3])?;
    for k in 0..3 {
        let mut dy = [0.0; 3];
        dy[k] = 1.0;
        let (dx, ds) = at.pullback(dy)?;
        assert_eq!(dx[k], 6.0);
        assert_eq!(ds, 3.0 * X[k]);
    }
    Ok(())
}

#[test]
fn constants_have_no_derivative() -> Result<()> {
    assert_eq!(value_and_gradient(frozen::D, AutoReverse, &X)?, (frozen(&X), vec![0.0; 3]));
    assert_eq!(gradient(frozen::D, AutoForward, &X)?, [0.0; 3]);
    assert_eq!(hvp(frozen::D, AutoReverse, &X, [1.0; 3])?, [0.0; 3]);
    Ok(())
}
