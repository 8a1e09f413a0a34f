use diffi::prelude::*;

#[differentiable]
fn apply<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(x) * x
}

fn main() {
    let k = 2.0;
    gradient(apply::D, AutoReverse, (Constant(move |t: f64| k * t), 1.0)).unwrap();
}
