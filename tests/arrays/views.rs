//! Parts of arrays, and other shapes of them.

use diffi::prelude::*;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Ix2, s};

#[differentiable]
fn table(x: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn((3, x.len()), |(i, j)| x[j] * x[0] + i as f64 * x[j])
}

#[differentiable]
fn rows_and_columns(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let row = a.row(1);
    let column = a.column(2);
    row.dot(&row) + column.sum() * a.index_axis(Axis(0), 2).dot(x) + a.diag().sum()
}

#[differentiable]
fn slices(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let inner = a.slice(s![1.., ..2]);
    let every = x.slice(s![..;2]);
    let line = a.slice(s![0, 1..]);
    (&inner * &inner).sum() * every.sum() + (&line * &line).sum()
}

#[differentiable]
fn shapes(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let a = table(x);
    let flat = a.clone().into_shape_with_order(3 * n).unwrap();
    let back = flat.to_shape((n, 3)).unwrap();
    let turned = a.t();
    (&turned * &back).sum() + flat[2] * flat.to_vec()[1]
}

#[differentiable]
fn shape_queries(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let (n, m) = a.dim();
    let mut sum = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            sum += a[[i, j]] * (i * m + j) as f64 / (n * a.shape()[1] * a.len()) as f64;
        }
    }
    sum * a.len_of(Axis(0)) as f64
}

/// Functions that take views.
#[differentiable]
fn energy(v: ArrayView1<f64>) -> f64 {
    v.sum() * v[0] + v.mapv(|e| e * e).sum()
}

#[differentiable]
fn weighed(m: &ArrayView2<f64>, by: &ArrayView1<f64>) -> f64 {
    m.dot(by).sum() * m[[0, 1]]
}

#[differentiable]
fn shown(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let mut m = Array2::from_shape_fn((n, n), |(i, j)| x[i] * x[j] + x[j]);
    let mut total = energy(x.view()) + energy(m.row(1));
    for i in 0..n {
        let column = m.column(i);
        total += weighed(&m.view(), &column) * energy(column);
        m[[0, i]] = total * 0.1;
    }
    let corner = m.slice(s![..2, ..2]);
    total + weighed(&corner, &corner.row(1)) + weighed(&m.t(), &x.view())
}

/// A window of the elements of a vector, and of a matrix.
#[differentiable]
fn windows(x: &Array1<f64>) -> f64 {
    let weights = x.slice(s![..2]);
    let smooth = Array1::from_iter(x.windows(2).into_iter().map(|w| w.dot(&weights)));
    let a = table(x);
    let kernel = a.slice(s![..2, ..2]);
    let convolved: Vec<f64> = a.windows((2, 2)).into_iter().map(|w| (&w * &kernel).sum()).collect();
    let largest = x.windows(3).into_iter().fold(0.0, |sum, w| sum + w.sum() * w[1]);
    smooth.dot(&smooth) + convolved.iter().map(|v| v.sin()).sum::<f64>() + largest
}

#[differentiable]
fn seen_from_slices(x: &Array1<f64>) -> f64 {
    let parts = x.to_vec();
    let (a, b) = (ArrayView1::from(&parts[..2]), ArrayView1::from(&parts[1..]));
    energy(a) * energy(b) + a.dot(&b)
}

/// Elements elsewhere, some several times.
#[differentiable]
fn rearranged(x: &Array1<f64>) -> f64 {
    let m = Array2::from_diag(x) + x.broadcast((3, 3)).unwrap();
    let some = m.select(Axis(0), &[2, 0, 2]);
    let known = some.into_dyn().into_dimensionality::<Ix2>().unwrap();
    let mut product = known.clone();
    general_mat_mul(2.0, &known, &m, x[0], &mut product);
    let column = x.clone().insert_axis(Axis(1));
    (&product * &column.broadcast((3, 3)).unwrap()).sum()
}

mod tests {
    crate::number!(rearranged(3));
    crate::number!(windows(4));
    crate::number!(seen_from_slices(3));
    crate::number!(shown(3));
    crate::number!(rows_and_columns(3));
    crate::number!(slices(4));
    crate::number!(shapes(3));
    crate::number!(shape_queries(3));
}
