//! Integers, flags and tables that calls change through references: sweeps read what they were.

use diffi::prelude::*;

#[differentiable]
fn taken(x: &[f64], at: &mut usize) -> f64 {
    let v = x[*at];
    *at += 1;
    if v > 1.0 {
        return v * v;
    }
    let w = x[*at];
    *at += 1;
    v * w
}

#[differentiable]
fn read_on(x: &[f64]) -> f64 {
    let mut at = 0;
    let (a, b) = (taken(x, &mut at), taken(x, &mut at));
    a * b.exp() * at as f64
}

#[differentiable]
fn exchanged(x: &[f64], i: &mut usize, j: &mut usize) -> f64 {
    let v = x[*i] - x[*j];
    std::mem::swap(i, j);
    v * x[*i]
}

#[differentiable]
fn turned(x: f64, on: &mut bool) -> f64 {
    let v = if *on { x * x } else { x.sin() };
    *on = !*on;
    v
}

#[differentiable]
fn lent_on(x: &[f64]) -> f64 {
    let (mut i, mut j, mut on) = (0, 1, true);
    let a = exchanged(x, &mut i, &mut j) * turned(x[1], &mut on);
    a * exchanged(x, &mut i, &mut j) * turned(x[0], &mut on) + x[i] * x[2]
}

fn advance(i: &mut usize) {
    *i += 1;
}

#[differentiable]
fn square_of(x: &[f64], k: usize) -> f64 {
    x[k] * x[k]
}

#[differentiable]
fn product_of(x: &[f64], which: &[usize]) -> f64 {
    let mut product = 1.0;
    for &i in which {
        product *= x[i].sin() + 1.0;
    }
    product
}

#[differentiable]
fn moved_unseen(x: &[f64]) -> f64 {
    let (mut i, mut which) = (0usize, vec![0usize]);
    let mut y = [0.0; 3];
    let mut s = square_of(x, i);
    y[i] = x[0] * x[1];
    while i < 2 {
        advance(&mut i);
        s *= x[i] * square_of(x, i) + product_of(x, &which);
        which.push(i);
        y[i] = y[i - 1] * x[i];
    }
    let old = std::mem::replace(&mut i, 0);
    s * x[old] * x[i] + y[2] * y[1]
}

#[differentiable]
fn drawn(seed: &mut u64, scale: f64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
    ((*seed >> 33) as f64 / 4294967296.0) * scale.sin()
}

#[differentiable]
fn counted(x: f64, n: &mut usize) -> f64 {
    *n += 1;
    x.powi(*n as i32)
}

#[differentiable]
fn drawn_and_counted(x: &[f64]) -> f64 {
    let (mut seed, mut counts) = (7u64, [0usize; 2]);
    let mut s = counted(x[0], &mut counts[0]) * counted(x[1], &mut counts[0]) + counted(x[2], &mut counts[1]);
    #[checkpoint]
    for v in x {
        s += drawn(&mut seed, *v) * s * v;
    }
    s * (counts[0] + counts[1]) as f64
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number read_on(at x: Vec<f64>): [vec![0.3, 0.7, 1.3, 0.4]] [vec![1.3, 0.7, 0.3, 0.4]];
        number lent_on(at x: Vec<f64>): [vec![1.3, 0.7, 2.1]];
        number drawn_and_counted(at x: Vec<f64>): [vec![1.3, 0.7, 2.1]];
        number moved_unseen(at x: Vec<f64>): [vec![1.3, 0.7, 2.1]];
    }
}
