//! Parameters that are written to.

use diffi::prelude::*;

#[differentiable]
fn squares(x: &[f64], y: &mut [f64]) {
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi = xi * xi;
    }
}

#[differentiable(output(y))]
fn sums(x: &[f64], y: &mut [f64]) {
    y[0] = x.iter().sum();
    for i in 1..y.len() {
        y[i] = y[i - 1] * x[0];
    }
}

#[differentiable]
fn scaled_in_place(x: &mut [f64], a: f64) {
    for v in x.iter_mut() {
        *v *= a;
    }
    for c in x.chunks_exact_mut(2) {
        c.swap(0, 1);
    }
}

#[differentiable]
fn returns_and_writes(x: &mut [f64]) -> f64 {
    let a = x[0];
    x[0] = 5.0 * a * x[1];
    let r = &mut x[1];
    *r += a;
    *r *= 2.0;
    a + x[1]
}

#[differentiable]
fn overwrites_a_number(x: f64, y: &mut f64) {
    *y = x * x;
    *y += x;
}

#[differentiable]
fn reads_and_writes_a_number(x: f64, y: &mut f64) -> f64 {
    let old = *y;
    *y = old * x;
    old * *y
}

#[differentiable]
fn accumulates(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i % 2] += x[i] * x[i];
    }
}

#[differentiable]
fn smoothed(x: &mut [f64], n: usize) {
    for _ in 0..n {
        for i in 1..x.len() - 1 {
            x[i] = 0.25 * (x[i - 1] + 2.0 * x[i] + x[i + 1]) * x[i];
        }
    }
}

#[differentiable(output(s, c))]
fn two_outputs(x: &[f64], s: &mut [f64], c: &mut [f64]) -> f64 {
    let mut t = 0.0;
    for i in 0..x.len() {
        s[i] = x[i].sin();
        c[i] = s[i] * x[i].cos();
        t += c[i];
    }
    t
}

#[differentiable]
fn sometimes_written(x: f64, y: &mut [f64]) {
    if x > 0.0 {
        y[0] = x * y[1];
    }
    y[1] *= y[0];
}

#[differentiable]
fn by_calls(x: &[f64], y: &mut [f64]) {
    squares(x, y);
    scaled_in_place(y, x[0]);
    accumulates(x, y);
}

#[differentiable]
fn array_parameter(x: f64, m: &mut [[f64; 2]; 2]) {
    m[0][0] *= x;
    m[1] = m[0];
    m[1][1] += x * m[0][1];
}

#[differentiable]
fn early_exit(x: &mut [f64]) {
    for i in 0..x.len() {
        if x[i] < 0.0 {
            return;
        }
        x[i] = x[i] * x[i];
    }
    x[0] = 1.0;
}

#[differentiable]
fn whole(x: &[f64], y: &mut Vec<f64>) {
    *y = x.iter().map(|v| v.exp()).collect();
    y[0] *= 2.0;
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        writes squares(at x: Vec<f64>, out y: Vec<f64>): [vec![0.3, 0.9, -0.4], vec![7.0; 3]] [vec![], vec![]];
        writes sums(at x: Vec<f64>, out y: Vec<f64>): [vec![0.3, 0.9, -0.4], vec![7.0; 3]] [vec![], vec![1.0]];
        writes scaled_in_place(inout x: Vec<f64>, by a: f64): [vec![0.3, 0.9, -0.4], 0.7] [vec![], 0.7];
        writes returns_and_writes(inout x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
        writes overwrites_a_number(by x: f64, inout y: f64): [0.3, 0.4];
        writes reads_and_writes_a_number(by x: f64, inout y: f64): [0.3, 0.4];
        writes accumulates(at x: Vec<f64>, inout y: Vec<f64>): [vec![0.3, 0.9, -0.4], vec![0.5, 0.6]];
        writes smoothed(inout x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 0.5], 2] [vec![0.3, 0.9, -0.4, 0.5], 0] [vec![0.4, 0.5], 2];
        writes two_outputs(at x: Vec<f64>, out s: Vec<f64>, out c: Vec<f64>): [vec![0.3, 0.9], vec![9.0; 2], vec![8.0; 2]];
        writes sometimes_written(by x: f64, inout y: Vec<f64>): [0.3, vec![0.5, 0.6]] [-0.3, vec![0.5, 0.6]];
        writes by_calls(at x: Vec<f64>, inout y: Vec<f64>): [vec![0.3, 0.9], vec![9.0; 2]];
        writes array_parameter(by x: f64, inout m: [[f64; 2]; 2]): [0.3, [[0.5, 0.6], [0.7, 0.8]]];
        writes early_exit(inout x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.5]] [vec![0.3, 0.4]];
        writes whole(at x: Vec<f64>, inout y: Vec<f64>): [vec![0.3, 0.9], vec![0.0; 2]];
    }
}
