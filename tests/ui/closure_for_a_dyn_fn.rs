use diffi::prelude::*;

#[differentiable]
fn weighted(x: &[f64], w: &dyn Fn(usize) -> f64) -> f64 {
    x[0] * w(0) + x[1] * w(1)
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    weighted(x, &|i| x[0] + i as f64)
}

fn main() {}
