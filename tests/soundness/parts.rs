//! Elements of parts: `x[1..][0]` is `x[1]`, which a write to `x[1]` changes.

use diffi::prelude::*;

#[differentiable]
fn element_of_a_part(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], x[2]];
    let s = w[1..][0].atan() * w[1..][1];
    w[1] *= s;
    w[2] *= s;
    w[1] * w[0] + w[2]
}

#[differentiable]
fn rows_of_a_part(x: &[f64]) -> f64 {
    let mut rows = [[x[0], x[1]], [x[2], x[0] * x[2]]];
    let s = rows[0..].iter().map(|row| row[1].atan()).fold(0.5, |a, b| 0.5 * a + b.sin());
    rows[0][1] /= 1.2 + s;
    rows[0..][1][1] *= s;
    rows[0][1] * rows[0][0] + rows[1][1] * rows[1][0]
}

/// The read's second index and the write's look different, and belong to different steps.
#[differentiable]
fn first_row_of_a_part(x: &[f64]) -> f64 {
    let mut rows = [[x[0], x[1]], [x[2], x[0] * x[2]]];
    let s = rows[0..].iter().map(|row| row[1].atan()).reduce(|a, b| 0.5 * a + b.sin()).unwrap_or(0.5);
    rows[0][1] /= 1.2 + s;
    let t = rows[1..][0][1].sin();
    rows[1][1] *= t;
    rows[0][1] * rows[0][0] + rows[1][1] * rows[1][0]
}

#[differentiable]
fn two_parts(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let s = w[1..][0].sin() + w[1..][1].sin();
    w[..2][1] *= s;
    w[..][2] *= s;
    w.iter().map(|v| v * v).sum()
}

#[differentiable]
fn head_and_tail(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    for k in 0..w.len() - 1 {
        let s = w[k..][1].sin() * w[k + 1..][0];
        w[..k + 2][k + 1] = s * w[k];
        w[k..][0] *= s;
    }
    w.iter().map(|v| v * v).sum()
}

#[differentiable]
fn part_of_a_part(x: &[f64]) -> f64 {
    let mut w = vec![x[0], x[1], x[2], x[0] * x[1]];
    let tail = &w[1..];
    let inner = &tail[1..3];
    let s = inner[0] * inner[1].sin() + tail[0].sin();
    let head = &mut w[..3];
    head[1] *= s;
    head[2] *= s;
    let end = &mut w[2..];
    end[1] *= s;
    w.iter().map(|v| v * v).sum()
}

#[derive(Clone, Debug, Differentiable)]
struct Cell {
    value: f64,
    rate: f64,
}

#[differentiable]
fn fields_behind_a_part(x: &[f64]) -> f64 {
    let mut cells = vec![Cell { value: x[0], rate: x[1] }, Cell { value: x[2], rate: x[0] * x[2] }];
    let s = cells[1..][0].value.sin() * cells[..1][0].rate.exp();
    cells[1].value *= s;
    cells[0].rate *= s;
    cells[1].value * cells[0].rate + cells[0].value * cells[1].rate
}

#[differentiable]
fn from_an_end_that_moves(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let (mut at, mut s) = (0, 1.0);
    while at + 1 < w.len() {
        s *= w[at..][1].sin() + w[at..][0];
        at += 1;
        w[at] *= s;
        w[at - 1..][0] += s;
    }
    w.iter().map(|v| v * v).sum()
}

crate::check::sound! {
    element_of_a_part rows_of_a_part first_row_of_a_part two_parts head_and_tail part_of_a_part fields_behind_a_part from_an_end_that_moves
}
