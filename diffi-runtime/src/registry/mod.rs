//! The table of backends: by which strategy each of them serves each operator.

pub mod support;

#[cfg(feature = "ad-trait")]
use crate::backend::AutoAdTrait;
#[cfg(feature = "autodiff")]
use crate::backend::AutoAutodiff;
#[cfg(feature = "echidna")]
use crate::backend::AutoEchidna;
#[cfg(feature = "hyperdual")]
use crate::backend::AutoHyperdualCrate;
#[cfg(feature = "num-dual")]
use crate::backend::AutoNumDual;
#[cfg(feature = "enzyme")]
#[cfg(feature = "enzyme")]
use crate::backend::enzyme::OnlyGradients;
use crate::backend::from_primitive::{AutoForwardFromPrimitive, AutoReverseFromPrimitive};
use crate::backend::mixed_mode::{ByCost, ByForward, ByReverse, GoesBackward, GoesForward, MixedMode};
use crate::backend::second_order::{
    Differenced, Duals, Generated, HyperDuals, Nested, NoFirstOrder, NoSecondOrder, Outer, Retraced, SecondOrder,
    Truncated,
};
use crate::backend::symbolic::Symbolic;
use crate::backend::zero::{AutoZero, Zeros};
use crate::backend::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoForward, AutoHyperDual, AutoReverse,
    AutoSymbolic, AutoTape, AutoTaylor, ByDirections,
};
#[cfg(feature = "rayon")]
use crate::backend::{AutoDualThreads, AutoThreads, ByThreads, Spread};
#[cfg(feature = "enzyme")]
use crate::backend::{AutoEnzyme, ByEnzyme};
use crate::operators::strategy::{Backend, ByPulls, ByPushes, Mode};
use crate::sparse::ColoringAlgorithm;
use crate::sparse::auto::{AutoSparse, ByColors, OnlyMatrices, Part};

/// One backend, with the names of its strategies. See [`TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The backend.
    pub backend: &'static str,
    /// For `pushforward` and `derivative`.
    pub pushforward: &'static str,
    /// For `pullback`.
    pub pullback: &'static str,
    /// For `gradient`.
    pub gradient: &'static str,
    /// For `jacobian`.
    pub jacobian: &'static str,
    /// For `second_derivative`, `hvp` and `hessian`.
    pub second: &'static str,
}

/// A row is `[generics] backend [what else], mode => pushforward, pullback, gradient, jacobian, second order`.
macro_rules! backends {
    ($(
        $(#[$cfg:meta])? [$($generics:tt)*] $Backend:ty $([$($extra:tt)*])?, |$b:ident| $mode:expr =>
        $Pushforward:ty, $Pullback:ty, $Gradient:ty, $Jacobian:ty, $Second:ty;
    )+) => {
        /// By which strategy each backend serves each operator. [`Row::served`] says what is native, and what is not.
        ///
        /// | backend | `pushforward`, `derivative` | `pullback` | `gradient` | `jacobian` | `second_derivative`, `hvp`, `hessian` |
        /// |---|---|---|---|---|---|
        $(#[doc = concat!(
            "| `", stringify!($Backend), "` | `", stringify!($Pushforward), "` | `", stringify!($Pullback), "` | `",
            stringify!($Gradient), "` | `", stringify!($Jacobian), "` | `", stringify!($Second), "` |"
        )])+
        ///
        /// - `ByPushes`: tangents go through the function. One pass for a `pushforward` with all its seeds; for what needs all
        ///   columns of the Jacobian, one for every eight inputs.
        /// - `ByPulls`: cotangents go through the function. One pass for a `pullback` with all its seeds; for what needs all rows,
        ///   one for every eight outputs.
        /// - `ByForward`, `ByReverse`, `ByCost`: what one of two backends does, `ByCost` the one that needs less.
        /// - `ByDirections`: numbers that carry derivatives go through the function, one pass for every twelve inputs.
        /// - `ByThreads`: the same, passes on several threads.
        /// - `B::Jacobian`: what `B` does, and `Spread<B::Second>` the same for second derivatives, passes on several threads.
        /// - `Nested<..>`: numbers that carry derivatives and their tangents. One pass for every eight inputs for an `hvp`; for a
        ///   `hessian` so many for every eight columns; one pass for a `second_derivative`.
        /// - `Generated`: the tangents of adjoint code. One pass for an `hvp`, one for every eight inputs for a `hessian`, one for
        ///   every output for a `second_derivative`.
        /// - `Retraced`: the tape, run on dual numbers. One pass for an `hvp`, one for every eight inputs for a `hessian`, one for a
        ///   `second_derivative`.
        /// - `Symbolic`: expressions for the gradient and its tangent.
        /// - `Truncated`: power series. One pass for a `second_derivative`; for products with a Hessian two for every input and tangent.
        /// - `Differenced`: two gradients of the inner backend for each product, two pushforwards for a `second_derivative`.
        /// - `ByColors`: sparse matrices, by products of the backend inside, as many as there are colors.
        /// - `OnlyGradients`: nothing; the call does not compile.
        /// - `OnlyMatrices`: nothing; the call does not compile.
        /// - `Zeros`: a call, and zeros.
        /// - `NoFirstOrder`, `NoSecondOrder`: nothing; the call does not compile.
        pub const TABLE: &[Row] = &[$($(#[$cfg])? Row {
            backend: stringify!($Backend),
            pushforward: stringify!($Pushforward),
            pullback: stringify!($Pullback),
            gradient: stringify!($Gradient),
            jacobian: stringify!($Jacobian),
            second: stringify!($Second),
        }),+];

        $($(#[$cfg])? impl<$($generics)*> Backend for $Backend {
            type Pushforward = $Pushforward;
            type Pullback = $Pullback;
            type Gradient = $Gradient;
            type Jacobian = $Jacobian;
            type Second = $Second;

            fn mode(&self) -> Mode {
                let $b = self;
                $mode
            }

            backends!(@ $([$($extra)*])?);
        })+
    };
    (@) => {
        type Outer = Self;
        type Inner = Self;

        fn outer(&self) -> &Self {
            self
        }
        fn inner(&self) -> &Self {
            self
        }
    };
    (@ [batched]) => {
        backends!(@);

        #[inline]
        fn batch_size_of(&self, n: usize) -> usize {
            self.batch.of(n)
        }
        fn batch_size_of_groups(&self, n: usize) -> usize {
            self.batch.of_groups(n)
        }
    };
    (@ [chunked]) => {
        backends!(@);

        fn batch_size_of(&self, n: usize) -> usize {
            self.chunk.of(n)
        }
        fn batch_size_of_groups(&self, n: usize) -> usize {
            self.chunk.of_groups(n)
        }
    };
    (@ [foreign]) => {
        backends!(@);

        fn batch_size_of(&self, n: usize) -> usize {
            Self::chunk().of(n)
        }
        fn batch_size_of_groups(&self, n: usize) -> usize {
            Self::chunk().of_groups(n)
        }
    };
    (@ [inexact]) => {
        backends!(@);

        fn inexact(&self) -> bool {
            true
        }
    };
    (@ [differenced]) => {
        type Outer = AutoFiniteDiff;
        type Inner = Self;

        fn outer(&self) -> &AutoFiniteDiff {
            &AutoFiniteDiff
        }
        fn inner(&self) -> &Self {
            self
        }
        fn inexact(&self) -> bool {
            true
        }
    };
    (@ [$O:ident over $I:ident]) => {
        type Outer = $O;
        type Inner = $I;

        fn outer(&self) -> &$O {
            &self.0
        }
        fn inner(&self) -> &$I {
            &self.1
        }
        fn batch_size_of(&self, n: usize) -> usize {
            self.0.batch_size_of(n)
        }
        fn batch_size_of_groups(&self, n: usize) -> usize {
            self.0.batch_size_of_groups(n)
        }
    };
    (@ [around]) => {
        backends!(@);

        fn inexact(&self) -> bool {
            self.dense().inexact()
        }
        fn batch_size_of(&self, n: usize) -> usize {
            self.dense().batch_size_of(n)
        }
        fn batch_size_of_groups(&self, n: usize) -> usize {
            self.dense().batch_size_of_groups(n)
        }
    };
    (@ [like $B:ident]) => {
        backends!(@);

        fn inexact(&self) -> bool {
            self.0.inexact()
        }
        fn batch_size_of(&self, n: usize) -> usize {
            self.0.batch_size_of(n)
        }
        fn batch_size_of_groups(&self, n: usize) -> usize {
            self.0.batch_size_of_groups(n)
        }
    };
}
backends! {
    [] AutoForward [batched], |_b| Mode::Forward => ByPushes, ByPushes, ByPushes, ByPushes, Generated;
    [] AutoReverse [batched], |_b| Mode::Reverse => ByPulls, ByPulls, ByPulls, ByPulls, Generated;
    [const SAFE: bool] AutoDual<SAFE> [chunked], |_b| Mode::Forward =>
        ByPushes, ByPushes, ByDirections, ByDirections, Nested<Duals<SAFE>>;
    #[cfg(feature = "rayon")] [] AutoDualThreads [chunked], |_b| Mode::Forward =>
        ByPushes, ByPushes, ByThreads, ByThreads, Nested<Duals<false>>;
    [] AutoHyperDual [chunked], |_b| Mode::Forward => ByPushes, ByPushes, ByDirections, ByDirections, Nested<HyperDuals>;
    [] AutoFiniteDiff [inexact], |_b| Mode::Forward => ByPushes, ByPushes, ByPushes, ByPushes, Differenced;
    [] AutoComplexStep [foreign], |_b| Mode::Forward =>
        ByDirections, ByDirections, ByDirections, ByDirections, NoSecondOrder;
    [] AutoTaylor, |_b| Mode::Forward => ByPushes, ByPushes, ByPushes, ByPushes, Truncated;
    [] AutoSymbolic, |_b| Mode::Reverse => ByPulls, ByPulls, ByPulls, ByPulls, Symbolic;
    #[cfg(feature = "num-dual")] [] AutoNumDual [foreign], |_b| Mode::Forward =>
        ByDirections, ByDirections, ByDirections, ByDirections, NoSecondOrder;
    #[cfg(feature = "hyperdual")] [] AutoHyperdualCrate [foreign], |_b| Mode::Forward =>
        ByDirections, ByDirections, ByDirections, ByDirections, NoSecondOrder;
    #[cfg(feature = "autodiff")] [] AutoAutodiff [foreign], |_b| Mode::Forward =>
        ByDirections, ByDirections, ByDirections, ByDirections, NoSecondOrder;
    #[cfg(feature = "ad-trait")] [] AutoAdTrait [foreign], |_b| Mode::Forward =>
        ByDirections, ByDirections, ByDirections, ByDirections, NoSecondOrder;
    #[cfg(feature = "enzyme")] [] AutoEnzyme, |_b| Mode::Reverse =>
        OnlyGradients, OnlyGradients, ByEnzyme, OnlyGradients, NoSecondOrder;
    #[cfg(feature = "echidna")] [] AutoEchidna [foreign], |_b| Mode::Reverse =>
        ByPulls, ByPulls, ByPulls, ByPulls, NoSecondOrder;
    [] AutoFiniteDifferences [differenced], |_b| Mode::Forward => ByPushes, ByPushes, ByPushes, ByPushes, Differenced;
    [] AutoTape [batched], |_b| Mode::Reverse => ByPulls, ByPulls, ByPulls, ByPulls, Retraced;
    [F: GoesForward, R: GoesBackward] MixedMode<F, R>, |_b| Mode::ForwardAndReverse =>
        ByForward, ByReverse, ByReverse, ByCost, NoSecondOrder;
    #[cfg(feature = "rayon")] [B: Backend] AutoThreads<B> [like B], |b| b.0.mode() =>
        B::Pushforward, B::Pullback, B::Gradient, B::Jacobian, Spread<B::Second>;
    [B: Backend] AutoForwardFromPrimitive<B> [like B], |_b| Mode::Forward =>
        ByPushes, ByPushes, ByPushes, ByPushes, NoSecondOrder;
    [B: Backend] AutoReverseFromPrimitive<B> [like B], |_b| Mode::Reverse => ByPulls, ByPulls, ByPulls, ByPulls, NoSecondOrder;
    [B: Backend, D: Part, C: ColoringAlgorithm + Part] AutoSparse<B, D, C> [around], |b| b.dense().mode() =>
        OnlyMatrices, OnlyMatrices, OnlyMatrices, ByColors, ByColors;
    [] AutoZero, |_b| Mode::ForwardAndReverse => ByPushes, ByPulls, ByPulls, ByPulls, Zeros;
    [O: Outer<I>, I: Backend] SecondOrder<O, I> [O over I], |b| b.0.mode() =>
        NoFirstOrder, NoFirstOrder, NoFirstOrder, NoFirstOrder, O::Strategy;
}

impl GoesForward for AutoForward {}
impl<const SAFE: bool> GoesForward for AutoDual<SAFE> {}
#[cfg(feature = "rayon")]
impl GoesForward for AutoDualThreads {}
impl GoesForward for AutoHyperDual {}
impl GoesForward for AutoTaylor {}
impl GoesBackward for AutoTape {}
impl GoesBackward for AutoSymbolic {}
impl GoesForward for AutoFiniteDiff {}
impl GoesForward for AutoFiniteDifferences {}
impl GoesForward for AutoZero {}
impl<B: Backend> GoesForward for AutoForwardFromPrimitive<B> {}
impl GoesBackward for AutoReverse {}
impl GoesBackward for AutoZero {}
impl<B: Backend> GoesBackward for AutoReverseFromPrimitive<B> {}
