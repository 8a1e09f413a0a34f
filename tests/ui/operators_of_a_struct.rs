use diffi::prelude::*;

use std::ops::Add;

#[derive(Clone, Copy)]
struct Greatest(f64);

impl Add for Greatest {
    type Output = Greatest;

    fn add(self, other: Greatest) -> Greatest {
        Greatest(self.0.max(other.0))
    }
}

#[differentiable]
fn f(a: f64, b: f64) -> f64 {
    let sum = Greatest(a) + Greatest(b);
    sum.0
}

fn main() {}
