use diffi::prelude::*;

#[differentiable]
fn read(x: *const f64, y: f64) -> f64 {
    y
}

fn main() {}
