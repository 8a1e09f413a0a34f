//! Functions of a slice whose value is a `Vec`.

use crate::arguments::{Data, NoData, WithData};
use diffi::prelude::*;
use diffi::{DenseJacobianBackend, Result};
use diffi_runtime::signature::arguments::Args;
use diffi_runtime::signature::function::Function;
use ndarray::Array2;

/// A function of a slice whose value is a `Vec`, with a Jacobian.
pub trait Residuals {
    /// The value.
    fn value(&mut self, x: &[f64]) -> Vec<f64>;
    /// The value and the Jacobian.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn value_and_jacobian(&mut self, x: &[f64]) -> Result<(Vec<f64>, Array2<f64>)>;
    /// The value and, in `jacobian`, the Jacobian.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn value_and_jacobian_into(&mut self, x: &[f64], jacobian: &mut Array2<f64>) -> Result<Vec<f64>>;
}

/// A function of a slice whose value is a `Vec`, prepared for Jacobians.
pub struct VectorFunction<F: Function<D::Parameters>, B: DenseJacobianBackend<F, D::Parameters, D::Roles>, D: Data> {
    jacobian: JacobianPrep<F, B, D::Parameters, D::Roles>,
    data: D,
}

impl<F, B> VectorFunction<F, B, NoData>
where
    F: Function<<NoData as Data>::Parameters, ReturnValue = Vec<f64>>,
    B: DenseJacobianBackend<F, <NoData as Data>::Parameters, <NoData as Data>::Roles>,
{
    /// Of a function of a slice alone. Prepares for points of this dimension.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    pub fn new(function: F, backend: B, x: &[f64]) -> Result<Self> {
        let jacobian = prepare_jacobian(function, backend, NoData.at(x))?;
        Ok(VectorFunction { jacobian, data: NoData })
    }
}

impl<F, B, T: ?Sized + 'static> VectorFunction<F, B, WithData<T>>
where
    F: Function<<WithData<T> as Data>::Parameters, ReturnValue = Vec<f64>>,
    B: DenseJacobianBackend<F, <WithData<T> as Data>::Parameters, <WithData<T> as Data>::Roles>,
{
    /// Of a function of a slice and of data. Prepares for points of this dimension.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    pub fn with_data(function: F, backend: B, x: &[f64], data: impl Into<Box<T>>) -> Result<Self> {
        let data = WithData(data.into());
        let jacobian = prepare_jacobian(function, backend, data.at(x))?;
        Ok(VectorFunction { jacobian, data })
    }
}

impl<F, B, D: Data> Residuals for VectorFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = Vec<f64>>,
    B: DenseJacobianBackend<F, D::Parameters, D::Roles>,
{
    fn value(&mut self, x: &[f64]) -> Vec<f64> {
        self.jacobian.function().call(self.data.at(x).at())
    }
    fn value_and_jacobian(&mut self, x: &[f64]) -> Result<(Vec<f64>, Array2<f64>)> {
        self.jacobian.value_and_jacobian(self.data.at(x))
    }
    fn value_and_jacobian_into(&mut self, x: &[f64], jacobian: &mut Array2<f64>) -> Result<Vec<f64>> {
        self.jacobian.value_and_jacobian_into(jacobian, self.data.at(x))
    }
}
