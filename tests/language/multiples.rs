//! Rematerialization of tangents (`rematerialize`): values whose tangents are multiples of each other, in loops, branches and values that change.

use diffi::prelude::*;

/// A gate: an exponential, its inverse, and what comes of both.
#[differentiable]
fn gates(p: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        let z = y[i] * p[i];
        let gate = 1.0 / (1.0 + (-z).exp());
        y[i] = gate * y[i] + (1.0 - gate) * p[i].tanh();
    }
}

/// One after the other: each is the tangent of the first times a factor.
#[differentiable]
fn in_a_row(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for k in 0..x.len() {
        let e = (0.3 * x[k]).exp();
        let inverse = 1.0 / (1.0 + e);
        let last = inverse.exp();
        total += last * e * inverse;
    }
    total
}

/// The value that a tangent is a multiple of changes in a branch.
#[differentiable]
fn changed(x: &[f64], y: &mut [f64]) {
    for k in 0..y.len() {
        let mut z = y[k] * x[k];
        let e = z.exp();
        let inverse = 1.0 / e;
        if x[k] > 0.5 {
            z = z.sin() * inverse;
        }
        y[k] = z.cos() * e + inverse;
    }
}

/// The same in a loop that is left, which keeps its records on the tape.
#[differentiable]
fn until(x: f64, bound: f64) -> f64 {
    let mut y = x;
    let mut e = x;
    while y < bound {
        e = (0.1 * y).exp();
        let inverse = 1.0 / (2.0 + e);
        y = y * e + inverse * inverse.sqrt();
        if inverse < 0.05 {
            break;
        }
    }
    y * e
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        writes gates(at p: Vec<f64>, inout y: Vec<f64>): [vec![0.3, -1.2, 0.8], vec![1.1, 0.4, -0.6]] [vec![], vec![]];
        number in_a_row(at x: Vec<f64>): [vec![0.4, -0.7, 1.3]] [vec![]];
        writes changed(at x: Vec<f64>, inout y: Vec<f64>): [vec![0.7, 0.2, 0.9], vec![0.8, 1.1, -0.4]];
        number until(by x: f64, by bound: f64): [0.7, 3.0] [2.0, 1.0];
    }
}
