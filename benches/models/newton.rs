//! Newton's method for many equations: a loop that is left when the step is small.

use diffi::prelude::*;

/// The sum of the roots of x³ + p x = q.
#[differentiable]
pub fn newton(p: &[f64], q: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..p.len() {
        total += root(p[i], q[i]);
    }
    total
}

#[differentiable]
pub fn root(p: f64, q: f64) -> f64 {
    let mut x = 1.0;
    for _ in 0..50 {
        let step = (x * x * x + p * x - q) / (3.0 * x * x + p);
        x -= step;
        if step.abs() < 1e-12 {
            break;
        }
    }
    x
}

/// What one equation's iterations leave: the value, the inverse of the slope and the step.
pub struct Workspace([[f64; 3]; 50]);

impl Workspace {
    pub fn new() -> Workspace {
        Workspace([[0.0; 3]; 50])
    }
}

/// Goes back through the iterations, as the program has them.
pub fn gradient_by_hand(p: &[f64], q: &[f64], work: &mut Workspace, p_bar: &mut [f64], q_bar: &mut [f64]) {
    let bars = p_bar.iter_mut().zip(q_bar);
    for ((p, q), (p_bar, q_bar)) in p.iter().zip(q).zip(bars) {
        (*p_bar, *q_bar) = root_by_hand(*p, *q, work);
    }
}

fn root_by_hand(p: f64, q: f64, Workspace(kept): &mut Workspace) -> (f64, f64) {
    let mut x = 1.0;
    let mut count = 0;
    for record in kept.iter_mut() {
        let inverse = 1.0 / (3.0 * x * x + p);
        let step = (x * x * x + p * x - q) * inverse;
        *record = [x, inverse, step];
        count += 1;
        x -= step;
        if step.abs() < 1e-12 {
            break;
        }
    }
    let (mut x_bar, mut p_bar, mut q_bar) = (1.0, 0.0, 0.0);
    for [x, inverse, step] in kept[..count].iter().rev() {
        let bar = x_bar * inverse;
        p_bar -= bar * (x - step);
        q_bar += bar;
        x_bar = 6.0 * bar * x * step;
    }
    (p_bar, q_bar)
}
