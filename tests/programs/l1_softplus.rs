use diffi::prelude::*;

/// Numerically stable softplus, log(1 + e^x).
#[differentiable]
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
