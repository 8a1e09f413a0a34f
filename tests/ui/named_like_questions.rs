use diffi::prelude::*;

trait Questions {
    fn position(&self) -> f64;
    fn contains(&self, t: f64) -> f64;
}

impl Questions for [f64] {
    fn position(&self) -> f64 {
        self[0] * self[1]
    }
    fn contains(&self, t: f64) -> f64 {
        self[0] * t
    }
}

trait Exponent {
    fn exponent(self) -> f64;
}

impl Exponent for f64 {
    fn exponent(self) -> f64 {
        self * self
    }
}

#[differentiable]
fn of_a_slice(x: &[f64]) -> f64 {
    x.position() * x[0]
}

#[differentiable]
fn of_a_number(x: &[f64]) -> f64 {
    (x[0] * x[1]).exponent() + x[0]
}

#[differentiable]
fn by_the_path(x: &[f64]) -> f64 {
    Questions::position(x) + x[0]
}

fn main() {}
