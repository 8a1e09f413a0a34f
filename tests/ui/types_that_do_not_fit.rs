//! What rustc says of the function itself is said once: derivative code adds nothing.
use diffi::prelude::*;

#[differentiable]
fn integer(x: f64) -> f64 {
    2 * x + 1.0
}

#[differentiable]
fn comparison(x: f64) -> f64 {
    if x > 0 { x } else { 0.0 }
}

#[differentiable]
fn branches(x: f64) -> f64 {
    let y = if x > 0.0 { x } else { 0 };
    y * x
}

#[differentiable]
fn start(x: &[f64]) -> f64 {
    let mut sum = 0;
    for v in x {
        sum += v * v;
    }
    x[0] * x[1]
}

#[differentiable]
fn exponent(x: f64) -> f64 {
    x.powi(3.0)
}

#[differentiable]
fn power(x: f64) -> f64 {
    x ^ 2.0
}

#[differentiable]
fn forgotten(x: f64) -> f64 {
    let y = x * x;
    y * x;
}

#[differentiable]
fn index(x: &[f64], i: i32) -> f64 {
    x[i] * x[0]
}

#[differentiable]
fn length(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len()
}

#[differentiable]
fn whole(x: &[f64], k: f64) -> Vec<f64> {
    x * k
}

#[differentiable]
fn list(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).collect::<Vec<f64>>()
}

#[differentiable]
fn three_for_two(x: [f64; 3]) -> [f64; 2] {
    [x[0], x[1], x[2]]
}

#[differentiable]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

#[differentiable]
fn one_argument(x: f64) -> f64 {
    product(x) * 2.0
}

#[differentiable]
fn step(s: &mut [f64], dt: f64) {
    s[0] += dt * s[1];
}

#[differentiable]
fn shared(x: &[f64]) -> f64 {
    let mut s = x.to_vec();
    step(&s, 0.1);
    s[0]
}

#[differentiable]
fn order(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort();
    v[v.len() / 2]
}

#[differentiable]
fn reference(x: &[f64]) -> f64 {
    let mut top = 0.0;
    for v in x {
        if v > top {
            top = *v;
        }
    }
    top
}

fn main() {
    // what has such a mistake can be named
    let _ = (integer::D, gradient(exponent::D, AutoReverse, 1.0));
}
