//! `AutoTaylor`, and derivatives of any order.

use crate::functions;
use diffi::prelude::*;

#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    functions::close(found, expected, 1e-12);
}

#[differentiable]
fn damped(t: f64, decay: f64) -> f64 {
    (-decay * t).exp() * t.sin()
}

/// The imaginary part of the derivatives of `exp((i - d) t)`.
fn damped_derivative(t: f64, decay: f64, n: usize) -> f64 {
    let radius = (1.0 + decay * decay).sqrt().powi(n as i32);
    let angle = 1f64.atan2(-decay) * n as f64;
    radius * (-decay * t).exp() * (t + angle).sin()
}

#[test]
fn every_order() {
    let (t, decay) = (0.8, 0.3);
    for n in [0, 1, 2, 3, 4, 7, 8, 12, 16, 20] {
        let found = nth_derivative(damped::D, AutoTaylor, (t, Constant(decay)), n).unwrap();
        let expected = damped_derivative(t, decay, n);
        assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "order {n}: {found}, expected {expected}");
    }
    assert!(nth_derivative(damped::D, AutoTaylor, (t, Constant(decay)), 63).is_ok());
    let error = nth_derivative(damped::D, AutoTaylor, (t, Constant(decay)), 64).unwrap_err();
    assert_eq!(error.to_string(), "a derivative of order 64 was asked for; the highest is 63");
}

#[differentiable(output(y))]
fn orbit(t: f64, y: &mut [f64]) -> [f64; 2] {
    y[0] = t * t * t;
    y[1] = 1.0 / (1.0 - t);
    [t.cos(), t.sin()]
}

#[test]
fn series_of_all_outputs() {
    let mut y = [0.0; 2];
    let series = taylor_coefficients(orbit::D, AutoTaylor, (0.0, &mut y), 4).unwrap();
    let expected = [
        ([1.0, 0.0], [0.0, 1.0]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([-0.5, 0.0], [0.0, 1.0]),
        ([0.0, -1.0 / 6.0], [1.0, 1.0]),
        ([1.0 / 24.0, 0.0], [0.0, 1.0]),
    ];
    assert_eq!(series.len(), expected.len());
    for ((circle, rest), (expected_circle, expected_rest)) in series.iter().zip(&expected) {
        close(circle, expected_circle);
        close(rest, expected_rest);
    }
    close(&y, &[0.0, 1.0]);
    let second = second_derivative(orbit::D, AutoTaylor, (0.0, &mut y)).unwrap();
    close(&second.0, &[-1.0, 0.0]);
    close(&second.1, &[0.0, 2.0]);
}

#[differentiable]
fn hilly(x: &[f64], scale: f64) -> f64 {
    scale * x[0] * x[0] * x[0] * x[1] + (x[1] * scale).sin()
}

#[test]
fn operators_of_first_and_second_order() {
    let (x, s) = ([0.7, -1.2], 1.4);
    let expected = value_gradient_and_hessian(hilly::D, AutoReverse, (&x, s)).unwrap();
    let found = value_gradient_and_hessian(hilly::D, AutoTaylor, (&x, s)).unwrap();
    close(&[found.0], &[expected.0]);
    close(&found.1.0, &expected.1.0);
    close(&[found.1.1], &[expected.1.1]);
    close(found.2.as_slice().unwrap(), expected.2.as_slice().unwrap());
    let v = ([1.0, -2.0], 0.5);
    let (hx, hs) = hvp(hilly::D, AutoTaylor, (&x, s), v).unwrap();
    let (ex, es) = hvp(hilly::D, AutoReverse, (&x, s), v).unwrap();
    close(&hx, &ex);
    close(&[hs], &[es]);
    close(&gradient(hilly::D, AutoTaylor, (&x, Constant(s))).unwrap(), &expected.1.0);
}
