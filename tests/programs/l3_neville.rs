use diffi::prelude::*;

/// Neville interpolation, table overwritten in place.
#[differentiable(constant(xs))]
pub fn neville(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let n = xs.len();
    let mut p = ys.to_vec();
    for level in 1..n {
        for i in 0..n - level {
            let j = i + level;
            p[i] = ((x - xs[j]) * p[i] + (xs[i] - x) * p[i + 1]) / (xs[i] - xs[j]);
        }
    }
    p[0]
}
