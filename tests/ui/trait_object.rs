//! Trait objects: what has no derivative through them.

use diffi::prelude::*;

#[differentiable]
trait Model {
    fn energy(&self, x: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
}

#[differentiable]
impl Model for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.k * x * x
    }
}

#[differentiable]
fn active(m: &dyn Model, x: f64) -> f64 {
    m.energy(x)
}

#[differentiable]
fn active_list(ms: &[Box<dyn Model>], x: f64) -> f64 {
    ms[0].energy(x)
}

#[differentiable]
fn active_fields(k: f64, x: f64) -> f64 {
    let ms: Vec<Box<dyn Model>> = vec![Box::new(Spring { k })];
    ms[0].energy(x)
}

fn main() {}
