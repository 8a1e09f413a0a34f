use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Params<T> {
    k: T,
}

#[differentiable]
fn f(p: &Params<f64>, x: f64) -> f64 {
    x * p.k as f64
}

fn main() {}
