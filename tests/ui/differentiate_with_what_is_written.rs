use diffi::prelude::*;

#[differentiable]
fn written(x: &[f64], y: &mut [f64]) {
    y[0] = x[0];
}

#[differentiable]
fn outer(x: &[f64]) -> f64 {
    let mut y = [0.0];
    differentiate_with(written::D, AutoFiniteDiff).call((x, &mut y));
    y[0]
}

#[differentiable]
fn scaled(x: f64, scale: f64) -> f64 {
    scale * x
}

#[differentiable]
fn squared(x: f64) -> f64 {
    differentiate_with(scaled::D, AutoFiniteDiff).call((x, Constant(x)))
}

fn main() {}
