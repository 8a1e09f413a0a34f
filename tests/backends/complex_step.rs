//! `AutoComplexStep`: the complex steps of FiniteDiff's row.

use crate::functions::*;
use diffi::prelude::*;

#[test]
fn complex_step_first_order() {
    for n in [3, 8, 13] {
        let x = point(n);
        let (expected, by_scale) = energy_gradient(&x, 0.4);
        let (y, (g, s)) = value_and_gradient(energy::D, AutoComplexStep, (&x, 0.4)).unwrap();
        close(&[y], &[energy(&x, 0.4)], 1e-15);
        close(&g, &expected, 1e-14);
        close(&[s], &[by_scale], 1e-14);
    }
    let mut y = [0.0; 2];
    let found = jacobian(rotate::D, AutoComplexStep, (&[0.3, -1.2], Constant(0.5), &mut y)).unwrap();
    let (s, c) = 0.5f64.sin_cos();
    close(found.as_slice().unwrap(), &[c, -s, s, c], 1e-15);
}

/// As exact as values, at points on either side of branches of the continuations.
#[test]
fn complex_step_every_function_of_the_table() {
    for x in [[0.3, 0.7], [0.06, 0.95], [0.9, 0.1], [0.5, 0.5 + 1e-9]] {
        let expected = gradient(everything::D, AutoReverse, &x).unwrap();
        let (y, g) = value_and_gradient(everything::D, AutoComplexStep, &x).unwrap();
        close(&[y], &[everything(&x)], 1e-14);
        close(&g, &expected, 1e-12);
    }
}

#[differentiable]
fn negative(x: f64) -> f64 {
    x.cbrt() + x.powi(3) + x.powf(2.0) + x.atan2(-2.0) + x.abs() + x.atan() + x.asinh() + x.tanh() + (x * x).ln()
}

#[test]
fn complex_step_left_of_zero() {
    for x in [-0.3, -1.7, -20.0] {
        let found = derivative(negative::D, AutoComplexStep, x).unwrap();
        close(&[found], &[derivative(negative::D, AutoReverse, x).unwrap()], 1e-14);
    }
}
