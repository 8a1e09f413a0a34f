use diffi::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0] * x[1]
}

fn main() {
    const BACKEND: AutoForward = AutoForward.batch_size(9);
    let _ = gradient(f::D, BACKEND, &[1.0, 2.0]);
}
