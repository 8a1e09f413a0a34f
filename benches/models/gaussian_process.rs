//! The likelihood of a Gaussian process, by Cholesky's factorisation.

use super::random;
use diffi::prelude::*;
use nalgebra::{DMatrix, DVector};
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};

/// The negative logarithm of the likelihood, but for a constant, by the length scale, the signal's variance and the noise's.
#[differentiable(constant(x, y))]
pub fn gaussian_process(length: f64, signal: f64, noise: f64, x: &[f64], y: &DVector<f64>) -> f64 {
    let n = x.len();
    let k = DMatrix::from_fn(n, n, |i, j| {
        let d = (x[i] - x[j]) / length;
        let covariance = signal * (-0.5 * d * d).exp();
        if i == j { covariance + noise } else { covariance }
    });
    let factored = k.cholesky().expect("the covariance is positive definite");
    let alpha = factored.solve(y);
    0.5 * (y.dot(&alpha) + factored.ln_determinant())
}

/// The arguments.
pub struct Data {
    pub length: f64,
    pub signal: f64,
    pub noise: f64,
    pub x: Vec<f64>,
    pub y: DVector<f64>,
}

impl Data {
    pub fn new(n: usize) -> Data {
        let mut random = random(11);
        let x: Vec<f64> = (0..n).map(|_| 10.0 * random()).collect();
        let y = DVector::from_iterator(n, x.iter().map(|x| x.sin() + 0.1 * (random() - 0.5)));
        Data { length: 0.9, signal: 1.3, noise: 0.2, x, y }
    }

    pub fn value(&self) -> f64 {
        gaussian_process(self.length, self.signal, self.noise, &self.x, &self.y)
    }
}

/// The gradient: half the sum of `K^-1 - α αᵀ` times the derivatives of `K` (Rasmussen and Williams, "Gaussian Processes for
/// Machine Learning" (2006), equation 5.9). `inverse` and `lower` are memory.
pub fn gradient_by_hand(data: &Data, lower: &mut DMatrix<f64>, inverse: &mut DMatrix<f64>) -> [f64; 3] {
    let Data { length, signal, noise, x, y } = data;
    let n = x.len();
    let shape = |d: f64| (-0.5 * d * d).exp();
    for j in 0..n {
        for (i, k) in lower.column_mut(j).iter_mut().enumerate().skip(j) {
            *k = signal * shape((x[i] - x[j]) / length);
        }
        lower[(j, j)] += noise;
    }
    let factored = std::mem::replace(lower, DMatrix::zeros(0, 0)).cholesky().expect("positive definite");
    let alpha = factored.solve(y);
    *lower = factored.unpack();
    // W = L^-1, and K^-1 = Wᵀ W
    let mut w = DMatrix::identity(n, n);
    lower.solve_lower_triangular_mut(&mut w);
    let columns = ArrayView2::from_shape((n, n), w.as_slice()).expect("n columns");
    let to = ArrayViewMut2::from_shape((n, n), inverse.as_mut_slice()).expect("n columns");
    general_mat_mul(1.0, &columns, &columns.t(), 0.0, &mut { to });
    let mut bar = [0.0; 3];
    for j in 0..n {
        let weight = |i: usize| inverse[(i, j)] - alpha[i] * alpha[j];
        for i in j + 1..n {
            let d = (x[i] - x[j]) / length;
            let (k, w) = (shape(d), weight(i));
            bar[0] += w * k * d * d;
            bar[1] += w * k;
        }
        bar[1] += 0.5 * weight(j);
        bar[2] += 0.5 * weight(j);
    }
    [bar[0] * signal / length, bar[1], bar[2]]
}
