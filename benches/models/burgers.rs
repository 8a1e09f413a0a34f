//! Burgers' equation, explicit and in place: every step overwrites the whole state, and the way back needs the old one.

use diffi::prelude::*;

/// The energy after some steps. `convection` is Δt / Δx, `diffusion` is ν Δt / Δx².
#[differentiable(constant(convection, diffusion, steps))]
pub fn burgers(start: &[f64], convection: f64, diffusion: f64, steps: usize) -> f64 {
    let n = start.len();
    let mut u = start.to_vec();
    for _ in 0..steps {
        let mut left = u[0];
        for i in 1..n - 1 {
            let old = u[i];
            u[i] = old - convection * old * (old - left) + diffusion * (u[i + 1] - 2.0 * old + left);
            left = old;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// The same, of which the reverse sweep keeps one state in 32.
#[differentiable(constant(convection, diffusion, steps))]
pub fn burgers_again(start: &[f64], convection: f64, diffusion: f64, steps: usize) -> f64 {
    let n = start.len();
    let mut u = start.to_vec();
    #[checkpoint(every = 32)]
    for _ in 0..steps {
        let mut left = u[0];
        for i in 1..n - 1 {
            let old = u[i];
            u[i] = old - convection * old * (old - left) + diffusion * (u[i + 1] - 2.0 * old + left);
            left = old;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Every state, and a second cotangent.
pub struct Workspace {
    states: Vec<f64>,
    other: Vec<f64>,
}

impl Workspace {
    pub fn new(n: usize, steps: usize) -> Workspace {
        Workspace { states: vec![0.0; n * (steps + 1)], other: vec![0.0; n] }
    }
}

pub fn gradient_by_hand(
    start: &[f64],
    convection: f64,
    diffusion: f64,
    steps: usize,
    Workspace { states, other }: &mut Workspace,
    bar: &mut [f64],
) {
    let n = start.len();
    states[..n].copy_from_slice(start);
    for t in 0..steps {
        let (before, after) = states[t * n..(t + 2) * n].split_at_mut(n);
        advance(before, convection, diffusion, after);
    }
    for (bar, u) in bar.iter_mut().zip(&states[steps * n..]) {
        *bar = 2.0 * u;
    }
    for t in (0..steps).rev() {
        let u = &states[t * n..(t + 1) * n];
        match (steps - t) % 2 {
            1 => retreat(u, convection, diffusion, bar, other),
            _ => retreat(u, convection, diffusion, other, bar),
        }
    }
    if steps % 2 == 1 {
        bar.copy_from_slice(other);
    }
}

#[inline(never)]
fn advance(u: &[f64], convection: f64, diffusion: f64, new: &mut [f64]) {
    let n = u.len();
    let (new, u) = (&mut new[..n], &u[..n]);
    (new[0], new[n - 1]) = (u[0], u[n - 1]);
    for i in 1..n - 1 {
        new[i] = u[i] - convection * u[i] * (u[i] - u[i - 1]) + diffusion * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
    }
}

/// `bar` is that of the state `u`, once `new_bar`, that of the next one, is where it comes from.
#[inline(never)]
fn retreat(u: &[f64], convection: f64, diffusion: f64, new_bar: &[f64], bar: &mut [f64]) {
    let n = u.len();
    let (new_bar, bar) = (&new_bar[..n], &mut bar[..n]);
    let inner = |i: usize| 1.0 - convection * (2.0 * u[i] - u[i - 1]) - 2.0 * diffusion;
    let from_right = |i: usize| (convection * u[i] + diffusion) * new_bar[i];
    bar[0] = new_bar[0] + from_right(1);
    bar[1] = inner(1) * new_bar[1] + if n > 3 { from_right(2) } else { 0.0 };
    for i in 2..n - 2 {
        bar[i] = inner(i) * new_bar[i] + from_right(i + 1) + diffusion * new_bar[i - 1];
    }
    if n > 3 {
        bar[n - 2] = inner(n - 2) * new_bar[n - 2] + diffusion * new_bar[n - 3];
    }
    bar[n - 1] = new_bar[n - 1] + diffusion * new_bar[n - 2];
}
