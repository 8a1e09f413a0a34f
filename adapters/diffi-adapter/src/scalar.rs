//! Functions of a slice whose value is a number.

use crate::arguments::{Data, NoData, WithData};
use diffi::prelude::*;
use diffi::{GradientBackend, Result};
use diffi_runtime::signature::arguments::Args;
use diffi_runtime::signature::function::Function;

/// A function of a slice whose value is a number, with a gradient.
pub trait Objective {
    /// How many arguments there are.
    fn dimension(&self) -> usize;
    /// The value.
    fn value(&mut self, x: &[f64]) -> f64;
    /// The value and, in `gradient`, the gradient. Allocates nothing.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn value_and_gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<f64>;
}

/// A function of a slice whose value is a number, prepared for gradients.
pub struct ScalarFunction<F: Function<D::Parameters>, B: GradientBackend<F, D::Parameters, D::Roles>, D: Data> {
    dimension: usize,
    gradient: GradientPrep<F, B, D::Parameters, D::Roles>,
    data: D,
}

impl<F, B> ScalarFunction<F, B, NoData>
where
    F: Function<<NoData as Data>::Parameters, ReturnValue = f64>,
    B: GradientBackend<F, <NoData as Data>::Parameters, <NoData as Data>::Roles>,
{
    /// Of a function of a slice alone. Prepares for points of this dimension.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    pub fn new(function: F, backend: B, x: &[f64]) -> Result<Self> {
        Self::of(function, backend, x, NoData)
    }
}

impl<F, B, T: ?Sized + 'static> ScalarFunction<F, B, WithData<T>>
where
    F: Function<<WithData<T> as Data>::Parameters, ReturnValue = f64>,
    B: GradientBackend<F, <WithData<T> as Data>::Parameters, <WithData<T> as Data>::Roles>,
{
    /// Of a function of a slice and of data. Prepares for points of this dimension.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    pub fn with_data(function: F, backend: B, x: &[f64], data: impl Into<Box<T>>) -> Result<Self> {
        Self::of(function, backend, x, WithData(data.into()))
    }
}

impl<F, B, D: Data> ScalarFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = f64>,
    B: GradientBackend<F, D::Parameters, D::Roles>,
{
    pub(crate) fn of(function: F, backend: B, x: &[f64], data: D) -> Result<Self> {
        let gradient = prepare_gradient(function, backend, data.at(x))?;
        Ok(ScalarFunction { dimension: x.len(), gradient, data })
    }

    pub(crate) fn data(&self) -> &D {
        &self.data
    }
}

impl<F, B, D: Data> Objective for ScalarFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = f64>,
    B: GradientBackend<F, D::Parameters, D::Roles>,
{
    #[inline]
    fn dimension(&self) -> usize {
        self.dimension
    }
    #[inline]
    fn value(&mut self, x: &[f64]) -> f64 {
        self.gradient.function().call(self.data.at(x).at())
    }
    #[inline]
    fn value_and_gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<f64> {
        self.gradient.value_and_gradient_into(gradient, self.data.at(x))
    }
}
