//! Linear algebra: iterations and factorizations as textbooks print them.

use super::random;
use diffi::prelude::*;
use ndarray::Array2;

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The product of a matrix, stored by rows, and a vector.
#[differentiable]
fn times(a: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| dot(&a[i * n..(i + 1) * n], x)).collect()
}

/// A quadratic form of the inverse of a positive definite matrix, by conjugate gradients.
#[differentiable(constant(b))]
pub fn conjugate_gradients(a: &[f64], b: &Vec<f64>) -> f64 {
    let mut x = vec![0.0; b.len()];
    let mut r = b.clone();
    let mut p = r.clone();
    let mut rr = dot(&r, &r);
    for _ in 0..8 {
        let ap = times(a, &p);
        let alpha = rr / dot(&p, &ap);
        for i in 0..x.len() {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        let next = dot(&r, &r);
        let beta = next / rr;
        rr = next;
        p = r.iter().zip(&p).map(|(r, p)| r + beta * p).collect();
    }
    dot(&x, b)
}

/// A well conditioned positive definite matrix.
pub fn definite(n: usize) -> Vec<f64> {
    let noise = random(n * n, 3);
    (0..n * n)
        .map(|k| {
            let (i, j) = (k / n, k % n);
            let both = 0.1 * (noise[i * n + j] + noise[j * n + i]);
            if i == j { 4.0 + both } else { both / (n as f64).sqrt() }
        })
        .collect()
}

#[differentiable]
fn matmul(a: &Vec<Vec<f64>>, b: &Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    let mut c = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

/// The trace of a matrix exponential: a Taylor series, squared.
#[differentiable(constant(n))]
pub fn exponential(x: &[f64], n: &usize) -> f64 {
    let n = *n;
    let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| x[i * n + j] / 16.0).collect()).collect();
    let mut sum = vec![vec![0.0; n]; n];
    let mut term = vec![vec![0.0; n]; n];
    for i in 0..n {
        sum[i][i] = 1.0;
        term[i][i] = 1.0;
    }
    for k in 1..6 {
        term = matmul(&term, &a);
        for i in 0..n {
            for j in 0..n {
                term[i][j] /= k as f64;
                sum[i][j] += term[i][j];
            }
        }
    }
    for _ in 0..4 {
        sum = matmul(&sum, &sum);
    }
    (0..n).map(|i| sum[i][i]).sum()
}

/// The largest eigenvalue of a symmetric matrix, by the power method.
#[differentiable(constant(start))]
pub fn power_method(a: &[f64], start: &Vec<f64>) -> f64 {
    let mut v = start.clone();
    let mut value = 0.0;
    for _ in 0..10 {
        let w = times(a, &v);
        value = dot(&v, &w);
        let norm = dot(&w, &w).sqrt();
        v = w.iter().map(|w| w / norm).collect();
    }
    value
}

/// Gaussian process: the likelihood under a covariance with a squared exponential.
#[differentiable(constant(data))]
pub fn marginal_likelihood(theta: &[f64], data: &(Vec<f64>, Vec<f64>)) -> f64 {
    let (at, seen) = (&data.0, &data.1);
    let m = at.len();
    let mut p: Vec<Vec<f64>> = (0..m)
        .map(|i| {
            (0..m)
                .map(|j| {
                    let d = (at[i] - at[j]) / theta[1];
                    theta[0] * (-0.5 * d * d).exp() + if i == j { theta[2] } else { 0.0 }
                })
                .collect()
        })
        .collect();
    let mut log_det = 0.0;
    for j in 0..m {
        for k in 0..j {
            for i in j..m {
                p[i][j] -= p[i][k] * p[j][k];
            }
        }
        let d = p[j][j].sqrt();
        log_det += d.ln();
        for i in j..m {
            p[i][j] /= d;
        }
    }
    let mut fit = 0.0;
    let mut z = vec![0.0; m];
    for i in 0..m {
        let mut s = seen[i];
        for k in 0..i {
            s -= p[i][k] * z[k];
        }
        z[i] = s / p[i][i];
        fit += z[i] * z[i];
    }
    0.5 * fit + log_det
}

/// Modified Gram-Schmidt on the columns of a matrix, kept as a list of columns.
#[differentiable(constant(n))]
pub fn gram_schmidt(x: &[f64], n: &usize) -> f64 {
    let n = *n;
    let mut columns: Vec<Vec<f64>> = x.chunks(n).map(|c| c.to_vec()).collect();
    let mut volume = 0.0;
    for j in 0..columns.len() {
        let norm = dot(&columns[j], &columns[j]).sqrt();
        volume += norm.ln();
        for v in columns[j].iter_mut() {
            *v /= norm;
        }
        for k in j + 1..columns.len() {
            let along = dot(&columns[j], &columns[k]);
            for i in 0..n {
                columns[k][i] -= along * columns[j][i];
            }
        }
    }
    volume
}

/// The logarithm of a determinant by Cholesky's factorisation, element by element.
#[differentiable(constant(n))]
pub fn cholesky(x: &[f64], n: &usize) -> f64 {
    let n = *n;
    let a = Array2::from_shape_fn((n, n), |(i, j)| x[i] * x[j] + if i == j { 1.0 + x[i] } else { 0.1 });
    let mut l = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let mut s = a[[i, j]];
            for k in 0..j {
                s -= l[[i, k]] * l[[j, k]];
            }
            l[[i, j]] = if i == j { s.sqrt() } else { s / l[[j, j]] };
        }
    }
    (0..n).map(|i| 2.0 * l[[i, i]].ln()).sum()
}
