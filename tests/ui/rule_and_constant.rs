use diffi::prelude::*;

#[differentiable(constant, pullback = f_vjp)]
fn f(x: f64) -> f64 {
    x.floor()
}

fn f_vjp(_: f64, _: f64) -> f64 {
    0.0
}

fn main() {}
