use diffi::prelude::*;

/// Explicit heat equation with fixed ends, double buffering.
#[differentiable(constant(steps))]
pub fn heat_explicit(u0: &[f64], alpha: f64, steps: usize) -> Vec<f64> {
    let n = u0.len();
    let mut cur = u0.to_vec();
    let mut next = cur.clone();
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = cur[i] + alpha * (cur[i - 1] - 2.0 * cur[i] + cur[i + 1]);
        }
        std::mem::swap(&mut cur, &mut next);
    }
    cur
}
