use diffi::prelude::*;

#[differentiable(constant(b), cache(b))]
fn f(x: &[f64], b: &mut [f64]) -> f64 {
    b[0] = x[0];
    b[0] * b[0]
}

fn main() {}
