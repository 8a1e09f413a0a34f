use diffi::prelude::*;

#[differentiable]
fn f(x: f64, weight: Option<f64>) -> f64 {
    x * weight.unwrap_or(1.0)
}

fn main() {}
