//! Arrays that change in place.

use diffi::prelude::*;
use ndarray::{Array1, Array2, Axis, s};

#[differentiable]
fn assigned(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let mut a = Array2::zeros((n, n));
    for i in 0..n {
        a.row_mut(i).assign(&(x * x[i]));
    }
    a.column_mut(0).fill(x[1] * x[1]);
    a.slice_mut(s![1.., 1]).assign(&x.slice(s![..n - 1]));
    let mut b = a.clone();
    b.assign(x);
    b += &a;
    (&a * &a * &b).sum()
}

#[differentiable]
fn scaled(x: &Array1<f64>) -> f64 {
    let mut y = x.mapv(|v| v.sin());
    y.scaled_add(0.5, x);
    let z = y.clone();
    y.scaled_add(x[0], &z);
    y.fill(x[2]);
    y.scaled_add(-1.5, &(x * x));
    y.dot(x)
}

#[differentiable]
fn rows_in_place(x: &Array1<f64>) -> f64 {
    let mut a = Array2::from_shape_fn((3, x.len()), |(i, j)| x[j] * (i as f64 + 0.5));
    for mut row in a.outer_iter_mut() {
        row *= 2.0;
        row += x;
        row[0] = x[1] * row[1];
    }
    for (mut column, v) in a.axis_iter_mut(Axis(1)).zip(x.iter()) {
        column.mapv_inplace(|e| e * v);
    }
    for v in a.iter_mut() {
        *v = v.powi(2) + x[0];
    }
    for v in &mut a {
        *v *= 0.5;
    }
    (&a * &a).sum()
}

#[differentiable]
fn steps(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let mut u = x.clone();
    for _ in 0..3 {
        let mut next = u.clone();
        for i in 1..n - 1 {
            next[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i];
        }
        u = next;
    }
    u.dot(&u)
}

#[differentiable(output(y))]
fn out_parameter(x: &Array1<f64>, y: &mut Array1<f64>) {
    y.assign(x);
    *y *= 2.0;
    y[0] = x[1] * x[1];
}

#[differentiable]
fn through_a_parameter(x: &Array1<f64>) -> f64 {
    let mut y = Array1::zeros(x.len());
    out_parameter(x, &mut y);
    y.dot(x) * y[0]
}

#[differentiable]
fn exchanged(x: &Array1<f64>) -> f64 {
    let mut y = x * 2.0;
    y.swap(0, x.len() - 1);
    let mut m = Array2::from_shape_fn((2, 2), |(i, j)| y[i] * x[j]);
    m.swap([0, 0], [1, 0]);
    y.dot(x) * m[[0, 0]] + m[[1, 0]]
}

/// Parts that have a name while they are changed.
#[differentiable]
fn named(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let mut m = Array2::from_shape_fn((n, n), |(i, j)| x[i] + x[j] * x[j]);
    let mut row = m.row_mut(1);
    row[0] = x[1] * row[1];
    for v in row.iter_mut() {
        *v *= x[0];
    }
    row += x;
    let first = row[0];
    let total = m.row(1).sum();
    for i in 0..n {
        let mut column = m.column_mut(i);
        column.mapv_inplace(|v| v * x[i]);
        if i > 0 {
            column[0] = column[i] * total;
        }
    }
    let mut corner = m.slice_mut(s![..2, ..2]);
    corner *= 1.5;
    corner[[0, 1]] = corner[[1, 0]] * first;
    add_to_diagonal(&mut m, x);
    (&m * &m).sum() + m.column(0).sum()
}

#[differentiable]
fn add_to_diagonal(m: &mut Array2<f64>, x: &Array1<f64>) {
    let mut diagonal = m.diag_mut();
    diagonal += x;
    for i in 0..x.len() {
        diagonal[i] *= x[i];
    }
}

mod tests {
    crate::number!(named(3));
    crate::number!(exchanged(3));
    crate::number!(assigned(3));
    crate::number!(scaled(3));
    crate::number!(rows_in_place(3));
    crate::number!(steps(5));
    crate::number!(through_a_parameter(3));
}
