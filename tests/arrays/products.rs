//! Inner products and matrix products.

use diffi::prelude::*;
use ndarray::{Array1, Array2, ArrayView2};

#[differentiable]
fn matrix(x: &Array1<f64>, n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, x.len()), |(i, j)| x[j] * (0.5 + i as f64) + x[0])
}

#[differentiable]
fn inner(x: &Array1<f64>) -> f64 {
    let y = x.mapv(|v| v.cos());
    x.dot(&y) * x.dot(x) + y.dot(&y).sqrt()
}

#[differentiable]
fn matrix_by_vector(x: &Array1<f64>) -> Array1<f64> {
    let a = matrix(x, 3);
    a.dot(x)
}

#[differentiable]
fn vector_by_matrix(x: &Array1<f64>) -> f64 {
    let a = matrix(x, 4);
    let b = matrix(x, 2);
    let y = b.dot(x);
    let z = y.dot(&b);
    (a.dot(&z)).mapv(|v| v * v).sum()
}

#[differentiable]
fn matrix_by_matrix(x: &Array1<f64>) -> f64 {
    let a = matrix(x, 3);
    let b = a.t().dot(&a);
    let c = b.dot(&b.t()) + a.t().dot(&a);
    (&c * &c).sum()
}

#[differentiable]
fn forward_layer(w: ArrayView2<f64>, b: &Array1<f64>, x: &Array1<f64>) -> f64 {
    let h = (w.dot(x) + b).mapv(|v| v.tanh());
    h.dot(&h)
}

#[differentiable]
fn powers(x: &Array1<f64>) -> f64 {
    let a = matrix(x, x.len());
    let mut y = x.clone();
    for _ in 0..3 {
        y = a.dot(&y) * 0.3;
    }
    y.sum()
}

mod tests {
    use super::*;
    use crate::check::{close, differences, point};
    use ndarray::{Axis, s};

    crate::number!(inner(4));
    crate::array!(matrix_by_vector(3));
    crate::number!(vector_by_matrix(3));
    crate::number!(matrix_by_matrix(3));
    crate::number!(powers(3));

    /// Three arguments, one of them a view.
    #[test]
    fn forward_layer() -> diffi::Result<()> {
        let all = point(3 * 4 + 3 + 4);
        let value = |all: &Array1<f64>| {
            let w = all.slice(s![..12]).to_owned().into_shape_with_order((3, 4)).unwrap();
            super::forward_layer(w.view(), &all.slice(s![12..15]).to_owned(), &all.slice(s![15..]).to_owned())
        };
        let wanted = differences(|x| ndarray::arr1(&[value(x)]), &all);
        let w = all.slice(s![..12]).to_owned().into_shape_with_order((3, 4)).unwrap();
        let (b, x) = (all.slice(s![12..15]).to_owned(), all.slice(s![15..]).to_owned());
        let (dw, db, dx) = gradient(super::forward_layer::D, AutoReverse, (w.view(), &b, &x))?;
        let flat = dw.iter().chain(&db).chain(&dx).copied().collect::<Array1<f64>>();
        close("reverse", &flat.insert_axis(Axis(0)), &wanted);
        let db = gradient(super::forward_layer::D, AutoReverse, (Constant(w.view()), &b, Constant(&x)))?;
        close("one of three", &db.insert_axis(Axis(0)), &wanted.slice(s![.., 12..15]).to_owned());
        Ok(())
    }
}
