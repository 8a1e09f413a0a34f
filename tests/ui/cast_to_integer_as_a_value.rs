use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    let n = x as i64;
    n as f64 * x
}

fn main() {}
