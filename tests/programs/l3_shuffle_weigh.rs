use diffi::prelude::*;

#[differentiable]
pub fn shuffle_weigh(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let n = v.len();
    v.swap(0, n - 1);
    v[..3].reverse();
    v.rotate_left(2);
    v.truncate(n - 1);
    let mut s = 0.0;
    for (i, e) in v.iter().enumerate() {
        s += (i as f64 + 1.0) * e * e;
    }
    s
}
