use diffi::prelude::*;

/// A point of a rose curve; two results.
#[differentiable]
pub fn rosette(theta: f64, k: f64) -> (f64, f64) {
    let r = (k * theta).cos();
    let (s, c) = theta.sin_cos();
    (r * c, r * s)
}
