//! Constants of a struct's type that are repeated, `[P::REST; 4]` and `vec![ORIGIN; 4]`.

use diffi::prelude::*;
use std::ops::*;

// A constant of the type.

#[derive(Clone, Copy, Differentiable)]
struct Particle {
    m: f64,
    v: f64,
}
impl Particle {
    const REST: Particle = Particle { m: 1.0, v: 0.0 };
}

#[differentiable]
fn resting(x: &[f64]) -> f64 {
    let mut ps = [Particle::REST; 4];
    for (i, p) in ps.iter_mut().enumerate() {
        p.v = x[0] * i as f64;
        p.m *= x[1];
    }
    ps.iter().map(|p| 0.5 * p.m * p.v * p.v).sum()
}

// A constant of the module.

#[derive(Clone, Copy, Differentiable)]
struct Pair2 {
    m: f64,
    v: f64,
}
const ORIGIN: Pair2 = Pair2 { m: 0.0, v: 0.0 };

#[differentiable]
fn origins(x: &[f64]) -> f64 {
    let mut ps = vec![ORIGIN; 4];
    ps[1] = Pair2 { m: x[0], v: x[1] };
    let mut qs: [Pair2; 2] = [ORIGIN; 2];
    qs[0].m = x[1];
    let mut s = 0.0;
    for p in &ps {
        s += p.m * p.v;
    }
    s + qs[0].m * qs[0].m
}

// A list that is only read.

#[derive(Clone, Copy, Differentiable)]
struct Arrow {
    x: f64,
    y: f64,
}

#[differentiable]
impl Arrow {
    const UP: Arrow = Arrow { x: 0.0, y: 1.0 };
    const ZERO: Arrow = Arrow { x: 0.0, y: 0.0 };
    fn dot(self, o: Arrow) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

#[differentiable]
impl Add for Arrow {
    type Output = Arrow;
    fn add(self, o: Arrow) -> Arrow {
        Arrow { x: self.x + o.x, y: self.y + o.y }
    }
}

#[differentiable]
fn upwards(x: &[f64]) -> f64 {
    let ups = [Arrow::UP; 3];
    let p = Arrow { x: x[0], y: x[1] };
    let mut s = Arrow::ZERO;
    for u in ups.iter() {
        s = s + *u;
    }
    s.dot(p) + ups[1].dot(p) * x[0]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number resting(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number origins(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number upwards(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
    }
}
