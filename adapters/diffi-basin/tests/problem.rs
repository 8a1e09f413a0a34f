//! All that basin asks for, beside closed forms, and least squares with a known answer.

use basin::{
    BoxBounds, ConstraintSet, CostFunction, Executor, Gradient, Hessian, HessianProduct, Jacobian, Lbfgs,
    LevenbergMarquardt, MiniBatchGradient, Residual, Sgd,
};
use diffi::prelude::*;
use diffi_adapter::{SampleFunction, SecondOrderFunction, VectorFunction};
use diffi_basin::{LeastSquares, Problem, Samples};

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

#[differentiable(constant(sample))]
fn off(x: &[f64], sample: &[f64; 2]) -> f64 {
    (x[0] + x[1] * sample[0] - sample[1]).powi(2)
}

#[test]
fn batches_are_means_over_samples() {
    // on the line 2 - 3 t, but for one
    let samples = [[0.0, 2.0], [1.0, -1.0], [2.0, -4.0], [-1.0, 6.0]];
    let problem = || Samples::new(SampleFunction::new(off::D, AutoReverse, &[0.0; 2], samples).unwrap());
    let (x, mut into) = (vec![2.0, -2.0], vec![7.0; 5]);
    // misses of 0, 1, 2, -2
    assert_eq!(problem().cost(&x), Ok(9.0 / 4.0));
    assert_eq!(problem().gradient(&x).unwrap(), [2.0 / 4.0 * 1.0, 2.0 / 4.0 * (1.0 + 4.0 + 2.0)]);
    problem().batch_gradient_into(&x, &[2, 0], &mut into).unwrap();
    assert_eq!(into, [2.0, 4.0]);
    assert_eq!(problem().batch_gradient(&x, &[1]).unwrap(), [2.0, 2.0]);
    assert!(problem().batch_gradient(&vec![1.0], &[0]).is_err());
    assert_eq!(problem().n_samples(), 4);
}

#[test]
fn stochastic_gradients_lead_to_the_line() {
    let samples: Vec<[f64; 2]> = (0..32).map(|k| f64::from(k) / 16.0 - 1.0).map(|t| [t, 2.0 - 3.0 * t]).collect();
    let problem = Samples::new(SampleFunction::new(off::D, AutoReverse, &[0.0; 2], samples).unwrap());
    let run = Executor::from_start(problem, Sgd::new(0.1, 4, 7), vec![0.0, 0.0]).max_iter(2000).run().unwrap();
    assert!((run.param()[0] - 2.0).abs() < 1e-6 && (run.param()[1] + 3.0).abs() < 1e-6, "{:?}", run.param());
}
