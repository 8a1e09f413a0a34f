use diffi::prelude::*;

#[differentiable]
fn larger_is_scaled(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let (larger, other) = if a > b { (&mut a, &mut b) } else { (&mut b, &mut a) };
    *larger *= x[2] * *other;
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
