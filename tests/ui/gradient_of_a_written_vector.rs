use diffi::prelude::*;

#[differentiable(output(y))]
fn f(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
}

fn main() {
    let mut y = [0.0; 1];
    let _ = gradient(f::D, AutoReverse, (&[1.0, 2.0], &mut y));
}
