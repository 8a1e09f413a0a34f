use diffi::prelude::*;

#[differentiable(pullback = reverse)]
fn f(x: f64) -> f64 {
    x * x
}

fn reverse(x: f64) -> f64 {
    2.0 * x
}

fn main() {}
