//! Robertson's reactions: states over eleven decades of time, their sensitivities to the rates, and the gradient of an integral by the adjoint.
//!
//! States beside the reference of the test set for initial value problems (Mazzia & Magherini), derivatives beside those that SUNDIALS
//! publishes with its examples `cvsRoberts_FSA_dns` and `cvsRoberts_ASAi_dns`. The picture is `robertson.svg`.

use diffi::prelude::*;
use diffi_adapter::{System, SystemFunction};
use diffi_diffsol::Equation;
use diffsol::{
    AdjointOdeSolverMethod, DenseMatrix, DiffsolError, NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod,
    OdeSolverState, SensitivitiesOdeSolverMethod, Vector, VectorView,
};
use report::{Axis, Plot};
use std::hint::black_box;

type Lu = NalgebraLU<f64>;

const RATES: [f64; 3] = [0.04, 1e4, 3e7];
/// The states at 10¹¹.
const LATE: [f64; 3] = [0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505];
/// The sensitivities of the states to each rate at 0.4 and 40.
const SENSITIVITIES: [(f64, [[f64; 3]; 3]); 2] = [
    (
        0.4,
        [
            [-3.5595e-1, 3.9025e-4, 3.5556e-1],
            [9.5428e-8, -2.1310e-10, -9.5215e-8],
            [-1.5833e-11, -5.2901e-13, 1.6362e-11],
        ],
    ),
    (40.0, [[-4.2477, 4.5907e-5, 4.2476], [1.3732e-5, -2.3569e-10, -1.3731e-5], [-2.2885e-9, -1.1380e-13, 2.2886e-9]]),
];
/// The gradient of the third state's integral to 50 by the rates.
const GRADIENT: [f64; 3] = [1.7341e2, -5.0591e-4, 8.4323e-8];

#[differentiable]
fn rates(x: &[f64], p: &[f64], _t: f64, y: &mut [f64]) {
    let (slow, back, fast) = (p[0] * x[0], p[1] * x[1] * x[2], p[2] * x[1] * x[1]);
    y[0] = back - slow;
    y[1] = slow - back - fast;
    y[2] = fast;
}

/// An initial value is a system of an empty state. This one does not depend on the parameters.
#[differentiable]
fn start(_x: &[f64], p: &[f64], _t: f64, y: &mut [f64]) {
    y[0] = 1.0;
    y[1] = 0.0 * p[0];
    y[2] = 0.0;
}

#[differentiable]
fn product(x: &[f64], _p: &[f64], _t: f64, y: &mut [f64]) {
    y[0] = x[2];
}

/// Both directions of differentiation, one sweep each.
const EXACT: MixedMode<AutoForward, AutoReverse> = MixedMode(AutoForward, AutoReverse);

fn builder() -> OdeBuilder<NalgebraMat<f64>> {
    OdeBuilder::new().p(RATES).rtol(1e-8).atol([1e-12, 1e-16, 1e-12])
}

/// The states at powers of ten, and whether all went well.
fn states(name: &str, system: impl System) -> Result<Vec<(f64, Vec<f64>)>, DiffsolError> {
    let rhs = Equation::new(system);
    let problem = builder().rhs_implicit(rhs.value(), rhs.jvp()).init(|_, _, x| x.copy_from_slice(&[1.0, 0.0, 0.0]), 3);
    let problem = problem.build()?;
    let times: Vec<f64> = (-20..=44).map(|k| 10f64.powf(0.25 * f64::from(k))).collect();
    let (solved, time) = report::fastest(|| {
        let mut solver = problem.bdf::<Lu>()?;
        let (found, _) = solver.solve_dense(&times)?;
        Ok::<_, DiffsolError>((found, solver.get_statistics().clone()))
    });
    let (found, counts) = solved?;
    let found: Vec<_> =
        times.iter().enumerate().map(|(k, t)| (*t, found.column(k).into_owned().clone_as_vec())).collect();
    let (t, x) = found.last().expect("there are times");
    let (steps, matrices) = (counts.number_of_steps, counts.number_of_linear_solver_setups);
    println!("{name:15} at {t:.0e}: {}, {steps} steps, {matrices} matrices, {time} us", row(x));
    Ok(found)
}

/// The sensitivities at some times.
fn sensitivities() -> Result<(), DiffsolError> {
    let rhs = Equation::new(SystemFunction::new(rates::D, EXACT, 3));
    let initial = Equation::new(SystemFunction::new(start::D, EXACT, 3));
    let problem = builder()
        .rhs_sens_implicit(rhs.value(), rhs.jvp(), rhs.sens())
        .init_sens(initial.initial(), initial.initial_sens(), 3)
        .build()?;
    let (_, found, _) = problem.bdf_sens::<Lu>()?.solve_dense_sensitivities(&SENSITIVITIES.map(|(t, _)| t))?;
    for (k, (t, published)) in SENSITIVITIES.iter().enumerate() {
        for (rate, published) in published.iter().enumerate() {
            let found = found[rate].column(k).into_owned().clone_as_vec();
            println!("by rate {rate} at {t:4}: found {}, published {}", row(&found), row(published));
            fits(&found, published, 1e-3);
        }
    }
    Ok(())
}

/// The gradient by the adjoint.
fn gradient() -> Result<(), DiffsolError> {
    let rhs = Equation::new(SystemFunction::new(rates::D, EXACT, 3));
    let initial = Equation::new(SystemFunction::new(start::D, EXACT, 3));
    let out = Equation::new(SystemFunction::new(product::D, EXACT, 1));
    let problem = builder()
        .rhs_adjoint_implicit(rhs.value(), rhs.jvp(), rhs.minus_vjp(), rhs.minus_sens_vjp())
        .init_adjoint(initial.initial(), initial.minus_initial_sens_vjp(), 3)
        .out_adjoint_implicit(out.value(), out.jvp(), out.minus_vjp(), out.minus_sens_vjp(), 1)
        .integrate_out(true)
        .build()?;
    let mut forward = problem.bdf::<Lu>()?;
    let (checkpoints, _, _, _) = forward.solve_with_checkpointing(50.0, None)?;
    let backward = problem.bdf_solver_adjoint::<Lu, _>(checkpoints, Some(forward), None)?;
    let (state, _) = backward.solve_adjoint_backwards_pass(&[], &[])?;
    let found = state.into_common().sg.clone_as_vec();
    println!("the integral's gradient: found {}, published {}", row(&found), row(&GRADIENT));
    fits(&found, &GRADIENT, 1e-3);
    Ok(())
}

fn row(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!("{number:12.4e}")).collect()
}

fn fits(found: &[f64], published: &[f64], tolerance: f64) {
    for (found, published) in found.iter().zip(published) {
        assert!((found / published - 1.0).abs() < tolerance, "{found:e} {published:e}");
    }
}

fn main() -> Result<(), DiffsolError> {
    let found = states("by diffi", SystemFunction::new(rates::D, EXACT, 3))?;
    states("by differences", SystemFunction::new(rates::D, AutoFiniteDiff, 3))?;
    println!("{:15} at 1e11: {}", "published", row(&LATE));
    fits(&found[found.len() - 1].1, &LATE, 1e-4);
    sensitivities()?;
    gradient()?;
    overhead();
    picture(&found).expect("the picture can be written");
    Ok(())
}

/// What the closures add to a call of the prepared object.
fn overhead() {
    let (p, v) = (RATES, [0.5, -1.0, 0.25]);
    let (mut y, mut product) = ([0.0; 3], [0.0; 3]);
    let args = (&[0.0; 3], Constant(&p), Constant(0.0), &mut y);
    let mut prepared = prepare_pushforward(rates::D, AutoForward, args, v).expect("sizes fit");
    let jvp = Equation::new(SystemFunction::new(rates::D, EXACT, 3)).jvp();
    report::overhead(
        "diffsol",
        |k| {
            let x = black_box([0.9 + k, 1e-5, 0.1]);
            let args = (&x, Constant(black_box(&p)), Constant(0.0), &mut y);
            prepared.pushforward_into(&mut product, args, black_box(&v)).map_or(f64::NAN, |()| black_box(&product)[0])
        },
        |k| {
            let (x, mut product) = (black_box([0.9 + k, 1e-5, 0.1]), [0.0; 3]);
            jvp(&x, black_box(&p), 0.0, black_box(&v), &mut product);
            black_box(&product)[0]
        },
    );
}

fn picture(found: &[(f64, Vec<f64>)]) -> std::io::Result<()> {
    let (x, y) = (Axis::logarithmic("time", 1e-5, 1e11), Axis::linear("share", 0.0, 1.3));
    let mut plot = Plot::new("Robertson's reactions", x, y);
    for (k, name) in ["A", "10⁴ B", "C"].into_iter().enumerate() {
        let scale = if k == 1 { 1e4 } else { 1.0 };
        plot.curve(name, found.iter().map(|(t, x)| (*t, scale * x[k])));
    }
    plot.save("robertson")
}
