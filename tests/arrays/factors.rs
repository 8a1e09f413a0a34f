//! Cholesky's decomposition and what is solved with it, by `nalgebra`.

use diffi::prelude::*;
use nalgebra::{DMatrix, DVector};
use ndarray::Array1;

/// Positive definite, and with every entry its own.
#[differentiable]
fn covariance(x: &Array1<f64>, n: usize) -> DMatrix<f64> {
    let m = x.len();
    let a = DMatrix::from_fn(n, n, |i, j| (x[(i + j) % m] * (1.0 + i as f64 * 0.1)).sin() * x[(i * j) % m]);
    let n = n as f64;
    &a * a.transpose() / n + DMatrix::from_fn(a.nrows(), a.nrows(), |i, j| if i == j { 2.0 + x[0] * x[0] } else { 0.0 })
}

#[differentiable]
fn lower(x: &Array1<f64>) -> f64 {
    let l = covariance(x, 5).cholesky().expect("positive definite").l();
    let mut total = 0.0;
    for i in 0..5 {
        for j in 0..=i {
            total += l[(i, j)] * l[(i, j)] * (1.0 + i as f64 - 0.3 * j as f64);
        }
    }
    total
}

/// More columns than go back at once.
#[differentiable]
fn blocks(x: &Array1<f64>) -> f64 {
    let l = covariance(x, 70).cholesky().expect("positive definite").l();
    let mut total = 0.0;
    for i in 0..70 {
        for j in 0..=i {
            total += l[(i, j)] * (0.1 + ((3 * i + 5 * j) % 7) as f64);
        }
    }
    total
}

#[differentiable]
fn solved(x: &Array1<f64>) -> f64 {
    let k = covariance(x, 6);
    let y = DVector::from_fn(6, |i, _| x[i % 3] * (i as f64 + 0.5));
    let factored = k.cholesky().expect("positive definite");
    let alpha = factored.solve(&y);
    y.dot(&alpha) + factored.ln_determinant()
}

#[differentiable]
fn solved_for_constants(x: &Array1<f64>) -> f64 {
    let y = DVector::from_element(6, 0.7);
    let factored = covariance(x, 6).cholesky().unwrap();
    factored.solve(&y).norm_squared()
}

#[differentiable]
fn inverted(x: &Array1<f64>) -> f64 {
    let factored = covariance(x, 4).cholesky().unwrap();
    let inverse = factored.inverse();
    inverse.norm_squared() + factored.determinant() * 1e-2
}

mod tests {
    use super::*;

    crate::number!(lower(4));
    crate::number!(blocks(3));
    crate::number!(solved(4));
    crate::number!(solved_for_constants(3));
    crate::number!(inverted(3));

    /// A product's matrix has the determinant, and the solution solves.
    #[test]
    fn values_are_those_of_nalgebra() {
        let x = crate::check::point(4);
        let k = covariance(&x, 6);
        let y = DVector::from_fn(6, |i, _| x[i % 3] * (i as f64 + 0.5));
        let wanted = y.dot(&k.clone().lu().solve(&y).expect("regular")) + k.determinant().ln();
        let (value, _) = value_and_gradient(solved::D, AutoReverse, &x).expect("it fits");
        assert!((value - wanted).abs() < 1e-12 * wanted.abs(), "{value} is not {wanted}");
    }
}
