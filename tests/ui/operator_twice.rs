//! An operator of values and one of references, which may differ.

use diffi::prelude::*;
use std::ops::Add;

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
}

#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V { x: self.x + o.x }
    }
}

#[differentiable]
impl Add for &V {
    type Output = V;
    fn add(self, o: &V) -> V {
        V { x: o.x + 2.0 * self.x }
    }
}

fn main() {}
