//! ADBench's recurrent network.

#[path = "../objectives/lstm.rs"]
mod network;

use super::{Failure, ensure};
use crate::clock::Clock;
use diffi::prelude::*;
use network::loss;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Input {
    main_params: Vec<Vec<f64>>,
    extra_params: Vec<Vec<f64>>,
    state: Vec<Vec<f64>>,
    sequence: Vec<Vec<f64>>,
}

struct Network {
    width: usize,
    main: Vec<f64>,
    extra: Vec<f64>,
    state: Vec<f64>,
    sequence: Vec<f64>,
}

impl Network {
    fn of(input: Input) -> Result<Network, Failure> {
        let Input { main_params, extra_params, state, sequence } = input;
        let width = sequence.first().map_or(0, Vec::len);
        let rows = |rows: &[Vec<f64>], length: usize| rows.iter().all(|row| row.len() == length);
        let sizes = rows(&main_params, 4 * width) && [&extra_params, &state, &sequence].iter().all(|m| rows(m, width));
        let counts = main_params.len() % 2 == 0 && extra_params.len() == 3 && state.len() == main_params.len();
        ensure(width > 0 && sizes && counts, "parameters, state and sequence have sizes that do not fit")?;
        let [main, extra, state, sequence] = [main_params, extra_params, state, sequence].map(|m| m.concat());
        Ok(Network { width, main, extra, state, sequence })
    }
}

pub fn objective(input: Input, clock: &mut Clock) -> Result<f64, Failure> {
    let Network { width, main, extra, state, sequence } = Network::of(input)?;
    Ok(clock.run(|| loss(&main, &extra, &state, &sequence, width)))
}

/// The gradient with respect to main, then extra parameters.
pub fn jacobian(input: Input, clock: &mut Clock) -> Result<Vec<f64>, Failure> {
    let Network { width, main, extra, state, sequence } = Network::of(input)?;
    let at = (&main, &extra, Constant(&state), Constant(&sequence), Constant(width));
    let mut prepared = clock.prepare(|| prepare_gradient(loss::D, AutoReverse::default(), at))?;
    let mut gradient = (main.clone(), extra.clone());
    clock.run(|| prepared.gradient_into(&mut gradient, at))?;
    Ok([gradient.0, gradient.1].concat())
}
