//! Evaluation with another number type in place of the float: what overloading backends are made of.
//!
//! Three layers, as for derivatives: which types can be made of other numbers ([`lifted`]), how a parameter is passed with them
//! ([`over_signature`]), and what the caller's roles make of each ([`call`]).
//!
//! Enters: a function with a body over any number type, and arguments. Leaves: its value over another number type, or a recording of it.
//! May import: `error`, `number`, `signature`, `stack`, `value`.

pub mod call;
pub mod either;
pub mod fingerprint;
pub mod generic;
pub mod lifted;
pub mod listed;
pub mod over_signature;
pub mod recorded;
pub mod recording;
pub mod scalar_fn;
#[cfg(feature = "rayon")]
pub mod shared;

pub use call::OverCall;
pub use fingerprint::Fingerprint;
pub use lifted::{Lifted, LiftedPlace, LiftedReturn};
pub use over_signature::{OverKind, OverSignature};
pub use scalar_fn::ScalarFn;
#[cfg(feature = "rayon")]
pub use shared::{SharedKind, SharedSig};

use crate::number::real::Real;
use crate::signature::function::Function;

/// A result with the numbers `S`.
pub type Over<R, S> = <R as LiftedReturn<<S as Real>::Base>>::Over<S>;

/// A function that has a body over any number type: `#[differentiable]` implements it for handles of functions over floats and their
/// containers, and [`ScalarFn`] brings it along.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be evaluated on other number types [D0703]",
    label = "no body over other number types",
    note = "use `AutoForward` or `AutoReverse`, which differentiate the function's own code",
    note = "only functions over floats and arrays, slices and `Vec`s of floats can be evaluated so, and only if all that they call can"
)]
pub trait Overload<G: OverSignature, Any = ()>: Function<G, ReturnValue: LiftedReturn<G::Base>> {
    /// The function with numbers of type `S`.
    fn over<S: Real<Base = G::Base>>(&self, at: G::Over<'_, S>) -> Over<Self::ReturnValue, S>;
}

/// A handle whose body over any number type calls only such handles.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be evaluated on other number types [D0703]",
    label = "no body over other number types",
    note = "use `AutoForward` or `AutoReverse`, which differentiate the function's own code",
    note = "only functions over floats and arrays, slices and `Vec`s of floats can be evaluated so, and only if all that they call can"
)]
pub trait OverAnyNumber<Any = ()> {}
