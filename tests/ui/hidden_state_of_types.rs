// Calls that are told of active values, and types of the user's that may give what these kept by names of std's.
use diffi::prelude::*;
use std::cell::Cell;

thread_local!(static KEPT: Cell<f64> = const { Cell::new(0.0) });

fn keep(v: f64) {
    KEPT.set(v);
}

fn kept() -> f64 {
    KEPT.get()
}

#[derive(Clone, Copy)]
struct Unit;

impl Unit {
    fn sum(&self) -> f64 {
        kept()
    }
}

impl std::ops::Neg for Unit {
    type Output = f64;
    fn neg(self) -> f64 {
        kept()
    }
}

impl std::ops::Index<usize> for Unit {
    type Output = f64;
    fn index(&self, _: usize) -> &f64 {
        Box::leak(Box::new(kept()))
    }
}

impl From<Unit> for f64 {
    fn from(_: Unit) -> f64 {
        kept()
    }
}

struct Endless;

impl Iterator for Endless {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        Some(kept())
    }
}

#[derive(Clone, Differentiable)]
struct Point {
    x: f64,
}

impl std::fmt::Debug for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        keep(self.x);
        write!(f, "point")
    }
}

impl PartialEq for Point {
    fn eq(&self, _: &Point) -> bool {
        keep(self.x);
        true
    }
}

#[differentiable]
fn own_method(x: f64) -> f64 {
    let t = Unit;
    keep(x * x);
    t.sum() * x
}

#[differentiable]
fn by_way_of_a_variable(x: f64) -> f64 {
    keep(x * x);
    let k = Unit.sum();
    let twice = 2.0 * k;
    twice * x
}

#[differentiable]
fn own_operator(x: f64) -> f64 {
    let t = Unit;
    keep(x * x);
    -t * x
}

#[differentiable]
fn own_index(x: f64) -> f64 {
    let t = Unit;
    keep(x * x);
    t[0] * x
}

#[differentiable]
fn own_conversion(x: f64) -> f64 {
    keep(x * x);
    f64::from(Unit) * x
}

#[differentiable]
fn own_iterator(x: f64) -> f64 {
    keep(x * x);
    let mut s = x;
    for v in Endless.take(2) {
        s *= v;
    }
    s
}

#[differentiable]
fn own_text(x: f64) -> f64 {
    let p = Point { x: x * x };
    println!("{p:?}");
    kept() * x
}

#[differentiable]
fn own_comparison(x: f64) -> f64 {
    let (p, q) = (Point { x: x * x }, Point { x });
    if p == q { kept() * x } else { x }
}

fn main() {}
