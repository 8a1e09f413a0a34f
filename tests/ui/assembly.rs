use diffi::prelude::*;

#[differentiable]
fn doubled(x: &[f64]) -> f64 {
    let mut y = x[0];
    unsafe {
        std::arch::asm!("addsd {0}, {0}", inout(xmm_reg) y);
    }
    y * x[1]
}

fn main() {}
