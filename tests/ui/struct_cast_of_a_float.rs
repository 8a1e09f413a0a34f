use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Params<const N: usize> {
    k: f64,
}

#[differentiable]
fn f(p: &Params<2>, x: f64) -> f64 {
    x * p.k as f64
}

fn main() {}
