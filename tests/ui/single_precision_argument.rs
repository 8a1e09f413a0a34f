use diffi::prelude::*;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() {
    let _ = gradient(norm::D, AutoReverse, &[1.0f32, 2.0]);
}
