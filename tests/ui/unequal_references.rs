use diffi::prelude::*;
use std::ops::{Deref, DerefMut};

#[derive(Differentiable, Clone)]
struct Pair {
    front: Vec<f64>,
    back: Vec<f64>,
}

#[differentiable]
impl Deref for Pair {
    type Target = Vec<f64>;
    fn deref(&self) -> &Vec<f64> {
        &self.front
    }
}

#[differentiable]
impl DerefMut for Pair {
    fn deref_mut(&mut self) -> &mut Vec<f64> {
        &mut self.back
    }
}

#[differentiable]
fn f(p: &mut Pair, x: f64) -> f64 {
    p[0] = x * x;
    x
}

fn main() {}
