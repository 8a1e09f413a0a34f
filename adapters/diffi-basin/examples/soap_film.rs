//! A soap film between two rings of radius 1 at a distance of 1: the surface of revolution of least area, by the radii at 99 points.
//!
//! It is the catenoid `c cosh(x / c)` with `c cosh(1 / 2c) = 1` (Euler 1744). By a trust region with exact products of the Hessian, by
//! L-BFGS with exact gradients and with differences, and without gradients. The picture is `soap_film.svg`.

use basin::{Executor, Gradient, Lbfgs, NelderMead, TrustRegion};
use diffi::prelude::*;
use diffi_adapter::{ScalarFunction, SecondOrderFunction};
use diffi_basin::Problem;
use report::{Axis, Plot};
use std::f64::consts::PI;
use std::hint::black_box;

const POINTS: usize = 99;
const STEP: f64 = 1.0 / (POINTS + 1) as f64;

/// The area of frustums between neighbouring radii, of which the first and the last are 1.
#[differentiable]
fn area(radii: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..=radii.len() {
        let left = if k == 0 { 1.0 } else { radii[k - 1] };
        let right = if k == radii.len() { 1.0 } else { radii[k] };
        sum += PI * (left + right) * (STEP * STEP + (right - left).powi(2)).sqrt();
    }
    sum
}

/// The catenoid's narrowest radius, and its area.
fn catenoid() -> (f64, f64) {
    let c = (0..100).fold(1.0, |c: f64, _| 1.0 / (0.5 / c).cosh());
    (c, PI * c * (1.0 + c * (1.0 / c).sinh()))
}

/// Runs a solver, and shows what it found.
macro_rules! run {
    ($name:literal, $function:expr, $solver:expr) => {{
        let (run, time) = report::fastest(|| {
            let problem = Problem::new($function.expect("the function can be differentiated"));
            Executor::from_start(problem, $solver, vec![1.0; POINTS]).max_iter(20_000).run()
        });
        let run = run?;
        let (iterations, radii) = (run.iter(), run.param().clone());
        let (narrow, area) = (radii[POINTS / 2], run.cost());
        println!("{:28} neck {narrow:.6}, area {area:.6}, {iterations:4} iterations, {time} us", $name);
        radii
    }};
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = [1.0; POINTS];
    let gradient_only = || ScalarFunction::new(area::D, AutoReverse, &start);
    let second_order = || SecondOrderFunction::new(area::D, AutoReverse, &start);
    let differences = || ScalarFunction::new(area::D, AutoFiniteDiff, &start);
    let newton = || TrustRegion::matrix_free().with_absolute_gradient_tolerance(1e-6);
    let lbfgs = || Lbfgs::new().unbounded().with_absolute_gradient_tolerance(1e-5);
    let radii = run!("trust region by diffi", second_order(), newton());
    run!("L-BFGS by diffi", gradient_only(), lbfgs());
    run!("L-BFGS by differences", differences(), lbfgs());
    run!("Nelder-Mead", gradient_only(), NelderMead::new());
    let (c, exact) = catenoid();
    println!("{:28} neck {c:.6}, area {exact:.6}", "the catenoid");
    assert!((radii[POINTS / 2] - c).abs() < 1e-4 && (area(&radii) - exact).abs() < 1e-4);
    overhead()?;
    picture(&radii, c)?;
    Ok(())
}

/// What the adapter adds to a call of the prepared object.
fn overhead() -> Result<()> {
    let mut gradient = vec![0.0; POINTS];
    let mut prepared = prepare_gradient(area::D, AutoReverse, &[1.0; POINTS])?;
    let problem = Problem::new(ScalarFunction::new(area::D, AutoReverse, &[1.0; POINTS])?);
    let mut into = vec![0.0; POINTS];
    report::overhead(
        "basin",
        |k| {
            let x = black_box(vec![0.9 + k; POINTS]);
            prepared
                .value_and_gradient_into(&mut gradient, &x)
                .map_or(f64::NAN, |value| value + black_box(&gradient)[9])
        },
        |k| {
            let x = black_box(vec![0.9 + k; POINTS]);
            problem.cost_and_gradient_into(&x, &mut into).map_or(f64::NAN, |value| value + black_box(&into)[9])
        },
    );
    Ok(())
}

fn picture(radii: &[f64], c: f64) -> std::io::Result<()> {
    let (x, y) = (Axis::linear("along the axis", -0.5, 0.5), Axis::linear("radius", 0.0, 1.25));
    let mut plot = Plot::new("A soap film between two rings", x, y);
    let at = |k: usize| (k + 1) as f64 * STEP - 0.5;
    plot.curve("the catenoid", (0..=200).map(|k| f64::from(k) / 200.0 - 0.5).map(|x| (x, c * (x / c).cosh())));
    plot.points("found", radii.iter().enumerate().step_by(4).map(|(k, radius)| (at(k), *radius)));
    plot.save("soap_film")
}
