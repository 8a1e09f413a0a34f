//! What callees are lent: constants beside what they overwrite, arrays without derivatives, receivers that may seem to change.

use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Body {
    at: Vec<f64>,
    mass: f64,
}

#[differentiable]
impl Body {
    fn pull(&self, of: f64) -> f64 {
        self.mass * self.at[0] * of
    }
}

#[differentiable]
fn second(from: &[f64], to: &mut [f64]) {
    to[1] = from[1] * from[0];
}

/// The only input of a callee is constant, and what it overwrites has derivatives that end there.
#[differentiable]
fn overwritten_by_constants(x: &[f64]) -> f64 {
    let weights = [0.4, 0.7];
    let mut y = x.to_vec();
    second(&weights, &mut y);
    y[0] * y[0] + y[1] * y[1]
}

#[differentiable]
fn place(from: &Body, to: &mut [f64]) {
    to[0] = from.at[1] * from.mass;
}

#[differentiable]
fn overwritten_by_a_constant_struct(x: &[f64]) -> f64 {
    let body = Body { at: vec![0.3, 0.2], mass: 1.5 };
    let mut y = x.to_vec();
    for k in 0..2 {
        y[1] *= y[k] + 0.5;
        place(&body, &mut y);
    }
    y[0] * x[0] + y[1] * y[1]
}

#[differentiable]
fn pair(x: f64, _n: usize) -> [f64; 2] {
    [0.5, x]
}

#[differentiable]
fn joined(pair: &[f64; 2], x: f64) -> f64 {
    x * x * pair[1] + pair[0]
}

/// An array that a call without derivatives gives in each trip, and another call is lent.
#[differentiable]
fn array_of_constants(x: f64, n: usize) -> f64 {
    let mut all = [0.25 * x; 3];
    let mut k = 0;
    loop {
        k += 1;
        all.iter_mut().for_each(|v| {
            let both = pair(1.375, n);
            *v = joined(&both, *v);
        });
        if k >= n {
            break;
        }
    }
    all.iter().sum::<f64>()
}

/// A method of what lies behind a shared reference, in a list that changes elsewhere.
#[differentiable]
fn method_of_an_element(x: &[f64], k: f64) -> f64 {
    let mut bodies = (0..2).map(|i| Body { at: vec![x[i], k], mass: 0.5 * k }).collect::<Vec<_>>();
    bodies[0].mass -= bodies.iter().map(|body| body.pull(0.75)).sum::<f64>();
    bodies[0].mass * bodies[1].mass
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number overwritten_by_constants(at x: Vec<f64>): [vec![0.3, 0.9]];
        number overwritten_by_a_constant_struct(at x: Vec<f64>): [vec![0.3, 0.9]];
        number array_of_constants(by x: f64, fixed n: usize): [0.7, 1] [0.7, 2];
        number method_of_an_element(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 0.7];
    }
}
