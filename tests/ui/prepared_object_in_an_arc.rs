use diffi::prelude::*;

use std::sync::Arc;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0] * x[1]
}

fn main() {
    let prepared = Arc::new(prepare_gradient(f::D, AutoReverse, &[1.0, 2.0]).unwrap());
    let other = prepared.clone();
    std::thread::spawn(move || other.gradient(&[1.0, 2.0]));
}
