//! Functions of a state, of parameters and of time, as solvers of differential equations take them.

use crate::arguments::{NoData, Slice, WithData};
use diffi::prelude::*;
use diffi::types::{ArgRoles, Input, Out, Output, Passed, PassiveRef, Ref, Signature, Val};
use diffi::{DenseJacobianBackend, PullbackBackend, PushforwardBackend, Result};
use diffi_runtime::signature::arguments::Args;
use diffi_runtime::signature::function::Function;
use ndarray::Array2;

/// A function of a state, of parameters and of time, with products of its Jacobians: `J` by the state, `P` by the parameters.
pub trait System {
    /// The value.
    fn value(&mut self, at: Point<'_>, y: &mut [f64]);
    /// `J v`.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators, as all functions here.
    fn jvp(&mut self, at: Point<'_>, v: &[f64], product: &mut [f64]) -> Result<()>;
    /// `Jᵀ w`.
    fn vjp(&mut self, at: Point<'_>, w: &[f64], product: &mut [f64]) -> Result<()>;
    /// `P v`.
    fn parameter_jvp(&mut self, at: Point<'_>, v: &[f64], product: &mut [f64]) -> Result<()>;
    /// `Pᵀ w`.
    fn parameter_vjp(&mut self, at: Point<'_>, w: &[f64], product: &mut [f64]) -> Result<()>;
    /// `J`.
    fn jacobian(&mut self, at: Point<'_>, jacobian: &mut Array2<f64>) -> Result<()>;
}

/// Where a system is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// The state.
    pub x: &'a [f64],
    /// The parameters.
    pub p: &'a [f64],
    /// The time.
    pub t: f64,
}

/// What a system takes beside state, parameters and time.
pub trait SystemData: 'static {
    /// How the function takes its parameters.
    type Parameters: Signature<Base = f64>;
    /// The state is differentiated.
    type State: ArgRoles<Self::Parameters, In = Slice, Outs = Slice>;
    /// The parameters are differentiated.
    type Params: ArgRoles<Self::Parameters, In = Slice, Outs = Slice>;
    /// The arguments, by the state.
    fn by_state<'a>(&'a self, at: Point<'a>, y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::State> + 'a;
    /// The arguments, by the parameters.
    fn by_params<'a>(&'a self, at: Point<'a>, y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::Params> + 'a;
}

/// `fn(x: &[f64], p: &[f64], t: f64, y: &mut [f64])`.
impl SystemData for NoData {
    type Parameters = (Ref<[f64]>, Ref<[f64]>, Val<f64>, Out<[f64]>);
    type State = (Input, Passed, Passed, Output);
    type Params = (Passed, Input, Passed, Output);

    #[inline]
    fn by_state<'a>(&'a self, at: Point<'a>, y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::State> + 'a {
        (at.x, Constant(at.p), Constant(at.t), y)
    }
    #[inline]
    fn by_params<'a>(&'a self, at: Point<'a>, y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::Params> + 'a {
        (Constant(at.x), at.p, Constant(at.t), y)
    }
}

/// `fn(x: &[f64], p: &[f64], t: f64, data: &T, y: &mut [f64])`.
impl<T: ?Sized + 'static> SystemData for WithData<T> {
    type Parameters = (Ref<[f64]>, Ref<[f64]>, Val<f64>, PassiveRef<T>, Out<[f64]>);
    type State = (Input, Passed, Passed, Passed, Output);
    type Params = (Passed, Input, Passed, Passed, Output);

    #[inline]
    fn by_state<'a>(&'a self, at: Point<'a>, y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::State> + 'a {
        (at.x, Constant(at.p), Constant(at.t), Constant(&*self.0), y)
    }
    #[inline]
    fn by_params<'a>(&'a self, at: Point<'a>, y: &'a mut [f64]) -> impl Args<Self::Parameters, Self::Params> + 'a {
        (Constant(at.x), at.p, Constant(at.t), Constant(&*self.0), y)
    }
}

/// A backend that finds all products of a system: `MixedMode(AutoForward, AutoReverse)` takes one sweep for each.
pub trait SystemBackend<F: Function<D::Parameters>, D: SystemData>:
    PushforwardBackend<F, D::Parameters, D::State>
    + PushforwardBackend<F, D::Parameters, D::Params>
    + PullbackBackend<F, D::Parameters, D::State>
    + PullbackBackend<F, D::Parameters, D::Params>
    + DenseJacobianBackend<F, D::Parameters, D::State>
{
}
impl<F: Function<D::Parameters>, D: SystemData, B> SystemBackend<F, D> for B where
    B: PushforwardBackend<F, D::Parameters, D::State>
        + PushforwardBackend<F, D::Parameters, D::Params>
        + PullbackBackend<F, D::Parameters, D::State>
        + PullbackBackend<F, D::Parameters, D::Params>
        + DenseJacobianBackend<F, D::Parameters, D::State>
{
}

/// A system that writes its value behind its last parameter.
///
/// Each kind of product is prepared when the first one is asked for. If the function reads what it wrote, say so:
/// `#[differentiable(output(y))]`.
pub struct SystemFunction<F: Function<D::Parameters>, B: SystemBackend<F, D>, D: SystemData> {
    function: F,
    backend: B,
    data: D,
    /// The value, where a product is all that is asked for.
    y: Vec<f64>,
    jvp: Option<PushforwardPrep<F, B, D::Parameters, D::State>>,
    vjp: Option<PullbackPrep<F, B, D::Parameters, D::State>>,
    parameter_jvp: Option<PushforwardPrep<F, B, D::Parameters, D::Params>>,
    parameter_vjp: Option<PullbackPrep<F, B, D::Parameters, D::Params>>,
    jacobian: Option<JacobianPrep<F, B, D::Parameters, D::State>>,
}

impl<F, B> SystemFunction<F, B, NoData>
where
    F: Function<<NoData as SystemData>::Parameters, ReturnValue = ()> + Clone,
    B: SystemBackend<F, NoData>,
{
    /// Of a function `fn(x: &[f64], p: &[f64], t: f64, y: &mut [f64])`, and the length of `y`.
    pub fn new(function: F, backend: B, length: usize) -> Self {
        Self::of(function, backend, length, NoData)
    }
}

impl<F, B, T: ?Sized + 'static> SystemFunction<F, B, WithData<T>>
where
    F: Function<<WithData<T> as SystemData>::Parameters, ReturnValue = ()> + Clone,
    B: SystemBackend<F, WithData<T>>,
{
    /// Of a function `fn(x: &[f64], p: &[f64], t: f64, data: &T, y: &mut [f64])`, and the length of `y`.
    pub fn with_data(function: F, backend: B, length: usize, data: impl Into<Box<T>>) -> Self {
        Self::of(function, backend, length, WithData(data.into()))
    }
}

impl<F, B, D: SystemData> SystemFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = ()> + Clone,
    B: SystemBackend<F, D>,
{
    fn of(function: F, backend: B, length: usize, data: D) -> Self {
        let y = vec![0.0; length];
        let (jvp, vjp, parameter_jvp, parameter_vjp, jacobian) = Default::default();
        SystemFunction { function, backend, data, y, jvp, vjp, parameter_jvp, parameter_vjp, jacobian }
    }
}

/// The prepared object of a field, which is made where there is none.
macro_rules! prepared {
    ($self:ident.$field:ident = $prepare:ident($args:expr $(, $seed:expr)?)) => {
        match &mut $self.$field {
            Some(prepared) => prepared,
            none => none.insert($prepare($self.function.clone(), $self.backend.clone(), $args $(, $seed)?)?),
        }
    };
}

impl<F, B, D: SystemData> System for SystemFunction<F, B, D>
where
    F: Function<D::Parameters, ReturnValue = ()> + Clone,
    B: SystemBackend<F, D>,
{
    #[inline]
    fn value(&mut self, at: Point<'_>, y: &mut [f64]) {
        self.function.call(self.data.by_state(at, y).at());
    }
    #[inline]
    fn jvp(&mut self, at: Point<'_>, v: &[f64], product: &mut [f64]) -> Result<()> {
        let prepared = prepared!(self.jvp = prepare_pushforward(self.data.by_state(at, &mut self.y), v));
        prepared.pushforward_into(product, self.data.by_state(at, &mut self.y), v)
    }
    #[inline]
    fn vjp(&mut self, at: Point<'_>, w: &[f64], product: &mut [f64]) -> Result<()> {
        let prepared = prepared!(self.vjp = prepare_pullback(self.data.by_state(at, &mut self.y), w));
        prepared.pullback_into(product, self.data.by_state(at, &mut self.y), w)
    }
    #[inline]
    fn parameter_jvp(&mut self, at: Point<'_>, v: &[f64], product: &mut [f64]) -> Result<()> {
        let prepared = prepared!(self.parameter_jvp = prepare_pushforward(self.data.by_params(at, &mut self.y), v));
        prepared.pushforward_into(product, self.data.by_params(at, &mut self.y), v)
    }
    #[inline]
    fn parameter_vjp(&mut self, at: Point<'_>, w: &[f64], product: &mut [f64]) -> Result<()> {
        let prepared = prepared!(self.parameter_vjp = prepare_pullback(self.data.by_params(at, &mut self.y), w));
        prepared.pullback_into(product, self.data.by_params(at, &mut self.y), w)
    }
    #[inline]
    fn jacobian(&mut self, at: Point<'_>, jacobian: &mut Array2<f64>) -> Result<()> {
        let prepared = prepared!(self.jacobian = prepare_jacobian(self.data.by_state(at, &mut self.y)));
        prepared.jacobian_into(jacobian, self.data.by_state(at, &mut self.y))
    }
}
