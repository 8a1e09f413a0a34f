//! A function of a generic float: numbers of `f64` are constants to it, and give no result.

use diffi::prelude::*;
use num_traits::Float;

#[differentiable]
fn scaled<F: Float>(x: F, by: f64) -> F {
    x * F::from(by).unwrap()
}

#[differentiable]
fn caller(x: f64, y: f64) -> f64 {
    scaled(x, y)
}

#[differentiable]
fn narrowed<F: Float>(x: F) -> f64 {
    x.to_f64().unwrap()
}

fn main() {}
