use diffi::prelude::*;

#[differentiable]
fn advanced(x: f64, _states: Vec<&mut f64>) -> f64 {
    x
}

fn main() {}
