//! A trait without the attribute, of parameters that are generic, `impl`, or behind `dyn`.

use diffi::prelude::*;

trait Model {
    fn energy(&self, x: f64) -> f64;
}

#[differentiable(constant(m))]
fn generic<M: Model>(m: &M, x: f64) -> f64 {
    m.energy(x)
}

#[differentiable(constant(m))]
fn by_clause<M>(m: &M, x: f64) -> f64
where
    M: Model,
{
    2.0 * m.energy(x)
}

#[differentiable(constant(m))]
fn any(m: &impl Model, x: f64) -> f64 {
    m.energy(x) * x
}

#[differentiable(constant(m))]
fn object(m: &dyn Model, x: f64) -> f64 {
    m.energy(x)
}

#[differentiable(constant(m))]
fn boxed(m: &Box<dyn Model>, x: f64) -> f64 {
    m.energy(x)
}

fn main() {}
