use diffi::prelude::*;

#[differentiable(output(z))]
fn f(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[0];
}

fn main() {}
