use diffi::prelude::*;

#[differentiable]
fn f(x: f64, y: f64) -> f64 {
    let both = [Some(x), Some(y)];
    both[0].unwrap_or(0.0) * x
}

fn main() {}
