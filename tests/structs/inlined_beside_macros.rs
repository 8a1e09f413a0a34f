//! Operators and methods of own structs in functions that make lists by `vec!`, check and print, and constants of own types in lists.

use crate::check::agree;
use diffi::prelude::*;
use std::ops::{Add, AddAssign, Mul, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct P {
    pub x: f64,
    pub y: f64,
}

#[differentiable]
impl P {
    pub fn nowhere() -> Self {
        P { x: 0.0, y: 0.0 }
    }
    pub fn dot(&self, o: &P) -> f64 {
        self.x * o.x + self.y * o.y
    }
    pub fn length(&self) -> f64 {
        self.dot(self).sqrt()
    }
}

#[differentiable]
impl Add for P {
    type Output = P;
    fn add(self, o: P) -> P {
        P { x: self.x + o.x, y: self.y + o.y }
    }
}

#[differentiable]
impl Sub for P {
    type Output = P;
    fn sub(self, o: P) -> P {
        P { x: self.x - o.x, y: self.y - o.y }
    }
}

#[differentiable]
impl Mul<f64> for P {
    type Output = P;
    fn mul(self, k: f64) -> P {
        P { x: self.x * k, y: self.y * k }
    }
}

#[differentiable]
impl AddAssign for P {
    fn add_assign(&mut self, o: P) {
        self.x += o.x;
        self.y += o.y;
    }
}

fn start() -> P {
    P { x: 0.25, y: 1.0 }
}

fn far() -> P {
    P { x: 2.0, y: 3.0 }
}

fn depth() -> f64 {
    1.5
}

#[differentiable]
fn repeated(x: f64, y: f64) -> f64 {
    let at = vec![P { x, y }; 3];
    let mut force = vec![P::nowhere(); at.len()];
    for i in 0..at.len() {
        for j in 0..i {
            let d = at[i] - at[j] * (0.5 + j as f64);
            force[i] += d * (1.0 / (1.0 + d.length()));
        }
    }
    assert!(force[0].x == 0.0, "{:?} {}", P::nowhere(), force[0].y);
    force.iter().map(|f| f.dot(f)).sum()
}

#[differentiable]
fn listed(x: f64, y: f64) -> f64 {
    let p = P { x, y };
    let all = vec![p, p + P::nowhere(), p * y, P::nowhere() + p];
    debug_assert_eq!(all.len(), 4);
    let mut sum = P::nowhere();
    for (k, q) in all.iter().enumerate() {
        sum += *q * (k as f64);
    }
    sum.length()
}

#[differentiable]
fn by_functions(x: f64, y: f64) -> f64 {
    let mut all = vec![start(); 2];
    all[1] += P { x, y };
    all.push(far());
    all.push(all[1] + all[2]);
    let mut heights = vec![depth(); 2];
    heights[0] *= x * y;
    let both = [far(), P { x: y, y: x }];
    all[3].dot(&all[1]) * heights[0] + heights[1] * both[1].dot(&both[0])
}

#[differentiable]
fn shadowed(x: f64, y: f64) -> f64 {
    let far = |k: f64| P { x: k * x, y };
    let all = vec![far(2.0); 2];
    all[0].dot(&all[1])
}

#[differentiable]
fn with_closures_in_lists(x: f64, y: f64) -> f64 {
    let lengths = vec![[x, y].iter().map(|p| p * p).sum::<f64>(), P { x, y }.length()];
    lengths[0] * lengths[1]
}

#[test]
fn agree_with_differences() {
    agree!(repeated listed by_functions shadowed with_closures_in_lists);
}
