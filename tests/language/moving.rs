//! References that are assigned to: what is left of a slice, the row before, the largest element so far.

use diffi::prelude::*;

#[differentiable]
fn element_by_element(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut acc = 0.0;
    while let [first, tail @ ..] = rest {
        acc = acc * 0.9 + first * first;
        rest = tail;
    }
    acc
}
#[differentiable]
fn head_and_tail(x: &[f64]) -> f64 {
    let mut rest = &x[1..];
    let mut acc = x[0];
    while let Some((head, tail)) = rest.split_first() {
        acc = acc * head + head.sin();
        rest = tail;
    }
    acc
}
#[differentiable]
fn reference_to_the_largest(x: &[f64]) -> f64 {
    let mut best = &x[0];
    for v in x {
        if v > best {
            best = v;
        }
    }
    best * best
}
#[differentiable]
fn row_before(x: &[f64]) -> f64 {
    let m: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut prev = &m[0];
    let mut s = 0.0;
    for row in &m[1..] {
        s += row[0] * prev[1] - row[1].exp() * prev[0];
        prev = row;
    }
    s
}
#[differentiable]
fn parameter_from_both_ends(mut x: &[f64]) -> f64 {
    let mut s = 1.0;
    while x.len() > 1 {
        s = s * 0.5 + x[0] * x[x.len() - 1];
        x = &x[1..x.len() - 1];
    }
    s
}
#[differentiable]
fn parameters_unpacked(x: &[f64]) -> f64 {
    let mut params = x;
    let mut total = 0.0;
    for size in [1usize, 2, 1] {
        let (w, rest) = params.split_at(size);
        params = rest;
        total = (total + w.iter().sum::<f64>()).sin() + w[0] * total;
    }
    let mut head = &x[..1];
    total *= head[0];
    (head, params) = params.split_at(1);
    total * head[0] + params.len() as f64
}
#[differentiable]
fn halves(x: &[f64]) -> f64 {
    let mut part = x;
    let mut s = 0.0;
    while part.len() > 1 {
        let mid = part.len() / 2;
        s += part[mid] * part[0];
        part = if s > 0.3 { &part[mid..] } else { &part[..mid] };
    }
    s * part[0]
}
#[differentiable]
fn parts_of_rows(x: &[f64]) -> f64 {
    let m: Vec<Vec<f64>> = vec![x.to_vec(), x.iter().map(|v| v * v).collect()];
    let mut part: &[f64] = &m[0];
    let mut s = 1.0;
    for i in 0..3 {
        s *= part[0] + part.len() as f64;
        part = if i % 2 == 0 { &m[1][1..] } else { &m[0][..2] };
    }
    s
}
#[differentiable]
fn changed_on_the_way(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let mut rest = &mut y[..];
    while !rest.is_empty() {
        let (head, tail) = rest.split_at_mut(1);
        head[0] = head[0].sin() * 2.0;
        if let Some(next) = tail.first_mut() {
            *next += head[0];
        }
        rest = tail;
    }
    y.iter().product()
}

#[differentiable]
fn kept_before_it_moves(x: &[f64]) -> f64 {
    let mut window = &x[..2];
    let mut s = 0.0;
    for k in 1..x.len() - 1 {
        let before = window;
        window = &x[k..k + 2];
        s = s * 0.5 + before[0] * window[1] + window.iter().product::<f64>();
    }
    s
}

#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let pairs: Vec<(f64, Vec<f64>)> = x.iter().map(|v| (v.sin(), vec![*v, v * v])).collect();
    let mut last = &pairs[0].1;
    let mut s = 0.0;
    for (a, b) in &pairs {
        s += a * last[1] + b[0];
        if *a > 0.5 {
            last = b;
        }
    }
    s * last[0]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number element_by_element(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]] [vec![]];
        number head_and_tail(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]] [vec![0.4]];
        number reference_to_the_largest(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]] [vec![0.4]];
        number row_before(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]];
        number parameter_from_both_ends(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]] [vec![0.1, 0.7, 0.3]] [vec![]];
        number parameters_unpacked(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]];
        number halves(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]] [vec![0.2]];
        number parts_of_rows(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]];
        number changed_on_the_way(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]] [vec![]];
        number kept_before_it_moves(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]];
        number fields(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]];
    }
}
