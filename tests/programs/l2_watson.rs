use diffi::prelude::*;

#[differentiable]
pub fn watson(x: &[f64]) -> f64 {
    let n = x.len();
    let mut total = x[0] * x[0] + (x[1] - x[0] * x[0] - 1.0).powi(2);
    for i in 1..=29 {
        let t = i as f64 / 29.0;
        let mut ds = 0.0;
        let mut s = 0.0;
        for j in 0..n {
            s += x[j] * t.powi(j as i32);
            if j >= 1 {
                ds += j as f64 * x[j] * t.powi(j as i32 - 1);
            }
        }
        let r = ds - s * s - 1.0;
        total += r * r;
    }
    total
}
