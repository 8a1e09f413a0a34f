use diffi::prelude::*;

#[differentiable]
#[allow(clippy::too_many_arguments)]
fn sum(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64, i: f64, j: f64, k: f64, l: f64, m: f64) -> f64 {
    a + b + c + d + e + f + g + h + i + j + k + l + m
}

fn main() {}
