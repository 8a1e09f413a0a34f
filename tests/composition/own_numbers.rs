//! Numbers of a type of one's own whose methods are named like those of floats: elements of sequences, and what other methods and operators give.

use crate::check::number;
use diffi::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};
#[derive(Clone, Copy, Differentiable)]
struct Plane {
    re: f64,
    im: f64,
}
#[differentiable]
impl Plane {
    fn new(re: f64, im: f64) -> Self {
        Plane { re, im }
    }
    fn abs(self) -> f64 {
        (self.re * self.re + self.im * self.im).sqrt()
    }
    fn sqrt(self) -> Plane {
        let r = self.abs();
        Plane { re: ((r + self.re) / 2.0).sqrt(), im: ((r - self.re) / 2.0).sqrt() }
    }
    fn exp(&self) -> Self {
        Plane { re: self.re.exp() * self.im.cos(), im: self.re.exp() * self.im.sin() }
    }
}
#[differentiable]
impl Add for Plane {
    type Output = Plane;
    fn add(self, o: Plane) -> Plane {
        Plane { re: self.re + o.re, im: self.im + o.im }
    }
}
#[differentiable]
impl Sub for Plane {
    type Output = Plane;
    fn sub(self, o: Plane) -> Self::Output {
        Plane { re: self.re - o.re, im: self.im - o.im }
    }
}
#[differentiable]
impl Mul for Plane {
    type Output = Plane;
    fn mul(self, o: Plane) -> Plane {
        Plane { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}
#[differentiable]
impl Neg for Plane {
    type Output = Plane;
    fn neg(self) -> Self {
        Plane { re: -self.re, im: -self.im }
    }
}
#[differentiable]
fn total(p: &[Plane]) -> f64 {
    let mut s = 0.0;
    for i in 0..p.len() {
        s += p[i].abs();
    }
    s
}
#[differentiable]
fn steps(p: &[Plane]) -> f64 {
    let mut s = 0.0;
    for i in 1..p.len() {
        s += (p[i] - p[i - 1]).abs() * p[i].sqrt().abs();
    }
    s
}
#[differentiable]
fn walked(p: &[Plane]) -> f64 {
    let mut s = 0.0;
    for q in p.iter() {
        s += q.abs();
    }
    for q in p {
        s += q.sqrt().im;
    }
    s
}
#[differentiable]
fn mapped(p: &[Plane]) -> f64 {
    p.iter().map(|q| q.abs() * q.exp().re).sum()
}
#[differentiable]
fn by_value(p: [Plane; 2]) -> f64 {
    p[0].sqrt().abs() + p[1].exp().sqrt().re + p.iter().map(|q| q.abs()).sum::<f64>()
}
#[differentiable]
fn totals(x: &[f64]) -> f64 {
    let v: Vec<Plane> = vec![Plane::new(x[0], x[1]), Plane::new(x[2], x[3])];
    total(&v)
}
#[differentiable]
fn differences(x: &[f64]) -> f64 {
    let v: Vec<Plane> = vec![Plane::new(x[0], x[1]), Plane::new(x[2], x[3])];
    steps(&v)
}
#[differentiable]
fn walks(x: &[f64]) -> f64 {
    let v: Vec<Plane> = vec![Plane::new(x[0], x[1]), Plane::new(x[2], x[3])];
    walked(&v)
}
#[differentiable]
fn maps(x: &[f64]) -> f64 {
    let v: Vec<Plane> = vec![Plane::new(x[0], x[1]), Plane::new(x[2], x[3])];
    mapped(&v)
}
#[differentiable]
fn arrays(x: &[f64]) -> f64 {
    by_value([Plane::new(x[0], x[1]), Plane::new(x[2], x[3])])
}
#[differentiable]
fn root_of_a_square(x: &[f64]) -> f64 {
    let z = Plane::new(x[0], x[1]);
    let w = (z * z).sqrt();
    w.re
}
#[differentiable]
fn part_of_a_root(x: &[f64]) -> f64 {
    let z = Plane::new(x[0], x[1]);
    (z * z).sqrt().re
}
#[differentiable]
fn negated(x: &[f64]) -> f64 {
    let z = Plane::new(x[0], x[1]);
    (-z).exp().abs()
}
#[differentiable]
fn named_root(x: &[f64]) -> f64 {
    let z = Plane::new(x[0], x[1]);
    let w = (z * z).sqrt();
    w.abs()
}
#[differentiable]
fn collected(x: &[f64]) -> f64 {
    let v: Vec<Plane> = x.iter().map(|a| Plane::new(*a, 1.0)).collect();
    let mut s = 0.0;
    for q in v.iter() {
        s += q.abs();
    }
    for q in &v {
        s += q.sqrt().re;
    }
    s + v[0].abs()
}
#[differentiable]
fn chained(x: &[f64]) -> f64 {
    let z = Plane::new(x[0], x[1]);
    z.sqrt().abs() + Plane::new(x[2], x[3]).sqrt().abs()
}
#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let v: Vec<Vec<Plane>> = vec![vec![Plane::new(x[0], x[1])], vec![Plane::new(x[2], x[3])]];
    let mut s = 0.0;
    for row in &v {
        for c in row {
            s += c.abs();
        }
    }
    s + v[1][0].abs()
}

#[test]
fn methods_named_like_those_of_floats() {
    number!(totals::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| totals(x));
    number!(differences::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| differences(x));
    number!(walks::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| walks(x));
    number!(maps::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| maps(x));
    number!(arrays::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| arrays(x));
    number!(root_of_a_square::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| root_of_a_square(x));
    number!(part_of_a_root::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| part_of_a_root(x));
    number!(negated::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| negated(x));
    number!(named_root::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| named_root(x));
    number!(collected::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| collected(x));
    number!(chained::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| chained(x));
    number!(rows::D, [0.77, 1.14, 1.51, 1.88], |x| x, |x| rows(x));
}
