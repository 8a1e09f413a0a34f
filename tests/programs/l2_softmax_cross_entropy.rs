use diffi::prelude::*;

#[differentiable(constant(label))]
pub fn softmax_cross_entropy(logits: &[f64], label: usize) -> f64 {
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let denom: f64 = logits.iter().map(|z| (z - max).exp()).sum();
    let p = (logits[label] - max).exp() / denom;
    -p.ln()
}
