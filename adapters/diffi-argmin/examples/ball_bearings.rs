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
use diffi_adapter::{Objective, with_data};
use diffi_argmin::Problem;
use std::fmt::Write as _;
use std::time::Instant;

const LIVES: [f64; 23] = [
    17.88, 28.92, 33.0, 41.52, 42.12, 45.6, 48.4, 51.84, 51.96, 54.12, 55.56, 67.8, 68.64, 68.64, 68.88, 84.12, 93.12,
    98.64, 105.12, 105.84, 127.92, 128.04, 173.4,
];
const START: [f64; 2] = [0.0, 3.0];

/// The negative log likelihood, by the logarithms of shape and scale.
#[differentiable(constant(lives))]
fn misfit(x: &[f64], lives: &Vec<f64>) -> f64 {
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
        Ok(misfit(x, &LIVES.to_vec()))
    }
}

impl Gradient for ByHand {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;
    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(gradient(misfit::D, AutoFiniteDiff, (x, Constant(&LIVES.to_vec())))?)
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
    let objective = || with_data::Minimised::new(misfit::D, AutoReverse, &START, LIVES.to_vec());
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
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/ball_bearings.svg"), picture(x[0].exp(), x[1].exp()))?;
    Ok(())
}

/// What the adapter adds to a call of the prepared object.
fn overhead(objective: impl Objective) -> Result<(), Error> {
    let lives = LIVES.to_vec();
    let mut prepared = prepare_gradient(misfit::D, AutoReverse, (&START, Constant(&lives)))?;
    let problem = Problem::new(objective);
    let (mut direct, mut adapted) = (f64::MAX, f64::MAX);
    // short rounds, so that one of them is not disturbed
    let calls = 100;
    let mut sum = 0.0;
    for _ in 0..4000 {
        let begin = Instant::now();
        for k in 0..calls {
            let mut g = vec![0.0; 2];
            let x = vec![1.0 + 1e-6 * f64::from(k), 3.0];
            prepared.value_and_gradient_into(&mut g, (&x, Constant(&lives)))?;
            sum += g[0];
        }
        direct = direct.min(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        for k in 0..calls {
            let x = vec![1.0 + 1e-6 * f64::from(k), 3.0];
            sum -= problem.gradient(&x)?[0];
        }
        adapted = adapted.min(begin.elapsed().as_secs_f64());
    }
    let ns = |seconds: f64| seconds / f64::from(calls) * 1e9;
    println!("a gradient: {:.0} ns prepared, {:.0} ns through argmin's trait ({sum:.0e})", ns(direct), ns(adapted));
    Ok(())
}

/// A histogram, and the density.
fn picture(shape: f64, scale: f64) -> String {
    let (width, height, high) = (480.0, 240.0, 0.0165);
    let at = |t: f64, y: f64| (30.0 + t / 180.0 * (width - 40.0), height - 30.0 - y / high * (height - 50.0));
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='11'>"
    );
    for bin in 0..9 {
        let (low, high) = (20.0 * f64::from(bin), 20.0 * f64::from(bin + 1));
        let count = LIVES.iter().filter(|t| (low..high).contains(*t)).count() as f64;
        let ((x0, y0), (x1, y1)) = (at(low, count / 23.0 / 20.0), at(high, 0.0));
        let _ = write!(
            svg,
            "<rect x='{x0:.1}' y='{y0:.1}' width='{:.1}' height='{:.1}' fill='#ccd' stroke='white'/>",
            x1 - x0,
            y1 - y0
        );
    }
    let points: Vec<String> = (1..180)
        .map(|t| at(f64::from(t), gamma_pdf(shape, f64::from(t) / scale) / scale))
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let _ = write!(svg, "<polyline points='{}' fill='none' stroke='#b33' stroke-width='2'/>", points.join(" "));
    let _ = write!(
        svg,
        "<text x='30' y='{}'>lives of ball bearings, millions of revolutions (0 to 180), and the gamma distribution</text></svg>",
        height - 10.0
    );
    svg
}
