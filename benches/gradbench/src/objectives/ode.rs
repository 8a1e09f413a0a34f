//! `y'[0] = x[0]`, `y'[i] = x[i] y[i - 1]` from zero to the time 2 in `s` steps of the classical Runge-Kutta method.
#![allow(clippy::manual_memcpy)] // a loop as the others

use diffi::prelude::*;

/// The slopes at the four stages of a step are `x` times what is below each element at these times, with one below the first.
#[differentiable]
pub fn solve(x: &[f64], s: usize) -> Vec<f64> {
    let n = x.len();
    let h = 2.0 / s as f64;
    let mut y = vec![0.0; n];
    let (mut first, mut second, mut third, mut fourth) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for _ in 0..s {
        first[0] = 1.0;
        second[0] = 1.0;
        third[0] = 1.0;
        fourth[0] = 1.0;
        for i in 1..n {
            first[i] = y[i - 1];
        }
        for i in 1..n {
            second[i] = y[i - 1] + h / 2.0 * x[i - 1] * first[i - 1];
        }
        for i in 1..n {
            third[i] = y[i - 1] + h / 2.0 * x[i - 1] * second[i - 1];
        }
        for i in 1..n {
            fourth[i] = y[i - 1] + h * x[i - 1] * third[i - 1];
        }
        for i in 0..n {
            y[i] += h / 6.0 * x[i] * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]);
        }
    }
    y
}
