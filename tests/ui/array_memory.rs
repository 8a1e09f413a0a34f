//! An array's memory.

use diffi::prelude::*;
use ndarray::Array1;

#[differentiable]
fn memory(x: &Array1<f64>) -> f64 {
    let y = x.mapv(f64::exp);
    let (v, _) = y.into_raw_vec_and_offset();
    v[0]
}

fn main() {}
