use diffi::prelude::*;

fn helper(x: &[f64]) -> f64 {
    x[0] * x[1]
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    helper(&x[1..]) + 1.0
}

fn main() {}
