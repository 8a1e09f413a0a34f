use diffi::prelude::*;

/// Single precision on purpose.
#[differentiable]
pub fn logit_f32(p: f32, scale: f32) -> f32 {
    let odds = p / (1.0 - p);
    scale * odds.ln() + 0.5f32 * p.sqrt()
}
