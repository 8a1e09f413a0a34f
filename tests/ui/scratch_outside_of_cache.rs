use diffi::prelude::*;

#[differentiable(cache(scratch))]
fn f(x: &[f64], scratch: &mut [f64]) -> f64 {
    scratch[0] = x[0] * x[1];
    scratch[0]
}

fn main() {
    let mut scratch = [0.0; 1];
    let _ = gradient(f::D, AutoReverse, (&[1.0, 2.0], &mut scratch));
}
