use diffi::prelude::*;

#[differentiable]
fn fast_inverse_root(x: f64) -> f64 {
    let i = 0x5fe6_eb50_c7b5_37a9_u64 - (x.to_bits() >> 1);
    let y = f64::from_bits(i);
    y * (1.5 - 0.5 * x * y * y)
}

fn main() {}
