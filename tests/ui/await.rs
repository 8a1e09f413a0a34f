use diffi::prelude::*;

#[differentiable]
fn wait(x: f64) -> f64 {
    let y = async { x * x };
    y.await
}

fn main() {}
