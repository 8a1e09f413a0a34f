//! Residuals and Jacobian beside closed forms, in any order of calls, and a function that is not defined.

use diffi::prelude::*;
use diffi_adapter::VectorFunction;
use diffi_levenberg_marquardt::LeastSquares;
use levenberg_marquardt::LeastSquaresProblem;
use nalgebra::{DMatrix, DVector};

#[differentiable(constant(scale))]
fn products(x: &[f64], scale: &[f64]) -> Vec<f64> {
    vec![scale[0] * x[0] * x[1], x[0] + 2.0 * x[1], x[0] * x[0]]
}

#[test]
fn residuals_and_jacobians_are_exact_in_any_order() {
    let function = VectorFunction::with_data(products::D, AutoForward, &[0.0; 2], vec![3.0]).unwrap();
    let mut problem = LeastSquares::new(function, &[3.0, 4.0]);
    for [x, y] in [[3.0, 4.0], [-1.0, 0.5]] {
        let exact = DMatrix::from_row_slice(3, 2, &[3.0 * y, 3.0 * x, 1.0, 2.0, 2.0 * x, 0.0]);
        let values = DVector::from_vec(vec![3.0 * x * y, x + 2.0 * y, x * x]);
        problem.set_params(&DVector::from_vec(vec![x, y]));
        // a Jacobian without residuals, residuals, the Jacobian beside them, and once more
        assert_eq!(problem.jacobian().unwrap(), exact);
        assert_eq!(problem.residuals().unwrap(), values);
        assert_eq!(problem.jacobian().unwrap(), exact);
        assert_eq!(problem.jacobian().unwrap(), exact);
        assert_eq!(problem.params().as_slice(), [x, y]);
    }
}

#[test]
fn another_length_is_no_answer() {
    let function = VectorFunction::with_data(products::D, AutoForward, &[0.0; 2], vec![3.0]).unwrap();
    let mut problem = LeastSquares::new(function, &[3.0, 4.0]);
    problem.set_params(&DVector::from_vec(vec![1.0, 2.0, 3.0]));
    assert!(problem.residuals().is_none() && problem.jacobian().is_none());
}
