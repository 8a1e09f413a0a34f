//! Functions of a state, of parameters and of time, whose Jacobian by the state is sparse.

use crate::arguments::{NoData, WithData};
use crate::system::{Point, SystemData};
use diffi::prelude::*;
use diffi::{JacobianBackend, Result};
use diffi_runtime::operators::jacobian::JacobianBy;
use diffi_runtime::operators::strategy::Backend;
use diffi_runtime::signature::arguments::Args;
use diffi_runtime::signature::function::Function;
use sprs::CsMat;

/// A function of a state, of parameters and of time, with a sparse Jacobian by the state.
pub trait SparseSystem {
    /// How many numbers the state has.
    fn dimension(&self) -> usize;
    /// How many entries the Jacobian has.
    fn entries(&self) -> usize;
    /// The value.
    fn value(&mut self, at: Point<'_>, y: &mut [f64]);
    /// The entries of the Jacobian with their rows and columns, in an order that does not change.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn jacobian(&mut self, at: Point<'_>) -> Result<impl Iterator<Item = (f64, (usize, usize))>>;
}

/// A backend that gives `CsMat`s.
pub trait SparseJacobianBackend<F: Function<D::Parameters>, D: SystemData>:
    Backend<Jacobian: JacobianBy<Self, F, D::Parameters, D::State, Matrix = CsMat<f64>>>
    + JacobianBackend<F, D::Parameters, D::State>
{
}
impl<B, F: Function<D::Parameters>, D: SystemData> SparseJacobianBackend<F, D> for B where
    B: Backend<Jacobian: JacobianBy<B, F, D::Parameters, D::State, Matrix = CsMat<f64>>>
        + JacobianBackend<F, D::Parameters, D::State>
{
}

/// A system that writes its value behind its last parameter. The pattern of its Jacobian is found, and coloured, when it is made.
pub struct SparseSystemFunction<F, B, D>
where
    F: Function<D::Parameters>,
    AutoSparse<B>: SparseJacobianBackend<F, D>,
    D: SystemData,
{
    function: F,
    data: D,
    /// The value, where the Jacobian is all that is asked for.
    y: Vec<f64>,
    prepared: JacobianPrep<F, AutoSparse<B>, D::Parameters, D::State>,
    jacobian: CsMat<f64>,
}

impl<F, B: Backend> SparseSystemFunction<F, B, NoData>
where
    F: Function<<NoData as SystemData>::Parameters, ReturnValue = ()> + Clone,
    AutoSparse<B>: SparseJacobianBackend<F, NoData>,
{
    /// Of a function `fn(x: &[f64], p: &[f64], t: f64, y: &mut [f64])`, prepared at a first point.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    pub fn new(function: F, backend: B, first: Point<'_>) -> Result<Self> {
        Self::of(function, backend, first, NoData)
    }
}

impl<F, B: Backend, T: ?Sized + 'static> SparseSystemFunction<F, B, WithData<T>>
where
    F: Function<<WithData<T> as SystemData>::Parameters, ReturnValue = ()> + Clone,
    AutoSparse<B>: SparseJacobianBackend<F, WithData<T>>,
{
    /// Of a function `fn(x: &[f64], p: &[f64], t: f64, data: &T, y: &mut [f64])`, prepared at a first point.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    pub fn with_data(function: F, backend: B, first: Point<'_>, data: impl Into<Box<T>>) -> Result<Self> {
        Self::of(function, backend, first, WithData(data.into()))
    }
}

impl<F, B: Backend, D: SystemData> SparseSystemFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = ()> + Clone,
    AutoSparse<B>: SparseJacobianBackend<F, D>,
{
    fn of(function: F, backend: B, first: Point<'_>, data: D) -> Result<Self> {
        let mut y = vec![0.0; first.x.len()];
        let by_colors = AutoSparse::new(backend);
        let mut prepared = prepare_jacobian(function.clone(), by_colors, data.by_state(first, &mut y))?;
        let jacobian = prepared.jacobian(data.by_state(first, &mut y))?;
        Ok(SparseSystemFunction { function, data, y, prepared, jacobian })
    }
}

impl<F, B: Backend, D: SystemData> SparseSystem for SparseSystemFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = ()> + Clone,
    AutoSparse<B>: SparseJacobianBackend<F, D>,
{
    fn dimension(&self) -> usize {
        self.y.len()
    }
    fn entries(&self) -> usize {
        self.jacobian.nnz()
    }
    #[inline]
    fn value(&mut self, at: Point<'_>, y: &mut [f64]) {
        self.function.call(self.data.by_state(at, y).at());
    }
    #[inline]
    fn jacobian(&mut self, at: Point<'_>) -> Result<impl Iterator<Item = (f64, (usize, usize))>> {
        self.prepared.jacobian_into(&mut self.jacobian, self.data.by_state(at, &mut self.y))?;
        Ok(self.jacobian.iter().map(|(entry, at)| (*entry, at)))
    }
}
