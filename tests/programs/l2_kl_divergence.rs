use diffi::prelude::*;

#[differentiable]
pub fn kl_divergence(p: &[f64], q: &[f64]) -> f64 {
    p.iter().zip(q.iter()).filter_map(|(&pi, &qi)| if pi > 0.0 { Some(pi * (pi / qi).ln()) } else { None }).sum()
}
