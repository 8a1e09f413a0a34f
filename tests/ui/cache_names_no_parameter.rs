use diffi::prelude::*;

#[differentiable(cache(buffer))]
fn f(x: &[f64], scratch: &mut [f64]) -> f64 {
    scratch[0] = x[0] * x[0];
    scratch[0]
}

fn main() {}
