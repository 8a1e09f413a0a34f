//! A prepared object owns its function: there is no place to pass another one.

use diffi::prelude::*;

#[differentiable]
fn squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable]
fn cubes(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v * v).sum()
}

fn main() {
    let mut prepared = prepare_gradient(squares::D, AutoReverse, &[1.0, 2.0]).unwrap();
    let _ = prepared.gradient(cubes::D, &[1.0, 2.0]);
}
