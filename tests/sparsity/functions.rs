//! What is differentiated.

pub use crate::models::{arrow_head, brusselator, point, squared_slopes};
use diffi::prelude::*;

/// Slopes of a sequence.
#[differentiable]
pub fn slopes(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| w[1] - w[0]).collect()
}

/// One step of diffusion with a rate for every place, in place.
#[differentiable]
pub fn diffused(u: &[f64], rate: &[f64], v: &mut [f64]) {
    let n = u.len();
    for i in 0..n {
        let mut w = u[i];
        if i > 0 {
            w += rate[i] * (u[i - 1] - u[i]);
        }
        if i + 1 < n {
            w += rate[i] * (u[i + 1] - u[i]).sin();
        }
        v[i] = w;
    }
}

/// A row that depends on everything, and a diagonal.
#[differentiable]
pub fn arrow(x: &[f64]) -> Vec<f64> {
    let mut y = x.iter().map(|v| v * v * x[0]).collect::<Vec<f64>>();
    for i in 0..x.len() {
        y[0] += x[i] * x[i];
    }
    y
}

/// A sum of products of numbers that are `k` apart, by way of scratch.
#[differentiable(cache(scratch))]
pub fn apart(x: &[f64], k: usize, c: f64, scratch: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        scratch[i] = c * x[i];
    }
    for i in k..x.len() {
        sum += scratch[i] * scratch[i - k] * x[i];
    }
    sum
}

/// Squares a sequence in place, and adds neighbours: input and output.
#[differentiable]
pub fn mixed(x: &mut [f64]) {
    for i in 1..x.len() {
        x[i] = x[i] * x[i] + x[i - 1];
    }
}

/// Depends on nothing.
#[differentiable]
pub fn constant(x: &[f64]) -> Vec<f64> {
    vec![1.0; x.len()]
}

/// Nothing to be bent.
#[differentiable]
pub fn flat(x: &[f64]) -> f64 {
    x.iter().map(|v| 3.0 * v).sum()
}

/// A quarter of a square, by two arguments.
#[differentiable]
pub fn coupled(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i] * b[i];
    }
    for i in 1..b.len() {
        sum += b[i] * b[i - 1].exp();
    }
    sum
}

/// Single precision.
#[differentiable]
pub fn squares(x: &[f32]) -> Vec<f32> {
    x.iter().map(|v| v * v).collect()
}

/// Takes another branch where the first number is negative.
#[differentiable]
pub fn branching(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    for i in 1..x.len() {
        if x[0] > 0.0 {
            y[i] *= x[i];
        } else {
            y[i] *= x[i - 1];
        }
    }
    y
}
