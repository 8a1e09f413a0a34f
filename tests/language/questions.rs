//! Calls for whose derivatives nothing asks: conditions, indices, bounds and matches, by functions without the attribute.

use diffi::prelude::*;

fn is_big(x: f64) -> bool {
    x > 1.0
}

fn cell(x: f64) -> usize {
    x.abs().floor() as usize
}

fn order(v: &[f64]) -> Vec<usize> {
    let mut p: Vec<usize> = (0..v.len()).collect();
    p.sort_by(|a, b| v[*a].total_cmp(&v[*b]));
    p
}

fn above(v: &[f64], bound: f64) -> Option<usize> {
    v.iter().position(|a| *a > bound)
}

fn locate(v: &[f64], t: f64) -> (usize, bool) {
    (cell(t).min(v.len() - 1), is_big(t))
}

fn positive(v: &[f64]) -> Result<(), String> {
    if v.iter().all(|a| *a > 0.0) { Ok(()) } else { Err("not positive".to_owned()) }
}

enum Step {
    Go(usize),
    Stop,
}

fn step(x: f64) -> Step {
    if is_big(x) { Step::Go(1) } else { Step::Stop }
}

fn argmax<T: PartialOrd>(v: &[T]) -> usize {
    (0..v.len()).fold(0, |k, i| if v[i] > v[k] { i } else { k })
}

struct Grid {
    h: f64,
}

impl Grid {
    fn cell(&self, x: f64) -> usize {
        cell(x / self.h)
    }

    fn holds(x: f64) -> bool {
        is_big(x)
    }
}

/// Left as it is, for its value carries no derivative.
#[differentiable]
fn is_far(x: &[f64]) -> bool {
    x[0] * x[0] > 1.0
}

#[differentiable]
fn conditions(x: f64, y: f64) -> f64 {
    let big = is_big(x);
    let mut s = if big && !is_big(y) { x * y } else { x - y };
    while !is_big(s * 0.1) {
        s = s * s + y * y + 1.0;
    }
    let stop = is_far(&[s, y]);
    if stop { s * x } else { s }
}

#[differentiable]
fn indices(x: &[f64]) -> f64 {
    let i = cell(x[0]);
    let n = i + 1;
    let mut y = vec![x[0]; n];
    for k in 0..cell(x[1]) {
        y[0] = y[0] * x[k] + n as f64;
    }
    y[i] * x[i] + x[argmax(x)] * x[0]
}

#[differentiable]
fn ordered(x: &[f64]) -> f64 {
    let p = order(x);
    let mut s = x[p[0]] * x[p[1]];
    for (k, i) in p.iter().enumerate() {
        s += (k as f64 + 1.0) * x[*i] * x[0];
    }
    for i in order(&x[1..]) {
        s = s * x[i] + x[0];
    }
    s
}

/// Indices and bounds that chains over active lists count.
#[differentiable]
fn counted_indices(x: &[f64]) -> f64 {
    let y = x.to_vec();
    let mut z = vec![x[0], x[0] * x[1], x[2]];
    z[y.iter().filter(|v| **v > 1.0).count() % 3] *= x[1];
    let mut s = z[x.iter().map(|v| *v as usize).sum::<usize>() % 3];
    for _ in 0..y.iter().map(|v| *v as usize).sum::<usize>() {
        s = s * z[1] + z[0];
    }
    s * z[1..=x.iter().filter(|v| **v > 2.0).count()].iter().product::<f64>()
}

/// Arrays that are matched as slices of another length.
#[differentiable]
fn slices_of_arrays(x: &[f64]) -> f64 {
    let (one, two) = ([x[0]], [x[1], x[2]]);
    let mut a = x[1];
    if let [first, .., last] = one[..] {
        a *= first * last;
    }
    a += match two.as_slice() {
        [] => x[0],
        [a, b, c, ..] => a * b * c,
        [a, rest @ ..] => a / rest[0],
    };
    a += match [x[0], x[2]][..] {
        [a, _, b] => a * b,
        [a, b] => a * b * b,
        _ => x[1],
    };
    let [p, q, ..] = two[..] else { return a };
    let [_, _, r, ..] = two[..] else { return a * p * q };
    a * r
}

#[differentiable]
fn matches_of(x: &[f64]) -> f64 {
    let a = match step(x[0]) {
        Step::Go(i) => x[i] * x[0],
        Step::Stop => x[1],
    };
    let Some(i) = above(x, 0.5) else { return a };
    let (k, far) = locate(x, x[0]);
    let b = if let Some(j) = above(x, 1.5) { x[j] * a } else { a * a };
    if far { b * x[i] * x[k] } else { b + x[k] }
}

#[differentiable]
fn statements(x: &[f64]) -> f64 {
    if positive(x).is_err() {
        return x[0] * x[1];
    }
    positive(x).unwrap();
    let grid = Grid { h: 0.5 };
    let i = grid.cell(x[0]).min(1);
    let near = x.iter().filter(|v| !Grid::holds(**v)).map(|v| v * v).sum::<f64>();
    let twice = |v: f64| if is_big(v) { v * v } else { 2.0 * v };
    twice(x[i]) * twice(x[0]) + near * x[1]
}

/// Functions of the user's with the names of variables of generated code.
mod names {
    pub fn ws() -> f64 {
        2.0
    }
    pub fn count() -> usize {
        2
    }
    pub fn y_bar_in() -> f64 {
        1.5
    }
    #[diffi::differentiable]
    pub fn value(x: f64) -> f64 {
        x * x
    }
    #[allow(non_upper_case_globals)]
    pub const front: f64 = 0.5;
}
use names::{count, front, value, ws, y_bar_in};

#[differentiable]
fn named_alike(x: f64, y: f64) -> f64 {
    let mut s = front * x;
    for _ in 0..count() {
        s = s * y * ws() + value(x);
    }
    s * y_bar_in()
}

#[differentiable]
fn declared_inside(x: f64, y: f64) -> f64 {
    #[differentiable]
    fn square(x: f64) -> f64 {
        x * x
    }
    fn is_small(x: f64) -> bool {
        x < 0.5
    }
    if is_small(x) { square(x) * y } else { x * square(y) }
}

#[differentiable]
fn ratio_or_constant<T: num_traits::Float>(x: T, y: T) -> T {
    if x.is_zero() || y == T::zero() {
        return T::zero();
    }
    if x.is_one() { T::one() } else { x.powi(3) / y + T::one() }
}

#[differentiable]
fn generic_constants(x: f64, y: f64) -> f64 {
    ratio_or_constant(x, y) * x * y
}

#[differentiable]
fn log_sum_exp<T: num_traits::Float>(v: &[T]) -> Option<T> {
    if v.iter().all(|a| a.is_zero()) {
        return None;
    }
    let mut largest = T::neg_infinity();
    for &a in v {
        if a > largest {
            largest = a;
        }
    }
    let mut sum = T::zero();
    for &a in v {
        sum = sum + (a - largest).exp();
    }
    Some(largest + sum.ln())
}

#[differentiable]
fn generic_sums(x: &[f64]) -> f64 {
    log_sum_exp(x).unwrap_or(0.0) * x[0]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number conditions(by x: f64, by y: f64): [1.3, 0.4] [0.7, 1.2];
        number generic_constants(by x: f64, by y: f64): [1.3, 0.4] [-0.7, 1.2];
        number generic_sums(at x: Vec<f64>): [vec![1.3, 2.4, 0.6]];
        number indices(at x: Vec<f64>): [vec![1.3, 2.4, 0.6]];
        number counted_indices(at x: Vec<f64>): [vec![1.3, 2.4, 0.6]];
        number slices_of_arrays(at x: Vec<f64>): [vec![1.3, 2.4, 0.6]];
        number ordered(at x: Vec<f64>): [vec![1.3, 0.4, 0.6]];
        number matches_of(at x: Vec<f64>): [vec![1.3, 1.7, 0.6]] [vec![0.3, 0.7, 0.6]] [vec![0.3, 0.2]];
        number statements(at x: Vec<f64>): [vec![1.3, 0.7]] [vec![-0.3, 0.7]] [vec![0.3, 1.7]];
        number named_alike(by x: f64, by y: f64): [1.3, 0.4];
        number declared_inside(by x: f64, by y: f64): [1.3, 0.4] [0.3, 0.4];
    }
}
