use diffi::prelude::*;

#[differentiable(vector_math)]
fn f(x: &[f64]) -> f64 {
    x.iter().map(|v| v.exp()).sum()
}

fn main() {}
