use diffi::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0] * x[1]
}

fn slope<B: Backend>(backend: B, x: &[f64]) -> Vec<f64> {
    gradient(f::D, backend, x).unwrap()
}

fn main() {
    let _ = slope(AutoReverse, &[1.0, 2.0]);
}
