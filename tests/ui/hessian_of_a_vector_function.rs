use diffi::prelude::*;

#[differentiable]
fn twice(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| 2.0 * v).collect()
}

fn main() {
    let _ = hessian(twice::D, SecondOrder(AutoForward, AutoReverse), &[1.0, 2.0]);
}
