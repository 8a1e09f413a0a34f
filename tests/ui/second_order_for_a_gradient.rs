use diffi::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0] * x[1]
}

fn main() {
    let _ = gradient(f::D, SecondOrder(AutoForward, AutoReverse), &[1.0, 2.0]);
}
