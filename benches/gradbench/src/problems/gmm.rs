//! ADBench's Gaussian mixture model: the log posterior of its parameters.

#[path = "../objectives/gmm.rs"]
mod posterior;

use super::{Failure, ensure};
use crate::clock::Clock;
use diffi::prelude::*;
use posterior::log_posterior;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub struct Input {
    d: usize,
    k: usize,
    gamma: f64,
    m: usize,
    x: Vec<Vec<f64>>,
    alpha: Vec<f64>,
    mu: Vec<Vec<f64>>,
    q: Vec<Vec<f64>>,
    l: Vec<Vec<f64>>,
}

/// The input as the objective takes it: `factors` holds a component's `q`, then its `l`.
struct Mixture {
    d: usize,
    gamma: f64,
    m: usize,
    alphas: Vec<f64>,
    means: Vec<f64>,
    factors: Vec<f64>,
    points: Vec<f64>,
}

impl Mixture {
    fn of(input: Input) -> Result<Mixture, Failure> {
        let Input { d, k, gamma, m, x, alpha, mu, q, l } = input;
        let rows = |rows: &[Vec<f64>], length: usize| rows.iter().all(|row| row.len() == length);
        let counts = [alpha.len(), mu.len(), q.len(), l.len()].iter().all(|n| *n == k);
        ensure(counts && k > 0, "`alpha`, `mu`, `q` and `l` need `k` rows")?;
        let sizes = rows(&x, d) && rows(&mu, d) && rows(&q, d) && rows(&l, d * d.saturating_sub(1) / 2);
        ensure(sizes && d > 0, "rows of `x`, `mu` and `q` need `d` numbers, those of `l` d (d - 1) / 2")?;
        let factors = q.iter().zip(&l).flat_map(|(q, l)| q.iter().chain(l)).copied().collect();
        Ok(Mixture { d, gamma, m, alphas: alpha, means: mu.concat(), factors, points: x.concat() })
    }
}

pub fn objective(input: Input, clock: &mut Clock) -> Result<f64, Failure> {
    let Mixture { d, gamma, m, alphas, means, factors, points } = Mixture::of(input)?;
    Ok(clock.run(|| log_posterior(&alphas, &means, &factors, &points, d, gamma, m)))
}

#[derive(Serialize)]
pub struct Gradient {
    alpha: Vec<f64>,
    mu: Vec<Vec<f64>>,
    q: Vec<Vec<f64>>,
    l: Vec<Vec<f64>>,
}

pub fn jacobian(input: Input, clock: &mut Clock) -> Result<Gradient, Failure> {
    let Mixture { d, gamma, m, alphas, means, factors, points } = Mixture::of(input)?;
    let at = (&alphas, &means, &factors, Constant(&points), Constant(d), Constant(gamma), Constant(m));
    let mut prepared = clock.prepare(|| prepare_gradient(log_posterior::D, AutoReverse::default(), at))?;
    let mut gradient = (alphas.clone(), means.clone(), factors.clone());
    clock.run(|| prepared.gradient_into(&mut gradient, at))?;
    let (alpha, means, factors) = gradient;
    let factors = || factors.chunks(d * (d + 1) / 2);
    Ok(Gradient {
        alpha,
        mu: means.chunks(d).map(<[f64]>::to_vec).collect(),
        q: factors().map(|f| f[..d].to_vec()).collect(),
        l: factors().map(|f| f[d..].to_vec()).collect(),
    })
}
