//! Fields of integers and lists of such, beside fields that carry derivatives: methods change them and give counts.

use diffi::prelude::*;
use std::ops::Neg;

// A method that gives an index.

#[derive(Clone, Differentiable)]
struct Samples {
    data: Vec<f64>,
    scale: f64,
}

#[differentiable]
impl Samples {
    fn add(&mut self, v: f64) -> usize {
        self.data.push(v * self.scale);
        self.data.len() - 1
    }
    fn get_at(&self, i: usize) -> f64 {
        self.data[i]
    }
}

#[differentiable]
fn counted_pushes(x: &[f64]) -> f64 {
    let mut b = Samples { data: Vec::new(), scale: x[1] };
    let i = b.add(x[0]);
    let j = b.add(x[0] * x[1]);
    b.get_at(i) * b.get_at(j)
}

// A list of integers that grows.

#[derive(Clone, Differentiable)]
struct Tape {
    values: Vec<f64>,
    parents: Vec<usize>,
    weight: f64,
}

#[differentiable]
impl Tape {
    fn record(&mut self, parent: usize, v: f64) {
        self.parents.push(parent);
        self.values.push(v * self.weight);
    }
    fn total(&self) -> f64 {
        let mut s = 0.0;
        for i in 0..self.values.len() {
            s += self.values[i] * self.values[self.parents[i]];
        }
        s
    }
}

#[differentiable]
fn recorded_parents(x: &[f64]) -> f64 {
    let mut t = Tape { values: vec![x[0]], parents: vec![0], weight: x[1] };
    t.record(0, x[0] * x[0]);
    t.record(1, x[1]);
    t.total()
}

// A list of arrays of integers.

#[derive(Clone, Differentiable)]
struct Mesh {
    px: Vec<f64>,
    tri: Vec<[usize; 3]>,
}

#[differentiable]
impl Mesh {
    fn new() -> Self {
        Mesh { px: vec![], tri: vec![] }
    }
    fn vertex(&mut self, x: f64) -> usize {
        let id = self.px.len();
        self.px.push(x);
        id
    }
    fn triangle(&mut self, a: usize, b: usize, c: usize) {
        self.tri.push([a, b, c]);
    }
    fn area(&self) -> f64 {
        self.tri.iter().map(|t| self.px[t[0]] * self.px[t[1]] - self.px[t[2]]).sum()
    }
}

#[differentiable]
fn meshed(x: &[f64]) -> f64 {
    let mut m = Mesh::new();
    let a = m.vertex(x[0]);
    let b = m.vertex(x[1]);
    let c = m.vertex(x[0] * x[1]);
    m.triangle(a, b, c);
    m.triangle(b, c, a);
    m.area()
}

// A count that a method gives and stores.

#[derive(Clone, Differentiable)]
struct Particles {
    mass: Vec<f64>,
    alive: usize,
}

#[differentiable]
impl Particles {
    fn split(&mut self, k: f64) -> usize {
        let mut n = 0;
        for m in self.mass.iter_mut() {
            if *m > 0.5 {
                *m *= k;
                n += 1;
            }
        }
        self.alive = n;
        n
    }
}

#[differentiable]
fn split_particles(x: &[f64]) -> f64 {
    let mut p = Particles { mass: vec![x[0], x[1], 1.0], alive: 3 };
    let n = p.split(x[1]);
    let total: f64 = p.mass.iter().sum();
    total / n as f64 + p.alive as f64 * x[0]
}

// Options of integers, and an integer that a method gives in one.

#[derive(Clone, Debug, Differentiable)]
struct Family {
    nodes: Vec<f64>,
    parents: Vec<Option<usize>>,
}

#[differentiable]
impl Family {
    fn add(&mut self, value: f64, parent: Option<usize>) -> usize {
        let id = self.nodes.len();
        self.nodes.push(value);
        self.parents.push(parent);
        id
    }
}

#[differentiable]
fn family(x: &[f64]) -> f64 {
    let mut t = Family { nodes: vec![], parents: vec![] };
    let r = t.add(x[0], None);
    let a = t.add(x[1] * 2.0, Some(r));
    t.add(3.0, Some(a));
    t.nodes[a] * t.nodes[r] * t.nodes[2] + t.parents[a].unwrap() as f64 * x[0]
}

// Functions whose signatures name no float.

#[derive(Clone, Copy, Debug, Differentiable)]
struct Rotor {
    w: f64,
    v: [f64; 3],
}

#[differentiable]
fn reflect(s: &Rotor) -> Rotor {
    Rotor { w: -s.w, v: s.v.map(|a| -a) }
}

#[differentiable]
fn reflected(x: &[f64]) -> f64 {
    let q = Rotor { w: x[0], v: [x[0], x[1], 1.0] };
    let p = reflect(&q);
    p.v[1] * p.w
}

// An operator.

#[derive(Clone, Copy, Debug, Differentiable)]
struct Spinor {
    w: f64,
    v: [f64; 3],
}

#[differentiable]
impl Neg for Spinor {
    type Output = Spinor;
    fn neg(self) -> Spinor {
        Spinor { w: -self.w, v: self.v.map(|a| a * 2.0) }
    }
}

#[differentiable]
fn negated(x: &[f64]) -> f64 {
    let q = Spinor { w: x[0], v: [x[0], x[1], 1.0] };
    let p = -q;
    p.v[1] * p.w
}

// Elements of a list of truth values.

#[derive(Clone, Copy, Debug, Differentiable)]
struct Place2 {
    x: f64,
    y: f64,
}
impl Place2 {
    const ZERO: Place2 = Place2 { x: 0.0, y: 0.0 };
}
#[derive(Clone, Debug, Differentiable)]
struct Flock {
    pos: Vec<Place2>,
    vel: Vec<Place2>,
    alive: Vec<bool>,
    hits: usize,
}

#[differentiable]
impl Flock {
    fn with_capacity(n: usize) -> Flock {
        Flock { pos: vec![Place2::ZERO; n], vel: vec![Place2::ZERO; n], alive: vec![true; n], hits: 0 }
    }
    fn spawn(&mut self, id: usize, pos: Place2, vel: Place2) {
        self.pos[id] = pos;
        self.vel[id] = vel;
    }
    fn step(&mut self, dt: f64) {
        for i in 0..self.pos.len() {
            if !self.alive[i] {
                continue;
            }
            self.vel[i].y -= 9.8 * dt;
            self.pos[i].x += self.vel[i].x * dt;
            self.pos[i].y += self.vel[i].y * dt;
            if self.pos[i].y < 0.0 {
                self.pos[i].y *= -0.8;
                self.vel[i].y *= -0.8;
                self.hits += 1;
                if self.hits > 3 {
                    self.alive[i] = false;
                }
            }
        }
    }
}

#[differentiable]
fn bouncing(x: &[f64]) -> f64 {
    let mut w = Flock::with_capacity(2);
    w.spawn(0, Place2 { x: 0.0, y: x[0] }, Place2 { x: 1.0, y: x[1] });
    w.spawn(1, Place2 { x: 0.5, y: 0.1 }, Place2 { x: x[0], y: x[1] * 2.0 });
    for _ in 0..15 {
        w.step(0.05);
    }
    let score: f64 = w.pos.iter().zip(&w.alive).filter(|(_, a)| **a).map(|(p, _)| p.x * p.y).sum();
    score + w.hits as f64 * x[1]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number counted_pushes(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number recorded_parents(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number meshed(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number split_particles(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number family(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number reflected(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number negated(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number bouncing(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
    }
}
