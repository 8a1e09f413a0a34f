//! A chain of differential equations, and the gradient of its last solution.

#[path = "../objectives/ode.rs"]
mod chain;

use super::{Failure, ensure};
use crate::clock::Clock;
use chain::solve;
use diffi::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Input {
    x: Vec<f64>,
    s: usize,
}

pub fn primal(Input { x, s }: Input, clock: &mut Clock) -> Result<Vec<f64>, Failure> {
    ensure(!x.is_empty(), "`x` is empty")?;
    Ok(clock.run(|| solve(&x, s)))
}

/// The gradient of the last number.
pub fn gradient(Input { x, s }: Input, clock: &mut Clock) -> Result<Vec<f64>, Failure> {
    ensure(!x.is_empty(), "`x` is empty")?;
    let (at, n) = ((&x, Constant(s)), x.len());
    let mut last = vec![0.0; n];
    last[n - 1] = 1.0;
    let mut prepared = clock.prepare(|| prepare_pullback(solve::D, AutoReverse::default(), at, &last))?;
    let mut gradient = vec![0.0; n];
    clock.run(|| prepared.pullback_into(&mut gradient, at, &last))?;
    Ok(gradient)
}
