//! The square of a number and its derivative.

use super::Failure;
use crate::clock::Clock;
use diffi::prelude::*;

#[differentiable]
fn squared(x: f64) -> f64 {
    x * x
}

pub fn square(x: f64, clock: &mut Clock) -> Result<f64, Failure> {
    Ok(clock.run(|| squared(x)))
}

pub fn double(x: f64, clock: &mut Clock) -> Result<f64, Failure> {
    let mut prepared = clock.prepare(|| prepare_derivative(squared::D, AutoForward::default(), x))?;
    Ok(clock.run(|| prepared.derivative(x))?)
}
