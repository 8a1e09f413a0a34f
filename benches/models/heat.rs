//! The heat equation, explicit and in place: linear, so that the way back needs nothing of the way there.

use diffi::prelude::*;

/// The energy after some steps. `diffusion` is κ Δt / Δx².
#[differentiable(constant(diffusion, steps))]
pub fn heat(start: &[f64], diffusion: f64, steps: usize) -> f64 {
    let n = start.len();
    let mut u = start.to_vec();
    for _ in 0..steps {
        let mut left = u[0];
        for i in 1..n - 1 {
            let old = u[i];
            u[i] = old + diffusion * (u[i + 1] - 2.0 * old + left);
            left = old;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// The state, which is its own cotangent on the way back, and the one before.
pub struct Workspace(Vec<f64>);

impl Workspace {
    pub fn new(n: usize) -> Workspace {
        Workspace(vec![0.0; n])
    }
}

pub fn gradient_by_hand(
    start: &[f64],
    diffusion: f64,
    steps: usize,
    Workspace(other): &mut Workspace,
    bar: &mut [f64],
) {
    bar.copy_from_slice(start);
    for t in 0..steps {
        if t % 2 == 0 { advance(bar, diffusion, other) } else { advance(other, diffusion, bar) }
    }
    if steps % 2 == 1 {
        bar.copy_from_slice(other);
    }
    bar.iter_mut().for_each(|u| *u *= 2.0);
    for t in 0..steps {
        if t % 2 == 0 { retreat(bar, diffusion, other) } else { retreat(other, diffusion, bar) }
    }
    if steps % 2 == 1 {
        bar.copy_from_slice(other);
    }
}

#[inline(never)]
fn advance(u: &[f64], diffusion: f64, new: &mut [f64]) {
    let n = u.len();
    let new = &mut new[..n];
    (new[0], new[n - 1]) = (u[0], u[n - 1]);
    for i in 1..n - 1 {
        new[i] = u[i] + diffusion * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
    }
}

#[inline(never)]
fn retreat(new_bar: &[f64], diffusion: f64, bar: &mut [f64]) {
    let n = new_bar.len();
    let bar = &mut bar[..n];
    let inner = 1.0 - 2.0 * diffusion;
    bar[0] = new_bar[0] + diffusion * new_bar[1];
    bar[n - 1] = new_bar[n - 1] + diffusion * new_bar[n - 2];
    if n == 3 {
        bar[1] = inner * new_bar[1];
        return;
    }
    bar[1] = inner * new_bar[1] + diffusion * new_bar[2];
    bar[n - 2] = inner * new_bar[n - 2] + diffusion * new_bar[n - 3];
    for i in 2..n - 2 {
        bar[i] = inner * new_bar[i] + diffusion * (new_bar[i - 1] + new_bar[i + 1]);
    }
}
