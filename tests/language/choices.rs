//! Candidates of which the least or the largest counts, and values that are products of those before.

use diffi::prelude::*;

/// The others' distances get no cotangent.
#[differentiable]
fn nearest(at: &[f64], points: &[f64]) -> f64 {
    let mut total = 0.0;
    for point in points.chunks_exact(2) {
        let mut closest = f64::INFINITY;
        for center in at.chunks_exact(2) {
            let mut distance = 0.0;
            for i in 0..2 {
                distance += (point[i] - center[i]) * (point[i] - center[i]) * center[0];
            }
            closest = closest.min(distance);
        }
        total += closest * closest;
    }
    total
}

/// Every candidate counts once more, outside of the choice.
#[differentiable]
fn largest_of_sums(w: &[f64], x: &[f64], k: f64) -> f64 {
    let n = x.len();
    let mut best = k;
    let mut all = 0.0;
    for i in 0..w.len() / n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += w[i * n + j] * x[j].sin();
        }
        all += sum * sum;
        best = best.max(sum);
    }
    best * all
}

/// The loser's loop also adds to what the winner's does.
#[differentiable]
fn two_loops(x: &[f64], y: &[f64]) -> f64 {
    let (mut a, mut b) = (0.0, 0.0);
    for i in 0..x.len() {
        a += x[i] * y[i];
    }
    for i in 0..x.len() {
        b += x[i] * x[i] * 0.5;
    }
    a.min(b) * y[0] + a.max(b) + a
}

/// Powers are kept for the way back, or made again where there is nothing to keep them in.
#[differentiable]
fn polynomials(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let t = 0.5 + i as f64 / n as f64;
        let mut residual = t.sin();
        let mut power = 1.0;
        for c in x {
            residual -= c * power;
            power = power * t;
        }
        total += residual * residual * residual;
    }
    total
}

/// The same with quotients, and with a counter beside them.
#[differentiable]
fn falling(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut weight = 1.0 + i as f64;
        let mut steps = 0usize;
        let mut sum = 0.0;
        for v in x {
            sum += v.sin() * weight * (steps as f64);
            weight /= 2.0;
            steps += 3;
        }
        total += sum * sum;
    }
    total
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number nearest(at at: Vec<f64>, at points: Vec<f64>):
            [vec![0.3, 0.9, 1.4, -0.2], vec![0.4, 0.5, 1.1, 0.3, -0.5, 0.8]] [vec![0.3, 0.9], vec![0.4, 0.5]];
        number largest_of_sums(at w: Vec<f64>, at x: Vec<f64>, by k: f64):
            [vec![0.3, 0.9, 1.4, -0.2, 0.8, 0.7], vec![0.4, 0.5], 0.1] [vec![0.3, 0.9], vec![0.4, 0.5], 2.5];
        number two_loops(at x: Vec<f64>, at y: Vec<f64>): [vec![0.3, 0.9], vec![1.4, 0.2]] [vec![0.3, 0.9], vec![0.1, 0.2]];
        number polynomials(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4], 3] [vec![0.3, 0.9, -0.4], 7] [vec![], 2] [vec![0.7], 0];
        number falling(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4], 3] [vec![0.3, 0.9, -0.4], 6] [vec![0.7], 1];
    }
}
