use diffi::prelude::*;

#[differentiable]
fn larger_is_scaled(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let larger = if a > b { &mut a } else { &mut b };
    *larger *= x[2];
    a + b
}

#[differentiable]
fn pattern_of_a_struct(x: &[f64]) -> f64 {
    struct Pair(f64, f64);
    let (mut a, mut b) = (x[1], x[0]);
    let c = a * b;
    Pair(a, b) = Pair(c, x[1]);
    a * b
}

fn main() {}
