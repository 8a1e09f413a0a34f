//! The logarithm of a sum of exponentials.

use super::{Failure, ensure};
use crate::clock::Clock;
use diffi::prelude::*;
use serde::Deserialize;

#[cfg_attr(feature = "vector-math", differentiable(vector_math, reassociate))]
#[cfg_attr(not(feature = "vector-math"), differentiable)]
fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
    sum.ln() + largest
}

#[derive(Deserialize)]
pub struct Input {
    x: Vec<f64>,
}

pub fn primal(input: Input, clock: &mut Clock) -> Result<f64, Failure> {
    ensure(!input.x.is_empty(), "`x` is empty")?;
    Ok(clock.run(|| log_sum_exp(&input.x)))
}

pub fn gradient(Input { x }: Input, clock: &mut Clock) -> Result<Vec<f64>, Failure> {
    ensure(!x.is_empty(), "`x` is empty")?;
    let mut prepared = clock.prepare(|| prepare_gradient(log_sum_exp::D, AutoReverse::default(), &x))?;
    let mut gradient = vec![0.0; x.len()];
    clock.run(|| prepared.gradient_into(&mut gradient, &x))?;
    Ok(gradient)
}
