//! The effects of coaching in eight schools (Rubin 1981), by NUTS: means beside those of posteriordb's reference draws.
//!
//! The picture of the chains is `eight_schools.svg`.

use diffi::prelude::*;
use diffi_adapter::ScalarFunction;
use diffi_nuts::diagnostics::{effective_size, mean_and_deviation, r_hat};
use diffi_nuts::{Density, Draws, Posterior, watched_draws};
use nuts_rs::{CpuLogpFunc, DiagNutsSettings};
use report::{Axis, Plot, Progress};
use std::hint::black_box;
use std::time::Instant;

/// Effects, and their standard errors.
const SCHOOLS: [[f64; 2]; 8] =
    [[28.0, 15.0], [8.0, 10.0], [-3.0, 16.0], [7.0, 11.0], [-1.0, 9.0], [1.0, 11.0], [18.0, 10.0], [12.0, 18.0]];
/// Means of posteriordb's `eight_schools_noncentered`, and their Monte Carlo errors.
const PUBLISHED: [(&str, f64, f64); 10] = [
    ("mu", 4.4105, 0.033),
    ("tau", 3.6021, 0.032),
    ("theta[0]", 6.1505, 0.056),
    ("theta[1]", 4.9396, 0.046),
    ("theta[2]", 3.9059, 0.054),
    ("theta[3]", 4.7960, 0.047),
    ("theta[4]", 3.6144, 0.046),
    ("theta[5]", 4.0511, 0.049),
    ("theta[6]", 6.3172, 0.050),
    ("theta[7]", 4.8840, 0.054),
];

/// By the mean `mu`, the logarithm of the spread `tau`, and the standardised effects of the schools.
#[differentiable(constant(schools))]
fn log_density(x: &[f64], schools: &[[f64; 2]]) -> f64 {
    let (mu, tau) = (x[0], x[1].exp());
    // mu ~ normal(0, 5), tau ~ half Cauchy(0, 5), and the logarithm of d tau / d x[1]
    let mut sum = -0.5 * (mu / 5.0).powi(2) - (tau / 5.0).powi(2).ln_1p() + x[1];
    for (z, [effect, error]) in x[2..].iter().zip(schools) {
        let theta = mu + tau * z;
        sum -= 0.5 * (z * z + ((effect - theta) / error).powi(2));
    }
    sum
}

/// `mu`, `tau`, and the effects of the schools.
fn effects(x: &[f64]) -> Vec<f64> {
    let (mu, tau) = (x[0], x[1].exp());
    [mu, tau].into_iter().chain(x[2..].iter().map(|z| mu + tau * z)).collect()
}

/// Samples with a backend.
macro_rules! sampled {
    ($name:literal, $backend:expr) => {{
        let posterior = Posterior::new(|| {
            let function = ScalarFunction::with_data(log_density::D, $backend, &[0.0; 10], SCHOOLS.to_vec())?;
            Ok(Density::new(function).deriving([("mu", 1), ("tau", 1), ("theta", 8)], effects))
        });
        let settings =
            DiagNutsSettings { num_tune: 1000, num_draws: 10_000, num_chains: 4, seed: 1, ..Default::default() };
        let begin = Instant::now();
        let bar = Progress::new($name);
        let chains = watched_draws(posterior, settings, move |done| bar.show(done))?;
        println!("{}: 4 chains of 11,000 draws in {} ms", $name, begin.elapsed().as_millis());
        chains
    }};
}

fn main() -> anyhow::Result<()> {
    let chains = sampled!("by diffi", AutoReverse);
    sampled!("by differences", AutoFiniteDiff);
    println!("{:10}{:>8}{:>8}{:>8}{:>9}{:>12}", "", "mean", "sd", "R-hat", "draws", "posteriordb");
    for (name, published, error) in PUBLISHED {
        let ((mean, deviation), size) = (mean_and_deviation(&chains[name]), effective_size(&chains[name]));
        let r_hat = r_hat(&chains[name]);
        println!("{name:10}{mean:8.3}{deviation:8.3}{r_hat:8.4}{size:9.0}{published:12.3}");
        let certain = (deviation / size.sqrt()).hypot(error);
        assert!(r_hat < 1.01 && (mean - published).abs() < 4.0 * certain, "{name}");
    }
    overhead()?;
    picture(&chains)?;
    Ok(())
}

/// What the adapter adds to a call of the prepared object.
fn overhead() -> anyhow::Result<()> {
    let (x, schools) = ([0.3; 10], SCHOOLS.to_vec());
    let mut prepared = prepare_gradient(log_density::D, AutoReverse, (&x, Constant(&schools)))?;
    let mut density = Density::new(ScalarFunction::with_data(log_density::D, AutoReverse, &x, schools.clone())?);
    report::overhead(
        "nuts-rs",
        |k| {
            let (x, mut gradient) = ([0.3 + k; 10], [0.0; 10]);
            let value = prepared.value_and_gradient_into(&mut gradient, (black_box(&x), Constant(black_box(&schools))));
            value.map_or(f64::NAN, |value| value + gradient[9])
        },
        |k| {
            let (x, mut gradient) = ([0.3 + k; 10], [0.0; 10]);
            density.logp(black_box(&x), &mut gradient).map_or(f64::NAN, |value| value + gradient[9])
        },
    );
    Ok(())
}

/// Every fortieth draw of each chain.
fn picture(chains: &Draws) -> std::io::Result<()> {
    let mut plot =
        Plot::new("Eight schools: the spread tau", Axis::linear("draw", 0.0, 10_000.0), Axis::linear("tau", 0.0, 20.0));
    for (k, chain) in chains["tau"].iter().enumerate() {
        let points = chain.iter().enumerate().step_by(40).map(|(draw, tau)| (draw as f64, *tau));
        plot.curve(&format!("chain {}", k + 1), points);
    }
    plot.save("eight_schools")
}
