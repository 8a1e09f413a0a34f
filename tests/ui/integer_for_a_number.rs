use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {
    let _ = derivative(f::D, AutoForward, 2);
}
