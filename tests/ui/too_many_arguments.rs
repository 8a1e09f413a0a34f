use diffi::prelude::*;

#[differentiable]
fn scale(x: &[f64], factor: f64) -> f64 {
    factor * x.iter().sum::<f64>()
}

fn main() {
    let _ = gradient(scale::D, AutoReverse, (&[1.0, 2.0], 3.0, 4.0));
}
