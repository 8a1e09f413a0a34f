use diffi::prelude::*;

#[differentiable]
fn through_pointer(x: f64) -> f64 {
    let p = &x as *const f64;
    unsafe { *p * *p }
}

fn main() {}
