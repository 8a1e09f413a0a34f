use diffi::prelude::*;

#[differentiable]
fn scale(x: &[f64], factor: f64) -> f64 {
    factor * x.iter().sum::<f64>()
}

fn main() {
    let mut prepared = prepare_gradient(scale::D, AutoReverse, (&[1.0, 2.0], Constant(3.0))).unwrap();
    let _ = prepared.gradient((&[1.0, 2.0], 3.0));
}
