//! The second derivative of a function of one number.

use super::derivative::OneNumber;
use super::pushforward::{Callers, Made};
use super::{AuxOf, HasAux, Value, With, prepare_operator, value, variant, variants, with};
use crate::error::Result;
use crate::number::flag::{Flag, On};
use crate::number::hlist::Flat;
use crate::number::width::One;
use crate::operators::preparation::{Prepared, Working, before, fits, prepared, unfit, unless_resized};
use crate::operators::second_order::CurvatureBy;
use crate::operators::strategy::{Backend, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Shown};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::Buffers;

variants! {
    {
        #[doc = include_str!("docs/second_derivative_prepared.md")]
        prepare_second_derivative -> SecondDerivativePrep: SecondDerivativeBackend, Second by CurvatureBy;
        where R::In: [OneNumber], Outputs<F, G, R>: [Flat];
    }

    #[doc = include_str!("docs/second_derivative.md")]
    fn second_derivative() -> With<<Outputs<F, G, R> as Flat>::Tuple<G::Base>, F, G> = |parts, at| {
        let (mut first, mut second) = (Made::<F, G, R, One>::new(&at), Made::new(&at));
        let y = run::<HasAux<F, G>, F, B, G, R>(parts, at, &mut first, &mut second)?;
        Ok(with(y, second.tuples()))
    };

    /// [`second_derivative`] into a buffer of the caller: `second_derivative_into(f, backend, &mut result, args)`.
    ///
    /// # Errors
    ///
    /// Those of [`second_derivative`], and [`BufferMismatch`](crate::error::Error::BufferMismatch) if a buffer has another size.
    fn second_derivative_into(result: Y [Buffers<Outputs<F, G, R>, One>]) -> AuxOf<F, G> = |parts, at| {
        let mut first = Made::<F, G, R, One>::new(&at);
        run::<HasAux<F, G>, F, B, G, R>(parts, at, &mut first, &mut Callers(&mut result)).map(F::ReturnValue::aux)
    };

    /// The value, the derivative and the [`second_derivative`]: `value_derivative_and_second_derivative(f, backend, args)`.
    ///
    /// # Errors
    ///
    /// Those of [`second_derivative`].
    fn value_derivative_and_second_derivative() -> (
        Value<F, G>,
        <Outputs<F, G, R> as Flat>::Tuple<G::Base>,
        <Outputs<F, G, R> as Flat>::Tuple<G::Base>,
    ) = |parts, at| {
        let (mut first, mut second) = (Made::<F, G, R, One>::new(&at), Made::new(&at));
        let y = run::<On, F, B, G, R>(parts, at, &mut first, &mut second)?;
        Ok((value(y), first.tuples(), second.tuples()))
    };

    /// The value; the derivative and the [`second_derivative`] into buffers of the caller:
    /// `value_derivative_and_second_derivative_into(f, backend, &mut derivative, &mut result, args)`.
    ///
    /// # Errors
    ///
    /// Those of [`second_derivative_into`].
    fn value_derivative_and_second_derivative_into(
        derivative: Z [Buffers<Outputs<F, G, R>, One>],
        result: Y [Buffers<Outputs<F, G, R>, One>]
    ) -> Value<F, G> = |parts, at| {
        run::<On, F, B, G, R>(parts, at, &mut Callers(&mut derivative), &mut Callers(&mut result)).map(value)
    };
}

/// A backend that finds second derivatives of `F`: the bound for code that is generic over the backend.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend that finds second derivatives [D0701]",
    label = "no second derivatives from `{Self}`",
    note = "`AutoReverse` and `SecondOrder(AutoForward, AutoReverse)` find those of annotated functions, `AutoFiniteDiff` of all",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait SecondDerivativeBackend<F: Function<G>, G: Signature, R: ArgRoles<G>>:
    Backend<Second: CurvatureBy<Self, F, G, R>>
{
}
impl<B: Backend<Second: CurvatureBy<B, F, G, R>>, F: Function<G>, G: Signature, R: ArgRoles<G>>
    SecondDerivativeBackend<F, G, R> for B
{
}

type State<B, F, G, R> = <<B as Backend>::Second as CurvatureBy<B, F, G, R>>::State;

#[inline]
fn run<V: Flag, F: Function<G>, B: SecondDerivativeBackend<F, G, R>, G: Signature, R: ArgRoles<G>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    at: G::At<'_>,
    first: &mut impl super::pushforward::Target<F, G, R, One>,
    second: &mut impl super::pushforward::Target<F, G, R, One>,
) -> Result<Option<F::ReturnValue>> {
    B::Second::run::<V>(b, f, at, state, first, second)
}
