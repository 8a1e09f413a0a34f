use diffi::prelude::*;

#[derive(Clone)]
struct Inner {
    k: f64,
}

#[derive(Clone, Differentiable)]
struct Params {
    inner: Inner,
    x: f64,
}

fn main() {}
