use diffi::prelude::*;

#[differentiable]
fn f(values: impl Iterator<Item = f64>, x: f64) -> f64 {
    values.map(|v| v * x).sum()
}

fn main() {}
