use diffi::prelude::*;

#[differentiable]
fn pairs(x: &[f64], y: &[f64]) -> f64 {
    let mut it = x.iter();
    let first: f64 = it.by_ref().zip(y).map(|(a, b)| a * b).sum();
    first * it.map(|v| v.sin()).sum::<f64>()
}

#[differentiable]
fn kept(x: &[f64]) -> f64 {
    let mut it = x.iter().filter(|v| **v > 0.0);
    let first = it.next().unwrap();
    first * it.map(|v| v.sin()).sum::<f64>()
}

#[differentiable]
fn counted_beside(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    let total: f64 = x.iter().map(|v| { sum += v; v * sum }).zip(y).map(|(a, b)| a * b).sum();
    total * sum
}

fn main() {}
