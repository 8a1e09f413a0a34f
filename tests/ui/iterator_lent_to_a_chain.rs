use diffi::prelude::*;

#[differentiable]
fn pairs(x: &[f64], y: &[f64]) -> f64 {
    let mut it = x.iter();
    let first: f64 = y.iter().zip(&mut it).map(|(a, b)| a * b).sum();
    first * it.map(|v| v.sin()).sum::<f64>()
}

fn main() {}
