use diffi::prelude::*;

/// Only the leading positive run counts, plus what follows the first negative entry.
#[differentiable]
pub fn leading_run(x: &[f64]) -> f64 {
    let head: f64 = x.iter().take_while(|&&v| v > 0.0).map(|v| v.sqrt()).sum();
    let tail: f64 = x.iter().skip_while(|v| **v > 0.0).map(|v| v * v).sum();
    match x.iter().position(|&v| v < 0.0) {
        Some(k) => head * tail + x[k],
        None => head,
    }
}
