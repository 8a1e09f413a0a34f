//! The capacity of a vector with active elements: the vectors of derivative code have other ones.
use diffi::prelude::*;

#[differentiable]
fn grown(x: &[f64]) -> f64 {
    let mut v = Vec::with_capacity(2);
    let mut grown = 0;
    for k in 0..5 {
        if v.len() == v.capacity() {
            grown += 1;
        }
        v.push(x[k % 3] * k as f64);
    }
    v.iter().sum::<f64>() * grown as f64
}

#[differentiable]
fn scaled(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = Vec::with_capacity(8);
    v.extend_from_slice(x);
    let scale = v.capacity() as f64;
    v.iter().sum::<f64>() * scale
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let copy = x.to_vec();
    let table = [1.0, 2.0, 3.0, 4.0, 5.0];
    copy[0] * table[copy.capacity() % 5]
}

fn main() {}
