use diffi::prelude::*;

#[differentiable(constant)]
fn f(x: f64, n: i32) -> f64 {
    x.powi(n)
}

fn main() {}
