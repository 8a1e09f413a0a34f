//! Linear least squares: a polynomial with coefficients `x` is to be the sign of `t`, at `n` points from -1 to 1.

use super::Failure;
use crate::clock::Clock;
use diffi::prelude::*;
use serde::Deserialize;

#[differentiable]
fn half_squared_error(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let t = -1.0 + i as f64 * 2.0 / (n as f64 - 1.0);
        let sign = if t == 0.0 { 0.0 } else { t.signum() };
        let mut residual = sign;
        let mut power = 1.0;
        for coefficient in x {
            residual -= coefficient * power;
            power *= t;
        }
        total += residual * residual;
    }
    total / 2.0
}

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
