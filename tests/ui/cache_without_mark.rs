use diffi::prelude::*;

#[differentiable(cache(scratch))]
fn f(x: &[f64], scratch: &mut [f64]) -> f64 {
    scratch[0] = x[0] * x[0];
    scratch[0]
}

fn main() {
    let mut scratch = [0.0];
    let _ = gradient(f::D, AutoReverse, (&[1.0], &mut scratch));
}
