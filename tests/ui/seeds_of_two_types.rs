use diffi::prelude::*;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() {
    let _ = pushforward(norm::D, AutoForward, &[1.0, 2.0], [&[1.0, 0.0], 2.0]);
}
