use diffi::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0] * x[1]
}

fn main() {
    let mut j = vec![0.0; 2];
    let _ = jacobian_into(f::D, AutoReverse, &mut j, &[1.0, 2.0]);
}
