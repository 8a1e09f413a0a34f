use diffi::prelude::*;

#[differentiable(root_of = square, pullback = root_vjp)]
fn root(a: f64) -> f64 {
    a.sqrt()
}

#[differentiable]
fn square(y: f64, a: f64) -> f64 {
    y * y - a
}

fn root_vjp(a: f64, dy: f64) -> f64 {
    0.5 * dy / a.sqrt()
}

fn main() {}
