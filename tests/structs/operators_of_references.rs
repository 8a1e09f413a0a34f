//! Operators that are implemented for values and for references to them.

use crate::check::agree;
use diffi::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V { x: self.x + o.x, y: self.y * o.y }
    }
}
/// The same words.
#[differentiable]
impl<'a> Add<&'a V> for &V {
    type Output = V;
    fn add(self, o: &'a V) -> V {
        V { x: self.x + o.x, y: self.y * o.y }
    }
}
/// By the operator of values.
#[differentiable]
impl Add<&V> for V {
    type Output = V;
    fn add(self, o: &V) -> V {
        self + *o
    }
}
#[differentiable]
impl Sub for V {
    type Output = V;
    fn sub(self, o: V) -> V {
        &self - &o
    }
}
/// What the operator of values goes on to.
#[differentiable]
impl Sub for &V {
    type Output = V;
    fn sub(self, o: &V) -> V {
        V { x: self.x - o.y, y: self.y - o.x }
    }
}
#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V { x: self.x * k, y: self.y * k.sin() }
    }
}
#[differentiable]
impl Mul<f64> for &V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        self.clone().mul(k)
    }
}
#[differentiable]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V { x: -self.y, y: self.x }
    }
}
#[differentiable]
impl Neg for &V {
    type Output = V;
    fn neg(self) -> V {
        -*self
    }
}

#[differentiable]
fn mixed(x: f64, y: f64) -> f64 {
    let (a, b) = (V { x, y }, V { x: y * y, y: x });
    let c = &(&a + &b) - &(a + &b * x);
    let d = -&c + &a;
    (&d * y).x * (d * x).y + (a - b).x
}

#[differentiable]
fn in_lists(x: f64, y: f64) -> f64 {
    let all = vec![V { x, y }, V { x: y, y: x * y }, V { x: 1.0, y: 2.0 * x }];
    let mut sum = V { x: 0.5, y: 1.5 };
    for v in &all {
        sum = &sum + v;
    }
    for w in all.windows(2) {
        sum = sum + &(&w[0] - &w[1]);
    }
    sum.x * sum.y
}

#[test]
fn agree_with_differences() {
    agree!(mixed in_lists);
}
