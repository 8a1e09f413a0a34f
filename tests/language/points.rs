//! Loops over members of lists of points, as arrays, tuples and structs: slices are cut for them as for numbers.

use diffi::prelude::*;

#[differentiable]
fn casteljau(p: &[[f64; 2]], s: f64) -> f64 {
    let mut points = p.to_vec();
    for level in (1..points.len()).rev() {
        for i in 0..level {
            points[i] = [
                (1.0 - s) * points[i][0] + s * points[i + 1][0] * points[i][1],
                (1.0 - s) * points[i][1] + s * points[i + 1][1],
            ];
        }
    }
    points[0][0] * points[0][1]
}

/// Neighbours of pairs, one way and the other.
#[differentiable]
fn circumference(p: &[(f64, f64)]) -> f64 {
    let n = p.len();
    let mut length = 0.0;
    for i in 0..n - 1 {
        length += ((p[i + 1].0 - p[i].0).powi(2) + (p[i + 1].1 - p[i].1).powi(2)).sqrt() * p[i].0;
    }
    for i in (1..n).rev() {
        length *= 1.0 + 0.1 * p[i].1 * p[i - 1].0;
    }
    length
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Knot {
    x: f64,
    y: f64,
}
#[derive(Clone, Debug, Differentiable)]
struct Chain {
    knots: Vec<Knot>,
    stiffness: f64,
}
/// Fields of a struct's list, read at two offsets and changed at one.
#[differentiable(constant(rounds))]
fn relaxed(chain: &Chain, rounds: usize) -> f64 {
    let mut knots = chain.knots.clone();
    for _ in 0..rounds {
        for i in 1..knots.len() {
            let (dx, dy) = (knots[i].x - knots[i - 1].x, knots[i].y - knots[i - 1].y);
            let stretch = chain.stiffness * (dx * dx + dy * dy - 1.0);
            knots[i].x -= stretch * dx;
            knots[i - 1].y += stretch * dy;
        }
    }
    let mut energy = 0.0;
    for i in 0..knots.len() {
        energy += knots[i].x * chain.knots[i].y;
    }
    energy
}
#[differentiable]
fn of_a_chain(x: &[f64]) -> f64 {
    let knots: Vec<Knot> = x.chunks_exact(2).map(|c| Knot { x: c[0], y: c[1] }).collect();
    relaxed(&Chain { knots, stiffness: x[0] }, 2)
}

/// A list that is lent, of which some members change in some iterations.
#[differentiable]
fn advected(p: &mut [[f64; 3]], wind: f64) {
    for i in 0..p.len() {
        p[i][0] += wind * p[i][1];
        if p[i][2] > 0.5 {
            p[i][1] *= p[i][2] * wind;
        }
        p[i][2] = p[i][0] * p[i][1];
    }
}

/// Whole elements beside their members, and a list of which nothing is left.
#[differentiable(constant(from))]
fn beside(p: &[(f64, f64)], from: usize) -> f64 {
    let mut q = p[from..].to_vec();
    let mut sum = 0.0;
    for i in 0..q.len() {
        let (a, b) = q[i];
        q[i].0 = a * b + p[i].1;
        sum += q[i].0 - p[i].0 * a;
    }
    for i in 0..q.len() {
        q[i] = (q[i].1, q[i].0 * sum);
    }
    for i in 0..q.len() {
        sum += q[i].0 * q[i].1;
    }
    sum
}

/// Tables of points, by rows.
#[differentiable]
fn in_tables(p: &[[f64; 2]]) -> f64 {
    let mut rows: Vec<Vec<[f64; 2]>> = vec![p.to_vec(), p.iter().map(|q| [q[1], q[0]]).collect()];
    for r in 0..rows.len() {
        for i in 1..rows[r].len() {
            rows[r][i][0] += rows[r][i - 1][1] * rows[r][i][1];
        }
    }
    let mut sum = 0.0;
    for i in 0..p.len() {
        sum += rows[0][i][0] * rows[1][i][0];
    }
    sum
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number casteljau(at p: Vec<[f64; 2]>, by s: f64): [vec![[0.4, -0.7], [1.1, 0.3], [0.2, 0.9], [0.5, 0.6]], 0.3] [vec![[0.4, -0.7]], 0.3];
        number circumference(at p: Vec<(f64, f64)>): [vec![(0.4, -0.7), (1.1, 0.3), (0.2, 0.9), (0.5, 0.6)]] [vec![(0.4, -0.7)]];
        number of_a_chain(at x: Vec<f64>): [vec![0.4, -0.7, 1.1, 0.3, 0.2, 0.9]] [vec![0.4, -0.7]];
        writes advected(inout p: Vec<[f64; 3]>, by wind: f64): [vec![[0.4, -0.7, 1.1], [0.3, 0.2, 0.9], [0.5, 0.6, 0.1]], 0.7];
        number beside(at p: Vec<(f64, f64)>, fixed from: usize): [vec![(0.4, -0.7), (1.1, 0.3), (0.2, 0.9)], 1] [vec![(0.4, -0.7)], 1];
        number in_tables(at p: Vec<[f64; 2]>): [vec![[0.4, -0.7], [1.1, 0.3], [0.2, 0.9]]] [vec![[0.4, -0.7]]];
    }
}
