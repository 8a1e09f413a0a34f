use diffi::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Params {
    k: f64,
    #[differentiable(constant)]
    c: f64,
}

#[differentiable]
fn f(p: &Params, x: f64) -> f64 {
    let mut q = *p;
    q.c = q.k * x;
    q.c * x
}

fn main() {}
