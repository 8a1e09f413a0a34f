use diffi::prelude::*;

#[differentiable]
fn f(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {
    let _ = derivative(f::D, AutoForward, (1.0, 2.0));
}
