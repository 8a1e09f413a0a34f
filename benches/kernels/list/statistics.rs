//! Likelihoods and losses.

use diffi::prelude::*;

pub struct Sparse {
    pub indptr: Vec<usize>,
    pub indices: Vec<usize>,
    pub values: Vec<f64>,
    pub labels: Vec<f64>,
}

/// Logistic regression on rows in compressed form.
#[differentiable(constant(data))]
pub fn logistic(w: &[f64], data: &Sparse) -> f64 {
    let mut loss = 0.0;
    for (r, label) in data.labels.iter().enumerate() {
        let row = data.indptr[r]..data.indptr[r + 1];
        let mut z = 0.0;
        for (&j, v) in data.indices[row.clone()].iter().zip(&data.values[row]) {
            z += w[j] * v;
        }
        loss += (1.0 + (-label * z).exp()).ln();
    }
    loss + 0.01 * w.iter().map(|v| v * v).sum::<f64>()
}

pub fn logistic_by_hand(w: &[f64], data: &Sparse, gradient: &mut [f64], _: &mut Vec<Vec<f64>>) -> f64 {
    let mut loss = 0.0;
    for (g, w) in gradient.iter_mut().zip(w) {
        *g = 0.02 * w;
    }
    for (r, label) in data.labels.iter().enumerate() {
        let row = data.indptr[r]..data.indptr[r + 1];
        let (indices, values) = (&data.indices[row.clone()], &data.values[row]);
        let z: f64 = indices.iter().zip(values).map(|(&j, v)| w[j] * v).sum();
        let e = (-label * z).exp();
        loss += (1.0 + e).ln();
        let slope = -label * e / (1.0 + e);
        for (&j, v) in indices.iter().zip(values) {
            gradient[j] += slope * v;
        }
    }
    loss + 0.01 * w.iter().map(|v| v * v).sum::<f64>()
}

pub struct Ratings {
    pub rank: usize,
    pub users: usize,
    pub seen: Vec<(usize, usize, f64)>,
}

/// Factors of a matrix of ratings.
#[differentiable(constant(ratings))]
pub fn factorization(x: &[f64], ratings: &Ratings) -> f64 {
    let k = ratings.rank;
    let (users, items) = x.split_at(ratings.users * k);
    let mut loss = 0.0;
    for (u, i, rating) in &ratings.seen {
        let p = &users[u * k..(u + 1) * k];
        let q = &items[i * k..(i + 1) * k];
        let guess: f64 = p.iter().zip(q).map(|(a, b)| a * b).sum();
        loss += (rating - guess).powi(2) + 0.02 * (p[0] * p[0] + q[0] * q[0]);
    }
    loss
}

#[differentiable]
fn log_sum_exp(v: &[f64]) -> f64 {
    let largest = v.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    largest + v.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
}

/// A conditional random field: the log-likelihood of a chain of labels.
#[differentiable(constant(labels))]
pub fn random_field(x: &[f64], labels: &Vec<usize>) -> f64 {
    let k = 6;
    let (transitions, emissions) = x.split_at(k * k);
    let mut alpha = emissions[0..k].to_vec();
    let mut score = emissions[labels[0]];
    for t in 1..labels.len() {
        let mut next = vec![0.0; k];
        for j in 0..k {
            let scores: Vec<f64> = (0..k).map(|i| alpha[i] + transitions[i * k + j]).collect();
            next[j] = log_sum_exp(&scores) + emissions[t * k + j];
        }
        score += transitions[labels[t - 1] * k + labels[t]] + emissions[t * k + labels[t]];
        alpha = next;
    }
    log_sum_exp(&alpha) - score
}

/// A Kalman filter in two dimensions, with matrices as lists of rows.
#[differentiable(constant(seen))]
pub fn tracking(x: &[f64], seen: &Vec<f64>) -> f64 {
    let mut state = vec![0.0, 0.0];
    let mut p = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let mut score = 0.0;
    for z in seen {
        let predicted = vec![state[0] + x[0] * state[1], state[1]];
        let mut q = vec![vec![0.0; 2]; 2];
        q[0][0] = p[0][0] + x[0] * (p[0][1] + p[1][0]) + x[0] * x[0] * p[1][1] + x[1];
        q[0][1] = p[0][1] + x[0] * p[1][1];
        q[1][0] = p[1][0] + x[0] * p[1][1];
        q[1][1] = p[1][1] + x[1];
        let s = q[0][0] + x[2];
        let gain = vec![q[0][0] / s, q[1][0] / s];
        let error = z - predicted[0];
        score += s.ln() + error * error / s;
        state = vec![predicted[0] + gain[0] * error, predicted[1] + gain[1] * error];
        for i in 0..2 {
            for j in 0..2 {
                p[i][j] = q[i][j] - gain[i] * q[0][j];
            }
        }
    }
    score
}

/// A smooth distance of two series (dynamic time warping).
#[differentiable(constant(b))]
pub fn time_warping(a: &[f64], b: &Vec<f64>) -> f64 {
    let (n, m) = (a.len(), b.len());
    let mut table = vec![vec![1e3_f64; m + 1]; n + 1];
    table[0][0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            let cost = (a[i - 1] - b[j - 1]).powi(2);
            let (p, q, r) = (table[i - 1][j], table[i][j - 1], table[i - 1][j - 1]);
            let least = p.min(q).min(r);
            let soft = (-(p - least)).exp() + (-(q - least)).exp() + (-(r - least)).exp();
            table[i][j] = cost + least - soft.ln();
        }
    }
    table[n][m]
}

/// Splines: what a natural cubic spline through values gives between them.
#[differentiable(constant(at))]
pub fn spline(y: &[f64], at: &Vec<(usize, f64)>) -> f64 {
    let n = y.len();
    let mut c = vec![0.0; n];
    let mut d = vec![0.0; n];
    for i in 1..n - 1 {
        let w = 4.0 - c[i - 1];
        c[i] = 1.0 / w;
        d[i] = (6.0 * (y[i + 1] - 2.0 * y[i] + y[i - 1]) - d[i - 1]) / w;
    }
    let mut m = vec![0.0; n];
    for i in (1..n - 1).rev() {
        m[i] = d[i] - c[i] * m[i + 1];
    }
    let mut total = 0.0;
    for &(k, t) in at {
        let s = 1.0 - t;
        let v = s * y[k] + t * y[k + 1] + ((s * s * s - s) * m[k] + (t * t * t - t) * m[k + 1]) / 6.0;
        total += v * v;
    }
    total
}
