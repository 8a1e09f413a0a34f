use diffi::prelude::*;

#[differentiable(constant(missing))]
fn f(x: f64, y: f64) -> f64 {
    let a = x.to_bits();
    let b = helper(y);
    f64::from_bits(a) + b.squared()
}

fn helper(x: f64) -> f64 {
    x
}

fn main() {}
