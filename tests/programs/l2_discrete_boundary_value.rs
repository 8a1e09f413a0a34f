use diffi::prelude::*;

#[differentiable]
pub fn discrete_boundary_value(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h = 1.0 / (n as f64 + 1.0);
    let at = |k: isize| if k < 0 || k as usize >= n { 0.0 } else { x[k as usize] };
    (0..n)
        .map(|i| {
            let t = (i + 1) as f64 * h;
            let k = i as isize;
            2.0 * x[i] - at(k - 1) - at(k + 1) + 0.5 * h * h * (x[i] + t + 1.0).powi(3)
        })
        .collect()
}
