//! Functions and methods that change the value behind a reference.

use diffi::prelude::*;

#[differentiable]
pub fn step(s: &mut f64, u: f64) -> f64 {
    *s = *s * u + 1.0;
    *s * *s
}
#[differentiable]
pub fn grow(s: &mut f64) -> f64 {
    *s *= *s;
    *s
}
#[derive(Clone, Debug, Differentiable)]
pub struct State {
    pub a: f64,
    pub b: f64,
}
#[differentiable]
impl State {
    pub fn tick(&mut self, u: f64) -> f64 {
        self.a = self.a * u + self.b;
        self.b *= u;
        self.a
    }
    pub fn energy(&self) -> f64 {
        self.a * self.a + self.b
    }
}
