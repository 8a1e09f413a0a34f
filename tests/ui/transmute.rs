use diffi::prelude::*;

#[differentiable]
fn bytes(x: f64) -> f64 {
    let b: [u8; 8] = unsafe { std::mem::transmute(x) };
    f64::from_le_bytes(b) * 3.0
}

fn main() {}
