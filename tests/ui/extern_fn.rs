use diffi::prelude::*;

unsafe extern "C" {
    fn cbrt(x: f64) -> f64;
}

#[differentiable]
fn root(x: f64) -> f64 {
    unsafe { cbrt(x) }
}

fn main() {}
