//! Derivatives by diffi for the solvers of `argmin`, of parameters that are a `Vec<f64>`.
//!
#![doc = include_str!("../example.md")]
#![forbid(unsafe_code)]

use argmin::core::{CostFunction, Error, Gradient, Hessian, Jacobian, Operator};
use diffi_adapter::{Objective, Residuals, SecondOrderObjective};
use ndarray::Array2;
use std::cell::RefCell;

/// An objective as argmin's problem: cost, gradient and Hessian.
///
/// The value comes with the gradient at no cost, and line searches ask for both at one point: the gradient of the last point is kept.
pub struct Problem<O> {
    inner: RefCell<Inner<O>>,
}

struct Inner<O> {
    objective: O,
    /// The last point of a gradient, and what was found there.
    at: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

impl<O: Objective> Problem<O> {
    /// Of an objective.
    pub fn new(objective: O) -> Self {
        let inner = Inner { objective, at: Vec::new(), value: f64::NAN, gradient: Vec::new() };
        Problem { inner: RefCell::new(inner) }
    }
}

impl<O: Objective> CostFunction for Problem<O> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        let inner = &mut *self.inner.borrow_mut();
        Ok(if inner.at == *x { inner.value } else { inner.objective.value(x) })
    }
}

impl<O: Objective> Gradient for Problem<O> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let Inner { objective, at, value, gradient } = &mut *self.inner.borrow_mut();
        if at == x {
            return Ok(gradient.clone());
        }
        // a point is kept only with its gradient
        at.clear();
        let mut found = vec![0.0; x.len()];
        *value = objective.value_and_gradient(x, &mut found)?;
        gradient.clone_from(&found);
        at.extend_from_slice(x);
        Ok(found)
    }
}

impl<O: SecondOrderObjective> Hessian for Problem<O> {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    fn hessian(&self, x: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        let mut hessian = Array2::zeros((x.len(), x.len()));
        self.inner.borrow_mut().objective.hessian(x, &mut hessian)?;
        Ok(hessian.outer_iter().map(|row| row.to_vec()).collect())
    }
}

/// Residuals as argmin's operator, with their Jacobian.
pub struct LeastSquares<R> {
    residuals: RefCell<R>,
}

impl<R: Residuals> LeastSquares<R> {
    /// Of residuals.
    pub fn new(residuals: R) -> Self {
        LeastSquares { residuals: RefCell::new(residuals) }
    }
}

impl<R: Residuals> Operator for LeastSquares<R> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;

    fn apply(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.residuals.borrow_mut().value(x))
    }
}

impl<R: Residuals> Jacobian for LeastSquares<R> {
    type Param = Vec<f64>;
    type Jacobian = Vec<Vec<f64>>;

    fn jacobian(&self, x: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        let (_, jacobian) = self.residuals.borrow_mut().value_and_jacobian(x)?;
        Ok(jacobian.outer_iter().map(|row| row.to_vec()).collect())
    }
}
