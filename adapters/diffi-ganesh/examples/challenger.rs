//! O-rings of the space shuttle: a logistic regression of damage by temperature in 23 flights before Challenger's last one.
//!
//! Dalal, Fowlkes & Hoadley, *Risk analysis of the space shuttle*, JASA 84 (1989), have 15.043 - 0.2322 t; standard errors are 7.379 and
//! 0.1082. ganesh finds them from the Hessian at the end. The picture is `challenger.svg`.

use diffi::prelude::*;
use diffi_adapter::{SecondOrderFunction, SecondOrderObjective};
use diffi_ganesh::Problem;
use ganesh::algorithms::gradient::{TrustRegion, TrustRegionConfig};
use ganesh::algorithms::gradient_free::NelderMead;
use ganesh::core::MinimizationSummary;
use ganesh::traits::{Algorithm, CostFunction, Gradient};
use ganesh::{NalgebraProvider, Vector};
use report::{Axis, Plot};
use std::convert::Infallible;
use std::hint::black_box;

/// Degrees Fahrenheit at launch, and whether an O-ring was damaged.
const FLIGHTS: [(f64, f64); 23] = [
    (66.0, 0.0),
    (70.0, 1.0),
    (69.0, 0.0),
    (68.0, 0.0),
    (67.0, 0.0),
    (72.0, 0.0),
    (73.0, 0.0),
    (70.0, 0.0),
    (57.0, 1.0),
    (63.0, 1.0),
    (70.0, 1.0),
    (78.0, 0.0),
    (67.0, 0.0),
    (53.0, 1.0),
    (67.0, 0.0),
    (75.0, 0.0),
    (70.0, 0.0),
    (81.0, 0.0),
    (76.0, 0.0),
    (79.0, 0.0),
    (75.0, 1.0),
    (76.0, 0.0),
    (58.0, 1.0),
];
const START: [f64; 2] = [0.0, 0.0];
const PUBLISHED: [f64; 4] = [15.043, -0.2322, 7.379, 0.1082];

/// The negative log likelihood, by the intercept and the slope.
#[differentiable(constant(flights))]
fn misfit(b: &[f64], flights: &[(f64, f64)]) -> f64 {
    let mut sum = 0.0;
    for (temperature, damage) in flights {
        let logit = b[0] + b[1] * temperature;
        sum += diffi::special::ln_1p_exp(logit) - damage * logit;
    }
    sum
}

/// The same, whose derivatives are ganesh's own differences.
struct ByDifferences;

impl CostFunction for ByDifferences {
    fn evaluate(&self, x: &Vector, _: &()) -> Result<f64, Infallible> {
        Ok(misfit(&x.to_vec(), &FLIGHTS))
    }
}

impl Gradient for ByDifferences {}

fn objective() -> diffi::Result<impl SecondOrderObjective> {
    SecondOrderFunction::with_data(misfit::D, AutoReverse, &START, FLIGHTS.to_vec())
}

fn found(summary: &MinimizationSummary) -> [f64; 4] {
    [summary.x.get(0), summary.x.get(1), summary.std.get(0), summary.std.get(1)]
}

fn shown(name: &str, (summary, time): (MinimizationSummary, u128)) -> [f64; 4] {
    let (found, evals) = (found(&summary), summary.evals);
    let [intercept, slope, by_intercept, by_slope] = found;
    print!("{name:22} {intercept:.6} ± {by_intercept:.5}, {slope:.8} ± {by_slope:.6}; ");
    println!("{} values, {} gradients, {} Hessians, {time} us", evals.f(), evals.g(), evals.h());
    found
}

/// By a trust region, which asks for Hessians.
fn trust_region<E: std::fmt::Debug>(
    problem: &impl Gradient<f64, NalgebraProvider, (), E>,
) -> (MinimizationSummary, u128) {
    report::fastest(|| {
        let mut solver: TrustRegion = TrustRegion::default();
        solver.process_with_default_callbacks(problem, &(), START, TrustRegionConfig::new()).expect("a run ends")
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let by_diffi = shown("by diffi", trust_region(&Problem::new(objective()?)));
    shown("by ganesh's differences", trust_region(&ByDifferences));
    let simplex = report::fastest(|| {
        let mut solver: NelderMead = NelderMead::default();
        solver.process_default(&ByDifferences, &(), [1.0, -0.1]).expect("a run ends")
    });
    shown("Nelder-Mead", simplex);
    println!("published              15.043 ± 7.379, -0.2322 ± 0.1082");
    assert!(by_diffi.iter().zip(PUBLISHED).all(|(found, published)| (found / published - 1.0).abs() < 5e-4));
    overhead()?;
    Ok(picture(by_diffi[0], by_diffi[1])?)
}

/// What the adapter adds to a call of the prepared object, whose point and gradient are vectors of ganesh's.
fn overhead() -> diffi::Result<()> {
    let flights = FLIGHTS.to_vec();
    let mut prepared = prepare_gradient(misfit::D, AutoReverse, (&START, Constant(&flights)))?;
    let problem = Problem::new(objective()?);
    report::overhead(
        "ganesh",
        |k| {
            let (x, mut gradient): (Vector, _) = (vec![1.0 + k, -0.1].into(), vec![0.0; 2]);
            let args = (black_box(&x).as_slice().expect("nalgebra lends"), Constant(black_box(&flights)));
            let value = prepared.value_and_gradient_into(&mut gradient, args);
            let gradient: Vector = gradient.into();
            value.map_or(f64::NAN, |value| value + black_box(gradient).get(0))
        },
        |k| {
            let x: Vector = vec![1.0 + k, -0.1].into();
            let found = problem.evaluate_with_gradient(black_box(&x), &());
            found.map_or(f64::NAN, |(value, gradient)| value + black_box(gradient).get(0))
        },
    );
    Ok(())
}

/// The flights, and the probability of damage.
fn picture(intercept: f64, slope: f64) -> std::io::Result<()> {
    let (x, y) = (Axis::linear("degrees Fahrenheit", 30.0, 85.0), Axis::linear("probability of damage", 0.0, 1.05));
    let mut plot = Plot::new("Damage of O-rings; the last flight was at 31 degrees", x, y);
    plot.points("flights", FLIGHTS);
    let probability = |t: f64| diffi::special::expit(intercept + slope * t);
    plot.curve("logistic regression", (31..=85).map(f64::from).map(|t| (t, probability(t))));
    plot.save("challenger")
}
