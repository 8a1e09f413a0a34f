//! The growth of thirty rats (Gelfand et al. 1990): a regression for each rat, whose intercepts and slopes have distributions of their own.
//!
//! 65 parameters. The weight at birth is derived from each draw. Means beside those of the BUGS examples, volume 1. The picture is `rats.svg`.

use diffi::prelude::*;
use diffi_adapter::ScalarFunction;
use diffi_nuts::diagnostics::{effective_size, mean_and_deviation, r_hat};
use diffi_nuts::{Density, Draws, Posterior, watched_draws};
use nuts_rs::{CpuLogpFunc, DiagNutsSettings};
use report::{Axis, Plot, Progress};
use std::hint::black_box;
use std::time::Instant;

const RATS: usize = 30;
/// Weights in grams at the ages.
const WEIGHTS: [[f64; 5]; RATS] = [
    [151.0, 199.0, 246.0, 283.0, 320.0],
    [145.0, 199.0, 249.0, 293.0, 354.0],
    [147.0, 214.0, 263.0, 312.0, 328.0],
    [155.0, 200.0, 237.0, 272.0, 297.0],
    [135.0, 188.0, 230.0, 280.0, 323.0],
    [159.0, 210.0, 252.0, 298.0, 331.0],
    [141.0, 189.0, 231.0, 275.0, 305.0],
    [159.0, 201.0, 248.0, 297.0, 338.0],
    [177.0, 236.0, 285.0, 350.0, 376.0],
    [134.0, 182.0, 220.0, 260.0, 296.0],
    [160.0, 208.0, 261.0, 313.0, 352.0],
    [143.0, 188.0, 220.0, 273.0, 314.0],
    [154.0, 200.0, 244.0, 289.0, 325.0],
    [171.0, 221.0, 270.0, 326.0, 358.0],
    [163.0, 216.0, 242.0, 281.0, 312.0],
    [160.0, 207.0, 248.0, 288.0, 324.0],
    [142.0, 187.0, 234.0, 280.0, 316.0],
    [156.0, 203.0, 243.0, 283.0, 317.0],
    [157.0, 212.0, 259.0, 307.0, 336.0],
    [152.0, 203.0, 246.0, 286.0, 321.0],
    [154.0, 205.0, 253.0, 298.0, 334.0],
    [139.0, 190.0, 225.0, 267.0, 302.0],
    [146.0, 191.0, 229.0, 272.0, 302.0],
    [157.0, 211.0, 250.0, 285.0, 323.0],
    [132.0, 185.0, 237.0, 286.0, 331.0],
    [160.0, 207.0, 257.0, 303.0, 345.0],
    [169.0, 216.0, 261.0, 295.0, 333.0],
    [157.0, 205.0, 248.0, 289.0, 316.0],
    [137.0, 180.0, 219.0, 258.0, 291.0],
    [153.0, 200.0, 244.0, 286.0, 324.0],
];
/// Ages in days. They are centred, so that intercept and slope are almost independent.
const AGES: [f64; 5] = [8.0, 15.0, 22.0, 29.0, 36.0];
const CENTRE: f64 = 22.0;

/// What is known.
#[derive(Clone)]
struct Growth {
    ages: Vec<f64>,
    weights: Vec<[f64; 5]>,
}

/// Independent normal numbers about a centre, by the logarithm of their spread.
#[differentiable]
fn normal(numbers: &[f64], centre: f64, log_spread: f64) -> f64 {
    let precision = (-2.0 * log_spread).exp();
    let squares: f64 = numbers.iter().map(|number| (number - centre).powi(2)).sum();
    -0.5 * precision * squares - numbers.len() as f64 * log_spread
}

/// The variance has an inverse gamma distribution of shape and scale 0.001. By the logarithm of its root.
#[differentiable]
fn vague(log_spread: f64) -> f64 {
    -0.001 * (2.0 * log_spread + (-2.0 * log_spread).exp())
}

/// By mean intercept, mean slope, the logarithms of three spreads (error, intercepts, slopes), thirty intercepts, thirty slopes.
#[differentiable(constant(growth))]
fn log_density(x: &[f64], growth: &Growth) -> f64 {
    let (intercepts, slopes) = (&x[5..5 + RATS], &x[5 + RATS..]);
    let priors = vague(x[2]) + vague(x[3]) + vague(x[4]) - 0.5 * (x[0].powi(2) + x[1].powi(2)) * 1e-6;
    let mut sum = priors + normal(intercepts, x[0], x[3]) + normal(slopes, x[1], x[4]);
    for (rat, weights) in growth.weights.iter().enumerate() {
        let mut errors = [0.0; 5];
        for (k, (age, weight)) in growth.ages.iter().zip(weights).enumerate() {
            errors[k] = weight - (intercepts[rat] + slopes[rat] * (age - CENTRE));
        }
        sum += normal(&errors, 0.0, x[2]);
    }
    sum
}

fn growth() -> Growth {
    Growth { ages: AGES.to_vec(), weights: WEIGHTS.to_vec() }
}

/// The BUGS examples start at intercepts of 250 and slopes of 6, too.
fn start() -> Vec<f64> {
    let means = [250.0, 6.0, 1.0, 1.0, 1.0];
    means.into_iter().chain([250.0; RATS]).chain([6.0; RATS]).collect()
}

/// Weight at birth, mean slope, and the spread of the errors.
fn derived(x: &[f64]) -> Vec<f64> {
    vec![x[0] - CENTRE * x[1], x[1], x[2].exp()]
}

/// Samples with a backend.
macro_rules! sampled {
    ($name:literal, $backend:expr) => {{
        let posterior = Posterior::new(|| {
            let function = ScalarFunction::with_data(log_density::D, $backend, &[0.0; 65], growth())?;
            Ok(Density::new(function).deriving([("birth", 1), ("slope", 1), ("error", 1)], derived))
        });
        let posterior = posterior.around(&start());
        let settings =
            DiagNutsSettings { num_tune: 1000, num_draws: 1000, num_chains: 4, seed: 1, ..Default::default() };
        let begin = Instant::now();
        let bar = Progress::new($name);
        let chains = watched_draws(posterior, settings, move |done| bar.show(done))?;
        println!("{}: 4 chains of 2000 draws in {} ms", $name, begin.elapsed().as_millis());
        chains
    }};
}

fn main() -> anyhow::Result<()> {
    let chains = sampled!("by diffi", AutoReverse);
    sampled!("by differences", AutoFiniteDiff);
    println!("{:8}{:>8}{:>8}{:>8}{:>8}{:>8}", "", "mean", "sd", "R-hat", "draws", "BUGS");
    for (name, published) in [("birth", 106.6), ("slope", 6.186), ("error", 6.09)] {
        let ((mean, deviation), size) = (mean_and_deviation(&chains[name]), effective_size(&chains[name]));
        let r_hat = r_hat(&chains[name]);
        println!("{name:8}{mean:8.3}{deviation:8.3}{r_hat:8.4}{size:8.0}{published:8.3}");
        assert!(r_hat < 1.01 && (mean - published).abs() < 0.1 * deviation, "{name}");
    }
    overhead()?;
    picture(&chains)?;
    Ok(())
}

/// What the adapter adds to a call of the prepared object.
fn overhead() -> anyhow::Result<()> {
    let (x, growth) = ([0.3; 65], growth());
    let mut prepared = prepare_gradient(log_density::D, AutoReverse, (&x, Constant(&growth)))?;
    let mut density = Density::new(ScalarFunction::with_data(log_density::D, AutoReverse, &x, growth.clone())?);
    report::overhead(
        "nuts-rs",
        |k| {
            let (x, mut gradient) = ([0.3 + k; 65], [0.0; 65]);
            let value = prepared.value_and_gradient_into(&mut gradient, (black_box(&x), Constant(black_box(&growth))));
            value.map_or(f64::NAN, |value| value + gradient[9])
        },
        |k| {
            let (x, mut gradient) = ([0.3 + k; 65], [0.0; 65]);
            density.logp(black_box(&x), &mut gradient).map_or(f64::NAN, |value| value + gradient[9])
        },
    );
    Ok(())
}

/// Every fourth draw of each chain.
fn picture(chains: &Draws) -> std::io::Result<()> {
    let axis = Axis::linear("weight at birth in g", 90.0, 125.0);
    let mut plot = Plot::new("Rats: the weight at birth, by regression", Axis::linear("draw", 0.0, 1000.0), axis);
    for (k, chain) in chains["birth"].iter().enumerate() {
        let points = chain.iter().enumerate().step_by(4).map(|(draw, birth)| (draw as f64, *birth));
        plot.curve(&format!("chain {}", k + 1), points);
    }
    plot.save("rats")
}
