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

/// Goes back through the iterations, with what a mathematician knows of them: the derivative of the numerator is the denominator,
/// so that the next `x_bar` is what the denominator's slope leaves of it, and all else cancels (which diffi finds too). It also
/// multiplies the numerator by an inverse instead of dividing: the step, and where the loop ends, may differ from the program's in
/// the last bit. That is not there for a compiler to do, which leaves the value as the program has it.
pub fn gradient_by_hand(p: &[f64], q: &[f64], work: &mut Workspace, p_bar: &mut [f64], q_bar: &mut [f64]) {
    each_root(p, q, p_bar, q_bar, |p, q| root_by_hand(p, q, work));
}

/// The adjoint of the program's own lines, tuned: the value is the program's, all cotangents of an iteration are multiples of one, and the
/// denominator is used again where it is found among the slopes.
pub fn gradient_line_by_line(p: &[f64], q: &[f64], work: &mut Workspace, p_bar: &mut [f64], q_bar: &mut [f64]) {
    each_root(p, q, p_bar, q_bar, |p, q| root_line_by_line(p, q, work));
}

#[inline(always)]
fn each_root(p: &[f64], q: &[f64], p_bar: &mut [f64], q_bar: &mut [f64], mut root: impl FnMut(f64, f64) -> (f64, f64)) {
    let bars = p_bar.iter_mut().zip(q_bar);
    for ((p, q), (p_bar, q_bar)) in p.iter().zip(q).zip(bars) {
        (*p_bar, *q_bar) = root(*p, *q);
    }
}

fn root_line_by_line(p: f64, q: f64, Workspace(kept): &mut Workspace) -> (f64, f64) {
    let mut x = 1.0;
    let mut count = 0;
    for record in kept.iter_mut() {
        let step = (x * x * x + p * x - q) / (3.0 * x * x + p);
        [record[0], record[1]] = [x, step];
        count += 1;
        x -= step;
        if step.abs() < 1e-12 {
            break;
        }
    }
    let (mut x_bar, mut p_bar, mut q_bar) = (1.0, 0.0, 0.0);
    for [x, step, _] in kept[..count].iter().rev() {
        let denominator = 3.0 * x * x + p;
        let bar = x_bar / denominator;
        p_bar -= bar * (x - step);
        q_bar += bar;
        x_bar += bar * (6.0 * x * step - denominator);
    }
    (p_bar, q_bar)
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
