//! All that basin asks for, beside closed forms, and least squares with a known answer.

use basin::{
    BoxBounds, ConstraintSet, CostFunction, Executor, Gradient, Hessian, HessianProduct, Jacobian, Lbfgs,
    LevenbergMarquardt, Residual,
};
use diffi::prelude::*;
use diffi_adapter::{SecondOrderFunction, VectorFunction};
use diffi_basin::{LeastSquares, Problem};

#[differentiable(constant(scale))]
fn cubes(x: &[f64], scale: &[f64]) -> f64 {
    scale[0] * x[0].powi(3) + scale[1] * x[0] * x[1] * x[1]
}

#[differentiable]
fn line(x: &[f64]) -> Vec<f64> {
    [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)].iter().map(|(t, y)| x[0] + x[1] * t - y).collect()
}

#[test]
fn derivatives_are_exact() {
    let function = SecondOrderFunction::with_data(cubes::D, AutoReverse, &[0.0; 2], vec![2.0, 3.0]).unwrap();
    let (problem, x) = (Problem::new(function), vec![0.5, -2.0]);
    let gradient = [1.5 + 12.0, -6.0];
    assert_eq!(problem.cost(&x), Ok(6.25));
    assert_eq!(problem.gradient(&x).unwrap(), gradient);
    assert_eq!(problem.cost_and_gradient(&x).unwrap(), (6.25, gradient.to_vec()));
    // buffers may have any size before
    let (mut into, mut product) = (vec![7.0; 5], Vec::new());
    assert_eq!(problem.cost_and_gradient_into(&x, &mut into), Ok(6.25));
    problem.hessian_product_into(&x, &vec![1.0, 2.0], &mut product).unwrap();
    assert_eq!((into, &product), (gradient.to_vec(), &vec![6.0 - 24.0, -12.0 + 6.0]));
    assert_eq!(problem.hessian_product(&x, &vec![1.0, 2.0]).unwrap(), product);
    let hessian = problem.hessian(&x).unwrap();
    let entries = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| hessian.get(row, column));
    assert_eq!(entries, [6.0, -12.0, -12.0, 3.0]);
}

#[test]
fn sizes_that_do_not_fit_are_errors() {
    let problem =
        Problem::new(SecondOrderFunction::with_data(cubes::D, AutoReverse, &[0.0; 2], vec![2.0, 3.0]).unwrap());
    assert!(problem.gradient(&vec![1.0, 2.0, 3.0]).is_err());
}

#[test]
fn a_line_is_fitted() {
    let problem = || LeastSquares::new(VectorFunction::new(line::D, AutoForward, &[0.0; 2]).unwrap());
    let (residuals, jacobian) = problem().residual_and_jacobian(&vec![1.0, 1.0]).unwrap();
    assert_eq!(residuals, problem().residual(&vec![1.0, 1.0]).unwrap());
    assert_eq!((residuals, jacobian.get(2, 1)), (vec![0.0, -1.0, 1.0], 2.0));
    let run = Executor::from_start(problem(), LevenbergMarquardt::new(), vec![0.0, 0.0]).max_iter(100).run().unwrap();
    assert!((run.param()[0] - 1.5).abs() < 1e-8 && (run.param()[1] - 0.5).abs() < 1e-8, "{:?}", run.param());
}

#[test]
fn bounds_hold() {
    let function = SecondOrderFunction::with_data(cubes::D, AutoReverse, &[1.0; 2], vec![1.0, 1.0]).unwrap();
    let bounds = BoxBounds::new(Some(vec![0.5, 0.25]), Some(vec![2.0, 3.0]));
    let problem = Problem::new(function).constrained(ConstraintSet::new().with_bounds(bounds));
    let run = Executor::from_start(problem, Lbfgs::new(), vec![1.0, 1.0]).max_iter(100).run().unwrap();
    assert_eq!(run.param(), &[0.5, 0.25]);
}
