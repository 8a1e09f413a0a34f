//! A type and a trait have methods of one name, and rustc looks for the trait's first: written in the trait's block, or its default; a trait of
//! std; in the type's own block.

use diffi::prelude::*;
use std::ops::Mul;

#[derive(Clone, Copy, Differentiable)]
struct P {
    x: f64,
}

#[differentiable]
impl P {
    fn reach(&self) -> f64 {
        self.x
    }

    fn depth(&self) -> f64 {
        self.x
    }

    fn both(self) -> f64 {
        self.depth() * self.x
    }

    fn mul(&self, k: f64) -> f64 {
        self.x * k * k
    }
}

#[differentiable]
trait Reach {
    fn reach(self) -> f64;
}

#[differentiable]
impl Reach for P {
    fn reach(self) -> f64 {
        3.0 * self.x * self.x
    }
}

#[differentiable]
trait Depth: Sized {
    fn base(&self) -> f64;

    fn depth(self) -> f64 {
        3.0 * self.base()
    }
}

#[differentiable]
impl Depth for P {
    fn base(&self) -> f64 {
        self.x * self.x
    }
}

#[differentiable]
fn reached(x: f64) -> f64 {
    let p = P { x };
    p.reach() * x
}

#[differentiable]
fn by_default(x: f64) -> f64 {
    let p = P { x };
    p.depth() * x
}

mod elsewhere {
    use super::P;
    use diffi::prelude::*;

    #[differentiable]
    impl std::ops::Mul<f64> for P {
        type Output = f64;
        fn mul(self, k: f64) -> f64 {
            self.x * k
        }
    }
}

#[differentiable]
fn operator(x: f64) -> f64 {
    let p = P { x };
    p.mul(x)
}

#[derive(Clone, Copy, Differentiable)]
struct Halves {
    x: f64,
    n: usize,
}

#[differentiable]
impl Halves {
    fn sum(&self) -> f64 {
        7.0 * self.x
    }
}

impl Iterator for Halves {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.n = self.n.checked_sub(1)?;
        self.x *= 0.5;
        Some(self.x)
    }
}

#[differentiable]
fn iterator(x: f64) -> f64 {
    let halves = Halves { x, n: 3 };
    let sum: f64 = halves.sum();
    sum * x
}

fn main() {}
