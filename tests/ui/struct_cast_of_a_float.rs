use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Params {
    k: f64,
}

#[differentiable]
fn f(p: &Params, x: f64) -> f64 {
    x * p.k as f64
}

fn main() {}
