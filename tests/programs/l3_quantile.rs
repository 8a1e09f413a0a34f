use diffi::prelude::*;

/// Linearly interpolated sample quantile; the level is active as well.
#[differentiable]
pub fn quantile(sample: &[f64], level: f64) -> f64 {
    let mut s = sample.to_vec();
    s.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let h = level * (s.len() - 1) as f64;
    let k = h.floor() as usize;
    if k + 1 >= s.len() {
        return s[s.len() - 1];
    }
    let frac = h - k as f64;
    s[k] + frac * (s[k + 1] - s[k])
}
