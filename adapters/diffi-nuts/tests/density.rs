//! A normal distribution, whose moments are known; points without density; quantities that do not fit.

use diffi::prelude::*;
use diffi_adapter::ScalarFunction;
use diffi_nuts::diagnostics::{effective_size, mean_and_deviation, r_hat};
use diffi_nuts::{Density, NoDensity, Posterior, draws};
use nuts_rs::{CpuLogpFunc, CpuMath, DiagNutsSettings, HasDims, LogpError, Math};

const CENTRE: [f64; 2] = [3.0, -1.0];

/// Normal: means 3 and -1, variances 4 and 1, correlation 0.6.
#[differentiable]
fn normal(x: &[f64]) -> f64 {
    let (u, v) = ((x[0] - CENTRE[0]) / 2.0, x[1] - CENTRE[1]);
    -(u * u - 1.2 * u * v + v * v) / (2.0 * (1.0 - 0.36))
}

#[differentiable]
fn half_line(x: &[f64]) -> f64 {
    x[0].ln() - x[0]
}

fn density() -> diffi::Result<Density<impl diffi_adapter::Objective>> {
    Ok(Density::new(ScalarFunction::new(normal::D, AutoReverse, &[0.0; 2])?))
}

fn settings(seed: u64) -> DiagNutsSettings {
    DiagNutsSettings { num_tune: 500, num_draws: 4000, num_chains: 3, seed, ..Default::default() }
}

#[test]
fn density_and_gradient_are_those_of_the_function() {
    let (mut density, x, mut gradient) = (density().unwrap(), [0.5, 2.0], [0.0; 2]);
    let value = density.logp(&x, &mut gradient).unwrap();
    assert_eq!(value, normal(&x));
    let differences = diffi::prelude::gradient(normal::D, AutoFiniteDifferences::default(), &x).unwrap();
    for (found, expected) in gradient.iter().zip(differences) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

#[test]
fn moments_are_those_of_the_distribution() {
    let chains =
        draws(Posterior::new(|| Ok(density()?.deriving([("p", 2), ("square", 1)], derived))), settings(7)).unwrap();
    // of the square of a normal number: μ² + σ², and the root of 2σ⁴ + 4μ²σ²
    for (name, mean, deviation) in [("p[0]", 3.0, 2.0), ("p[1]", -1.0, 1.0), ("square", 13.0, 13.266_499_161_421_6)] {
        let (found, spread) = mean_and_deviation(&chains[name]);
        let certain = spread / effective_size(&chains[name]).sqrt();
        assert!((found - mean).abs() < 4.0 * certain, "{name}: {found}");
        assert!((spread - deviation).abs() < 0.06 * deviation, "{name}: {spread}");
        assert!(r_hat(&chains[name]) < 1.01, "{name}");
        assert!(chains[name].len() == 3 && chains[name].iter().all(|chain| chain.len() == 4000));
    }
}

fn derived(x: &[f64]) -> Vec<f64> {
    vec![x[0], x[1], x[0] * x[0]]
}

#[test]
fn chains_repeat_by_their_seed() {
    let run = |seed| draws(Posterior::new(density), settings(seed)).unwrap()["x[1]"].clone();
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_point_without_density_can_be_left() {
    let mut density = Density::new(ScalarFunction::new(half_line::D, AutoReverse, &[1.0]).unwrap());
    let mut gradient = [0.0];
    assert!(density.logp(&[2.0], &mut gradient).is_ok());
    for x in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        let error = density.logp(&[x], &mut gradient).unwrap_err();
        assert!(matches!(error, NoDensity::NotFinite) && error.is_recoverable(), "{x}");
    }
    assert!(!density.logp(&[1.0, 2.0], &mut gradient).unwrap_err().is_recoverable());
}

#[test]
fn quantities_have_as_many_numbers_as_they_say() {
    let density = density().unwrap().deriving([("p", 3), ("q", 1)], <[f64]>::to_vec);
    assert_eq!(density.dim_sizes()["p_dim"], 3);
    let posterior = || Ok(self::density()?.deriving([("p", 3)], <[f64]>::to_vec));
    let error = draws(Posterior::new(posterior), settings(1)).unwrap_err();
    assert!(format!("{error:#}").contains("3 numbers, and 2 were derived"), "{error:#}");
    assert_eq!(CpuMath::new(density).dim(), 2);
}
