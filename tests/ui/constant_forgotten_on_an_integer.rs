use diffi::prelude::*;

#[differentiable]
fn power(x: f64, n: i32) -> f64 {
    x.powi(n)
}

fn main() {
    let _ = gradient(power::D, AutoReverse, (2.0, 3));
}
