//! A determinant and its gradient.

#[path = "../objectives/det.rs"]
mod expansion;

use super::{Failure, ensure};
use crate::clock::Clock;
use diffi::prelude::*;
use expansion::determinant;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Input {
    #[serde(rename = "A")]
    a: Vec<f64>,
    ell: usize,
}

impl Input {
    fn check(&self) -> Result<(), Failure> {
        ensure(self.ell > 0 && self.a.len() == self.ell * self.ell, "`A` is not a matrix of `ell` rows and columns")
    }
}

pub fn primal(input: Input, clock: &mut Clock) -> Result<f64, Failure> {
    input.check()?;
    Ok(clock.run(|| determinant(&input.a, input.ell)))
}

pub fn gradient(input: Input, clock: &mut Clock) -> Result<Vec<f64>, Failure> {
    input.check()?;
    let at = (&input.a, Constant(input.ell));
    let mut prepared = clock.prepare(|| prepare_gradient(determinant::D, AutoReverse::default(), at))?;
    let mut gradient = vec![0.0; input.a.len()];
    clock.run(|| prepared.gradient_into(&mut gradient, at))?;
    Ok(gradient)
}
