use diffi::prelude::*;

#[differentiable]
fn inner(x: f64, y: f64) -> f64 {
    x * y * y
}

#[differentiable]
fn outer(x: f64) -> f64 {
    x * derivative(inner::D, AutoForward, (Constant(x), 2.0)).unwrap()
}

#[differentiable]
fn another(x: f64) -> f64 {
    let (by_x, _) = diffi::gradient(inner::D, AutoReverse, (x, 2.0)).unwrap();
    by_x * x
}

fn main() {}
