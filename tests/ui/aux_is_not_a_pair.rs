use diffi::prelude::*;

#[differentiable(has_aux)]
fn f(x: f64) -> f64 {
    x * x
}

#[differentiable(has_aux, pullback = g_vjp)]
fn g(x: f64) -> (f64, usize) {
    (x * x, 2)
}

fn g_vjp(x: f64, dy: f64) -> f64 {
    2.0 * x * dy
}

fn main() {}
