use diffi::prelude::*;

#[differentiable(pullback)]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {}
