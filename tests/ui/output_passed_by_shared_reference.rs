use diffi::prelude::*;

#[differentiable(output(y))]
fn fill(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[0];
}

fn main() {
    let _ = jacobian(fill::D, AutoForward, (&[1.0], &[0.0]));
}
