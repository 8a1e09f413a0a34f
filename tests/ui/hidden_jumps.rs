//! Jumps in places that cannot be evaluated beforehand.
use diffi::prelude::*;

#[differentiable]
fn guarded(x: f64, n: usize) -> f64 {
    match n {
        k if k > (if x > 1.0 { return x } else { 2 }) => x * x,
        _ => x,
    }
}

#[differentiable]
fn asserted(x: f64) -> f64 {
    assert!(x > if x < 0.5 { return x * x } else { 0.25 });
    x
}

#[differentiable]
fn behind_let(x: f64, k: Option<usize>) -> f64 {
    if let Some(k) = k
        && k > (if x > 1.0 { return x } else { 2 })
    {
        return x * x;
    }
    x
}

fn main() {}
