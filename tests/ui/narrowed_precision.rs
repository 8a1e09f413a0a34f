use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    let y = x as f32;
    f64::from(y * y)
}

fn main() {}
