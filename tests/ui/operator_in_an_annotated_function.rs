use diffi::prelude::*;

#[differentiable]
fn inner(x: f64, y: f64) -> f64 {
    x * y * y
}

#[differentiable]
fn matrix(x: &[f64]) -> f64 {
    let h = hessian(energy::D, AutoForward, x).unwrap();
    h[[0, 0]] * x[0]
}

#[differentiable]
fn energy(x: &[f64]) -> f64 {
    x[0] * x[0]
}

#[differentiable]
fn by_an_active_step(x: f64) -> f64 {
    derivative(inner::D, AutoFiniteDiff.relative_step(x), (x, Constant(2.0))).unwrap()
}

fn main() {}
