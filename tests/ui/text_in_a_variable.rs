use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    let text = x.to_string();
    let y: f64 = text.parse().unwrap();
    y * x
}

fn main() {}
