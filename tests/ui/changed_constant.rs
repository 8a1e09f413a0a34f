use diffi::prelude::*;

#[differentiable(constant(scale))]
fn f(x: f64, scale: &mut [f64]) -> f64 {
    scale[0] *= x;
    scale[0]
}

fn main() {}
