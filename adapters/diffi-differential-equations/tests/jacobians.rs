//! Both Jacobians beside closed forms, for arrays and vectors, and sensitivities of a decay, which are known.

use differential_equations::linalg::Matrix;
use differential_equations::ode::ODE;
use differential_equations::prelude::{ExplicitRungeKutta, IVP, ParametrizedODE};
use diffi::prelude::*;
use diffi_adapter::SystemFunction;
use diffi_differential_equations::Equations;

#[differentiable(constant(pulse))]
fn oscillator(x: &[f64], p: &[f64], t: f64, pulse: &[f64], y: &mut [f64]) {
    y[0] = x[1];
    y[1] = p[0] * (1.0 - x[0] * x[0]) * x[1] - p[1] * x[0] + pulse[0] * t;
}

#[differentiable]
fn decay(x: &[f64], p: &[f64], _t: f64, y: &mut [f64]) {
    y[0] = -p[0] * x[0] + p[1];
}

#[test]
fn both_jacobians_are_exact() {
    let system = || SystemFunction::with_data(oscillator::D, AutoForward, 2, vec![4.0]);
    let equations = Equations::new(system(), [3.0, 2.0]);
    let (x, mut y) = (vec![0.5, -1.0], vec![0.0; 2]);
    let (mut by_state, mut by_parameters) = (Matrix::full(2, 2), Matrix::full(2, 2));
    for _ in 0..2 {
        equations.diff(0.25, &x, &mut y);
        assert_eq!(y, [-1.0, -2.25 - 1.0 + 1.0]);
        equations.jacobian(0.25, &x, &mut by_state);
        assert_eq!(by_state.data, [0.0, 1.0, 3.0 - 2.0, 2.25]);
        ParametrizedODE::<f64, _, [f64; 2]>::jacobian_p(&equations, 0.25, &x, &mut by_parameters);
        assert_eq!(by_parameters.data, [0.0, 0.0, -0.75, -0.5]);
        assert_eq!(ParametrizedODE::<f64, Vec<f64>, [f64; 2]>::parameters(&equations), [3.0, 2.0]);
    }
    let mut of_array = Matrix::full(2, 2);
    Equations::new(system(), [3.0, 2.0]).jacobian(0.25, &[0.5, -1.0], &mut of_array);
    assert_eq!(of_array.data, by_state.data);
}

#[test]
fn sensitivities_are_those_of_the_solution() {
    let equations = Equations::new(SystemFunction::new(decay::D, AutoForward, 1), [2.0, 3.0]);
    let method = ExplicitRungeKutta::dop853().rtol(1e-10).atol(1e-12);
    // x, and its derivatives by both parameters
    let problem = IVP::ode(&equations, 0.0, 0.75, [1.0]).forward_sensitivity::<[f64; 2], _>([1.0, 0.0, 0.0]);
    let solution = problem.method(method).solve().unwrap();
    let [x, by_rate, by_source] = solution.y[solution.y.len() - 1];
    // x = c/k + (1 - c/k) e^(-kt)
    let (k, c, t) = (2.0, 3.0, 0.75f64);
    let e = (-k * t).exp();
    let exact = [c / k + (1.0 - c / k) * e, -c / (k * k) * (1.0 - e) - t * (1.0 - c / k) * e, (1.0 - e) / k];
    for (found, exact) in [x, by_rate, by_source].into_iter().zip(exact) {
        assert!((found - exact).abs() < 1e-8, "{found} {exact}");
    }
}
