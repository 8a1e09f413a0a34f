//! How long ball bearings last: a gamma distribution fitted to the 23 lives of Lieblein & Zelen (1956), in millions of revolutions.
//!
//! Lawless, *Statistical Models and Methods for Lifetime Data*, has shape 4.02 and mean 72.22. By BFGS with exact gradients, with
//! differences, and without gradients. The picture is `ball_bearings.svg`.

use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::neldermead::NelderMead;
use argmin::solver::quasinewton::LBFGS;
use diffi::prelude::*;
use diffi::special::{gamma_pdf, ln_gamma};
use diffi_adapter::{Objective, ScalarFunction};
use diffi_argmin::Problem;
use report::{Axis, Plot};
use std::hint::black_box;
use std::time::Instant;

const LIVES: [f64; 23] = [
    17.88, 28.92, 33.0, 41.52, 42.12, 45.6, 48.4, 51.84, 51.96, 54.12, 55.56, 67.8, 68.64, 68.64, 68.88, 84.12, 93.12,
    98.64, 105.12, 105.84, 127.92, 128.04, 173.4,
];
const START: [f64; 2] = [0.0, 3.0];

/// The negative log likelihood, by the logarithms of shape and scale.
#[differentiable(constant(lives))]
fn misfit(x: &[f64], lives: &[f64]) -> f64 {
    let (shape, scale) = (x[0].exp(), x[1].exp());
    let norm = ln_gamma(shape) + shape * x[1];
    lives.iter().map(|t| norm + t / scale - (shape - 1.0) * t.ln()).sum()
}

/// The same without derivatives, and with differences.
struct ByHand;

impl CostFunction for ByHand {
    type Param = Vec<f64>;
    type Output = f64;
    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        Ok(misfit(x, &LIVES))
    }
}

impl Gradient for ByHand {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;
    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(gradient(misfit::D, AutoFiniteDiff, (x, Constant(&LIVES)))?)
    }
}

/// What a run found: the point, the iterations, the time.
fn shown(name: &str, x: &[f64], cost: f64, iterations: u64, begin: Instant) {
    let (shape, scale) = (x[0].exp(), x[1].exp());
    let time = begin.elapsed().as_micros();
    println!(
        "{name:28} shape {shape:.6}, mean {:.6}, misfit {cost:.9}, {iterations:3} iterations, {time} us",
        shape * scale
    );
}

/// One run of L-BFGS.
macro_rules! lbfgs {
    ($name:literal, $problem:expr) => {{
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5).with_tolerance_grad(1e-7)?;
        let begin = Instant::now();
        let run = Executor::new($problem, solver).configure(|s| s.param(START.to_vec()).max_iters(100)).run()?;
        let state = run.state();
        let x = state.get_best_param().expect("a run has a point").clone();
        shown($name, &x, state.get_best_cost(), state.get_iter(), begin);
        x
    }};
}

fn main() -> Result<(), Error> {
    let objective = || ScalarFunction::with_data(misfit::D, AutoReverse, &START, LIVES.to_vec());
    let x = lbfgs!("L-BFGS by diffi", Problem::new(objective()?));
    lbfgs!("L-BFGS by differences", ByHand);
    let simplex = vec![START.to_vec(), vec![0.5, 3.0], vec![0.0, 3.5]];
    let begin = Instant::now();
    let solver = NelderMead::new(simplex).with_sd_tolerance(1e-10)?;
    let run = Executor::new(ByHand, solver).configure(|s| s.max_iters(500)).run()?;
    let state = run.state();
    shown("Nelder-Mead", state.get_best_param().expect("a point"), state.get_best_cost(), state.get_iter(), begin);
    println!("published                    shape 4.02, mean 72.22");
    assert!((x[0].exp() - 4.02).abs() < 0.01 && ((x[0] + x[1]).exp() - 72.22).abs() < 0.01);
    overhead(objective()?)?;
    picture(x[0].exp(), x[1].exp())?;
    Ok(())
}

/// What the adapter adds to a call of the prepared object.
fn overhead(objective: impl Objective) -> Result<(), Error> {
    let lives = LIVES.to_vec();
    let mut prepared = prepare_gradient(misfit::D, AutoReverse, (&START, Constant(&lives)))?;
    let problem = Problem::new(objective);
    report::overhead(
        "argmin",
        |k| {
            let (x, mut gradient) = (vec![1.0 + k, 3.0], vec![0.0; 2]);
            let value = prepared.value_and_gradient_into(&mut gradient, (black_box(&x), Constant(black_box(&lives))));
            value.map_or(f64::NAN, |value| value + gradient[0])
        },
        |k| problem.gradient(black_box(&vec![1.0 + k, 3.0])).map_or(f64::NAN, |gradient| gradient[0]),
    );
    Ok(())
}

/// A histogram, and the density.
fn picture(shape: f64, scale: f64) -> std::io::Result<()> {
    let (x, y) = (Axis::linear("millions of revolutions", 0.0, 180.0), Axis::linear("density", 0.0, 0.0165));
    let mut plot = Plot::new("Lives of ball bearings, and a gamma distribution", x, y);
    let edges: Vec<f64> = (0..=9).map(|bin| 20.0 * f64::from(bin)).collect();
    let count = |bin: &[f64]| LIVES.iter().filter(|life| (bin[0]..bin[1]).contains(*life)).count() as f64;
    let heights: Vec<f64> = edges.windows(2).map(|bin| count(bin) / 23.0 / 20.0).collect();
    plot.bars(&edges, &heights);
    let density = |life: f64| gamma_pdf(shape, life / scale) / scale;
    plot.curve("", (1..180).map(f64::from).map(|life| (life, density(life))));
    plot.save("ball_bearings")
}
