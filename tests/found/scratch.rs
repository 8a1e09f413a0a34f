//! Arrays that loops fill again and again: what an iteration still reads of the one before, and what several fillings are called.

use diffi::prelude::*;

/// An iteration reads elements that it has not set yet.
#[differentiable]
fn ahead(x: &[f64], k: f64) -> f64 {
    let n = x.len();
    let mut v = vec![0.0; n];
    let mut total = 0.0;
    for iteration in 0..3 {
        for i in 0..n {
            v[i] = x[i] * k * (iteration + 1) as f64;
            total += v[n - 1 - i] * x[i];
        }
    }
    total
}

/// A length that is another one by the time that the array is filled.
#[differentiable]
fn shorter(x: &[f64], k: f64) -> f64 {
    let mut n = x.len();
    let mut v = vec![0.5; n];
    n -= 1;
    let mut total = 0.0;
    for _ in 0..2 {
        for i in 0..n {
            v[i] = x[i] * k + total;
        }
        total += v[n] * v[0].sin();
    }
    total
}

/// The first elements by themselves, the rest in a loop; all of it three times an iteration, and read by what comes in between.
#[differentiable]
fn several_times(x: &[f64], k: f64) -> f64 {
    let n = x.len();
    let (mut v, mut w) = (vec![0.0; n], vec![0.0; n + 1]);
    let mut total = k;
    for _ in 0..3 {
        v[0] = total;
        v[1] = total * x[1];
        for i in 2..n {
            v[i] = x[i] * x[i - 1] + total;
        }
        w[0] = 1.0;
        for i in 0..n {
            w[i + 1] = v[i] * x[i];
        }
        total += mean(&v) * w[n - 1];
        for i in 0..n {
            v[i] = w[i] * w[i + 1];
        }
        total += mean(&v).sin();
        v[0] = 0.25;
        for i in 1..n {
            v[i] = x[i] * total;
        }
        total += mean(&v) * w[0] - 0.5 * mean(&w[1..]);
    }
    total
}

/// One element is left as it was.
#[differentiable]
fn all_but_one(x: &[f64], k: f64) -> f64 {
    let n = x.len();
    let mut v = vec![0.5; n];
    let mut total = k;
    for _ in 0..3 {
        for i in 1..n {
            v[i] = x[i] * total;
        }
        v[0] = v[0] + v[1] * v[1];
        total += mean(&v);
        for i in 0..n - 1 {
            v[i] = total.cos() * x[i];
        }
        total += mean(&v);
    }
    total
}

/// What is returned is filled twice.
#[differentiable]
fn returned(x: &[f64], k: f64) -> Vec<f64> {
    let n = x.len();
    let mut v = vec![0.5; n];
    for i in 0..n {
        v[i] = x[i].sin();
    }
    let m = mean(&v);
    for i in 0..n {
        v[i] = x[i] * m * k;
    }
    v
}

/// Copies that change later, kept in every iteration.
#[differentiable]
fn copies(x: &[f64], k: f64) -> f64 {
    let mut y = x.to_vec();
    let mut total = 0.0;
    for iteration in 0..4 {
        let before = y.clone();
        for i in 0..y.len() {
            y[i] = y[i] * before[y.len() - 1 - i] + k;
        }
        if iteration % 2 == 0 {
            total += mean(&before) * mean(&y).sin();
        }
    }
    total
}

#[differentiable]
fn mean(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>() / v.len() as f64
}

mod against_differences {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number ahead(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4], 1.4] [vec![0.7], 0.6];
        number shorter(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4], 1.4];
        number several_times(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4], 0.4] [vec![0.3, 0.7], 0.4];
        number all_but_one(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4], 0.4];
        list returned(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4], 0.4];
        number copies(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4], 0.4];
    }
}
