//! The logarithm of a determinant by Cholesky's factorisation, in place.

use diffi::prelude::*;

/// Of a positive definite matrix, stored row by row; what lies above the diagonal is not read.
#[differentiable(constant(n))]
pub fn cholesky(matrix: &[f64], n: usize) -> f64 {
    let mut l = matrix.to_vec();
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..i {
            let mut sum = l[i * n + j];
            for k in 0..j {
                sum -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = sum / l[j * n + j];
        }
        let mut square = l[i * n + i];
        for k in 0..i {
            square -= l[i * n + k] * l[i * n + k];
        }
        l[i * n + i] = square.sqrt();
        total += l[i * n + i].ln();
    }
    2.0 * total
}

/// A positive definite matrix.
pub fn matrix(n: usize) -> Vec<f64> {
    let mut random = super::random(17);
    let mut a: Vec<f64> = (0..n * n).map(|_| random() - 0.5).collect();
    for i in 0..n {
        a[i * n + i] += n as f64;
    }
    a
}

/// The factor.
pub struct Workspace(Vec<f64>);

impl Workspace {
    pub fn new(n: usize) -> Workspace {
        Workspace(vec![0.0; n * n])
    }
}

/// Goes back through the factorisation, row by row.
pub fn gradient_by_hand(matrix: &[f64], n: usize, Workspace(l): &mut Workspace, bars: &mut [f64]) {
    for i in 0..n {
        let (before, rest) = l.split_at_mut(i * n);
        let row = &mut rest[..n];
        for j in 0..i {
            let other = &before[j * n..(j + 1) * n];
            row[j] = (matrix[i * n + j] - super::dot::<8>(&row[..j], &other[..j])) / other[j];
        }
        row[i] = (matrix[i * n + i] - super::dot::<8>(&row[..i], &row[..i])).sqrt();
    }
    bars.fill(0.0);
    for i in 0..n {
        bars[i * n + i] = 2.0 / l[i * n + i];
    }
    for i in (0..n).rev() {
        let (before_bar, rest) = bars.split_at_mut(i * n);
        let (row, row_bar) = (&l[i * n..(i + 1) * n], &mut rest[..n]);
        let bar = 0.5 * row_bar[i] / row[i];
        row_bar[i] = bar;
        row_bar[..i].iter_mut().zip(&row[..i]).for_each(|(b, l)| *b -= 2.0 * bar * l);
        for j in (0..i).rev() {
            let (other, other_bar) = (&l[j * n..(j + 1) * n], &mut before_bar[j * n..(j + 1) * n]);
            let bar = row_bar[j] / other[j];
            other_bar[j] -= bar * row[j];
            row_bar[j] = bar;
            let both = row_bar[..j].iter_mut().zip(&mut other_bar[..j]).zip(row[..j].iter().zip(&other[..j]));
            for ((r, o), (row, other)) in both {
                *r -= bar * other;
                *o -= bar * row;
            }
        }
    }
}
