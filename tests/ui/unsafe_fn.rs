use diffi::prelude::*;

#[differentiable]
unsafe fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
