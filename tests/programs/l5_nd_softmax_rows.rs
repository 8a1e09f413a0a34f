use diffi::differentiable;
use ndarray::{Array2, Axis};

/// Row-wise log-softmax with broadcasting.
#[differentiable]
pub fn nd_softmax_rows(x: &Array2<f64>) -> Array2<f64> {
    let max = x.map_axis(Axis(1), |row| row.fold(f64::NEG_INFINITY, |m, &v| m.max(v)));
    let shifted = x - &max.insert_axis(Axis(1));
    let log_norm = shifted.mapv(f64::exp).sum_axis(Axis(1)).mapv(f64::ln);
    shifted - log_norm.insert_axis(Axis(1))
}
