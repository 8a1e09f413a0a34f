//! All that argmin asks for, beside closed forms; a kept gradient is that of its own point.

use argmin::core::{CostFunction, Gradient, Hessian, Jacobian, Operator};
use diffi::prelude::*;
use diffi_adapter::{SecondOrderFunction, VectorFunction};
use diffi_argmin::{LeastSquares, Problem};

#[differentiable(constant(scale))]
fn cubes(x: &[f64], scale: &[f64]) -> f64 {
    scale[0] * x[0].powi(3) + scale[1] * x[0] * x[1] * x[1]
}

#[differentiable]
fn products(x: &[f64]) -> Vec<f64> {
    vec![x[0] * x[1], x[0] + 2.0 * x[1], x[0] * x[0]]
}

fn problem() -> Problem<impl diffi_adapter::SecondOrderObjective> {
    Problem::new(SecondOrderFunction::with_data(cubes::D, AutoReverse, &[0.0; 2], vec![2.0, 3.0]).unwrap())
}

/// The value of `cubes`, and its gradient.
fn exact(x: &[f64]) -> (f64, Vec<f64>) {
    let value = 2.0 * x[0].powi(3) + 3.0 * x[0] * x[1] * x[1];
    (value, vec![6.0 * x[0] * x[0] + 3.0 * x[1] * x[1], 6.0 * x[0] * x[1]])
}

#[test]
fn cost_and_gradient_belong_to_their_point() {
    let problem = problem();
    let points = [[0.5, -2.0], [1.0, 0.25]].map(|x| x.to_vec());
    for at in [0, 0, 1, 0, 1, 1] {
        let (value, gradient) = exact(&points[at]);
        assert_eq!(problem.gradient(&points[at]).unwrap(), gradient);
        // of this point, which is kept, and of the other one
        assert_eq!(problem.cost(&points[at]).unwrap(), value);
        assert_eq!(problem.cost(&points[1 - at]).unwrap(), exact(&points[1 - at]).0);
    }
}

#[test]
fn an_error_is_no_gradient() {
    let (problem, x) = (problem(), vec![0.5, -2.0]);
    problem.gradient(&x).unwrap();
    assert!(problem.gradient(&vec![1.0]).is_err() && problem.gradient(&vec![1.0]).is_err());
    assert_eq!(problem.gradient(&x).unwrap(), exact(&x).1);
}

#[test]
fn matrices_are_exact() {
    assert_eq!(problem().hessian(&vec![0.5, -2.0]).unwrap(), [[6.0, -12.0], [-12.0, 3.0]]);
    let squares = LeastSquares::new(VectorFunction::new(products::D, AutoForward, &[0.0; 2]).unwrap());
    assert_eq!(squares.apply(&vec![3.0, 4.0]).unwrap(), [12.0, 11.0, 9.0]);
    assert_eq!(squares.jacobian(&vec![3.0, 4.0]).unwrap(), [[4.0, 3.0], [1.0, 2.0], [6.0, 0.0]]);
}
