//! A type and a trait have methods of one name.

use diffi::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct P {
    x: f64,
}

#[differentiable]
impl P {
    fn reach(&self) -> f64 {
        self.x
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
fn reached(x: f64) -> f64 {
    let p = P { x };
    p.reach() * x
}

fn main() {}
