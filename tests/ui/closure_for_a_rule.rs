use diffi::prelude::*;

#[differentiable(pullback = weighted_pullback)]
fn weighted(x: &[f64], w: impl Fn(usize) -> f64) -> f64 {
    x[0] * w(0) + x[1] * w(1)
}

fn weighted_pullback(_: &[f64], w: impl Fn(usize) -> f64, dy: f64) -> Vec<f64> {
    vec![w(0) * dy, w(1) * dy]
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    weighted(x, |i| x[0] + i as f64)
}

fn main() {}
