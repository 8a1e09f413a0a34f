//! Van der Pol's oscillator, as stiff as in the test set for initial value problems (Mazzia & Magherini), by Radau5.
//!
//! The Jacobian by diffi, by the solver's own differences, and no Jacobian at all: an explicit method. The picture is `van_der_pol.svg`.

use differential_equations::linalg::Matrix;
use differential_equations::ode::ODE;
use differential_equations::prelude::{ExplicitRungeKutta, IVP, ImplicitRungeKutta, Solution};
use diffi::prelude::*;
use diffi_adapter::SystemFunction;
use diffi_differential_equations::Equations;
use ndarray::Array2;
use report::{Axis, Plot};
use std::hint::black_box;
use std::time::Instant;

type State = [f64; 2];

const START: State = [2.0, 0.0];
/// The state at time 2.
const PUBLISHED: State = [1.706_167_732_170_483, -0.892_809_701_024_797_5];

#[differentiable]
fn oscillator(x: &[f64], p: &[f64], _t: f64, y: &mut [f64]) {
    y[0] = x[1];
    y[1] = ((1.0 - x[0] * x[0]) * x[1] - x[0]) / p[0];
}

/// The same without a Jacobian, so that the solver takes differences.
struct ByDifferences;

impl ODE<f64, State> for ByDifferences {
    fn diff(&self, t: f64, x: &State, y: &mut State) {
        oscillator(x, &[1e-6], t, y);
    }
}

fn equations() -> Equations<impl diffi_adapter::System> {
    Equations::new(SystemFunction::new(oscillator::D, AutoForward, 2), [1e-6])
}

fn shown(name: &str, solution: &Solution<f64, State>, time: u128) {
    let ([x, v], evals) = (solution.y[solution.y.len() - 1], solution.evals);
    println!(
        "{name:24} {x:.12} {v:.12}, {} steps, {} evaluations, {} Jacobians, {time} us",
        solution.steps.total(),
        evals.function,
        evals.jacobian
    );
}

/// By Radau5.
fn radau(name: &str, equations: &impl ODE<f64, State>) -> Solution<f64, State> {
    let (solution, time) = report::fastest(|| {
        let method = ImplicitRungeKutta::radau5().rtol(1e-9).atol(1e-9).h0(1e-8).max_steps(1_000_000);
        IVP::ode(equations, 0.0, 2.0, START).method(method).solve().expect("a stiff method goes through")
    });
    shown(name, &solution, time);
    solution
}

fn main() -> std::io::Result<()> {
    let solution = radau("by diffi", &equations());
    radau("by differences", &ByDifferences);
    let method = ExplicitRungeKutta::dop853().rtol(1e-9).atol(1e-9).max_steps(20_000_000);
    let begin = Instant::now();
    match IVP::ode(&ByDifferences, 0.0, 2.0, START).method(method).solve() {
        Ok(solution) => shown("explicit (DOP853)", &solution, begin.elapsed().as_micros()),
        Err(error) => println!("explicit (DOP853)        {error:?}"),
    }
    println!("published                {:.12} {:.12}", PUBLISHED[0], PUBLISHED[1]);
    let found = solution.y[solution.y.len() - 1];
    assert!(found.iter().zip(PUBLISHED).all(|(found, published)| (found / published - 1.0).abs() < 1e-7));
    overhead();
    picture(&solution)
}

/// What the adapter adds to a call of the prepared object.
fn overhead() {
    let (mut y, mut jacobian, mut matrix) = ([0.0; 2], Array2::zeros((2, 2)), Matrix::full(2, 2));
    let args = (&START, Constant(&[1e-6]), Constant(0.0), &mut y);
    let mut prepared = prepare_jacobian(oscillator::D, AutoForward, args).expect("sizes fit");
    let equations = equations();
    report::overhead(
        "differential-equations",
        |k| {
            let (x, p) = (black_box([1.5 + k, 0.5]), black_box([1e-6]));
            let found = prepared.jacobian_into(&mut jacobian, (&x, Constant(&p), Constant(0.0), &mut y));
            found.map_or(f64::NAN, |()| black_box(&jacobian)[[1, 0]])
        },
        |k| {
            equations.jacobian(0.0, &black_box([1.5 + k, 0.5]), &mut matrix);
            black_box(&matrix)[(1, 0)]
        },
    );
}

fn picture(solution: &Solution<f64, State>) -> std::io::Result<()> {
    let mut plot = Plot::new("Van der Pol's oscillator", Axis::linear("time", 0.0, 2.0), Axis::linear("x", -2.2, 2.2));
    let points = solution.t.iter().zip(&solution.y).map(|(t, [x, _])| (*t, *x));
    plot.curve("", points);
    plot.save("van_der_pol")
}
