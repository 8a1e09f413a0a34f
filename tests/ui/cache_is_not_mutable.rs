use diffi::prelude::*;

#[differentiable(cache(scratch))]
fn f(x: &[f64], scratch: &[f64]) -> f64 {
    x[0] * scratch[0]
}

fn main() {}
