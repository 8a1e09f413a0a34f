//! Backends: ways to differentiate.
//!
//! A backend is a plain value. It pushes tangents or pulls cotangents through a function, and names a strategy for every operator.
//!
//! Enters: a function, its arguments and seeds. Leaves: pushforwards and pullbacks; `registry.rs` lists the strategy for each operator.
//! May import: all that stands below. Today it also names `operators` and `sparse`, which name it in turn.

pub mod check_rule;
mod chunked_forward;
mod complex_step;
pub mod dense;
pub mod differences;
pub mod differentiate_with;
mod dual;
#[cfg(feature = "rayon")]
mod dual_threads;
#[cfg(feature = "enzyme")]
pub(crate) mod enzyme;
mod external;
mod finite_diff;
mod finite_differences;
mod forward;
pub(crate) mod from_primitive;
pub mod linearized;
pub(crate) mod mixed_mode;
mod none;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod prebuilt;
pub(crate) mod recording_derivatives;
mod reverse;
pub mod second_order;
pub(crate) mod symbolic;
pub(crate) mod tape;
mod taylor;
#[cfg(feature = "rayon")]
mod threads;
pub(crate) mod zero;

pub use crate::operators::pull::Pull;
pub use crate::operators::push::Push;
pub use crate::operators::series::SeriesBackend;
pub use crate::operators::strategy::{Backend, ByPulls, ByPushes, Inputs, Mode, Outputs, Pass, Results};
pub use chunked_forward::{ByDirections, Chunked, Directional};
pub use complex_step::AutoComplexStep;
pub use dual::{AutoDual, AutoHyperDual};
#[cfg(feature = "rayon")]
pub use dual_threads::{AutoDualThreads, ByThreads};
#[cfg(feature = "enzyme")]
pub use enzyme::{AutoEnzyme, ByEnzyme, Enzyme, OnlyGradients};
#[cfg(feature = "ad-trait")]
pub use external::AutoAdTrait;
#[cfg(feature = "autodiff")]
pub use external::AutoAutodiff;
#[cfg(feature = "echidna")]
pub use external::AutoEchidna;
#[cfg(feature = "hyperdual")]
pub use external::AutoHyperdualCrate;
#[cfg(feature = "num-dual")]
pub use external::AutoNumDual;
pub use external::{External, Foreign, ForeignDual};
pub use finite_diff::{AutoFiniteDiff, Differences};
pub use finite_differences::AutoFiniteDifferences;
pub use forward::AutoForward;
pub use from_primitive::{AutoForwardFromPrimitive, AutoReverseFromPrimitive};
pub use mixed_mode::{ByCost, GoesBackward, GoesForward, MixedMode};
pub use none::NoAutoDiff;
pub use reverse::AutoReverse;
pub use symbolic::{AutoSymbolic, symbolic_gradient, symbolic_jacobian};
pub use tape::{AutoTape, Branch};
pub use taylor::AutoTaylor;
#[cfg(feature = "rayon")]
pub use threads::{AutoThreads, Spread};
pub use zero::{AutoZero, Zeros};

/// A backend that knows which one goes the same way forwards, and which backwards.
pub trait Counterparts: Backend {
    /// See [`Counterparts::forward_counterpart`].
    type Forward: Backend;
    /// See [`Counterparts::reverse_counterpart`].
    type Reverse: Backend;
    /// The backend of the same family that goes forward; this one, if there is no other.
    fn forward_counterpart(&self) -> Self::Forward;
    /// The backend of the same family that goes backward; this one, if there is no other.
    fn reverse_counterpart(&self) -> Self::Reverse;
}

macro_rules! generated {
    ($($Backend:ident)+) => { $(
        impl Counterparts for $Backend {
            type Forward = AutoForward;
            type Reverse = AutoReverse;
            fn forward_counterpart(&self) -> AutoForward {
                AutoForward { batch: self.batch }
            }
            fn reverse_counterpart(&self) -> AutoReverse {
                AutoReverse { batch: self.batch }
            }
        }
    )+ };
}
generated!(AutoForward AutoReverse);

macro_rules! own_counterpart {
    ($($(#[$cfg:meta])? [$($generics:tt)*] $Backend:ty;)+) => { $(
        $(#[$cfg])?
        impl<$($generics)*> Counterparts for $Backend {
            type Forward = Self;
            type Reverse = Self;
            fn forward_counterpart(&self) -> Self {
                self.clone()
            }
            fn reverse_counterpart(&self) -> Self {
                self.clone()
            }
        }
    )+ };
}
own_counterpart! {
    [F: GoesForward, R: GoesBackward] MixedMode<F, R>;
    [B: Backend] AutoForwardFromPrimitive<B>;
    [B: Backend] AutoReverseFromPrimitive<B>;
    [const SAFE: bool] AutoDual<SAFE>;
    #[cfg(feature = "rayon")] [] AutoDualThreads;
    #[cfg(feature = "rayon")] [B: Backend] AutoThreads<B>;
    [] AutoHyperDual;
    [] AutoComplexStep;
    [] AutoFiniteDiff;
    [] AutoSymbolic;
    [] AutoFiniteDifferences;
    [] AutoTape;
    [] AutoTaylor;
    [] AutoZero;
}
