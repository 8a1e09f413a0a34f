//! What the caller's roles make of numbers: which are lifted with something beside their value, and which are constants.

use super::over_signature::{OverKind, OverSignature};
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::flag::Flag;
use crate::number::real::Real;
use crate::signature::arg_roles::{ActivityMask, ArgRoles, Role};
use crate::signature::param_kinds::Signature;

/// The roles of all arguments of a call with other numbers.
pub trait OverCall<G: OverSignature>: ArgRoles<G> {
    /// Replaces all numbers: those of the inputs by `input`, in flattened order, all others by constants.
    #[inline]
    fn lift<S: Real<Base = G::Base>>(at: &G::At<'_>, held: &mut G::Held<S>, input: &mut impl FnMut(G::Base) -> S) {
        Self::lift_all(at, held, &mut |v, is_input| if is_input { input(v) } else { S::from_base(v) });
    }
    /// Replaces all numbers by what `number` makes of each, and of whether it is an input's; argument after argument.
    fn lift_all<S: Real<Base = G::Base>>(
        at: &G::At<'_>,
        held: &mut G::Held<S>,
        number: &mut impl FnMut(G::Base, bool) -> S,
    );
    /// Passes on the inputs' numbers, to be changed, in flattened order.
    fn each_input_over<S: Real<Base = G::Base>>(held: &mut G::Held<S>, f: &mut impl FnMut(&mut S));
    /// The inputs' numbers, where they stand side by side in memory.
    fn inputs_side_by_side<S: Real<Base = G::Base>>(held: &mut G::Held<S>) -> Option<&mut [S]>;
    /// Passes on the numbers of the outputs among the parameters, in flattened order.
    fn each_output_over<S: Real<Base = G::Base>>(held: &mut G::Held<S>, f: &mut impl FnMut(&mut S));
    /// Writes the outputs' values into the arguments.
    fn lower_outputs<S: Real<Base = G::Base>>(held: &mut G::Held<S>, at: &mut G::At<'_>);
}

macro_rules! call {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: OverKind<Base = F>, $P: Role),+> OverCall<($($K,)+)> for ($($P,)+)
        where
            Self: ActivityMask,
        {
            #[inline]
            fn lift_all<S: Real<Base = F>>(
                at: &<($($K,)+) as Signature>::At<'_>,
                held: &mut <($($K,)+) as OverSignature>::Held<S>,
                number: &mut impl FnMut(F, bool) -> S,
            ) {
                $($K::hold(&at.$i, &mut held.$i, &mut |v| number(v, $P::In::ON));)+
            }
            #[inline]
            fn each_input_over<S: Real<Base = F>>(held: &mut <($($K,)+) as OverSignature>::Held<S>, f: &mut impl FnMut(&mut S)) {
                $(if $P::In::ON {
                    $K::each_held(&mut held.$i, f);
                })+
            }
            #[inline]
            fn inputs_side_by_side<S: Real<Base = F>>(held: &mut <($($K,)+) as OverSignature>::Held<S>) -> Option<&mut [S]> {
                let all = Some(&mut [][..]);
                $(let all = match (all, if $P::In::ON { $K::side_by_side(&mut held.$i) } else { Some(&mut [][..]) }) {
                    (only, Some([])) | (Some([]), only) => only,
                    _ => None,
                };)+
                all
            }
            #[inline]
            fn each_output_over<S: Real<Base = F>>(held: &mut <($($K,)+) as OverSignature>::Held<S>, f: &mut impl FnMut(&mut S)) {
                $(if $P::Out::ON {
                    $K::each_held(&mut held.$i, f);
                })+
            }
            #[inline]
            fn lower_outputs<S: Real<Base = F>>(
                held: &mut <($($K,)+) as OverSignature>::Held<S>,
                at: &mut <($($K,)+) as Signature>::At<'_>,
            ) {
                $(if $P::Out::ON {
                    $K::lower(&mut held.$i, &mut at.$i);
                })+
            }
        }
    };
}
arities!(call);
