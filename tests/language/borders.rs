//! Loops whose indices wrap around or are clamped at borders (`split_index_sets`), over lists that are shorter than the borders, too.

use diffi::prelude::*;

/// A ring: both neighbours wrap around.
#[differentiable(constant(rounds))]
fn ring(x: &[f64], rounds: usize) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    for _ in 0..rounds {
        let mut next = vec![0.0; n];
        for j in 0..n {
            let (left, right) = ((j + n - 1) % n, (j + 1) % n);
            next[j] = u[j] + 0.1 * (u[left] - 2.0 * u[j] + u[right]) * u[j].cos();
        }
        u = next;
    }
    u.iter().map(|v| v * v).sum()
}

/// Clamped on both sides, and two wide on one.
#[differentiable]
fn clamped(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for j in 0..n {
        let (far, left, right) = (j.saturating_sub(2), j.saturating_sub(1), (j + 1).min(n - 1));
        s += (x[right] - x[left]) * (x[right] - x[left]) * x[far].sin() * (1.0 + j as f64);
    }
    s
}

/// Choices at the ends, in the index and as statements.
#[differentiable]
fn chosen(x: &[f64], w: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for j in 0..n {
        let left = if j == 0 { n - 1 } else { j - 1 };
        let right = if j + 1 < n { j + 1 } else { 0 };
        let mut t = x[left] * x[right];
        if j > 0 && j < n - 1 {
            t += x[j] * w[j - 1];
        } else {
            t -= w[j];
        }
        s += t * x[j].exp();
    }
    s
}

/// In place: what an iteration reads has been written by others, the first by the last.
#[differentiable]
fn in_place(x: &[f64]) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    for j in 0..n {
        u[j] = u[j] * u[(j + 1) % n] + u[(j + n - 2) % n].sin();
    }
    for j in 0..u.len() {
        let next = (j + 1) % u.len();
        u[next] += 0.5 * u[j] * u[j];
    }
    u.iter().sum()
}

/// A torus of two dimensions, with indices that are not named, and a range that begins behind the border.
#[differentiable]
fn torus(x: &[f64]) -> f64 {
    let n = (x.len() as f64).sqrt() as usize;
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..n {
            let around = x[(i + 1) % n * n + j] + x[i * n + (j + 1) % n] + x[i * n + (j + n - 1) % n];
            s += x[i * n + j] * around * around;
        }
        for j in 1..n {
            s -= x[i * n + j.saturating_sub(1)] * x[i * n + (j + 1).min(n - 1)];
        }
    }
    s
}

/// Borders of a list that becomes longer between loops, and of an end that is a sum.
#[differentiable]
fn longer(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    let mut s = 0.0;
    for _ in 0..2 {
        for j in 0..u.len() {
            s += u[j] * u[(j + 1) % u.len()];
        }
        u.push(s.sin());
    }
    let m = u.len() - 1;
    for j in 0..m {
        s += u[(j + 2).min(m)] * u[(j + m) % (m + 1)];
    }
    s
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number ring(at x: Vec<f64>, fixed rounds: usize):
            [vec![0.3, 0.7, -0.2, 0.5, 1.1, 0.4], 3] [vec![0.3, 0.7], 2] [vec![0.3], 2] [vec![0.4, 0.2, 0.9], 0] [vec![], 2];
        number clamped(at x: Vec<f64>):
            [vec![0.3, 0.7, -0.2, 0.5, 1.1, 0.4, 0.6]] [vec![0.3, 0.7, 0.2, 0.1]] [vec![0.3, 0.7]] [vec![0.3]] [vec![]];
        number chosen(at x: Vec<f64>, at w: Vec<f64>):
            [vec![0.3, 0.7, -0.2, 0.5], vec![0.1, 0.2, 0.3, 0.4]] [vec![0.3, 0.7], vec![0.1, 0.2]] [vec![0.3], vec![0.1]];
        number in_place(at x: Vec<f64>):
            [vec![0.3, 0.7, -0.2, 0.5, 1.1]] [vec![0.3, 0.7, 0.1]] [vec![0.3, 0.7]];
        number torus(at x: Vec<f64>):
            [vec![0.3, 0.7, -0.2, 0.5, 1.1, 0.4, 0.6, 0.2, 0.8]] [vec![0.3, 0.7, 0.1, 0.2]] [vec![0.5]];
        number longer(at x: Vec<f64>): [vec![0.3, 0.7, -0.2, 0.5]] [vec![0.3, 0.4]] [vec![0.3]];
    }
}
