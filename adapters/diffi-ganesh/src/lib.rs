//! Derivatives by diffi for the minimisers of `ganesh`, over any of its linear algebra providers.
//!
#![doc = include_str!("../example.md")]
//!
//! ganesh finds standard errors from the Hessian at the end, which is exact here. They are those of a negative log likelihood: half a sum
//! of squares, not a sum of squares.
#![forbid(unsafe_code)]

use diffi::Error;
use diffi_adapter::SecondOrderObjective;
use ganesh::traits::numeric_problem::{GradientHessian, ValueGradientHessian};
use ganesh::traits::{CostFunction, Gradient};
use ganesh::{LinearAlgebra, Matrix, Vector};
use ndarray::Array2;
use std::borrow::Cow;
use std::cell::RefCell;

/// An objective as ganesh's problem. The solver's own argument beside the point is not used: data are the objective's.
pub struct Problem<O> {
    objective: RefCell<O>,
}

impl<O: SecondOrderObjective> Problem<O> {
    /// Of an objective.
    pub fn new(objective: O) -> Self {
        Problem { objective: RefCell::new(objective) }
    }
}

impl<O: SecondOrderObjective, B: LinearAlgebra<f64>, U> CostFunction<f64, B, U, Error> for Problem<O> {
    fn evaluate(&self, x: &Vector<f64, B>, _: &U) -> Result<f64, Error> {
        Ok(self.objective.borrow_mut().value(&numbers(x)))
    }
}

impl<O: SecondOrderObjective, B: LinearAlgebra<f64>, U> Gradient<f64, B, U, Error> for Problem<O> {
    fn gradient(&self, x: &Vector<f64, B>, u: &U) -> Result<Vector<f64, B>, Error> {
        Ok(self.evaluate_with_gradient(x, u)?.1)
    }

    fn hessian(&self, x: &Vector<f64, B>, _: &U) -> Result<Matrix<f64, B>, Error> {
        let n = x.len();
        let mut hessian = Array2::zeros((n, n));
        self.objective.borrow_mut().hessian(&numbers(x), &mut hessian)?;
        let mut matrix = Matrix::zeros(n, n);
        hessian.indexed_iter().for_each(|((row, column), entry)| matrix.set(row, column, *entry));
        Ok(matrix)
    }

    #[inline]
    fn evaluate_with_gradient(&self, x: &Vector<f64, B>, _: &U) -> Result<(f64, Vector<f64, B>), Error> {
        let mut gradient = vec![0.0; x.len()];
        let value = self.objective.borrow_mut().value_and_gradient(&numbers(x), &mut gradient)?;
        Ok((value, Vector::from_vec(gradient)))
    }

    fn gradient_with_hessian(&self, x: &Vector<f64, B>, u: &U) -> Result<GradientHessian<f64, B>, Error> {
        Ok((self.gradient(x, u)?, self.hessian(x, u)?))
    }

    fn evaluate_with_gradient_and_hessian(
        &self,
        x: &Vector<f64, B>,
        u: &U,
    ) -> Result<ValueGradientHessian<f64, B>, Error> {
        let (value, gradient) = self.evaluate_with_gradient(x, u)?;
        Ok((value, gradient, self.hessian(x, u)?))
    }
}

/// The numbers of a point, copied only where its provider does not lend them.
fn numbers<B: LinearAlgebra<f64>>(x: &Vector<f64, B>) -> Cow<'_, [f64]> {
    x.as_slice().map_or_else(|| Cow::Owned(x.to_vec()), Cow::Borrowed)
}
