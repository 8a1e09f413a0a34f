//! Arrays of `ndarray` inside of functions of slices, known by the macros and functions that make them.

use crate::check::number;
use diffi::prelude::*;
use ndarray::{Axis, array};

/// `array!` alone says that there are arrays; one of constants is made in every trip.
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
