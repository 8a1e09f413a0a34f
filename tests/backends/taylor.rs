//! `AutoTaylor`, and derivatives of any order.

use crate::functions;
use diffi::prelude::*;
use diffi::{Multivariate, Real, Terms};
use serde_json::Value;

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

#[differentiable]
fn exponential_of_sine(x: f64) -> f64 {
    x.sin().exp()
}

#[differentiable]
fn tangent(x: f64) -> f64 {
    x.tan()
}

#[differentiable]
fn witch(x: f64) -> f64 {
    1.0 / (1.0 + x * x)
}

#[differentiable]
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The cases of one kind that were computed elsewhere, each of which has a function here.
fn published<F: Copy, const K: usize>(kind: &str, functions: [(&str, F); K]) -> Vec<(F, Value)> {
    let facts: Value = serde_json::from_str(include_str!("../data/conformance.json")).unwrap();
    let cases = facts["cases"].as_array().unwrap().iter().filter(|case| case["kind"] == kind);
    let all: Vec<_> = cases
        .map(|case| {
            let row = functions.iter().find(|(id, _)| case["id"] == *id);
            (row.unwrap_or_else(|| panic!("no function for {}", case["id"])).1, case.clone())
        })
        .collect();
    assert_eq!(all.len(), K);
    all
}

#[test]
fn published_derivatives_of_high_order() {
    type Nth = fn(f64, usize) -> f64;
    macro_rules! nth {
        ($f:ident) => {
            |x, n| nth_derivative($f::D, AutoTaylor, x, n).unwrap()
        };
    }
    let functions: [(&str, Nth); 4] = [
        ("taylor_exp_sin", nth!(exponential_of_sine)),
        ("taylor_tan", nth!(tangent)),
        ("taylor_recip", nth!(witch)),
        ("taylor_logistic", nth!(logistic)),
    ];
    for (f, case) in published("taylor", functions) {
        let x = case["input"]["x"].as_f64().unwrap();
        let expected = case["expected"]["derivatives_0_to_n"].as_array().unwrap();
        assert_eq!(expected.len() as u64, case["input"]["order"].as_u64().unwrap() + 1);
        for (n, expected) in expected.iter().enumerate() {
            close(&[f(x, n)], &[expected.as_f64().unwrap()]);
        }
    }
}

#[test]
fn published_series_in_several_variables() {
    type Series = Multivariate<f64, 15>;
    type OfTwo = fn([Series; 2]) -> Series;
    let functions: [(&str, OfTwo); 2] = [
        ("gtpsa_cos_sin", |[a, b]| a.cos() * b.sin() + a * b * b),
        ("gtpsa_exp_ab", |[a, b]| (a * b).exp() / (Series::lit(1.0) + a)),
    ];
    for (f, case) in published("multivariate_taylor", functions) {
        let terms = Terms::of(2, case["input"]["order"].as_u64().unwrap() as u32);
        let y = f([0, 1].map(|k| Series::variable(terms, k, case["input"]["x"][k].as_f64().unwrap())));
        let expected = case["expected"]["coefficients_by_exponent_i_j"].as_object().unwrap();
        assert_eq!(expected.len(), terms.len());
        for (exponents, expected) in expected {
            let exponents: Vec<u32> = exponents.split(',').map(|e| e.parse().unwrap()).collect();
            close(&[y.coefficient(&exponents).unwrap()], &[expected.as_f64().unwrap()]);
        }
    }
}

/// Parameters are constants or numbers that derivatives are taken by, as the caller says: of one function.
#[test]
fn parameters_and_variables() {
    let (t, decay) = (0.8f64, 0.3f64);
    let by_time = derivative(damped::D, AutoTaylor, (t, Constant(decay))).unwrap();
    close(&[by_time], &[damped_derivative(t, decay, 1)]);
    let (dt, by_decay) = gradient(damped::D, AutoTaylor, (t, decay)).unwrap();
    close(&[dt, by_decay], &[by_time, -t * (-decay * t).exp() * t.sin()]);
}
