use diffi::prelude::*;

#[differentiable]
fn first(x: &[f64]) -> f64 {
    unsafe { *x.get_unchecked(0) }
}

fn main() {}
