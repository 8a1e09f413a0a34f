use diffi::prelude::*;

#[differentiable]
fn f64(x: f64) -> f64 {
    x * x
}

fn main() {}
