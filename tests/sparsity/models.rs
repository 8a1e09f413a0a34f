//! What tests and benches differentiate.

use diffi::prelude::*;

/// Listing 2 of the paper on DifferentiationInterface.
#[differentiable]
pub fn squared_slopes(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
}

/// The right-hand side of the Brusselator on a periodic grid of `n` times `n` places: `u` at all of them, then `v`.
#[differentiable]
pub fn brusselator(u: &[f64], n: usize, du: &mut [f64]) {
    let cells = n * n;
    let alpha = 10.0 * ((n - 1) * (n - 1)) as f64;
    for i in 0..n {
        for j in 0..n {
            let at = i * n + j;
            let (up, down) = (((i + n - 1) % n) * n + j, ((i + 1) % n) * n + j);
            let (left, right) = (i * n + (j + n - 1) % n, i * n + (j + 1) % n);
            let (a, b) = (u[at], u[cells + at]);
            du[at] = alpha * (u[up] + u[down] + u[left] + u[right] - 4.0 * a) + 1.0 + a * a * b - 4.4 * a;
            du[cells + at] = alpha * (u[cells + up] + u[cells + down] + u[cells + left] + u[cells + right] - 4.0 * b)
                + 3.4 * a
                - a * a * b;
        }
    }
}

/// Hessians like an arrow's head: each number with the next `k`, and the first `k` with all.
#[differentiable]
pub fn arrow_head(x: &[f64], k: usize) -> f64 {
    let n = x.len();
    let mut sum = 0.0;
    for i in 0..n {
        let mut inner = 0.0;
        for j in 1..=k {
            if i + j < n {
                inner += x[i + j];
            }
        }
        sum += inner.cos();
        for j in 0..k {
            sum += (x[i] + x[j]).powi(2);
        }
    }
    sum
}

/// Numbers without anything special about them.
pub fn point(n: usize) -> Vec<f64> {
    (1..=n).map(|i| 0.3 + (i as f64 * 0.618_033_988_749_895).fract()).collect()
}
