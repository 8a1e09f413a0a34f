//! Lists without elements that are a result before its time, or one side of a branch: their type comes from the other side.

use diffi::prelude::*;

#[differentiable]
fn rises(x: &[f64]) -> Vec<f64> {
    if x.is_empty() {
        return vec![];
    }
    let mut y = vec![];
    for i in 1..x.len() {
        y.push(if x[i] > x[i - 1] { x[i] - x[i - 1] } else { x[i] * x[i] });
    }
    y
}

#[differentiable]
fn rows(x: &[f64]) -> Vec<Vec<f64>> {
    if x.len() < 2 {
        return Vec::new();
    }
    let mut all = Vec::with_capacity(x.len());
    for v in x {
        if *v > 2.0 {
            return vec![];
        }
        all.push(vec![*v, v * v]);
    }
    all
}

#[differentiable]
fn with_a_number(x: &[f64], k: usize) -> (Vec<f64>, f64) {
    if k == 0 {
        return (Vec::new(), x[0]);
    }
    let out = if k > 5 { vec![] } else { x.iter().map(|v| v * v).collect() };
    (out, x[1])
}

#[differentiable]
fn there(x: &[f64]) -> Option<Vec<f64>> {
    if x.is_empty() {
        return Some(Vec::new());
    }
    let mut out = Vec::new();
    for w in x.windows(2) {
        out.push(w[0] * w[1]);
    }
    Some(out)
}

#[differentiable]
fn early(x: &[f64]) -> f64 {
    let rises = rises(x).iter().sum::<f64>() + rises(&x[..0]).len() as f64;
    let (rows, none) = (rows(x), rows(&x[..1]));
    let last = rows.last().map(|row| row[0] * row[1]).unwrap_or(x[0]);
    rises * last + none.len() as f64 + there(x).map(|list| list[0]).unwrap_or(0.0)
}

#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let (squares, a) = with_a_number(x, 2);
    let (none, b) = with_a_number(x, 0);
    let (neither, c) = with_a_number(x, 7);
    squares[0] * a * b + none.iter().chain(&neither).sum::<f64>() + c
}

#[differentiable]
fn branches(x: &[f64]) -> f64 {
    let list = if x[0] > 5.0 {
        Vec::new()
    } else {
        let mut l = vec![];
        l.push(x[0] * x[1]);
        l
    };
    let mut other;
    if x[1] > 5.0 {
        other = vec![];
    } else {
        other = vec![x[1]];
    }
    other.push(x[0]);
    let chosen = match x.len() {
        0 | 1 => Vec::with_capacity(3),
        _ => other.clone(),
    };
    list.iter().sum::<f64>() * other[0] + other[other.len() - 1] * chosen.iter().product::<f64>()
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number early(at x: Vec<f64>): [vec![0.4, 1.7, 1.1]] [vec![0.4, 2.7, 1.1]];
        number pairs(at x: Vec<f64>): [vec![0.4, 1.7]];
        number branches(at x: Vec<f64>): [vec![0.4, 1.7]] [vec![6.4, 1.7]] [vec![6.4, 7.7]] [vec![0.4, 5.7, 1.0]];
    }
}
