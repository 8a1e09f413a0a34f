//! Arguments without derivatives whose values come from active data, which the call's result then overwrites: the reverse sweep
//! takes the value of then.

use crate::check::sound;
use diffi::prelude::*;

#[differentiable]
fn scaled(a: f64, k: f64) -> f64 {
    5.0 + a * k + a
}

#[differentiable]
fn counted(a: f64, n: usize) -> f64 {
    5.0 + a * n as f64 + a
}

#[differentiable(constant(weight))]
fn weighted(a: f64, weight: f64) -> f64 {
    2.0 + a * weight
}

fn large(y: &[f64]) -> usize {
    y.iter().filter(|v| **v > 2.0).count()
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
}

#[differentiable]
impl Spring {
    fn energy(&self, a: f64, k: f64) -> f64 {
        3.0 + self.k * a * k
    }
    fn loaded(&mut self, a: f64, n: usize) {
        self.k = 2.0 + a * n as f64 * self.k;
    }
}

#[differentiable]
fn of_a_function(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1] * 0.9];
    y[1] = scaled(y[0].tanh(), y.iter().map(|v| if *v > 1.0 { 1.0 } else { 0.5 }).sum::<f64>());
    y[1] * x[2]
}

#[differentiable]
fn of_a_method(x: &[f64]) -> f64 {
    let spring = Spring { k: x[2] };
    let mut y = vec![x[0], x[1], 0.2 * x[0]];
    y[0] = spring.energy(y[1], y.iter().map(|v| if *v > 1.0 { 1.0 } else { 0.5 }).sum::<f64>());
    y[0] * y[1]
}

#[differentiable]
fn of_a_method_that_changes(x: &[f64]) -> f64 {
    let mut spring = Spring { k: x[2] };
    let mut y = vec![x[0], x[1], 0.2 * x[0]];
    let n: usize = large(&y);
    spring.loaded(y[0], n + 1);
    y[1] = spring.k * 5.0;
    let n: usize = large(&y);
    spring.loaded(y[1], n + 1);
    spring.k * y[1]
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut y = vec![x[0], x[1]];
    for k in 0..3 {
        let other = y[(k + 1) % 2].sin();
        y[k % 2] = 2.0 + scaled(other, y.iter().map(|v| if *v > 2.0 { 1.0 } else { 0.5 }).sum::<f64>());
    }
    y[0] * y[1] * x[2]
}

#[differentiable]
fn an_integer(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1] * 2.0];
    y[1] = counted(y[0].tanh(), y.iter().filter(|v| **v > 2.0).count());
    y[0] = counted(y[1], large(&y));
    y[0] * y[1] + x[2]
}

#[differentiable]
fn a_condition(x: &[f64]) -> f64 {
    let mut y = x[0];
    y = scaled(y * x[1], if y > 2.0 { 1.0 } else { 0.3 }) + counted(x[2], (y > 1.0) as usize);
    y = scaled(scaled(y, if y > 2.0 { 1.0 } else { 0.3 }), (y > 2.0) as u8 as f64);
    y
}

#[differentiable]
fn a_constant_parameter(x: &[f64]) -> f64 {
    let mut y = vec![x[0], x[1], x[2]];
    y[1] = weighted(y[0], y[1].floor() + y[2].ceil());
    y[2] = weighted(y[1] * y[2], y.iter().map(|v| v.round()).sum::<f64>());
    y[1] * y[2]
}

#[differentiable]
fn a_field(x: &[f64]) -> f64 {
    let mut spring = Spring { k: x[0] * 3.0 };
    spring.k = counted(x[1], (spring.k > 2.0) as usize) * scaled(x[2], spring.k.signum() * spring.k.floor());
    spring.k
}

#[differentiable]
fn an_index(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1] * 3.0, 1.0, x[2]];
    let z = [x[0] * x[1], 2.0 * x[2], x[0]];
    y[0] = 5.0 + z[y[1] as usize % 3] * x[1];
    y[(y[0] as usize) % 3] *= x[2];
    y[1] = 2.0 + y[0] * z[(y[1] as usize + y[0] as usize) % 3];
    y[0] * y[1] * y[2] + y[3]
}

sound!(of_a_function of_a_method of_a_method_that_changes in_a_loop an_integer a_condition a_constant_parameter a_field an_index);
