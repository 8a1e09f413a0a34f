use diffi::prelude::*;

#[differentiable]
fn bytes(x: f64) -> f64 {
    f64::from(x.to_le_bytes()[0]) * x
}

fn main() {}
