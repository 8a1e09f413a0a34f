//! Arrays that a function makes.

use diffi::prelude::*;
use ndarray::{Array, Array1, Array2, Axis, arr1, array, aview1, concatenate, stack};

#[differentiable]
fn zeros_and_elements(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let mut table = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..n {
            table[[i, j]] = x[i] * x[j].sin();
        }
        table[[i, i]] += 2.0 * x[i];
    }
    (&table * &table).sum()
}

#[differentiable]
fn from_vectors(x: &Array1<f64>) -> f64 {
    let v: Vec<f64> = x.iter().map(|v| v * v).collect();
    let a = Array1::from_vec(v.clone());
    let b = Array2::from_shape_vec((2, x.len() / 2), v).unwrap();
    let c = Array1::from_iter(x.iter().map(|v| v.exp()));
    (a * c).sum() + (&b * &b).sum()
}

#[differentiable]
fn written_out(x: &Array1<f64>) -> Array2<f64> {
    let a = array![[x[0], x[1] * x[0]], [1.0, -x[2]]];
    let b = array![x[2], x[0].sin()];
    a * b
}

#[differentiable]
fn from_a_function(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let kernel = Array::from_shape_fn((n, n), |(i, j)| (-(x[i] - x[j]).powi(2)).exp());
    let line = Array1::from_shape_fn(n, |i| x[i] * i as f64);
    (kernel * line).sum()
}

#[differentiable]
fn the_same_everywhere(x: &Array1<f64>) -> f64 {
    let s = x[0] * x[1];
    let a = Array1::from_elem(x.len(), s);
    let b = Array2::from_elem((2, x.len()), s.sin());
    (a * b * x).sum()
}

#[differentiable]
fn joined(x: &Array1<f64>) -> f64 {
    let y = x.mapv(|v| v * v);
    let z = concatenate(Axis(0), &[x.view(), y.view(), x.view()]).unwrap();
    let table = stack![Axis(0), x.view(), y.view()];
    let w = concatenate![Axis(1), table, table.clone() * 2.0];
    z.mapv(f64::sin).sum() + (&w * &w * &w).sum()
}

#[differentiable]
fn from_lists(x: &Array1<f64>) -> f64 {
    let list = x.to_vec();
    let all = arr1(&list);
    let front = arr1(&list[..2]);
    let squares: Array1<f64> = list.iter().map(|v| v * v).collect();
    let sines = list.iter().map(|v| v.sin()).collect::<Array1<f64>>();
    all.dot(&squares) * front.sum() + sines.dot(&aview1(&list))
}

mod tests {
    crate::number!(from_lists(3));
    crate::number!(zeros_and_elements(3));
    crate::number!(from_vectors(4));
    crate::array!(written_out(3));
    crate::number!(from_a_function(3));
    crate::number!(the_same_everywhere(3));
    crate::number!(joined(3));
}
