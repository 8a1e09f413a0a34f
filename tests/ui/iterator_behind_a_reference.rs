use diffi::prelude::*;

#[differentiable]
fn next<I: Iterator<Item = f64>>(values: &mut I, x: f64) -> f64 {
    values.next().unwrap_or(0.0) * x
}

#[differentiable]
fn widths<'a>(values: impl Iterator<Item = &'a [f64]>) -> f64 {
    values.map(|v| v.iter().sum::<f64>().sqrt()).sum()
}

fn main() {}
