//! Functions that give functions, or references into what they are given: callers beside them follow their text.

use diffi::prelude::*;

#[differentiable]
fn scaled(k: f64) -> impl Fn(f64) -> f64 {
    move |t| k * t * t
}

#[differentiable]
fn boxed(k: f64, up: bool) -> Box<dyn Fn(f64) -> f64> {
    if up { Box::new(move |t| k * t) } else { Box::new(f64::sin) }
}

#[differentiable]
fn after<A: Fn(f64) -> f64, B: Fn(f64) -> f64>(a: A, b: B) -> impl Fn(f64) -> f64 {
    move |t| b(a(t))
}

#[differentiable]
fn weighted<'w>(w: &'w [f64]) -> impl Fn(usize, f64) -> f64 + 'w {
    move |i, t| w[i] * t
}

#[differentiable]
fn square(t: f64) -> f64 {
    t * t
}

#[differentiable]
fn chosen(cubic: bool) -> fn(f64) -> f64 {
    if cubic { |t| t * t * t } else { square }
}

#[differentiable]
fn gives_closures(x: &[f64]) -> f64 {
    let mut k = x[0];
    let g = scaled(k);
    k = 3.0 * x[1];
    g(k) + scaled(2.0)(x[1]) + chosen(x[0] > 1.0)(k) * chosen(x[0] > 0.0)(x[1])
}

#[differentiable]
fn gives_boxes(x: &[f64]) -> f64 {
    let (a, b) = (boxed(x[1], true), boxed(x[1], false));
    let both = after(a, |t: f64| t * x[0]);
    both(x[0]) * b(x[1])
}

#[differentiable]
fn gives_weights(x: &[f64], w: &[f64]) -> f64 {
    let at = weighted(w);
    (0..x.len()).map(|i| at(i, x[i]) * at(0, x[1])).sum()
}

const LAWS: [fn(f64) -> f64; 3] = [square, f64::sin, |t| 1.0 / t];
static PAIRS: &[(usize, fn(f64) -> f64, f64)] = &[(3, square, 2.0), (1, f64::exp, 0.5)];
type Law = fn(f64) -> f64;
const NAMED: [Law; 2] = [f64::cos, square];
const ONE: Law = square;

#[differentiable]
fn in_constants(square: f64, k: usize) -> f64 {
    let mut sum = LAWS[k](square) * ONE(square);
    for law in LAWS {
        sum += law(square) * square;
    }
    for (count, law, weight) in PAIRS {
        sum += if *count == 3 { law(square) * weight } else { weight * square };
    }
    sum + NAMED.iter().map(|law| law(square)).sum::<f64>()
}

mod inner {
    use super::{f64_of, square};
    use diffi::prelude::*;

    const LAWS: [fn(f64) -> f64; 2] = [f64_of, square];

    #[differentiable]
    pub fn of_another_module(x: f64) -> f64 {
        LAWS[0](x) * LAWS[1](x)
    }
}

#[differentiable]
fn f64_of(t: f64) -> f64 {
    t.ln()
}

#[differentiable]
fn of_modules(x: f64) -> f64 {
    inner::of_another_module(x) + LAWS[0](x)
}

#[differentiable]
fn halves(x: &[f64], at: usize) -> (&[f64], &[f64]) {
    (&x[..at], &x[at..])
}

#[differentiable]
fn middle(x: &[f64]) -> (&[f64], &[f64]) {
    x.split_at(x.len() / 2)
}

#[differentiable]
fn head_and_tail<'a>(x: &'a [f64], y: &'a [f64]) -> Option<(&'a f64, &'a [f64])> {
    if y.is_empty() { None } else { Some((&x[0], &y[1..])) }
}

#[differentiable]
fn gives_halves(x: &[f64]) -> f64 {
    let mut at = 1;
    let (l, r) = halves(x, at);
    at = 2;
    let (m, n) = middle(r);
    let mut own = r.to_vec();
    own[0] *= l[0];
    let (p, q) = halves(&own, at);
    p[0] * r[1] + m[0] * n[0] * q.iter().sum::<f64>() * l[0]
}

#[differentiable]
fn gives_options(x: &[f64], y: &[f64]) -> f64 {
    match head_and_tail(x, y) {
        Some((first, rest)) => first * rest.iter().map(|t| t * t).sum::<f64>(),
        None => x[0] * x[0],
    }
}

#[differentiable]
fn longer<'a>(a: &'a [f64], b: &'a [f64]) -> &'a [f64] {
    if a.len() > b.len() { a } else { b }
}

#[differentiable]
fn gives_one_of_two(x: &[f64], w: &[f64]) -> f64 {
    let squares: Vec<f64> = x.iter().map(|t| t * t).collect();
    let three = [x[1], 2.0, x[0]];
    let best = longer(&squares, w);
    let rest = longer(&x[1..], &three);
    best[0] * rest[1] * longer(x, w).iter().sum::<f64>() * longer(&three[..1], w)[0]
}

#[differentiable]
fn chooses_a_slice(x: &[f64], w: &[f64], k: usize) -> f64 {
    let two = [2.0, 3.0];
    let mut sum = 0.0;
    for i in 0..3 {
        let row = match (i + k) % 3 {
            0 => &x[..2],
            1 => w,
            _ => &two[..],
        };
        sum += row[1] * row.iter().map(|t| t * t).sum::<f64>();
    }
    sum * (if k == 0 { &x[1..] } else { w })[0]
}

mod tests {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number gives_closures(at x: Vec<f64>): [vec![0.7, 1.3]] [vec![1.2, 0.4]];
        number gives_boxes(at x: Vec<f64>): [vec![0.7, 1.3]];
        number gives_weights(at x: Vec<f64>, at w: Vec<f64>): [vec![0.7, 1.3], vec![0.2, 2.0]];
        number in_constants(by square: f64, fixed k: usize): [0.7, 0] [0.7, 1] [0.7, 2];
        number of_modules(by x: f64): [0.7];
        number gives_halves(at x: Vec<f64>): [vec![0.7, 1.3, 0.2, 1.9, 0.6]];
        number gives_one_of_two(at x: Vec<f64>, at w: Vec<f64>): [vec![0.7, 1.3], vec![0.2, 2.0, 3.0]] [vec![0.7, 1.3], vec![0.4]];
        number chooses_a_slice(at x: Vec<f64>, at w: Vec<f64>, fixed k: usize): [vec![0.7, 1.3], vec![0.2, 2.0], 0] [vec![0.7, 1.3], vec![0.4, 0.9], 1];
        number gives_options(at x: Vec<f64>, at y: Vec<f64>): [vec![0.7, 1.3], vec![0.2, 2.0, 3.0]] [vec![0.7, 1.3], vec![]];
    }
}
