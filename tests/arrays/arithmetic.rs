//! Operators, with numbers and with broadcasting.

use diffi::prelude::*;
use ndarray::{Array1, Array2, Axis};

#[differentiable]
fn four_operators(x: &Array1<f64>) -> f64 {
    let y = x * x + x / 2.0 - 3.0 / (x + 4.0);
    let z = &y * x - &y / (x * x + 1.0);
    (-z).sum()
}

#[differentiable]
fn numbers_with_arrays(x: &Array1<f64>) -> f64 {
    let s = x[0];
    let y = x * s + s;
    let z = s - &y;
    let w = s / (&z * &z + 2.0) + 2.0 * x - 1.0;
    (w * y).sum()
}

#[differentiable]
fn rows_and_columns(x: &Array1<f64>) -> f64 {
    let row = x.clone().insert_axis(Axis(0));
    let column = x.mapv(|v| v.sin()).insert_axis(Axis(1));
    let table = &row * &column - &column / (&row * &row + 1.5);
    let shifted = &table + x;
    (&shifted * &shifted * &table).sum()
}

#[differentiable]
fn broadcast_left(x: &Array1<f64>) -> Array2<f64> {
    let table = Array2::from_shape_fn((3, x.len()), |(i, j)| x[j] * (i as f64 + 1.0));
    x / &(table * x + 2.0)
}

#[differentiable]
fn compound(x: &Array1<f64>) -> f64 {
    let mut y = x.clone();
    y += x;
    y *= 2.0;
    y -= 0.5;
    y /= &(x * x + 1.0);
    y *= x;
    y += x[1];
    (&y * &y).sum()
}

#[differentiable]
fn in_a_loop(x: &Array1<f64>) -> f64 {
    let mut y = x.clone();
    for k in 0..4 {
        y = &y * x + 0.1 * k as f64;
        let half = &y * 0.5;
        y *= &half;
        y += x;
    }
    y.sum()
}

#[differentiable]
fn constant_arrays(x: &Array1<f64>) -> f64 {
    let weights = Array1::linspace(0.5, 2.0, x.len());
    let table = Array2::from_shape_fn((2, x.len()), |(i, j)| (i + j) as f64 * 0.1);
    let y = x * &weights + 1.0;
    let z = &table * &y;
    (&z * &z).sum() + (weights / y).sum()
}

#[differentiable]
fn where_a_condition_holds(x: &Array1<f64>) -> f64 {
    let mut y = Array1::zeros(x.len());
    if x.sum() > 0.0 {
        y += x;
    } else {
        y -= &(x * x);
    }
    let z = if y[0] > 10.0 { x * 3.0 } else { &y * x };
    z.sum()
}

mod tests {
    crate::number!(four_operators(4));
    crate::number!(numbers_with_arrays(3));
    crate::number!(rows_and_columns(4));
    crate::array!(broadcast_left(4));
    crate::number!(compound(4));
    crate::number!(in_a_loop(3));
    crate::number!(constant_arrays(4));
    crate::number!(where_a_condition_holds(3));
}
