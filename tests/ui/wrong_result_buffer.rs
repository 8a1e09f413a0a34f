use diffi::prelude::*;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() {
    let mut g = 0.0;
    let _ = gradient_into(norm::D, AutoReverse, &mut g, &[1.0, 2.0]);
}
