use diffi::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

mod laws {
    use super::{differentiable, square};

    pub const TABLE: [fn(f64) -> f64; 2] = [square, f64::cos];

    #[differentiable]
    pub fn raised(k: f64) -> impl Fn(f64) -> f64 {
        move |x| k * x
    }
}
use laws::TABLE;

fn choose(k: usize) -> fn(f64) -> f64 {
    TABLE[k]
}

fn scaled(k: f64) -> impl Fn(f64) -> f64 {
    move |x| k * x
}

struct Solver {
    g: fn(f64) -> f64,
}

#[differentiable(constant(solver))]
fn out_of_a_struct(solver: &Solver, x: f64) -> f64 {
    (solver.g)(x)
}

#[differentiable]
fn out_of_a_constant(x: f64) -> f64 {
    TABLE[1](x)
}

#[differentiable]
fn out_of_a_function(x: f64) -> f64 {
    choose(1)(x)
}

#[differentiable]
fn closure_of_a_function(x: f64) -> f64 {
    let g = scaled(x);
    g(x)
}

#[differentiable]
fn closure_of_another_module(x: f64) -> f64 {
    laws::raised(x)(x)
}

#[differentiable]
fn assigned_to(x: f64) -> f64 {
    let mut g: fn(f64) -> f64 = square;
    if x > 1.0 {
        g = f64::sin;
    }
    g(x)
}

fn main() {}
