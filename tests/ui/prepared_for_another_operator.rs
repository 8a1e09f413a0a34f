use diffi::prelude::*;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() {
    let mut prepared = prepare_gradient(norm::D, AutoReverse, &[1.0, 2.0]).unwrap();
    let _ = prepared.hessian(&[1.0, 2.0]);
}
