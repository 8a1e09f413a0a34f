use diffi::prelude::*;

#[differentiable(output(y))]
fn f(x: &[f64], y: &[f64]) -> f64 {
    x[0] * y[0]
}

fn main() {}
