//! Several additions to one element of a cotangent (`combine_additions`), and cotangents of copies (`coalesce_copies`).

use diffi::prelude::*;

/// Elements that are read again and again, between reads of another array at the same places.
#[differentiable]
fn coupled(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 1..x.len() {
        let cross = x[k] * y[k] - y[k - 1] * x[k - 1] + x[k].sin() * y[k - 1];
        s += cross * cross - x[k] * y[k] / (1.0 + x[k - 1] * x[k - 1]);
    }
    s
}

/// An element that gets another value between its reads, and one whose index gets another name.
#[differentiable]
fn set_in_between(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    let mut s = a[0] * a[1] + a[0];
    a[0] = s * a[1].cos() - a[0] * 2.0;
    s += a[0] * a[0] * a[1];
    a[1] *= a[0];
    let mut k = 0;
    s += a[k].exp() * x[k];
    k += n;
    s + a[k] * a[k] * x[k] + a[k] * x[0]
}

/// Branches that read what is read around them.
#[differentiable]
fn in_branches(x: &[f64]) -> f64 {
    let mut s = x[0] * x[1];
    for k in 0..x.len() {
        s += x[0] * x[k];
        if x[k] > 0.5 {
            s -= x[k] * x[0] + x[k].sin();
        } else {
            s *= x[1];
        }
        s += x[k] * x[1];
    }
    s + x[1].cos() - x[0]
}

/// Single elements before and behind loops over the same array.
#[differentiable(constant(pairs))]
fn beside_loops(x: &[f64], pairs: &[(usize, usize)]) -> f64 {
    let mut s = 0.0;
    for &(a, b) in pairs {
        let (p, q) = (&x[2 * a..2 * a + 2], &x[2 * b..2 * b + 2]);
        let product: f64 = p.iter().zip(q).map(|(p, q)| p * q).sum();
        s += (1.0 - product).powi(2) + 0.1 * (p[0] * p[0] + q[0] * q[1]);
    }
    s
}

/// A level that is copied before it changes, and a copy of the copy.
#[differentiable(constant(steps))]
fn levels(x: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut total = 0.0;
    for _ in 0..steps {
        let old = u.clone();
        let older = old.clone();
        for k in 1..u.len() {
            u[k] = old[k] * old[k - 1] + 0.5 * older[k].sin();
        }
        total += old[0] * older[0];
    }
    total + u.iter().sum::<f64>()
}

/// A copy that is read after its original has changed.
#[differentiable]
fn outlived(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    let mut s = 0.0;
    for t in 0..3 {
        let old = u.clone();
        for k in 0..u.len() {
            u[k] *= 1.5 + old[k];
            s += u[k] * old[k];
        }
        if t == 1 {
            u = old;
        }
    }
    s + u.iter().map(|v| v * v).sum::<f64>()
}

/// Two buffers that change places, and a sum of both.
#[differentiable(constant(steps))]
fn buffers(x: &[f64], steps: usize) -> f64 {
    let mut now = x.to_vec();
    let mut next = now.clone();
    for _ in 0..steps {
        for k in 1..now.len() - 1 {
            next[k] = now[k] * now[k] + 0.3 * (now[k - 1] - now[k + 1]) * now[k];
        }
        std::mem::swap(&mut now, &mut next);
    }
    now.iter().zip(&next).map(|(a, b)| a * a * b).sum()
}

/// Rows of rows that are copied whole.
#[differentiable]
fn copied_rows(x: &[f64]) -> f64 {
    let mut grid: Vec<Vec<f64>> = x.chunks(3).map(|row| row.to_vec()).collect();
    for _ in 0..2 {
        let before = grid.clone();
        for i in 1..grid.len() {
            for j in 1..3 {
                grid[i][j] = before[i][j] * (before[i - 1][j] - before[i][j - 1]) + before[i][j].cos();
            }
        }
    }
    grid.iter().flatten().map(|v| v * v).sum()
}

/// A called function reads the copy.
#[differentiable]
fn sum_of_products(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..a.len() {
        s += a[k] * b[k] * b[k];
    }
    while s > 10.0 {
        s *= 0.5;
    }
    s
}

#[differentiable]
fn handed_over(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    let mut s = 0.0;
    for _ in 0..3 {
        let old = u.clone();
        s += sum_of_products(&old, &u) + sum_of_products(&old, &old);
        for k in 0..u.len() {
            u[k] = old[k].sin() + s;
        }
    }
    s + u[0]
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    const X: [f64; 6] = [0.3, 1.2, -0.4, 0.7, 0.9, -0.2];

    rows! {
        number coupled(at x: Vec<f64>, at y: Vec<f64>): [X.to_vec(), vec![0.5, -0.1, 0.8, 1.3, 0.2, 0.6]] [vec![0.3], vec![0.2]];
        number set_in_between(at x: Vec<f64>, fixed n: usize): [X.to_vec(), 1] [X.to_vec(), 3];
        number in_branches(at x: Vec<f64>): [X.to_vec()] [vec![0.3, 0.9]];
        number beside_loops(at x: Vec<f64>, fixed_at pairs: Vec<(usize, usize)>): [X.to_vec(), vec![(0, 1), (2, 2), (1, 2)]] [X.to_vec(), vec![]];
        number levels(at x: Vec<f64>, fixed steps: usize): [X.to_vec(), 3] [X.to_vec(), 0] [vec![0.4], 2];
        number outlived(at x: Vec<f64>): [X.to_vec()] [vec![0.4]];
        number buffers(at x: Vec<f64>, fixed steps: usize): [X.to_vec(), 3] [X.to_vec(), 1] [vec![0.4, 0.2], 2];
        number copied_rows(at x: Vec<f64>): [X.to_vec()] [vec![0.4, 0.1, 0.8]];
        number handed_over(at x: Vec<f64>): [X.to_vec()] [vec![0.4]];
    }
}
