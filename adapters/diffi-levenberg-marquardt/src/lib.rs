//! Jacobians by diffi for the crate `levenberg-marquardt`.
//!
#![doc = include_str!("../example.md")]
#![forbid(unsafe_code)]

use diffi_adapter::Residuals;
use levenberg_marquardt::LeastSquaresProblem;
use nalgebra::{DMatrix, DVector, Dyn, Owned};
use ndarray::Array2;
use std::cell::RefCell;

/// Residuals as a least squares problem. Value and Jacobian at one point are found together.
pub struct LeastSquares<R> {
    parameters: DVector<f64>,
    inner: RefCell<Inner<R>>,
}

struct Inner<R> {
    residuals: R,
    /// The Jacobian that was found beside the residuals at the parameters.
    jacobian: Option<DMatrix<f64>>,
    /// The memory in which it was found.
    rows: Option<Array2<f64>>,
}

impl<R: Residuals> LeastSquares<R> {
    /// Of residuals, from a first point on.
    pub fn new(residuals: R, start: &[f64]) -> Self {
        let parameters = DVector::from_column_slice(start);
        LeastSquares { parameters, inner: RefCell::new(Inner { residuals, jacobian: None, rows: None }) }
    }

    /// The parameters that were found.
    pub fn parameters(&self) -> &[f64] {
        self.parameters.as_slice()
    }
}

impl<R: Residuals> Inner<R> {
    fn found(&mut self, x: &[f64]) -> Option<(Vec<f64>, DMatrix<f64>)> {
        let (values, found) = match &mut self.rows {
            Some(found) => (self.residuals.value_and_jacobian_into(x, found).ok()?, found),
            none => {
                let (values, found) = self.residuals.value_and_jacobian(x).ok()?;
                (values, none.insert(found))
            }
        };
        let (rows, columns) = found.dim();
        Some((values, DMatrix::from_row_iterator(rows, columns, found.iter().copied())))
    }
}

impl<R: Residuals> LeastSquaresProblem<f64, Dyn, Dyn> for LeastSquares<R> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, x: &DVector<f64>) {
        self.parameters.clone_from(x);
        self.inner.borrow_mut().jacobian = None;
    }

    fn params(&self) -> DVector<f64> {
        self.parameters.clone()
    }

    /// Steps are refused more rarely than taken, so that the Jacobian is found at once.
    fn residuals(&self) -> Option<DVector<f64>> {
        let inner = &mut *self.inner.borrow_mut();
        let (values, jacobian) = inner.found(self.parameters.as_slice())?;
        inner.jacobian = Some(jacobian);
        Some(DVector::from_vec(values))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let inner = &mut *self.inner.borrow_mut();
        match inner.jacobian.take() {
            Some(jacobian) => Some(jacobian),
            None => inner.found(self.parameters.as_slice()).map(|(_, jacobian)| jacobian),
        }
    }
}
