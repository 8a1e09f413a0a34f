use diffi::prelude::*;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[deny(unused_must_use)]
fn forget() {
    gradient(norm::D, AutoReverse, &[1.0, 2.0]);
}

fn main() {}
