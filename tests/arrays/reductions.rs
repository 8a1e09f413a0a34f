//! Sums, means, folds.

use diffi::prelude::*;
use ndarray::{Array1, Array2, Axis};

#[differentiable]
fn table(x: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn((3, x.len()), |(i, j)| (x[j] * (1.0 + i as f64)).sin())
}

#[differentiable]
fn sums(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let rows = a.sum_axis(Axis(1));
    let columns = a.sum_axis(Axis(0));
    rows.dot(&rows) * a.sum() + columns.dot(x)
}

#[differentiable]
fn means(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let mean = a.mean_axis(Axis(0)).unwrap();
    let centered = &a - &mean;
    let variance = centered.mapv(|v| v * v).mean_axis(Axis(1)).unwrap();
    variance.mapv(f64::sqrt).sum() + x.mean().unwrap()
}

#[differentiable]
fn folds(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let largest = a.fold(f64::NEG_INFINITY, |m, &v| m.max(v));
    let per_row = a.map_axis(Axis(1), |row| row.iter().map(|v| v * v).sum::<f64>());
    let per_column = a.map_axis(Axis(0), |column| column[0] * column[2]);
    largest * per_row.sum() + per_column.dot(x)
}

#[differentiable]
fn softmax_rows(x: &Array1<f64>) -> Array2<f64> {
    let a = table(x);
    let max = a.map_axis(Axis(1), |row| row.fold(f64::NEG_INFINITY, |m, &v| m.max(v)));
    let shifted = a - &max.insert_axis(Axis(1));
    let log_norm = shifted.mapv(f64::exp).sum_axis(Axis(1)).mapv(f64::ln);
    shifted - log_norm.insert_axis(Axis(1))
}

#[differentiable]
fn statistics(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let spread = a.std(1.0);
    let z = x / spread;
    z.var(0.0) * x.product() + a.row(0).var(1.0) + spread
}

/// Batch normalisation.
#[differentiable]
fn normalised(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let (mean, variance) = (a.mean_axis(Axis(0)).unwrap(), a.var_axis(Axis(0), 0.0));
    let scaled = (&a - &mean) / &variance.mapv(|v| (v + 1e-3).sqrt());
    scaled.mapv(|v| v.powi(3)).sum() + a.std_axis(Axis(1), 1.0).dot(&a.column(0))
}

/// The values are those of the function, to the last bit.
#[test]
fn statistics_are_ndarrays() {
    let x = Array1::from_vec(vec![0.3, -0.7, 1.9, 0.4]);
    let (value, _) = value_and_gradient(statistics::D, AutoReverse, &x).unwrap();
    assert_eq!(value, statistics(&x));
    let (value, _) = value_and_gradient(normalised::D, AutoReverse, &x).unwrap();
    assert_eq!(value, normalised(&x));
}

mod tests {
    crate::number!(statistics(4));
    crate::number!(normalised(4));
    crate::number!(sums(4));
    crate::number!(means(4));
    crate::number!(folds(4));
    crate::array!(softmax_rows(4));
}
