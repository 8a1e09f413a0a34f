//! What options hold that are given references, and what lists of constants give.

use diffi::prelude::*;
use std::collections::VecDeque;

// A distance and a reference.

#[derive(Clone, Copy, Differentiable)]
struct Globe {
    c: f64,
    r: f64,
}

#[differentiable]
impl Globe {
    fn hit(&self, o: f64) -> Option<f64> {
        let t = self.c - self.r - o;
        if t > 0.0 { Some(t) } else { None }
    }
}

#[differentiable]
fn nearest_sphere(x: &[f64]) -> f64 {
    let world = vec![Globe { c: x[0] + 1.0, r: x[1] }, Globe { c: 3.0, r: 0.5 * x[0] }];
    let mut best: Option<(f64, &Globe)> = None;
    for s in &world {
        if let Some(t) = s.hit(0.1) {
            if best.map_or(true, |(bt, _)| t < bt) {
                best = Some((t, s));
            }
        }
    }
    match best {
        Some((t, s)) => t * s.r,
        None => 0.0,
    }
}

// A reference alone.

#[derive(Clone, Copy, Differentiable)]
struct Orb {
    c: f64,
    r: f64,
}

#[differentiable]
fn first_sphere(x: &[f64]) -> f64 {
    let world = vec![Orb { c: x[0] + 1.0, r: x[1] }, Orb { c: 3.0, r: 0.5 * x[0] }];
    let mut best: Option<&Orb> = None;
    for s in &world {
        if best.map_or(true, |b| s.c < b.c) {
            best = Some(s);
        }
    }
    match best {
        Some(s) => s.c * s.r,
        None => 0.0,
    }
}

// A list of constants is taken apart.

#[derive(Clone, Debug)]
enum Happening {
    Dose(f64),
    Observe,
    Reset,
}

#[differentiable]
fn events_in_order(x: &[f64]) -> f64 {
    let mut events = vec![Happening::Observe, Happening::Dose(2.0), Happening::Reset, Happening::Dose(1.0)];
    let mut c = x[0];
    let mut out = 0.0;
    while let Some(e) = events.pop() {
        match e {
            Happening::Dose(d) => c += d * x[1],
            Happening::Observe => out += c * c,
            Happening::Reset => c *= 0.5,
        }
    }
    out
}

// A list of structs.

#[derive(Clone)]
struct Task {
    name: String,
    weight: f64,
}

#[differentiable]
fn jobs_in_order(x: &[f64]) -> f64 {
    let mut jobs = vec![Task { name: "a".to_string(), weight: 0.5 }, Task { name: "bb".to_string(), weight: 1.5 }];
    let mut s = 0.0;
    while let Some(j) = jobs.pop() {
        s += j.weight * x[0] * j.name.len() as f64;
        s *= x[1];
    }
    s
}

// A queue.

#[derive(Clone)]
struct Order {
    qty: f64,
    price: f64,
    tags: Vec<usize>,
}

#[differentiable]
fn orders_in_order(x: &[f64]) -> f64 {
    let mut q = VecDeque::new();
    q.push_back(Order { qty: 1.0, price: 2.0, tags: vec![1] });
    q.push_back(Order { qty: 3.0, price: 1.0, tags: vec![] });
    let mut s = 0.0;
    while let Some(o) = q.pop_front() {
        s += o.qty * o.price * x[0];
        for t in &o.tags {
            s += *t as f64 * x[1];
        }
    }
    s * x[1]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number nearest_sphere(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number first_sphere(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number events_in_order(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number jobs_in_order(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number orders_in_order(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
    }
}
