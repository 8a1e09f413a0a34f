use diffi::prelude::*;

#[differentiable]
pub fn pnorm<const N: usize>(x: &[f64; N], p: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += x[i].abs().powf(p);
    }
    (s / N as f64).powf(1.0 / p)
}
