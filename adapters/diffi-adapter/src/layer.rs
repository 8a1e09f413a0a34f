//! Functions of a row and of weights, as layers of networks.

use crate::arguments::{NoData, Slice, WithData};
use diffi::prelude::*;
use diffi::types::{ArgRoles, Input, Out, Output, Passed, PassiveRef, Ref, Signature};
use diffi::{PullbackBackend, Result};
use diffi_runtime::number::hlist::Cons;
use diffi_runtime::signature::arguments::Args;
use diffi_runtime::signature::function::Function;

/// A function of rows and of weights that all rows share, with products of its transposed Jacobians.
///
/// Many rows stand one after the other in one slice, as tensors keep them.
pub trait Layer: Send {
    /// How many numbers a row of the input and a row of the output have.
    fn widths(&self) -> (usize, usize);
    /// The values of one row.
    fn row(&mut self, x: &[f64], w: &[f64], y: &mut [f64]);
    /// The products of one row's transposed Jacobians with `dy`, by the row and by the weights.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn pull_row(&mut self, x: &[f64], w: &[f64], dy: &[f64], dx: &mut [f64], dw: &mut [f64]) -> Result<()>;

    /// The values of all rows.
    fn rows(&mut self, x: &[f64], w: &[f64]) -> Vec<f64> {
        let (inputs, outputs) = self.widths();
        let mut y = vec![0.0; x.len() / inputs * outputs];
        for (x, y) in x.chunks_exact(inputs).zip(y.chunks_exact_mut(outputs)) {
            self.row(x, w, y);
        }
        y
    }

    /// The cotangents of all rows, and their sum of cotangents of the weights.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn pull_rows(&mut self, x: &[f64], w: &[f64], dy: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let (inputs, outputs) = self.widths();
        let (mut dx, mut sum, mut dw) = (vec![0.0; x.len()], vec![0.0; w.len()], vec![0.0; w.len()]);
        let rows = x.chunks_exact(inputs).zip(dy.chunks_exact(outputs)).zip(dx.chunks_exact_mut(inputs));
        for ((x, dy), dx) in rows {
            self.pull_row(x, w, dy, dx, &mut dw)?;
            sum.iter_mut().zip(&dw).for_each(|(sum, dw)| *sum += dw);
        }
        Ok((dx, sum))
    }
}

/// What a layer takes beside a row and weights.
pub trait LayerData: Send + 'static {
    /// How the function takes its parameters.
    type Parameters: Signature<Base = f64>;
    /// Row and weights are differentiated.
    type Roles: ArgRoles<Self::Parameters, In = Cons<[f64], Slice>, Outs = Slice>;
    /// The arguments.
    fn at<'a>(&'a self, x: &'a [f64], w: &'a [f64], y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::Roles> + 'a;
}

/// `fn(x: &[f64], w: &[f64], y: &mut [f64])`.
impl LayerData for NoData {
    type Parameters = (Ref<[f64]>, Ref<[f64]>, Out<[f64]>);
    type Roles = (Input, Input, Output);

    #[inline]
    fn at<'a>(&'a self, x: &'a [f64], w: &'a [f64], y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::Roles> + 'a {
        (x, w, y)
    }
}

/// `fn(x: &[f64], w: &[f64], data: &T, y: &mut [f64])`.
impl<T: ?Sized + Send + 'static> LayerData for WithData<T> {
    type Parameters = (Ref<[f64]>, Ref<[f64]>, PassiveRef<T>, Out<[f64]>);
    type Roles = (Input, Input, Passed, Output);

    #[inline]
    fn at<'a>(&'a self, x: &'a [f64], w: &'a [f64], y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::Roles> + 'a {
        (x, w, Constant(&*self.0), y)
    }
}

/// A backend that pulls back through a layer.
pub trait LayerBackend<F: Function<D::Parameters>, D: LayerData>: PullbackBackend<F, D::Parameters, D::Roles> {}
impl<F: Function<D::Parameters>, D: LayerData, B: PullbackBackend<F, D::Parameters, D::Roles>> LayerBackend<F, D>
    for B
{
}

/// A layer that writes a row's values behind its last parameter.
pub struct LayerFunction<F: Function<D::Parameters>, B: LayerBackend<F, D>, D: LayerData> {
    widths: (usize, usize),
    data: D,
    y: Vec<f64>,
    pullback: PullbackPrep<F, B, D::Parameters, D::Roles>,
}

impl<F, B> LayerFunction<F, B, NoData>
where
    F: Function<<NoData as LayerData>::Parameters, ReturnValue = ()>,
    B: LayerBackend<F, NoData>,
{
    /// Of a function `fn(x: &[f64], w: &[f64], y: &mut [f64])`, a first row with its weights, and the length of `y`.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    pub fn new(function: F, backend: B, first: (&[f64], &[f64]), outputs: usize) -> Result<Self> {
        Self::of(function, backend, first, outputs, NoData)
    }
}

impl<F, B, T: ?Sized + Send + 'static> LayerFunction<F, B, WithData<T>>
where
    F: Function<<WithData<T> as LayerData>::Parameters, ReturnValue = ()>,
    B: LayerBackend<F, WithData<T>>,
{
    /// Of a function `fn(x: &[f64], w: &[f64], data: &T, y: &mut [f64])`, a first row with its weights, and the length of `y`.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    pub fn with_data(
        function: F,
        backend: B,
        first: (&[f64], &[f64]),
        outputs: usize,
        data: impl Into<Box<T>>,
    ) -> Result<Self> {
        Self::of(function, backend, first, outputs, WithData(data.into()))
    }
}

impl<F, B, D: LayerData> LayerFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = ()>,
    B: LayerBackend<F, D>,
{
    fn of(function: F, backend: B, (x, w): (&[f64], &[f64]), outputs: usize, data: D) -> Result<Self> {
        let (mut y, dy) = (vec![0.0; outputs], vec![0.0; outputs]);
        let pullback = prepare_pullback(function, backend, data.at(x, w, &mut y), &dy[..])?;
        Ok(LayerFunction { widths: (x.len(), outputs), data, y, pullback })
    }
}

impl<F, B, D: LayerData> Layer for LayerFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = ()> + Send,
    B: LayerBackend<F, D> + Send,
    PullbackPrep<F, B, D::Parameters, D::Roles>: Send,
{
    fn widths(&self) -> (usize, usize) {
        self.widths
    }
    #[inline]
    fn row(&mut self, x: &[f64], w: &[f64], y: &mut [f64]) {
        self.pullback.function().call(self.data.at(x, w, y).at());
    }
    #[inline]
    fn pull_row(&mut self, x: &[f64], w: &[f64], dy: &[f64], dx: &mut [f64], dw: &mut [f64]) -> Result<()> {
        self.pullback.pullback_into((dx, dw), self.data.at(x, w, &mut self.y), dy)
    }
}
