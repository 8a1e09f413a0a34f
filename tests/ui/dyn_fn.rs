use diffi::prelude::*;

#[differentiable]
fn apply(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

fn main() {}
