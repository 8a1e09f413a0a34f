//! Loop-carried values: an iteration reads results of the one before.

use diffi::prelude::*;

#[differentiable]
fn burgers(x: &[f64], c: f64, steps: usize) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    for _ in 0..steps {
        let mut left = u[0];
        for i in 1..n - 1 {
            let old = u[i];
            u[i] = old - c * old * (old - left) + 0.1 * (u[i + 1] - 2.0 * old + left);
            left = old;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// The upwind side is on the right.
#[differentiable]
fn backwards(x: &[f64], steps: usize) -> Vec<f64> {
    let n = x.len();
    let mut u = x.to_vec();
    for _ in 0..steps {
        let mut right = u[n - 1];
        for i in (0..n - 1).rev() {
            let old = u[i];
            u[i] = old * right + old.sin();
            right = old;
        }
    }
    u
}

#[differentiable]
fn two_behind(x: &[f64], y: f64) -> f64 {
    let mut before = y;
    let mut last = y * y;
    let mut s = 0.0;
    for v in x {
        let new = last * before + v;
        s += new * before * last;
        before = last;
        last = new;
    }
    s + before * last
}

/// A constant comes first.
#[differentiable]
fn after_a_constant(x: &[f64]) -> f64 {
    let mut before = 0.5;
    let mut s = 0.0;
    for i in 0..x.len() {
        let here = x[i] * x[i];
        s += here * before * here.cos();
        before = here;
    }
    s
}

/// A constant every time, after something that is none.
#[differentiable]
fn constants_after(x: f64, c: &[f64], n: usize) -> f64 {
    let mut before = x;
    let mut s = 1.0;
    for i in 0..n {
        let here = 0.3 * i as f64;
        s *= before * before + here * x;
        before = here * c[i];
    }
    s
}

/// Not always taken over.
#[differentiable]
fn sometimes(x: &[f64]) -> f64 {
    let mut largest = x[0];
    let mut s = 0.0;
    for i in 1..x.len() {
        let here = x[i] * largest;
        s += here * here * largest;
        if here > 0.0 {
            largest = here;
        }
    }
    s
}

/// Read again after it has been set.
#[differentiable]
fn read_afterwards(x: &[f64]) -> f64 {
    let mut p = 1.0;
    let mut s = 0.0;
    for v in x {
        let q = p * p * v;
        let new = q.sin() + p;
        s += new * q;
        p = new;
        s += p * p * v;
    }
    s
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number burgers(at x: Vec<f64>, by c: f64, fixed steps: usize):
            [vec![0.3, 1.2, -0.4, 0.8, 0.6], 0.2, 3] [vec![0.3, 1.2, -0.4], 0.2, 2] [vec![0.3, 1.2], 0.2, 2];
        list backwards(at x: Vec<f64>, fixed steps: usize): [vec![0.3, 1.2, -0.4, 0.8], 2] [vec![0.3], 2] [vec![0.3, 0.5], 0];
        number two_behind(at x: Vec<f64>, by y: f64): [vec![0.3, 1.2, -0.4, 0.8], 0.7] [vec![], 0.7];
        number after_a_constant(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![]];
        number constants_after(by x: f64, at c: Vec<f64>, fixed n: usize): [0.8, vec![0.3, 1.2, -0.4], 3] [0.8, vec![], 0];
        number sometimes(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![0.5]];
        number read_afterwards(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![]];
    }
}
