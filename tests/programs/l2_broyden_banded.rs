use diffi::prelude::*;

#[differentiable]
pub fn broyden_banded(x: &[f64]) -> Vec<f64> {
    const ML: usize = 5;
    const MU: usize = 1;
    let n = x.len();
    let mut f = Vec::with_capacity(n);
    for i in 0..n {
        let lo = i.saturating_sub(ML);
        let hi = (i + MU).min(n - 1);
        let mut band = 0.0;
        for j in lo..=hi {
            if j != i {
                band += x[j] * (1.0 + x[j]);
            }
        }
        f.push(x[i] * (2.0 + 5.0 * x[i].powi(2)) + 1.0 - band);
    }
    f
}
