use diffi::prelude::*;

#[differentiable]
fn f(values: impl Iterator<Item = f64>, x: f64) -> f64 {
    values.take(2).map(|v| v * x).sum()
}

#[differentiable]
fn g(x: f64) -> f64 {
    f(std::iter::repeat(x), x) + f(std::iter::successors(Some(x), |v| Some(v * x)), 1.0)
}

fn main() {}
