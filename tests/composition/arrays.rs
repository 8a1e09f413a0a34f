//! Arrays of `ndarray` inside of functions of slices, known by the macros and functions that make them.

use crate::check::number;
use diffi::prelude::*;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, array};

/// `array!` alone says that there are arrays; one of constants is made in every iteration.
#[differentiable]
fn recurrent(x: &[f64]) -> f64 {
    let w = array![[x[0], x[1]], [x[2], x[3]]];
    let mut h = array![x[0], 0.5];
    for t in 0..3 {
        let input = array![t as f64, 1.0];
        h = (w.dot(&h) + &input).mapv(f64::tanh);
    }
    h.sum()
}

#[differentiable]
fn rows_and_columns(x: &[f64]) -> f64 {
    let a = array![[x[0], x[1]], [x[2], x[3]]];
    let mut s = 0.0;
    for row in a.rows() {
        s += row.iter().product::<f64>();
    }
    for (j, column) in a.columns().into_iter().enumerate() {
        s += column.sum() * j as f64;
    }
    s
}

#[differentiable]
fn made_by_functions(x: &[f64]) -> f64 {
    let v = ndarray::arr1(&[x[0], x[1]]);
    let m = ndarray::arr2(&[[x[2], x[3]], [x[0], 1.0]]);
    let u = m.dot(&v) / v.dot(&v).sqrt();
    let both = ndarray::stack(Axis(0), &[u.view(), v.view()]).unwrap();
    both.sum_axis(Axis(0)).iter().map(|v| v * v).sum()
}

#[test]
fn arrays_inside_of_functions_of_slices() {
    let p = [0.3, 0.9, 0.5, 0.8];
    number!(recurrent::D, p, |x| x, |x| recurrent(x));
    number!(rows_and_columns::D, p, |x| x, |x| rows_and_columns(x));
    number!(made_by_functions::D, p, |x| x, |x| made_by_functions(x));
}

#[differentiable]
fn cell(h: &Array1<f64>, x: ArrayView1<f64>, w: &Array2<f64>, u: &Array2<f64>) -> Array1<f64> {
    (w.dot(h) + u.dot(&x)).mapv(|v| v.tanh())
}

/// Rows of constants are views that nothing can keep: the adjoint walks over them again.
#[differentiable]
fn recurrent_over_constants(p: &[f64]) -> f64 {
    let w = Array2::from_shape_fn((3, 3), |(i, j)| p[(i * 3 + j) % p.len()] * 0.5);
    let u = Array2::from_shape_fn((3, 2), |(i, j)| p[(i + j) % p.len()]);
    let inputs = array![[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]];
    let mut h = Array1::zeros(3);
    for x in inputs.rows() {
        h = cell(&h, x, &w, &u);
    }
    h.sum()
}

/// A view that is used twice in a product, and handed on.
#[differentiable]
fn form(x: ArrayView1<f64>, m: ArrayView2<f64>) -> f64 {
    x.dot(&x) + m.dot(&x).sum() * m.dot(&m).sum()
}

#[differentiable]
fn forms_of_rows(p: &[f64]) -> f64 {
    let m = Array2::from_shape_fn((3, 3), |(i, j)| p[i] + p[j].sin());
    m.axis_iter(Axis(0)).map(|row| form(row, m.view())).sum()
}

/// Elements with their indices, in two dimensions and in one, read and written.
#[differentiable]
fn with_indices(p: &[f64]) -> f64 {
    let mut m = Array2::zeros((3, 2));
    for ((i, j), v) in m.indexed_iter_mut() {
        *v = p[i] * (1.0 + j as f64) + p[j];
    }
    let mut total = 0.0;
    for ((i, j), v) in m.indexed_iter() {
        if i != j {
            total += v * (i * 2 + j) as f64;
        } else {
            total -= v.exp();
        }
    }
    let x = Array1::from(p.to_vec());
    total * x.indexed_iter().map(|(i, v)| v * (i + 1) as f64).sum::<f64>()
}

#[test]
fn views_and_indices() {
    let p = [0.3, 0.8, 0.45];
    number!(recurrent_over_constants::D, p, |x| x, |x| recurrent_over_constants(x));
    number!(forms_of_rows::D, p, |x| x, |x| forms_of_rows(x));
    number!(with_indices::D, p, |x| x, |x| with_indices(x));
}
