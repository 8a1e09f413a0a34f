//! Linear least squares.

#[path = "../objectives/llsq.rs"]
mod polynomial;

use super::Failure;
use crate::clock::Clock;
use diffi::prelude::*;
use polynomial::half_squared_error;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Input {
    x: Vec<f64>,
    n: usize,
}

pub fn primal(Input { x, n }: Input, clock: &mut Clock) -> Result<f64, Failure> {
    Ok(clock.run(|| half_squared_error(&x, n)))
}

pub fn gradient(Input { x, n }: Input, clock: &mut Clock) -> Result<Vec<f64>, Failure> {
    let at = (&x, Constant(n));
    let mut prepared = clock.prepare(|| prepare_gradient(half_squared_error::D, AutoReverse::default(), at))?;
    let mut gradient = vec![0.0; x.len()];
    clock.run(|| prepared.gradient_into(&mut gradient, at))?;
    Ok(gradient)
}
