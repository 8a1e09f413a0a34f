//! `Rc` and `Arc` of active values and of constants, which are read through several owners.

use crate::check::number;
use diffi::prelude::*;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug, Differentiable)]
struct Params {
    k: f64,
    v: Vec<f64>,
}

#[differentiable]
fn energy(p: &Params) -> f64 {
    p.k * p.v[0] * p.v[0]
}

#[differentiable]
fn total(v: &[f64], by: f64) -> f64 {
    v.iter().map(|x| x * x * by).sum()
}

#[differentiable]
fn numbers(x: &[f64]) -> f64 {
    let a = Rc::new(x[0] * x[1]);
    let b = Rc::clone(&a);
    let c = a.clone();
    let mut changes = x[2];
    let held = Arc::new(changes);
    changes *= 2.0;
    (*a * *b).sin() * x[2] + *c * *held + changes
}

#[differentiable]
fn lists(x: &[f64]) -> f64 {
    let a = Arc::new(vec![x[0], x[1] * x[2]]);
    let b = a.clone();
    let row = std::rc::Rc::new([x[1], x[2], x[0]]);
    let mut s = a.iter().sum::<f64>() * b[1] + total(&a, x[0]) + total(&b[..1], 2.0);
    for (v, w) in row.iter().zip(x) {
        s += v * w * a[0];
    }
    s * row.len() as f64
}

#[differentiable]
fn structs(x: &[f64]) -> f64 {
    let params = Params { k: x[0] * x[1], v: x.to_vec() };
    let p = Rc::new(params);
    let q = Rc::clone(&p);
    let mut s = 0.0;
    for i in 0..x.len() {
        let r = Rc::clone(&q);
        s += energy(&r) * p.v[i] + r.k * s;
    }
    let mut own = (*q).clone();
    own.v[0] = s;
    energy(&own) + energy(&p)
}

#[differentiable]
fn in_branches(x: &[f64]) -> f64 {
    let scale = if x[0] > 1.0 { Rc::new(x[1] * x[1]) } else { Rc::new(x[2].exp()) };
    let twice = |t: f64| t * *scale;
    twice(x[0]) * twice(x[1])
}

#[differentiable(constant(weights))]
fn weighted(weights: &Rc<Vec<f64>>, x: &[f64]) -> f64 {
    weights.iter().zip(x).map(|(w, v)| w * v * v).sum::<f64>() * weights[0] * weights.len() as f64
}

#[differentiable]
fn constants(x: &[f64]) -> f64 {
    let weights = Rc::new(vec![1.0, 2.0, 3.0]);
    let same = Rc::clone(&weights);
    weighted(&weights, x) * x[0] + same[1] * x[2] * x[2]
}

#[test]
fn counted() {
    for at in [[0.9, 0.8, 0.4], [1.2, 0.3, -0.7]] {
        number!(numbers::D, at, |x| x, |x| numbers(x));
        number!(lists::D, at, |x| x, |x| lists(x));
        number!(structs::D, at, |x| x, |x| structs(x));
        number!(in_branches::D, at, |x| x, |x| in_branches(x));
        number!(constants::D, at, |x| x, |x| constants(x));
    }
}
