//! Views that are passed on, and an array's memory.

use diffi::prelude::*;
use ndarray::{Array1, Array2, ArrayView1};

#[differentiable]
fn norm(v: ArrayView1<f64>) -> f64 {
    v.sum() * v[0]
}

#[differentiable]
fn rows(x: &Array2<f64>) -> f64 {
    norm(x.row(0))
}

#[differentiable]
fn memory(x: &Array1<f64>) -> f64 {
    let y = x.mapv(f64::exp);
    let (v, _) = y.into_raw_vec_and_offset();
    v[0]
}

fn main() {}
