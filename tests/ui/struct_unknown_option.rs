use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Params {
    k: f64,
    #[differentiable(passive)]
    n: f64,
}

fn main() {}
