//! Diffusion in the plane by alternating directions (Peaceman and Rachford): every half step is explicit along one axis and
//! solves a tridiagonal system for each line along the other. Linear, through a function that works in place.

use diffi::prelude::*;

/// The energy after some steps on an n × n grid with zeros around it. `ratio` is κ Δt / 2 Δx².
#[differentiable(constant(ratio, n, steps))]
pub fn alternating(start: &[f64], ratio: f64, n: usize, steps: usize) -> f64 {
    let factors = factors(ratio, n);
    let mut u = start.to_vec();
    let mut half = vec![0.0; n * n];
    for _ in 0..steps {
        for i in 0..n {
            let (first, last) = (i * n, i * n + n - 1);
            half[first] = u[first] + ratio * (u[first + 1] - 2.0 * u[first]);
            for j in 1..n - 1 {
                half[i * n + j] = u[i * n + j] + ratio * (u[i * n + j - 1] - 2.0 * u[i * n + j] + u[i * n + j + 1]);
            }
            half[last] = u[last] + ratio * (u[last - 1] - 2.0 * u[last]);
        }
        columns(&factors, ratio, &mut half);
        for j in 0..n {
            let last = (n - 1) * n + j;
            u[j] = half[j] + ratio * (half[n + j] - 2.0 * half[j]);
            u[last] = half[last] + ratio * (half[last - n] - 2.0 * half[last]);
        }
        for i in 1..n - 1 {
            for j in 0..n {
                let (here, below, above) = (half[i * n + j], half[(i - 1) * n + j], half[(i + 1) * n + j]);
                u[i * n + j] = here + ratio * (below - 2.0 * here + above);
            }
        }
        lines(&factors, ratio, &mut u);
    }
    u.iter().map(|v| v * v).sum()
}

/// The inverse pivots of `(1 + 2r) xᵢ - r (xᵢ₋₁ + xᵢ₊₁) = bᵢ`.
pub fn factors(ratio: f64, n: usize) -> Vec<f64> {
    let mut factors = vec![1.0 / (1.0 + 2.0 * ratio); n];
    for k in 1..n {
        factors[k] = 1.0 / (1.0 + 2.0 * ratio - ratio * ratio * factors[k - 1]);
    }
    factors
}

/// Solves the system in place, on all lines of a grid: these are independent of each other, so that they come last.
#[differentiable(constant(factors, ratio))]
pub fn lines(factors: &[f64], ratio: f64, x: &mut [f64]) {
    let n = factors.len();
    for i in 0..n {
        x[i * n] *= factors[0];
    }
    for k in 1..n {
        for i in 0..n {
            x[i * n + k] = (x[i * n + k] + ratio * x[i * n + k - 1]) * factors[k];
        }
    }
    for k in (0..n - 1).rev() {
        for i in 0..n {
            x[i * n + k] += ratio * factors[k] * x[i * n + k + 1];
        }
    }
}

/// Solves it in place, on all columns of a grid.
#[differentiable(constant(factors, ratio))]
pub fn columns(factors: &[f64], ratio: f64, x: &mut [f64]) {
    let n = factors.len();
    for j in 0..n {
        x[j] *= factors[0];
    }
    for k in 1..n {
        for j in 0..n {
            x[k * n + j] = (x[k * n + j] + ratio * x[(k - 1) * n + j]) * factors[k];
        }
    }
    for k in (0..n - 1).rev() {
        for j in 0..n {
            x[k * n + j] += ratio * factors[k] * x[(k + 1) * n + j];
        }
    }
}

/// The factors, and the state between half steps.
pub struct Workspace {
    factors: Vec<f64>,
    half: Vec<f64>,
}

impl Workspace {
    pub fn new(n: usize) -> Workspace {
        Workspace { factors: vec![0.0; n], half: vec![0.0; n * n] }
    }
}

/// The half steps are symmetric: the way back is made of the same parts.
pub fn gradient_by_hand(
    start: &[f64],
    ratio: f64,
    n: usize,
    steps: usize,
    Workspace { factors, half }: &mut Workspace,
    u: &mut [f64],
) {
    factors.copy_from_slice(&self::factors(ratio, n));
    u.copy_from_slice(start);
    for _ in 0..steps {
        spread_rows(u, ratio, n, half);
        solve_columns(factors, ratio, half);
        spread_columns(half, ratio, n, u);
        solve_rows(factors, ratio, u);
    }
    u.iter_mut().for_each(|u| *u *= 2.0);
    for _ in 0..steps {
        solve_rows(factors, ratio, u);
        spread_columns(u, ratio, n, half);
        solve_columns(factors, ratio, half);
        spread_rows(half, ratio, n, u);
    }
}

fn spread_rows(from: &[f64], ratio: f64, n: usize, into: &mut [f64]) {
    for (from, into) in from.chunks_exact(n).zip(into.chunks_exact_mut(n)) {
        spread_row(from, ratio, into);
    }
}

fn spread_row(from: &[f64], ratio: f64, into: &mut [f64]) {
    let n = from.len();
    let into = &mut into[..n];
    let inner = 1.0 - 2.0 * ratio;
    into[0] = inner * from[0] + ratio * from[1];
    for j in 1..n - 1 {
        into[j] = inner * from[j] + ratio * (from[j - 1] + from[j + 1]);
    }
    into[n - 1] = inner * from[n - 1] + ratio * from[n - 2];
}

fn spread_columns(from: &[f64], ratio: f64, n: usize, into: &mut [f64]) {
    let inner = 1.0 - 2.0 * ratio;
    for (i, into) in into.chunks_exact_mut(n).enumerate() {
        let row = &from[i * n..(i + 1) * n];
        if i + 1 < n {
            let next = &from[(i + 1) * n..(i + 2) * n];
            into.iter_mut().zip(row).zip(next).for_each(|((u, r), o)| *u = inner * r + ratio * o);
        } else {
            into.iter_mut().zip(row).for_each(|(u, r)| *u = inner * r);
        }
        if i > 0 {
            let before = &from[(i - 1) * n..i * n];
            into.iter_mut().zip(before).for_each(|(u, o)| *u += ratio * o);
        }
    }
}

/// All columns at once, row by row.
fn solve_columns(factors: &[f64], ratio: f64, x: &mut [f64]) {
    let n = factors.len();
    x[..n].iter_mut().for_each(|x| *x *= factors[0]);
    for k in 1..n {
        let (before, row) = x.split_at_mut(k * n);
        let before = &before[(k - 1) * n..];
        row[..n].iter_mut().zip(before).for_each(|(x, b)| *x = (*x + ratio * b) * factors[k]);
    }
    for k in (0..n - 1).rev() {
        let (row, next) = x.split_at_mut((k + 1) * n);
        let factor = ratio * factors[k];
        row[k * n..].iter_mut().zip(&next[..n]).for_each(|(x, b)| *x += factor * b);
    }
}

/// Four rows at a time, whose chains run beside each other.
fn solve_rows(factors: &[f64], ratio: f64, x: &mut [f64]) {
    let n = factors.len();
    let mut groups = x.chunks_exact_mut(4 * n);
    for rows in &mut groups {
        let (ab, cd) = rows.split_at_mut(2 * n);
        let ((a, b), (c, d)) = (ab.split_at_mut(n), cd.split_at_mut(n));
        let mut last = [0.0; 4];
        for k in 0..n {
            let factor = factors[k];
            last = [
                (a[k] + ratio * last[0]) * factor,
                (b[k] + ratio * last[1]) * factor,
                (c[k] + ratio * last[2]) * factor,
                (d[k] + ratio * last[3]) * factor,
            ];
            [a[k], b[k], c[k], d[k]] = last;
        }
        for k in (0..n - 1).rev() {
            let factor = ratio * factors[k];
            last = [a[k] + factor * last[0], b[k] + factor * last[1], c[k] + factor * last[2], d[k] + factor * last[3]];
            [a[k], b[k], c[k], d[k]] = last;
        }
    }
    for row in groups.into_remainder().chunks_exact_mut(n) {
        row[0] *= factors[0];
        for k in 1..n {
            row[k] = (row[k] + ratio * row[k - 1]) * factors[k];
        }
        for k in (0..n - 1).rev() {
            row[k] += ratio * factors[k] * row[k + 1];
        }
    }
}
