//! Where a robot was: poses from what it measured between them.
//!
//! First GTSAM's example Pose2SLAM (Dellaert, *Factor Graphs and GTSAM*), whose answer is known. Then a walk of 900 poses over a grid, with
//! loops that were closed; apex-solver's own factor, whose Jacobian was derived by hand, has the same cost. The picture is `pose_graph.svg`.

use apex_solver::ManifoldType;
use apex_solver::core::VarKey;
use apex_solver::core::problem::Problem;
use apex_solver::factors::Factor;
use apex_solver::factors::pose::{BetweenFactor, PriorFactor};
use apex_solver::linalg::JacobianMode;
use apex_solver::manifold::se2::SE2;
use apex_solver::optimizer::levenberg_marquardt::{LevenbergMarquardt, LevenbergMarquardtConfig};
use diffi::prelude::*;
use diffi_adapter::{Residuals, VectorFunction};
use diffi_apex_solver::{Chart, Residual};
use nalgebra::DVector;
use ndarray::Array2;
use report::{Axis, Plot};
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::hint::black_box;

type Pose = [f64; 3];

/// A pose, another pose, and what was measured between them.
struct Edge {
    from: usize,
    to: usize,
    measured: Pose,
}

/// The logarithm of how far the second pose is from where the first one and the measurement say.
#[differentiable(constant(measured))]
fn off(x: &[f64], measured: &[f64; 3]) -> Vec<f64> {
    let (sin, cos) = x[2].sin_cos();
    let (dx, dy) = (x[3] - x[0], x[4] - x[1]);
    let (ahead, aside) = (cos * dx + sin * dy - measured[0], cos * dy - sin * dx - measured[1]);
    let (sin, cos) = measured[2].sin_cos();
    let (p, q) = (cos * ahead + sin * aside, cos * aside - sin * ahead);
    let turn = x[5] - x[2] - measured[2];
    let half = 0.5 * (turn - TAU * (turn / TAU).round());
    let a = if half.abs() < 1e-4 { 1.0 - half * half / 3.0 } else { half / half.tan() };
    vec![a * p + half * q, a * q - half * p, 2.0 * half]
}

fn by_diffi(edge: &Edge) -> diffi::Result<impl Residuals + Send + 'static> {
    VectorFunction::with_data(off::D, AutoForward, &[0.0; 6], edge.measured)
}

fn by_differences(edge: &Edge) -> diffi::Result<impl Residuals + Send + 'static> {
    VectorFunction::with_data(off::D, AutoFiniteDiff, &[0.0; 6], edge.measured)
}

/// apex-solver's factor.
fn by_hand([x, y, angle]: Pose) -> Box<dyn Factor + Send + Sync> {
    Box::new(BetweenFactor::new(SE2::from_xy_angle(x, y, angle)))
}

fn boxed(residuals: impl Residuals + Send + 'static) -> Box<dyn Factor + Send + Sync> {
    Box::new(Residual::new(residuals, [Chart::Se2; 2], 3))
}

/// A graph whose first pose is held.
fn problem(
    start: &[Pose],
    edges: &[Edge],
    factor: impl Fn(&Edge) -> diffi::Result<Box<dyn Factor + Send + Sync>>,
) -> diffi::Result<(Problem, Vec<VarKey>)> {
    let mut problem = Problem::new(JacobianMode::Sparse);
    let add = |pose: &Pose| problem.add_variable(ManifoldType::SE2, DVector::from_column_slice(pose));
    let keys: Vec<VarKey> = start.iter().map(add).collect();
    for edge in edges {
        problem.add_residual_block(&[keys[edge.from], keys[edge.to]], factor(edge)?, None);
    }
    problem.add_residual_block(&keys[..1], Box::new(PriorFactor::<SE2>::new(SE2::identity())), None);
    Ok((problem, keys))
}

/// The poses of the quickest run, with its cost.
fn solve(
    name: &str,
    start: &[Pose],
    edges: &[Edge],
    factor: impl Fn(&Edge) -> diffi::Result<Box<dyn Factor + Send + Sync>>,
) -> Result<(Vec<Pose>, f64), Box<dyn Error>> {
    let mut best = u128::MAX;
    let mut last = None;
    for _ in 0..10 {
        let (mut problem, keys) = problem(start, edges, &factor)?;
        let config = LevenbergMarquardtConfig::new().with_max_iterations(100);
        let found = LevenbergMarquardt::with_config(config).optimize(&mut problem)?;
        best = best.min(found.elapsed_time.as_micros());
        last = Some((found, keys));
    }
    let (found, keys) = last.expect("there was a run");
    let pose = |key: &VarKey| {
        let numbers = found.parameters[*key].to_dvector();
        [numbers[0], numbers[1], numbers[2]]
    };
    let (from, to) = (found.initial_cost, found.final_cost);
    println!("{name:26} cost {from:.6e} to {to:.9e}, {} iterations, {best} us", found.iterations);
    Ok((keys.iter().map(pose).collect(), to))
}

/// GTSAM's five poses.
fn five() -> Result<(), Box<dyn Error>> {
    let start = [[0.5, 0.0, 0.2], [2.3, 0.1, -0.2], [4.1, 0.1, FRAC_PI_2], [4.0, 2.0, PI], [2.1, 2.1, -FRAC_PI_2]];
    let published = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [4.0, 0.0, FRAC_PI_2], [4.0, 2.0, PI], [2.0, 2.0, -FRAC_PI_2]];
    let mut edges = vec![Edge { from: 0, to: 1, measured: [2.0, 0.0, 0.0] }];
    for (from, to) in [(1, 2), (2, 3), (3, 4), (4, 1)] {
        edges.push(Edge { from, to, measured: [2.0, 0.0, FRAC_PI_2] });
    }
    let (found, _) = solve("Pose2SLAM by diffi", &start, &edges, |edge| Ok(boxed(by_diffi(edge)?)))?;
    for ([x, y, angle], published) in found.iter().zip(published) {
        println!("    {x:9.6} {y:9.6} {angle:9.6}    published {published:.4?}");
        let turn = (angle - published[2]) / TAU;
        let off = (x - published[0]).abs() + (y - published[1]).abs() + (turn - turn.round()).abs();
        assert!(off < 1e-3);
    }
    Ok(())
}

/// Numbers that look random: a linear congruential generator, and twelve of its numbers for a normal one.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

fn between(a: &Pose, b: &Pose) -> Pose {
    let (sin, cos) = a[2].sin_cos();
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    [cos * dx + sin * dy, cos * dy - sin * dx, b[2] - a[2]]
}

fn after(a: &Pose, [x, y, angle]: Pose) -> Pose {
    let (sin, cos) = a[2].sin_cos();
    [a[0] + cos * x - sin * y, a[1] + sin * x + cos * y, a[2] + angle]
}

/// A walk over a grid by steps of one, with measurements of each step and of former places that are near. The start is dead reckoning.
fn walk(length: usize) -> (Vec<Pose>, Vec<Edge>) {
    let mut noise = Noise(7);
    let mut truth: Vec<Pose> = vec![[0.0; 3]];
    while truth.len() < length {
        let turn = if noise.uniform() < 0.3 { FRAC_PI_2 * (noise.uniform() * 3.0).floor() - FRAC_PI_2 } else { 0.0 };
        truth.push(after(&truth[truth.len() - 1], [1.0, 0.0, turn]));
    }
    let mut measured = |from: usize, to: usize| {
        let exact = between(&truth[from], &truth[to]);
        Edge {
            from,
            to,
            measured: [0.05, 0.05, 0.01]
                .map(|s| s * noise.normal())
                .iter()
                .zip(exact)
                .map(|(e, m)| e + m)
                .collect::<Vec<_>>()
                .try_into()
                .expect("three"),
        }
    };
    let mut edges: Vec<Edge> = (1..length).map(|to| measured(to - 1, to)).collect();
    for to in 0..length {
        let near = |from: &usize| (truth[*from][0] - truth[to][0]).hypot(truth[*from][1] - truth[to][1]) < 1.1;
        let loops: Vec<usize> = (0..to.saturating_sub(20)).filter(near).take(2).collect();
        edges.extend(loops.into_iter().map(|from| measured(from, to)));
    }
    let mut start: Vec<Pose> = vec![[0.0; 3]];
    for edge in &edges[..length - 1] {
        start.push(after(&start[start.len() - 1], edge.measured));
    }
    (start, edges)
}

fn main() -> Result<(), Box<dyn Error>> {
    five()?;
    let (start, edges) = walk(900);
    println!("a walk of {} poses with {} measurements", start.len(), edges.len());
    let (found, cost) = solve("by diffi", &start, &edges, |edge| Ok(boxed(by_diffi(edge)?)))?;
    solve("by differences", &start, &edges, |edge| Ok(boxed(by_differences(edge)?)))?;
    let (_, published) = solve("apex-solver's own factor", &start, &edges, |edge| Ok(by_hand(edge.measured)))?;
    assert!((cost / published - 1.0).abs() < 1e-6);
    overhead(&edges[0])?;
    Ok(picture(&start, &found)?)
}

/// What the adapter adds to a call of the prepared object whose Jacobian is turned into the tangent space by hand. Beside it the solver's own
/// factor, whose Jacobian was derived by hand.
fn overhead(edge: &Edge) -> Result<(), Box<dyn Error>> {
    let mut prepared = prepare_jacobian(off::D, AutoForward, (&[0.0; 6], Constant(&edge.measured)))?;
    let factor = Residual::new(by_diffi(edge)?, [Chart::Se2; 2], 3);
    let (mut by_numbers, mut jacobian) = (Array2::zeros((3, 6)), [0.0; 18]);
    report::overhead(
        "apex-solver",
        |k| {
            let x = [0.1 + k, 0.2, 0.3, 1.2, 0.3, 0.2];
            let x = black_box(&x[..]);
            let args = (x, Constant(black_box(&edge.measured)));
            let value = prepared.value_and_jacobian_into(&mut by_numbers, args);
            turn(x, &by_numbers, &mut jacobian);
            value.map_or(f64::NAN, |value| value[0] + black_box(&jacobian)[0])
        },
        linearized(&factor),
    );
    let own = by_hand(edge.measured);
    report::compare("by apex-solver's own factor", linearized(&*own), "by diffi's", linearized(&factor));
    Ok(())
}

/// By steps in the tangent space: directions are turned by the poses' angles. Column by column.
fn turn(x: &[f64], by_numbers: &Array2<f64>, jacobian: &mut [f64; 18]) {
    for first in [0, 3] {
        let (sin, cos) = x[first + 2].sin_cos();
        for row in 0..3 {
            let [by_x, by_y, by_angle] = [0, 1, 2].map(|k| by_numbers[[row, first + k]]);
            jacobian[3 * first + row] = cos * by_x + sin * by_y;
            jacobian[3 * first + 3 + row] = cos * by_y - sin * by_x;
            jacobian[3 * first + 6 + row] = by_angle;
        }
    }
}

/// A factor's residual and Jacobian at a point.
fn linearized(factor: &dyn Factor) -> impl FnMut(f64) -> f64 {
    let (mut residual, mut jacobian) = ([0.0; 3], [0.0; 18]);
    move |k| {
        let (a, b) = ([0.1 + k, 0.2, 0.3], [1.2, 0.3, 0.2]);
        let matrix = faer::MatMut::from_column_major_slice_mut(&mut jacobian, 3, 6);
        factor.linearize(black_box(&[&a, &b]), &mut residual, Some(matrix));
        residual[0] + black_box(&jacobian)[0]
    }
}

fn picture(start: &[Pose], found: &[Pose]) -> std::io::Result<()> {
    let all = || start.iter().chain(found);
    let range = |k: usize| {
        let of = |pick: fn(f64, f64) -> f64| all().map(|pose| pose[k]).reduce(pick).unwrap_or(0.0);
        (of(f64::min) - 1.0, of(f64::max) + 1.0)
    };
    let ((left, right), (low, high)) = (range(0), range(1));
    let mut plot = Plot::new("A walk over a grid", Axis::linear("x", left, right), Axis::linear("y", low, high));
    plot.curve("dead reckoning", start.iter().map(|pose| (pose[0], pose[1])));
    plot.curve("with loops closed", found.iter().map(|pose| (pose[0], pose[1])));
    plot.save("pose_graph")
}
