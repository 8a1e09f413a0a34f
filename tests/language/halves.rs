//! Calls that read two halves of one place: the cotangents of both are added to where they lie.

use diffi::prelude::*;

/// No two of its arguments can be exchanged.
#[differentiable]
fn paired(a: &[f64], b: &[f64], k: f64) -> f64 {
    let mut s = k;
    for (i, v) in a.iter().enumerate() {
        s += v * v * b[i % b.len()].sin() * (i + 1) as f64;
    }
    for v in b {
        s += v * k;
    }
    s
}

#[differentiable]
fn of_three(a: &[f64], b: &[f64], c: &[f64]) -> f64 {
    paired(a, b, c[0]) * c[c.len() - 1] + paired(b, c, a[0])
}

#[differentiable]
fn filled(y: &mut [f64], a: &[f64], b: &[f64]) {
    for i in 0..y.len() {
        y[i] += a[i] * b[0] - b[i] * b[i];
    }
}

#[differentiable]
fn first_and_others(first: &f64, others: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in others {
        s += v * first.exp() + v * v;
    }
    s
}

#[differentiable]
fn split(x: &[f64], k: f64) -> f64 {
    let (a, b) = x.split_at(2);
    paired(a, b, k) * k
}

#[differentiable]
fn back_in_front(x: &[f64], k: f64) -> f64 {
    paired(&x[2..], &x[..2], k) + paired(&x[1..], &x[..1], x[0])
}

#[differentiable]
fn split_twice(x: &[f64]) -> f64 {
    let (a, rest) = x.split_at(2);
    let (b, c) = rest.split_at(1);
    of_three(a, b, c) + paired(a, b, c[0])
}

#[differentiable]
fn beside_all(x: &[f64]) -> f64 {
    of_three(&x[..2], x, &x[2..]) + of_three(x, &x[1..], &x[..1])
}

#[differentiable]
fn of_two(x: &[f64], y: [f64; 3], k: f64) -> f64 {
    paired(&x[..2], &x[2..], paired(&y[1..], &y[..1], k)) + of_three(&y[..2], &x[..1], &y[2..])
}

#[differentiable]
fn wherever(x: &[f64], k: f64) -> f64 {
    let mut y: Vec<f64> = x.iter().map(|v| v * k).collect();
    let mut s = 0.0;
    for i in 1..y.len() {
        s += paired(&y[..i], &y[i..], s);
        y[i] *= x[0];
    }
    s
}

#[differentiable]
fn in_rows(m: &[[f64; 3]], w: f64) -> f64 {
    let mut s = w;
    for (i, row) in m.iter().enumerate() {
        s += paired(&row[..1], &row[1..], w) * paired(&m[i][2..], &m[i][..2], s);
    }
    s
}

#[differentiable]
fn rows_apart(m: &[Vec<f64>], k: f64) -> f64 {
    let (above, below) = m.split_at(1);
    first_rows(above, below) * k
}

#[differentiable]
fn first_rows(above: &[Vec<f64>], below: &[Vec<f64>]) -> f64 {
    paired(&above[0], &below[0], above[0][0]) + below[1][1]
}

#[differentiable]
fn into_another(x: &[f64], y: [f64; 2]) -> f64 {
    let mut z = y;
    filled(&mut z, &x[..2], &x[2..]);
    z[0] * z[1]
}

#[differentiable]
fn written_half(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let (a, b) = y.split_at_mut(2);
    filled(a, &*b, &x[..2]);
    paired(&y[..3], &y[3..], x[0])
}

#[differentiable]
fn element_and_others(x: &[f64]) -> f64 {
    first_and_others(&x[0], &x[1..]) * first_and_others(&x[1], &x[2..])
}

#[derive(Clone, Debug, Differentiable)]
pub struct Line {
    at: Vec<f64>,
    by: f64,
}

#[differentiable]
impl Line {
    fn halved(&self, k: f64) -> f64 {
        paired(&self.at[..2], &self.at[2..], self.by * k)
    }
}

#[differentiable]
fn of_a_struct(x: &[f64], k: f64) -> f64 {
    let line = Line { at: x.iter().map(|v| v * k).collect(), by: x[0] };
    line.halved(k) + paired(&line.at[1..], &line.at[..1], k)
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number split(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4, 0.7], 1.3] [vec![0.3, 0.9, -0.4], 0.2];
        number back_in_front(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4, 0.7], 1.3];
        number split_twice(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 1.1]];
        number beside_all(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number of_two(at x: Vec<f64>, by y: [f64; 3], by k: f64): [vec![0.3, 0.9, -0.4], [0.5, 1.2, -0.6], 0.8];
        number wherever(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4, 0.7], 1.3] [vec![0.3], 0.4];
        number in_rows(at m: Vec<[f64; 3]>, by w: f64): [vec![[0.3, 0.9, -0.4], [0.7, 0.2, 1.1]], 0.6];
        number rows_apart(at m: Vec<Vec<f64>>, by k: f64): [vec![vec![0.3, 0.9], vec![-0.4], vec![0.7, 0.2]], 1.3];
        number into_another(at x: Vec<f64>, by y: [f64; 2]): [vec![0.3, 0.9, -0.4, 0.7], [0.8, -0.2]];
        number written_half(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 1.1]];
        number element_and_others(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number of_a_struct(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4, 0.7], 1.3];
    }
}
