//! `AutoFiniteDifferences`, and the stencils that it is made of: FiniteDifferences' row.

use crate::functions::*;
use diffi::differences::{Stencil, richardson};
use diffi::prelude::*;
use serde_json::Value;

/// Weights and multipliers as they were computed elsewhere, in fractions.
#[test]
fn finite_differences_exact_weights() {
    let facts: Value = serde_json::from_str(include_str!("../data/conformance.json")).unwrap();
    let cases = facts["cases"].as_array().unwrap().iter().filter(|case| case["kind"] == "fd_coefficients");
    let mut count = 0;
    for case in cases {
        let grid: Vec<i32> =
            case["input"]["grid"].as_array().unwrap().iter().map(|g| g.as_i64().unwrap() as i32).collect();
        let stencil = Stencil::new(&grid, case["input"]["q"].as_u64().unwrap() as usize);
        let text = |value: &Value| reduced(value.as_str().unwrap());
        let expected: Vec<String> = case["expected"]["weights"].as_array().unwrap().iter().map(text).collect();
        let found: Vec<String> = stencil.exact_weights().iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{}", case["id"]);
        assert_eq!(stencil.roundoff_multiplier().to_string(), text(&case["expected"]["roundoff_multiplier"]));
        assert_eq!(stencil.truncation_multiplier().to_string(), text(&case["expected"]["truncation_multiplier"]));
        count += 1;
    }
    assert!(count >= 9);
}

fn reduced(fraction: &str) -> String {
    let parts: Vec<i128> = fraction.split('/').map(|part| part.parse().unwrap()).collect();
    diffi::differences::Fraction::new(parts[0], parts.get(1).copied().unwrap_or(1)).to_string()
}

/// The package's own examples: 2e-14 for the sine by five points, 5e-14 for its second derivative by twelve.
#[test]
fn finite_differences_adaptive_steps() {
    let first = Stencil::central(5, 1).derivative(f64::sin, 1.0);
    assert!((first.value - 1f64.cos()).abs() < 2e-13 && first.error < 1e-12, "{first:?}");
    let second = Stencil::central(12, 2).derivative(f64::sin, 1.0);
    assert!((second.value + 1f64.sin()).abs() < 1e-12, "{second:?}");
    let steep = Stencil::central(5, 1).derivative(|x| (100.0 * x).sin(), 0.3);
    assert!((steep.value - 100.0 * 30f64.cos()).abs() < 1e-9, "{steep:?}");
}

/// The step, the value and what the error is said to be, and where the function was called: a logarithm has no value further left.
#[test]
fn finite_differences_ranges_and_error_estimates() {
    for stencil in [Stencil::central(5, 1), Stencil::forward(4, 1), Stencil::central(7, 1).adapted(2)] {
        let (x, range) = (2e-3, 1e-3);
        let mut furthest = 0.0f64;
        let log = |at: f64| {
            furthest = furthest.max((at - x).abs());
            at.ln()
        };
        let found = stencil.max_range(range).derivative(log, x);
        assert!(furthest <= range * (1.0 + 1e-12) && furthest > 0.0, "{furthest}");
        assert!((found.value - 500.0).abs() <= 10.0 * found.error && found.error < 5.0, "{found:?}");
    }
}

/// From steps that are halved, without knowing how large derivatives are: forward and central differences.
#[test]
fn finite_differences_extrapolation() {
    for (stencil, power) in [(Stencil::forward(2, 1), 1), (Stencil::central(3, 1), 2)] {
        let one = stencil.at(&mut f64::exp, 1.0, 0.5);
        let found = richardson(|h| stencil.at(&mut f64::exp, 1.0, h), 0.5, 2.0, power);
        let error = (found.value - 1f64.exp()).abs();
        assert!(error < 1e-10 && error < 1e-8 * (one - 1f64.exp()).abs(), "{found:?}");
        assert!(error <= 100.0 * found.error && found.error < 1e-8, "{found:?}");
    }
}

#[test]
fn finite_differences_all_operators() {
    let x = point(6);
    let (expected, by_scale) = energy_gradient(&x, 0.4);
    for stencil in [Stencil::central(5, 1), Stencil::forward(6, 1).max_range(1e-2), Stencil::new(&[-2, 0, 1, 5], 1)] {
        let backend = AutoFiniteDifferences::new(stencil);
        let (g, s) = gradient(energy::D, backend.clone(), (&x, 0.4)).unwrap();
        close(&g, &expected, 1e-8);
        close(&[s], &[by_scale], 1e-8);
    }
    let backend = AutoFiniteDifferences::default();
    close(&gradient(energy::D, backend.clone(), (&x, Constant(0.4))).unwrap(), &expected, 1e-10);
    let h = hessian(energy::D, backend.clone(), (&x, Constant(0.4))).unwrap();
    let exact = hessian(energy::D, AutoReverse, (&x, Constant(0.4))).unwrap();
    close(h.as_slice().unwrap(), exact.as_slice().unwrap(), 1e-5);
    let closure = |x: &[f64]| x[0] * x[1].exp();
    close(&gradient(closure, backend.clone(), &[2.0, 0.5]).unwrap(), &[0.5f64.exp(), 2.0 * 0.5f64.exp()], 1e-10);
    let mut y = [0.0; 2];
    let found = jacobian(rotate::D, backend, (&[0.3, -1.2], Constant(0.5), &mut y)).unwrap();
    let (s, c) = 0.5f64.sin_cos();
    close(found.as_slice().unwrap(), &[c, -s, s, c], 1e-11);
}

/// Jacobians along tangents and cotangents, of arguments of several shapes at once.
#[test]
fn finite_differences_products_of_several_arguments() {
    #[differentiable]
    fn f(m: [[f64; 2]; 2], x: &[f64]) -> Vec<f64> {
        vec![m[0][0] * x[0] + m[0][1] * x[1], m[1][0] * x[0] * x[1] + m[1][1]]
    }
    let (m, x) = ([[1.0, 2.0], [-0.5, 0.3f64]], [0.7, -1.2f64]);
    let backend = AutoFiniteDifferences::default();
    let (dm, dx) = ([[0.1, 0.0], [1.0, -2.0f64]], [0.4, 0.6f64]);
    let found = pushforward(f::D, backend.clone(), (m, &x), (dm, &dx)).unwrap();
    let first = dm[0][0] * x[0] + dm[0][1] * x[1] + m[0][0] * dx[0] + m[0][1] * dx[1];
    let second = dm[1][0] * x[0] * x[1] + m[1][0] * (dx[0] * x[1] + x[0] * dx[1]) + dm[1][1];
    close(&found, &[first, second], 1e-10);
    let (by_m, by_x) = pullback(f::D, backend, (m, &x), [1.0, -1.0]).unwrap();
    close(&by_m.concat(), &[x[0], x[1], -x[0] * x[1], -1.0], 1e-10);
    close(&by_x, &[m[0][0] - m[1][0] * x[1], m[0][1] - m[1][0] * x[0]], 1e-10);
}
