use diffi::prelude::*;

fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiable]
fn f(x: f64) -> f64 {
    apply(|t| t * x, x)
}

fn main() {}
