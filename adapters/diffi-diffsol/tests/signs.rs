//! A decay whose solution, sensitivities and integral are known, so that each sign of each closure matters.

use diffi::prelude::*;
use diffi_adapter::SystemFunction;
use diffi_diffsol::Equation;
use diffsol::{
    AdjointOdeSolverMethod, DenseMatrix, MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod,
    OdeSolverState, SensitivitiesOdeSolverMethod, Vector, VectorView,
};

type Lu = NalgebraLU<f64>;

const P: [f64; 3] = [0.7, 2.0, 3.0];
const END: f64 = 1.5;

/// `x' = -p0 x`.
#[differentiable]
fn decay(x: &[f64], p: &[f64], _t: f64, y: &mut [f64]) {
    y[0] = -p[0] * x[0];
}

/// `x(0) = p1`.
#[differentiable]
fn start(_x: &[f64], p: &[f64], _t: f64, y: &mut [f64]) {
    y[0] = p[1];
}

/// `p2 x²`.
#[differentiable]
fn output(x: &[f64], p: &[f64], _t: f64, y: &mut [f64]) {
    y[0] = p[2] * x[0] * x[0];
}

/// The three equations, by a backend.
macro_rules! equations {
    ($backend:expr) => {
        (
            Equation::new(SystemFunction::new(decay::D, $backend, 1)),
            Equation::new(SystemFunction::new(start::D, $backend, 1)),
            Equation::new(SystemFunction::new(output::D, $backend, 1)),
        )
    };
}

fn builder() -> OdeBuilder<NalgebraMat<f64>> {
    let tight = OdeBuilder::new().p(P).rtol(1e-9).atol([1e-11]).sens_rtol(1e-9).sens_atol([1e-11]);
    tight.out_rtol(1e-9).out_atol([1e-11]).param_rtol(1e-9).param_atol([1e-11; 3])
}

fn near(found: &[f64], exact: &[f64]) {
    assert_eq!(found.len(), exact.len());
    for (found, exact) in found.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-6 * exact.abs().max(1.0), "{found} {exact}");
    }
}

#[test]
fn sensitivities_have_the_signs_of_derivatives() {
    let (rhs, initial, out) = equations!(MixedMode(AutoForward, AutoReverse));
    let problem = builder()
        .rhs_sens_implicit(rhs.value(), rhs.jvp(), rhs.sens())
        .init_sens(initial.initial(), initial.initial_sens(), 1)
        .out_sens_implicit(out.value(), out.jvp(), out.sens(), 1)
        .build()
        .unwrap();
    let (value, sens, _) = problem.bdf_sens::<Lu>().unwrap().solve_dense_sensitivities(&[END]).unwrap();
    // p2 p1² e^(-2 p0 t)
    let exact = P[2] * P[1] * P[1] * (-2.0 * P[0] * END).exp();
    near(&value.column(0).into_owned().clone_as_vec(), &[exact]);
    let found: Vec<f64> = sens.iter().map(|sens| sens.column(0).get_index(0)).collect();
    near(&found, &[-2.0 * END * exact, 2.0 * exact / P[1], exact / P[2]]);
}

/// The gradient of the output's integral.
macro_rules! adjoint_gradient {
    ($backend:expr) => {{
        let (rhs, initial, out) = equations!($backend);
        let problem = builder()
            .rhs_adjoint_implicit(rhs.value(), rhs.jvp(), rhs.minus_vjp(), rhs.minus_sens_vjp())
            .init_adjoint(initial.initial(), initial.minus_initial_sens_vjp(), 1)
            .out_adjoint_implicit(out.value(), out.jvp(), out.minus_vjp(), out.minus_sens_vjp(), 1)
            .integrate_out(true)
            .build()
            .unwrap();
        let mut forward = problem.bdf::<Lu>().unwrap();
        let (checkpoints, ..) = forward.solve_with_checkpointing(END, None).unwrap();
        let backward = problem.bdf_solver_adjoint::<Lu, _>(checkpoints, Some(forward), None).unwrap();
        let (state, _) = backward.solve_adjoint_backwards_pass(&[], &[]).unwrap();
        state.into_common().sg.clone_as_vec()
    }};
}

#[test]
fn adjoints_have_the_signs_that_diffsol_asks_for() {
    // the integral of p2 p1² e^(-2 p0 t) is p2 p1² (1 - e) / (2 p0)
    let e = (-2.0 * P[0] * END).exp();
    let integral = P[2] * P[1] * P[1] * (1.0 - e) / (2.0 * P[0]);
    let by_rate = P[2] * P[1] * P[1] * END * e / P[0] - integral / P[0];
    let exact = [by_rate, 2.0 * integral / P[1], integral / P[2]];
    near(&adjoint_gradient!(MixedMode(AutoForward, AutoReverse)), &exact);
    near(&adjoint_gradient!(AutoReverse), &exact);
}

#[test]
fn patterns_can_be_detected() {
    let (rhs, initial, _) = equations!(MixedMode(AutoForward, AutoReverse));
    let builder = builder().use_coloring(true).rhs_implicit(rhs.value(), rhs.jvp()).init(initial.initial(), 1);
    let problem = builder.build().unwrap();
    let (states, ..) = problem.bdf::<Lu>().unwrap().solve(END).unwrap();
    near(&states.column(states.ncols() - 1).into_owned().clone_as_vec(), &[P[1] * (-P[0] * END).exp()]);
}
