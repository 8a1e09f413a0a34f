use diffi::prelude::*;

mod mine {
    pub fn derivative<F, B>(_: F, _: B, x: f64) -> Option<f64> {
        Some(x)
    }
}

#[differentiable]
fn inner(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn outer(x: f64) -> f64 {
    mine::derivative(inner::D, AutoForward, x).unwrap() * x
}

fn main() {}
