//! Lists of tuples of numbers: made, grown, changed, moved and handed on. Their shape is their length, and their memory the workspace's.

use diffi::prelude::*;

#[differentiable]
fn halves(x: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let n = x.len();
    if n < 2 {
        return x.to_vec();
    }
    let left: Vec<(f64, f64)> = x.iter().step_by(2).copied().collect();
    let right: Vec<(f64, f64)> = x.iter().skip(1).step_by(2).copied().collect();
    let (l, r) = (halves(&left), halves(&right));
    let mut y = vec![(0.0, 0.0); n];
    for k in 0..n / 2 {
        let turned = (0.6 * r[k].0 - 0.8 * r[k].1, 0.6 * r[k].1 + 0.8 * r[k].0);
        y[k] = (l[k].0 + turned.0, l[k].1 * turned.1);
        y[k + n / 2] = (l[k].0 - turned.0, l[k].1 - turned.1);
    }
    y
}
/// Results of calls that are taken apart: their types stand in the functions' signatures.
#[differentiable]
fn recursion(x: &[f64]) -> f64 {
    let pairs: Vec<(f64, f64)> = x.iter().map(|&v| (v, 1.0 + v * v)).collect();
    halves(&pairs).iter().enumerate().map(|(k, (a, b))| (a * a - b) * (k + 1) as f64).sum()
}

/// A list that grows, is copied when it is long, and grows on.
#[differentiable]
fn grown(x: &[f64]) -> f64 {
    let mut path = vec![(x[0], 1.0)];
    let mut seen = Vec::new();
    for v in &x[1..] {
        let (a, b) = path[path.len() - 1];
        path.push((a * v, b + v.sin()));
        if path.len() == 3 {
            seen = path.clone();
        }
    }
    path[0].0 *= 3.0;
    let kept: f64 = seen.iter().map(|(a, b)| a * b).sum();
    kept + path.iter().map(|p| p.0 - p.1).sum::<f64>() * seen.len() as f64
}

/// A list that changes its length in a loop, in which its old elements are read.
#[differentiable(constant(rounds))]
fn thinned(x: &[f64], rounds: usize) -> f64 {
    let mut points: Vec<(f64, f64)> = x.iter().map(|v| (*v, v.exp())).collect();
    let mut sum = 0.0;
    for _ in 0..rounds {
        points = points.windows(2).map(|w| (w[0].0 * w[1].1, w[1].0 - w[0].1)).collect();
        sum += points.iter().map(|(a, b)| a * b.cos()).sum::<f64>() / (points.len() + 1) as f64;
    }
    sum
}

/// Two lists that take turns.
#[differentiable(constant(rounds))]
fn turns(x: &[f64], rounds: usize) -> f64 {
    let mut now: Vec<(f64, f64)> = x.iter().map(|v| (*v, 0.5 * v)).collect();
    let mut next = now.clone();
    for _ in 0..rounds {
        for k in 0..now.len() {
            let before = now[(k + now.len() - 1) % now.len()];
            next[k] = (now[k].0 * before.1, now[k].1 + before.0.tanh());
        }
        std::mem::swap(&mut now, &mut next);
    }
    now.iter().map(|(a, b)| a + b * b).sum()
}

#[differentiable]
fn polygon(x: &[f64]) -> Vec<(f64, f64)> {
    let mut corners = Vec::with_capacity(x.len() / 2);
    for pair in x.chunks_exact(2) {
        corners.push((pair[0], pair[1]));
    }
    if corners.len() > 2 {
        let first = corners[0];
        corners.push(first);
    }
    corners
}
/// A list that a function with branches gives, changed by the one that calls it.
#[differentiable]
fn area(x: &[f64]) -> f64 {
    let mut corners = polygon(x);
    let count = corners.len();
    for corner in corners.iter_mut() {
        corner.0 *= corner.1;
    }
    let twice: f64 = (1..count).map(|k| corners[k - 1].0 * corners[k].1 - corners[k].0 * corners[k - 1].1).sum();
    0.5 * twice + count as f64
}

/// Members of other shapes.
#[differentiable]
fn other_members(x: &[f64]) -> f64 {
    let mut records: Vec<([f64; 2], f64)> = Vec::new();
    let mut nested: Vec<((f64, f64), f64)> = Vec::new();
    let mut counted: Vec<(usize, f64)> = Vec::new();
    for (k, v) in x.iter().enumerate() {
        records.push(([*v, v * v], v.sin()));
        nested.push(((v * 2.0, *v), v.cos()));
        counted.push((k % 2, *v));
    }
    let a: f64 = records.iter().map(|(p, w)| p[0] * p[1] * w).sum();
    let b: f64 = nested.iter().map(|((p, q), w)| p * q - w).sum();
    let c: f64 = counted.iter().map(|(k, w)| x[*k] * w).sum();
    a * b + c
}

/// What is returned stays as it was when it was copied.
#[differentiable]
fn copied_out(x: &[f64]) -> f64 {
    let best;
    {
        let mut list: Vec<(f64, f64, f64)> = x.iter().map(|v| (*v, v * v, 1.0)).collect();
        best = list.clone();
        list.truncate(1);
        list[0].0 *= 2.0;
        let first = list[0].0;
        list.extend(best.iter().map(|b| (b.0 * first, b.1, b.2)));
        if list.len() > 3 {
            return list.iter().map(|l| l.0 * l.1 * l.2).sum::<f64>() + best[1].0;
        }
    }
    best.iter().map(|b| b.0).product()
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number recursion(at x: Vec<f64>): [vec![0.4, -0.7, 1.1, 0.3, 0.9, -0.2, 0.5, 0.6]] [vec![0.4, -0.7]] [vec![0.4]];
        number grown(at x: Vec<f64>): [vec![0.4, -0.7, 1.1, 0.3]] [vec![0.4, -0.7]] [vec![0.4]];
        number thinned(at x: Vec<f64>, fixed rounds: usize): [vec![0.4, -0.7, 1.1, 0.3], 2] [vec![0.4, -0.7, 0.2], 3] [vec![0.4], 0];
        number turns(at x: Vec<f64>, fixed rounds: usize): [vec![0.4, -0.7, 1.1], 3] [vec![0.4], 2] [vec![0.4, 0.2], 0];
        number area(at x: Vec<f64>): [vec![0.4, -0.7, 1.1, 0.3, 0.8, -0.5]] [vec![0.4, -0.7, 1.1, 0.3]] [vec![0.4]];
        number other_members(at x: Vec<f64>): [vec![0.4, -0.7, 1.1]];
        number copied_out(at x: Vec<f64>): [vec![0.4, -0.7, 1.1]] [vec![0.4, -0.7]];
    }
}
