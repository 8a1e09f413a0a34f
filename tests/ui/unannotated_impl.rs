//! A type's `impl` and its operators without the attribute: one error for each block.

use diffi::prelude::*;
use std::ops::{Add, AddAssign, Mul, Neg};

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

impl V {
    fn new(x: f64, y: f64) -> V {
        V { x, y }
    }
    fn scale(&mut self, k: f64) {
        self.x *= k;
    }
    fn norm2(&self) -> f64 {
        self.x * self.x + self.y * self.y
    }
    /// What carries no derivative needs no attribute.
    fn is_long(&self) -> bool {
        self.x > 1.0
    }
}

impl Add for V {
    type Output = V;
    fn add(self, other: V) -> V {
        V { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, v: V) -> V {
        V { x: self * v.x, y: self * v.y }
    }
}

impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V { x: -self.x, y: -self.y }
    }
}

impl AddAssign for V {
    fn add_assign(&mut self, other: V) {
        self.x += other.x;
    }
}

#[differentiable]
fn made(x: &[f64]) -> f64 {
    let mut v = V::new(x[0], x[1]);
    v.scale(x[1]);
    v.norm2()
}

#[differentiable]
fn changed(x: f64) -> f64 {
    let mut v = V { x, y: 2.0 };
    v.scale(x);
    if v.is_long() { v.x } else { v.norm2() }
}

#[differentiable]
fn added(v: &V, x: f64) -> f64 {
    let w = *v + V { x, y: x };
    w.x * w.y
}

#[differentiable]
fn scaled(v: &V, x: f64) -> f64 {
    let w = 2.0 * *v;
    w.x * x
}

#[differentiable]
fn negated(v: V) -> f64 {
    let w = -v;
    w.x
}

#[differentiable]
fn grown(v: V, x: f64) -> f64 {
    let mut w = V { x, y: x };
    w += v;
    w.x
}

fn main() {}
