//! How a parameter is passed, made of other numbers.

use super::fingerprint::Fingerprint;
use super::lifted::{Lifted, LiftedPlace};
use crate::number::active::Active;
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::real::Real;
use crate::signature::param_kinds::{
    CacheMut, Generic, Mut, Out, ParamKind, Passive, PassiveMut, PassiveRef, Ref, Signature, Val, View,
};
use ndarray::{ArrayView, Dimension};
use std::fmt::Debug;

/// A kind of parameter that can be passed with other numbers.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` parameter cannot be made of other number types [D0703]",
    label = "a parameter cannot be made of other number types",
    note = "use `AutoForward` or `AutoReverse`, which differentiate the function's own code"
)]
pub trait OverKind: ParamKind {
    /// What the function receives.
    type Over<'a, S: Real<Base = Self::Base>>;
    /// Owns the numbers; nothing for a parameter without a derivative.
    type Held<S: Real<Base = Self::Base>>: Default + Clone + Debug + Send + 'static;

    /// Replaces every number, in the storage of a former argument if there is one.
    fn hold<S: Real<Base = Self::Base>>(
        at: &Self::At<'_>,
        held: &mut Self::Held<S>,
        f: &mut impl FnMut(Self::Base) -> S,
    );
    /// Passes on every number that [`hold`](OverKind::hold) replaces.
    fn each_number(at: &Self::At<'_>, f: &mut impl FnMut(Self::Base));
    /// What the function receives. The numbers must have been replaced.
    fn over<'a, S: Real<Base = Self::Base>>(held: &'a mut Self::Held<S>, at: &'a mut Self::At<'_>)
    -> Self::Over<'a, S>;
    /// Passes on every number, to be changed.
    fn each_held<S: Real<Base = Self::Base>>(held: &mut Self::Held<S>, f: &mut impl FnMut(&mut S));
    /// All of them, where they stand side by side in memory.
    fn side_by_side<S: Real<Base = Self::Base>>(held: &mut Self::Held<S>) -> Option<&mut [S]>;
    /// How many numbers are owned.
    fn held<S: Real<Base = Self::Base>>(held: &Self::Held<S>) -> usize;
    /// Writes values back into an argument that can be written to.
    fn lower<S: Real<Base = Self::Base>>(held: &mut Self::Held<S>, at: &mut Self::At<'_>);
    /// The numbers that [`each_number`](OverKind::each_number) passes on, where they stand side by side in memory.
    fn floats<'s>(at: &'s Self::At<'_>) -> Option<&'s [Self::Base]>;
    /// Passes on all that a program depends on beside numbers: the sizes of what holds numbers, and the value of what has no
    /// derivative.
    #[inline]
    fn sign(at: &Self::At<'_>, signature: &mut Fingerprint) {
        Self::shape(at, &mut |n| signature.size(n));
    }
}

/// What every active kind has in common.
macro_rules! held {
    ($P:ty) => {
        type Held<S: Real<Base = Self::Base>> = Option<<$P as LiftedPlace>::Held<S>>;

        #[inline]
        fn each_held<S: Real<Base = Self::Base>>(held: &mut Self::Held<S>, f: &mut impl FnMut(&mut S)) {
            held.iter_mut().for_each(|held| <$P as LiftedPlace>::each_held(held, f));
        }
        #[inline]
        fn side_by_side<S: Real<Base = Self::Base>>(held: &mut Self::Held<S>) -> Option<&mut [S]> {
            held.as_mut().and_then(<$P as LiftedPlace>::side_by_side)
        }
        fn held<S: Real<Base = Self::Base>>(held: &Self::Held<S>) -> usize {
            let mut n = 0;
            held.iter()
                .for_each(|held| <$P as LiftedPlace>::numbers(<$P as LiftedPlace>::over(held), &mut |_: S| n += 1));
            n
        }
    };
}

const HELD: &str = "numbers are replaced before the function is called";

#[inline]
fn hold<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>>(
    place: &P,
    held: &mut Option<P::Held<S>>,
    f: &mut impl FnMut(P::Base) -> S,
) {
    match held {
        Some(held) => place.hold_into(held, f),
        None => *held = Some(place.hold(f)),
    }
}

impl<T: Lifted> OverKind for Val<T> {
    type Over<'a, S: Real<Base = T::Base>> = <T as Lifted>::Over<S>;
    held!(T);

    #[inline]
    fn hold<S: Real<Base = T::Base>>(at: &T, held: &mut Self::Held<S>, f: &mut impl FnMut(T::Base) -> S) {
        hold(at, held, f);
    }
    #[inline]
    fn each_number(at: &T, f: &mut impl FnMut(T::Base)) {
        at.each(f);
    }
    #[inline]
    fn floats(at: &T) -> Option<&[T::Base]> {
        Active::floats(at)
    }
    #[inline]
    fn over<'a, S: Real<Base = T::Base>>(held: &'a mut Self::Held<S>, _: &'a mut T) -> <T as Lifted>::Over<S> {
        held.as_ref().expect(HELD).clone()
    }
    #[inline]
    fn lower<S: Real<Base = T::Base>>(_: &mut Self::Held<S>, _: &mut T) {}
}

macro_rules! shared {
    ($($ParamKind:ident)+) => { $(
        impl<P: LiftedPlace + ?Sized> OverKind for $ParamKind<P> {
            type Over<'a, S: Real<Base = P::Base>> = &'a P::Over<S>;
            held!(P);

            #[inline]
            fn hold<S: Real<Base = P::Base>>(at: &&P, held: &mut Self::Held<S>, f: &mut impl FnMut(P::Base) -> S) {
                hold(*at, held, f);
            }
            #[inline]
            fn each_number(at: &&P, f: &mut impl FnMut(P::Base)) {
                at.each(f);
            }
            #[inline]
            fn floats<'s>(at: &'s &P) -> Option<&'s [P::Base]> {
                P::floats(at)
            }
            #[inline]
            fn over<'a, S: Real<Base = P::Base>>(held: &'a mut Self::Held<S>, _: &'a mut &P) -> &'a P::Over<S> {
                P::held(held.as_mut().expect(HELD))
            }
            #[inline]
            fn lower<S: Real<Base = P::Base>>(_: &mut Self::Held<S>, _: &mut &P) {}
        }
    )+ };
}
shared!(Ref Generic);

macro_rules! exclusive {
    ($($ParamKind:ident)+) => { $(
        impl<P: LiftedPlace + ?Sized> OverKind for $ParamKind<P> {
            type Over<'a, S: Real<Base = P::Base>> = &'a mut P::Over<S>;
            held!(P);

            #[inline]
            fn hold<S: Real<Base = P::Base>>(at: &&mut P, held: &mut Self::Held<S>, f: &mut impl FnMut(P::Base) -> S) {
                hold(&**at, held, f);
            }
            #[inline]
            fn each_number(at: &&mut P, f: &mut impl FnMut(P::Base)) {
                at.each(f);
            }
            #[inline]
            fn floats<'s>(at: &'s &mut P) -> Option<&'s [P::Base]> {
                P::floats(at)
            }
            #[inline]
            fn over<'a, S: Real<Base = P::Base>>(held: &'a mut Self::Held<S>, _: &'a mut &mut P) -> &'a mut P::Over<S> {
                P::held(held.as_mut().expect(HELD))
            }
            #[inline]
            fn lower<S: Real<Base = P::Base>>(held: &mut Self::Held<S>, at: &mut &mut P) {
                at.put(P::held(held.as_mut().expect(HELD)));
            }
        }
    )+ };
}
exclusive!(Mut Out CacheMut);

impl<F: Lifted + Active, D: Dimension + 'static> OverKind for View<F, D> {
    type Over<'a, S: Real<Base = F::Base>> = ArrayView<'a, <F as Lifted>::Over<S>, D>;
    held!(ndarray::Array<F, D>);

    #[inline]
    fn hold<S: Real<Base = F::Base>>(
        at: &ArrayView<'_, F, D>,
        held: &mut Self::Held<S>,
        f: &mut impl FnMut(F::Base) -> S,
    ) {
        match held {
            Some(held) if held.raw_dim() == at.raw_dim() => {
                at.iter().zip(held.iter_mut()).for_each(|(v, over)| v.lift_into(over, f));
            }
            held => *held = Some(at.to_owned().lift(f)),
        }
    }
    #[inline]
    fn each_number(at: &ArrayView<'_, F, D>, f: &mut impl FnMut(F::Base)) {
        at.iter().for_each(|v| v.each(f));
    }
    #[inline]
    fn floats<'s>(at: &'s ArrayView<'_, F, D>) -> Option<&'s [F::Base]> {
        at.as_slice().and_then(F::all_floats)
    }
    #[inline]
    fn over<'a, S: Real<Base = F::Base>>(
        held: &'a mut Self::Held<S>,
        _: &'a mut ArrayView<'_, F, D>,
    ) -> ArrayView<'a, <F as Lifted>::Over<S>, D> {
        held.as_ref().expect(HELD).view()
    }
    #[inline]
    fn lower<S: Real<Base = F::Base>>(_: &mut Self::Held<S>, _: &mut ArrayView<'_, F, D>) {}
}

macro_rules! passive {
    ($($ParamKind:ident [$($bound:tt)*] $At:ty, |$at:ident, $signature:ident| $sign:expr;)+) => { $(
        impl<T: $($bound)* + 'static, F: Float> OverKind for $ParamKind<T, F> {
            type Over<'a, S: Real<Base = F>> = $At;
            type Held<S: Real<Base = F>> = ();

            #[inline]
            fn hold<S: Real<Base = F>>(_: &Self::At<'_>, (): &mut (), _: &mut impl FnMut(F) -> S) {}
            #[inline]
            fn each_number(_: &Self::At<'_>, _: &mut impl FnMut(F)) {}
            #[inline]
            fn floats<'s>(_: &'s Self::At<'_>) -> Option<&'s [F]> {
                Some(&[])
            }
            #[inline]
            fn over<'a, S: Real<Base = F>>((): &'a mut (), at: &'a mut Self::At<'_>) -> Self::Over<'a, S> {
                Self::again(at)
            }
            #[inline]
            fn each_held<S: Real<Base = F>>((): &mut (), _: &mut impl FnMut(&mut S)) {}
            #[inline]
            fn side_by_side<S: Real<Base = F>>((): &mut ()) -> Option<&mut [S]> {
                Some(&mut [])
            }
            fn held<S: Real<Base = F>>((): &()) -> usize {
                0
            }
            #[inline]
            fn lower<S: Real<Base = F>>((): &mut (), _: &mut Self::At<'_>) {}
            #[inline]
            fn sign($at: &Self::At<'_>, $signature: &mut Fingerprint) {
                $sign
            }
        }
    )+ };
}
passive! {
    Passive [Clone] T, |at, signature| signature.value(at);
    PassiveRef [?Sized] &'a T, |at, signature| signature.behind::<T>(at);
    PassiveMut [?Sized] &'a mut T, |_at, signature| signature.unknown();
}

/// The kinds of a function's parameters, all of which can be passed with other numbers.
pub trait OverSignature: Signature {
    /// What the function receives.
    type Over<'a, S: Real<Base = Self::Base>>;
    /// Owns the numbers, parameter by parameter.
    type Held<S: Real<Base = Self::Base>>: Default + Clone + Debug + Send + 'static;

    /// What the function receives. The numbers must have been replaced.
    fn over<'a, S: Real<Base = Self::Base>>(held: &'a mut Self::Held<S>, at: &'a mut Self::At<'_>)
    -> Self::Over<'a, S>;
    /// How many bytes the numbers take that are owned.
    fn bytes<S: Real<Base = Self::Base>>(held: &Self::Held<S>) -> usize;
    /// Passes on every number that is replaced, in their order.
    fn each_number(at: &Self::At<'_>, f: &mut impl FnMut(Self::Base));
    /// The same, where they stand side by side in memory.
    fn floats<'s>(at: &'s Self::At<'_>) -> Option<&'s [Self::Base]>;
    /// Passes on all that a program depends on beside numbers.
    fn sign(at: &Self::At<'_>, signature: &mut Fingerprint);
}

/// The only numbers that there are, if only one place has any.
#[inline]
fn alone<'s, F>(a: Option<&'s [F]>, b: Option<&'s [F]>) -> Option<&'s [F]> {
    match (a, b) {
        (only, Some([])) | (Some([]), only) => only,
        _ => None,
    }
}

macro_rules! sig {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: OverKind<Base = F>),+> OverSignature for ($($K,)+) {
            type Over<'a, S: Real<Base = F>> = ($($K::Over<'a, S>,)+);
            type Held<S: Real<Base = F>> = ($($K::Held<S>,)+);

            #[inline]
            fn over<'a, S: Real<Base = F>>(held: &'a mut Self::Held<S>, at: &'a mut Self::At<'_>) -> Self::Over<'a, S> {
                ($($K::over(&mut held.$i, &mut at.$i),)+)
            }
            fn bytes<S: Real<Base = F>>(held: &Self::Held<S>) -> usize {
                (0 $(+ $K::held(&held.$i))+) * size_of::<S>()
            }
            #[inline]
            fn each_number(at: &Self::At<'_>, f: &mut impl FnMut(F)) {
                $($K::each_number(&at.$i, f);)+
            }
            #[inline]
            fn floats<'s>(at: &'s Self::At<'_>) -> Option<&'s [F]> {
                let all = Some(&[][..]);
                $(let all = alone(all, $K::floats(&at.$i));)+
                all
            }
            #[inline]
            fn sign(at: &Self::At<'_>, signature: &mut Fingerprint) {
                $($K::sign(&at.$i, signature);)+
            }
        }
    };
}
arities!(sig);
