use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> i64 {
    x as i64
}

fn main() {}
