use diffi::prelude::*;

#[differentiable(constant(eps))]
pub fn total_variation(signal: &[f64], eps: f64) -> f64 {
    signal.iter().zip(signal.iter().skip(1)).map(|(a, b)| ((b - a).powi(2) + eps * eps).sqrt() - eps).sum::<f64>()
}
