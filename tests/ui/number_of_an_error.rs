//! The error of a `Result` that an active value is made of, by a closure: no number is made of it.

use diffi::prelude::*;

#[differentiable]
fn by_a_closure(x: f64, y: f64) -> f64 {
    let there = if x > 5.0 { Some(x) } else { None };
    let r: Result<f64, f64> = there.ok_or_else(|| y * 2.0);
    match r {
        Ok(v) => v,
        Err(e) => e * x,
    }
}

#[differentiable]
fn by_a_value(x: f64, y: f64) -> f64 {
    let there = if x > 5.0 { Some(x) } else { None };
    let error = y * 2.0;
    there.ok_or_else(|| error).unwrap_or_else(|e| e * x)
}

fn main() {}
