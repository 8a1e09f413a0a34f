//! A function and a variable that are not there are an error of rustc's, and of nobody else's.
use diffi::prelude::*;

#[differentiable]
fn energy(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[j];
    }
    sum
}

#[differentiable]
fn squares(x: &[f64]) -> f64 {
    squre(x[0]) * x[1]
}

fn main() {}
