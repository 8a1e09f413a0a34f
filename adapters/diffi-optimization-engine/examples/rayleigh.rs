//! Rayleigh's oscillator, steered: the least integral of `x² + u²` over 2.5 seconds, and a model predictive controller with a weak motor.
//!
//! Without bounds the optimum is 29.37608 (TOMLAB's manual of PROPT, "Rayleigh Unconstrained"). Controls are linear between knots, the
//! state is integrated by Runge and Kutta's method inside of the cost. The picture is `rayleigh.svg`.

use diffi::prelude::*;
use diffi_adapter::{Objective, ScalarFunction};
use diffi_optimization_engine::Cost;
use optimization_engine::Problem;
use optimization_engine::constraints::Rectangle;
use optimization_engine::panoc::{PANOCCache, PANOCOptimizer};
use report::{Axis, Plot};
use std::hint::black_box;

const KNOTS: usize = 101;
const STEP: f64 = 2.5 / (KNOTS - 1) as f64;
const START: [f64; 2] = [-5.0, -5.0];
const PUBLISHED: f64 = 29.376_079_66;

/// The rates of the state, and of the cost.
#[differentiable]
fn rates(x: &[f64; 3], u: f64) -> [f64; 3] {
    [x[1], -x[0] + (1.4 - 0.14 * x[1] * x[1]) * x[1] + 4.0 * u, x[0] * x[0] + u * u]
}

#[differentiable]
fn along(x: &[f64; 3], rate: &[f64; 3], time: f64) -> [f64; 3] {
    [x[0] + time * rate[0], x[1] + time * rate[1], x[2] + time * rate[2]]
}

/// One step of Runge and Kutta's method, with a control that goes from one value to another.
#[differentiable]
fn step(x: &[f64; 3], from: f64, to: f64) -> [f64; 3] {
    let middle = 0.5 * (from + to);
    let first = rates(x, from);
    let second = rates(&along(x, &first, 0.5 * STEP), middle);
    let third = rates(&along(x, &second, 0.5 * STEP), middle);
    let last = rates(&along(x, &third, STEP), to);
    let mut next = *x;
    for k in 0..3 {
        next[k] += STEP / 6.0 * (first[k] + 2.0 * second[k] + 2.0 * third[k] + last[k]);
    }
    next
}

/// The cost of controls from a state on.
#[differentiable(constant(start))]
fn cost(u: &[f64], start: &[f64; 2]) -> f64 {
    let mut x = [start[0], start[1], 0.0];
    for k in 0..u.len() - 1 {
        x = step(&x, u[k], u[k + 1]);
    }
    x[2]
}

/// Steers from a state with bounded controls. Iterations, and whether the solver is content.
fn steer(cost: &Cost<impl Objective>, bound: f64, u: &mut [f64]) -> usize {
    let (low, high) = (vec![-bound; u.len()], vec![bound; u.len()]);
    let bounds = Rectangle::new(Some(&low), Some(&high));
    let mut cache = PANOCCache::new(u.len(), 1e-6, 20);
    let problem = Problem::new(&bounds, cost.gradient(), cost.value());
    let status = PANOCOptimizer::new(problem, &mut cache).with_max_iter(5000).solve(u).expect("costs are finite");
    status.iterations()
}

/// The optimum without bounds, by a backend.
macro_rules! optimum {
    ($name:literal, $backend:expr) => {{
        let controlled = Cost::new(ScalarFunction::with_data(cost::D, $backend, &[0.0; KNOTS], START)?);
        let ((u, iterations), time) = report::fastest(|| {
            let mut u = vec![0.0; KNOTS];
            let iterations = steer(&controlled, 100.0, &mut u);
            (u, iterations)
        });
        println!("{:16} cost {:.6}, {iterations} iterations, {time} us", $name, cost(&u, &START));
        u
    }};
}

/// A controller: each time it steers over the whole horizon, and does the first step. The state, step by step.
fn controller(bound: f64) -> Result<Vec<[f64; 3]>> {
    let mut u = vec![0.0; KNOTS];
    let mut x = [START[0], START[1], 0.0];
    let mut path = vec![x];
    for _ in 0..4 * (KNOTS - 1) {
        let plan = Cost::new(ScalarFunction::with_data(cost::D, AutoReverse, &u, [x[0], x[1]])?);
        steer(&plan, bound, &mut u);
        x = step(&x, u[0], u[1]);
        path.push(x);
        // the rest of the plan is where the next one starts
        u.rotate_left(1);
        u[KNOTS - 1] = 0.0;
    }
    Ok(path)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let u = optimum!("by diffi", AutoReverse);
    optimum!("by differences", AutoFiniteDiff);
    println!("{:16} cost {PUBLISHED:.6}", "published");
    assert!((cost(&u, &START) / PUBLISHED - 1.0).abs() < 1e-4);
    let path = controller(1.0)?;
    let end = path[path.len() - 1];
    println!("a motor of strength 1 is at ({:.4}, {:.4}) after {} s", end[0], end[1], STEP * (path.len() - 1) as f64);
    assert!(end[0].hypot(end[1]) < 0.05);
    overhead()?;
    picture(&path, &controller(100.0)?)?;
    Ok(())
}

/// What the closures add to a call of the prepared object.
fn overhead() -> Result<()> {
    let (start, mut gradient, mut into) = (START, vec![0.0; KNOTS], vec![0.0; KNOTS]);
    let mut prepared = prepare_gradient(cost::D, AutoReverse, (&[0.0; KNOTS], Constant(&start)))?;
    let adapted = Cost::new(ScalarFunction::with_data(cost::D, AutoReverse, &[0.0; KNOTS], start)?).gradient();
    report::overhead(
        "optimization_engine",
        |k| {
            let u = black_box([0.1 + k; KNOTS]);
            let found = prepared.value_and_gradient_into(&mut gradient, (&u, Constant(black_box(&start))));
            found.map_or(f64::NAN, |_| black_box(&gradient)[9])
        },
        |k| {
            let u = black_box([0.1 + k; KNOTS]);
            adapted(&u, &mut into).map_or(f64::NAN, |()| black_box(&into)[9])
        },
    );
    Ok(())
}

fn picture(weak: &[[f64; 3]], strong: &[[f64; 3]]) -> std::io::Result<()> {
    let (x, y) = (Axis::linear("time in s", 0.0, 10.0), Axis::linear("x", -7.5, 5.0));
    let mut plot = Plot::new("Rayleigh's oscillator under control", x, y);
    for (name, path) in [("motor of strength 1", weak), ("strength 100", strong)] {
        plot.curve(name, path.iter().enumerate().map(|(k, x)| (STEP * k as f64, x[0])));
    }
    plot.save("rayleigh")
}
