//! The derivative of a function of one number.

use super::pushforward::{PushforwardBackend, PushforwardBy, State};
use super::{
    AuxOf, HasAux, Value, With, operator, prepare_operator, pushforward, shown, value, valued, variant, variants,
};
use crate::error::Result;
use crate::number::flag::{Flag, On};
use crate::number::hlist::{Cons, Flat, Nil};
use crate::number::width::One;
use crate::operators::preparation::{Prepared, Working, before, fits, prepared, unfit, unless_resized};
use crate::operators::strategy::Outputs;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Shown};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::Buffers;
use crate::signature::seeds::SeedList;

operator! {
    #[doc = include_str!("docs/derivative.md")]
    derivative, derivative_into, value_and_derivative, value_and_derivative_into
        -> <Outputs<F, G, R> as Flat>::Tuple<G::Base>, into [Buffers<Outputs<F, G, R>, One>];
    #[doc = include_str!("docs/derivative_prepared.md")]
    prepare_derivative -> DerivativePrep: PushforwardBackend, Pushforward by PushforwardBy;
    where R::In: [OneNumber], Outputs<F, G, R>: [Flat];
}

/// The inputs of a function whose only active argument is a number.
#[diagnostic::on_unimplemented(
    message = "a derivative needs exactly one active argument, and that is one number [D0606]",
    label = "the active arguments are `{Self}`",
    note = "use `gradient`, `jacobian` or `pushforward`, or wrap the other arguments in `Constant(..)`"
)]
pub trait OneNumber: Flat + Sized {
    /// The type of the number.
    type Number: SeedList<Self>;
    /// The number 1.
    const ONE: Self::Number;
}

macro_rules! one_number {
    ($($F:ident)+) => { $(
        impl OneNumber for Cons<$F, Nil<$F>> {
            type Number = $F;
            const ONE: $F = 1.0;
        }
    )+ };
}
one_number!(f32 f64);

#[inline]
pub(crate) fn owned<
    V: Flag,
    F: Function<G>,
    B: PushforwardBackend<F, G, R>,
    G: Signature,
    R: ArgRoles<G, In: OneNumber>,
>(
    parts: Working<'_, F, B, State<B, F, G, R, One>>,
    at: G::At<'_>,
) -> Result<(Option<F::ReturnValue>, <Outputs<F, G, R> as Flat>::Tuple<G::Base>)>
where
    Outputs<F, G, R>: Flat,
{
    pushforward::owned::<V, F, B, G, R, One>(parts, at, &R::In::ONE)
}

#[inline]
fn into<V: Flag, F: Function<G>, B: PushforwardBackend<F, G, R>, G: Signature, R: ArgRoles<G, In: OneNumber>>(
    parts: Working<'_, F, B, State<B, F, G, R, One>>,
    at: G::At<'_>,
    result: &mut impl Buffers<Outputs<F, G, R>, One>,
) -> Result<Option<F::ReturnValue>> {
    pushforward::into::<V, F, B, G, R, One>(parts, at, &R::In::ONE, result)
}
