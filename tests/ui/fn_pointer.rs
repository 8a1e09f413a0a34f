use diffi::prelude::*;

#[differentiable]
fn apply(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

fn main() {}
