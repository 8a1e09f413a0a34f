//! Functions of a slice whose value is a number, with second derivatives.

use crate::arguments::{Data, NoData, WithData};
use crate::scalar::{Objective, ScalarFunction};
use diffi::prelude::*;
use diffi::{DenseHessianBackend, GradientBackend, HvpBackend, Result};
use diffi_runtime::signature::function::Function;
use ndarray::Array2;

/// An objective with second derivatives.
pub trait SecondOrderObjective: Objective {
    /// The Hessian.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn hessian(&mut self, x: &[f64], hessian: &mut Array2<f64>) -> Result<()>;
    /// The Hessian times a direction.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn hvp(&mut self, x: &[f64], direction: &[f64], product: &mut [f64]) -> Result<()>;
}

/// A backend that finds gradients, Hessians, and products of Hessians with directions.
pub trait SecondOrderBackend<F: Function<D::Parameters>, D: Data>:
    GradientBackend<F, D::Parameters, D::Roles>
    + DenseHessianBackend<F, D::Parameters, D::Roles>
    + HvpBackend<F, D::Parameters, D::Roles>
{
}
impl<F: Function<D::Parameters>, D: Data, B> SecondOrderBackend<F, D> for B where
    B: GradientBackend<F, D::Parameters, D::Roles>
        + DenseHessianBackend<F, D::Parameters, D::Roles>
        + HvpBackend<F, D::Parameters, D::Roles>
{
}

/// A function of a slice whose value is a number, prepared for gradients. Hessians, and products with them, are prepared when the first
/// one is asked for.
pub struct SecondOrderFunction<F: Function<D::Parameters>, B: SecondOrderBackend<F, D>, D: Data> {
    function: F,
    backend: B,
    first: ScalarFunction<F, B, D>,
    hessian: Option<HessianPrep<F, B, D::Parameters, D::Roles>>,
    hvp: Option<HvpPrep<F, B, D::Parameters, D::Roles>>,
}

impl<F, B> SecondOrderFunction<F, B, NoData>
where
    F: Function<<NoData as Data>::Parameters, ReturnValue = f64> + Clone,
    B: SecondOrderBackend<F, NoData>,
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

impl<F, B, T: ?Sized + 'static> SecondOrderFunction<F, B, WithData<T>>
where
    F: Function<<WithData<T> as Data>::Parameters, ReturnValue = f64> + Clone,
    B: SecondOrderBackend<F, WithData<T>>,
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

impl<F, B, D: Data> SecondOrderFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = f64> + Clone,
    B: SecondOrderBackend<F, D>,
{
    fn of(function: F, backend: B, x: &[f64], data: D) -> Result<Self> {
        let first = ScalarFunction::of(function.clone(), backend.clone(), x, data)?;
        Ok(SecondOrderFunction { function, backend, first, hessian: None, hvp: None })
    }
}

impl<F, B, D: Data> Objective for SecondOrderFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = f64> + Clone,
    B: SecondOrderBackend<F, D>,
{
    #[inline]
    fn dimension(&self) -> usize {
        self.first.dimension()
    }
    #[inline]
    fn value(&mut self, x: &[f64]) -> f64 {
        self.first.value(x)
    }
    #[inline]
    fn value_and_gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<f64> {
        self.first.value_and_gradient(x, gradient)
    }
}

impl<F, B, D: Data> SecondOrderObjective for SecondOrderFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = f64> + Clone,
    B: SecondOrderBackend<F, D>,
{
    fn hessian(&mut self, x: &[f64], hessian: &mut Array2<f64>) -> Result<()> {
        let args = || self.first.data().at(x);
        let prepared = match &mut self.hessian {
            Some(prepared) => prepared,
            none => none.insert(prepare_hessian(self.function.clone(), self.backend.clone(), args())?),
        };
        prepared.hessian_into(hessian, args())
    }
    fn hvp(&mut self, x: &[f64], direction: &[f64], product: &mut [f64]) -> Result<()> {
        let args = || self.first.data().at(x);
        let prepared = match &mut self.hvp {
            Some(prepared) => prepared,
            none => none.insert(prepare_hvp(self.function.clone(), self.backend.clone(), args(), direction)?),
        };
        prepared.hvp_into(product, args(), direction)
    }
}
