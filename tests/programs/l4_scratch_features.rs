use diffi::prelude::*;

/// Weighted random Fourier features; the caller provides the scratch buffer.
#[differentiable(cache(buf))]
pub fn scratch_features(x: &[f64], freq: &[f64], w: &[f64], buf: &mut [f64]) -> f64 {
    let m = w.len();
    for k in 0..m {
        buf[k] = 0.0;
        for (xi, fi) in x.iter().zip(&freq[k * x.len()..]) {
            buf[k] += xi * fi;
        }
        buf[k] = buf[k].cos();
    }
    let mut s = 0.0;
    for k in 0..m {
        s += w[k] * buf[k];
        if k > 0 {
            s += 0.1 * buf[k] * buf[k - 1];
        }
    }
    s
}
