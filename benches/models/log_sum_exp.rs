//! The stable logarithm of a sum of exponentials.

use diffi::prelude::*;

#[differentiable]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
    largest + sum.ln()
}

/// The gradient is the softmax: every exponential is kept and scaled.
pub fn gradient_by_hand(x: &[f64], gradient: &mut [f64]) {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (g, v) in gradient.iter_mut().zip(x) {
        let e = (v - largest).exp();
        *g = e;
        sum += e;
    }
    let scale = 1.0 / sum;
    for g in gradient {
        *g *= scale;
    }
}
