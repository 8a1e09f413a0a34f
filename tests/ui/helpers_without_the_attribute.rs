use diffi::prelude::*;

mod math {
    pub fn softplus(x: f64) -> f64 {
        x.exp().ln_1p()
    }
}

fn square(x: f64) -> f64 {
    x * x
}

fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

fn sine_and_cosine(x: f64) -> (f64, f64) {
    (x.sin(), x.cos())
}

fn normalize(v: &mut [f64]) {
    let n: f64 = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.iter_mut().for_each(|x| *x /= n);
}

#[differentiable]
fn as_a_value(x: &[f64]) -> f64 {
    x.iter().copied().map(square).sum()
}

#[differentiable]
fn of_a_module(x: &[f64]) -> f64 {
    x.iter().map(|v| math::softplus(*v)).sum()
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(i, v)| power(*v, i)).sum()
}

#[differentiable]
fn of_a_pair(x: f64) -> f64 {
    let (s, c) = sine_and_cosine(x);
    s * c
}

#[differentiable]
fn in_place(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    normalize(&mut v);
    v[0] * v[1]
}

fn main() {}
