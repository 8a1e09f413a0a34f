//! `impl Index` without `IndexMut`, and `impl From` of an own type for a float.

use diffi::prelude::*;
use std::ops::Index;

// Of a list.

#[derive(Clone, Differentiable)]
struct Readings {
    data: Vec<f64>,
}

#[differentiable]
impl Index<usize> for Readings {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.data[i]
    }
}

#[differentiable]
fn elements_of_a_row(x: &[f64]) -> f64 {
    let r = Readings { data: x.to_vec() };
    r[0] * r[0] * r[1]
}

// Of an array, in methods.

#[derive(Clone, Copy, Differentiable)]
struct Triplet([f64; 3]);

#[differentiable]
impl Index<usize> for Triplet {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.0[i]
    }
}

#[differentiable]
impl Triplet {
    fn dot(&self, o: &Triplet) -> f64 {
        (0..3).map(|i| self[i] * o[i]).sum()
    }
}

#[differentiable]
fn elements_of_a_triple(x: &[f64]) -> f64 {
    let a = Triplet([x[0], x[1], 1.0]);
    let b = Triplet([x[1], 2.0, x[0]]);
    a.dot(&b) * a[0]
}

// A float made of a struct.

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Meters(f64);

#[differentiable]
impl From<Meters> for f64 {
    fn from(m: Meters) -> f64 {
        m.0 * 2.0
    }
}

#[differentiable]
impl From<f64> for Meters {
    fn from(v: f64) -> Meters {
        Meters(v)
    }
}

#[differentiable]
fn metres(x: &[f64]) -> f64 {
    let m = Meters::from(x[0] * x[1]);
    f64::from(m) * x[0]
}

// A float made of a struct, by `into`.

#[derive(Clone, Copy, Differentiable)]
struct Degrees(f64);
#[derive(Clone, Copy, Differentiable)]
struct Radians(f64);

#[differentiable]
impl From<Degrees> for Radians {
    fn from(d: Degrees) -> Radians {
        Radians(d.0.to_radians())
    }
}

#[differentiable]
impl From<Radians> for f64 {
    fn from(r: Radians) -> Self {
        r.0
    }
}

#[differentiable]
fn angles(x: &[f64]) -> f64 {
    let r: Radians = Degrees(x[0]).into();
    let a: f64 = r.into();
    a.sin() * x[1]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number elements_of_a_row(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number elements_of_a_triple(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number metres(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number angles(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
    }
}
