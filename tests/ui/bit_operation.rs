use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    (x as u64 >> 1) as f64
}

fn main() {}
