//! Value, gradient and Hessian beside closed forms, by each of ganesh's calls.

use diffi::prelude::*;
use diffi_adapter::SecondOrderFunction;
use diffi_ganesh::Problem;
use ganesh::Vector;
use ganesh::traits::{CostFunction, Gradient};

#[differentiable(constant(scale))]
fn cubes(x: &[f64], scale: &[f64]) -> f64 {
    scale[0] * x[0].powi(3) + x[0] * x[1]
}

#[test]
fn all_calls_are_exact() {
    let objective = SecondOrderFunction::with_data(cubes::D, AutoReverse, &[0.0; 2], vec![2.0]).unwrap();
    let problem = Problem::new(objective);
    let exact = |x: f64, y: f64| (2.0 * x * x * x + x * y, [6.0 * x * x + y, x], [[12.0 * x, 1.0], [1.0, 0.0]]);
    for (x, y) in [(0.5, -2.0), (-1.5, 4.0)] {
        let (value, gradient, hessian) = exact(x, y);
        let at: Vector = [x, y].into();
        assert_eq!(problem.evaluate(&at, &()).unwrap(), value);
        assert_eq!(problem.gradient(&at, &()).unwrap().to_vec(), gradient);
        let (v, g, h) = problem.evaluate_with_gradient_and_hessian(&at, &()).unwrap();
        assert_eq!((v, g.to_vec()), (value, gradient.to_vec()));
        let (again, same) = problem.gradient_with_hessian(&at, &()).unwrap();
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            assert_eq!(h.get(row, column), hessian[row][column]);
            assert_eq!(same.get(row, column), hessian[row][column]);
        }
        assert_eq!(again.to_vec(), gradient);
    }
}

#[test]
fn a_point_of_another_length_is_an_error() {
    let objective = SecondOrderFunction::with_data(cubes::D, AutoReverse, &[0.0; 2], vec![2.0]).unwrap();
    let at: Vector = [1.0].into();
    assert!(Problem::new(objective).gradient(&at, &()).is_err());
}
