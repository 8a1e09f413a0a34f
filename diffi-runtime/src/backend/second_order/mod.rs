//! Second derivatives: derivatives of gradients.

mod differences;
mod forward_over_reverse;
mod forward_over_tape;
mod nested;
mod taylor;

pub use differences::Differenced;
pub(crate) use differences::noise;
pub use forward_over_reverse::Generated;
pub use forward_over_tape::Retraced;
pub use nested::{Duals, Family, HyperDuals, Nested};
pub use taylor::Truncated;

use crate::backend::{AutoDual, AutoFiniteDiff, AutoForward, AutoReverse, AutoTape};
use crate::operators::strategy::Backend;

/// Differentiates by `outer` the derivatives that `inner` finds.
///
/// Operators of first order do not take it: which of the two is meant must be said, by [`Backend::inner`] or [`Backend::outer`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SecondOrder<O, I>(pub O, pub I);

/// A backend that can differentiate the derivatives found by `I`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot differentiate the derivatives that `{I}` finds [D0706]",
    label = "no such second order",
    note = "`AutoReverse`, `SecondOrder(AutoForward, AutoReverse)` and `SecondOrder(AutoFiniteDiff, any)` find second derivatives"
)]
pub trait Outer<I>: Backend {
    /// How second derivatives are found.
    type Strategy;
}

macro_rules! generated {
    ($($Outer:ident over $Inner:ident;)+) => { $(
        impl Outer<$Inner> for $Outer {
            type Strategy = Generated;
        }
    )+ };
}
generated! {
    AutoForward over AutoReverse;
    AutoForward over AutoForward;
    AutoReverse over AutoReverse;
    AutoReverse over AutoForward;
}

macro_rules! retraced {
    ($($Outer:ident)+) => { $(
        impl Outer<AutoTape> for $Outer {
            type Strategy = Retraced;
        }
    )+ };
}
retraced!(AutoForward AutoDual AutoTape);

impl<const SAFE: bool> Outer<AutoDual<SAFE>> for AutoDual<SAFE> {
    type Strategy = Nested<Duals<SAFE>>;
}

/// Dual numbers through adjoint code are its tangents.
impl Outer<AutoReverse> for AutoDual {
    type Strategy = Generated;
}

impl<I: Backend> Outer<I> for AutoFiniteDiff {
    type Strategy = Differenced;
}

/// Strategy: none, because the operator is of first order and the backend of second.
#[derive(Clone, Copy, Debug)]
pub struct NoFirstOrder;

/// Strategy: none, because the backend is of first order and the operator of second.
#[derive(Clone, Copy, Debug)]
pub struct NoSecondOrder;
