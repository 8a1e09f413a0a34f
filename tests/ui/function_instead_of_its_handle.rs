use diffi::prelude::*;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() {
    let _ = gradient(norm, AutoReverse, &[1.0, 2.0]);
}
