//! Parameters made of other numbers, on several threads: each has its own numbers, and all share what has no derivative.

use super::lifted::{Lifted, LiftedPlace};
use super::over_signature::{OverKind, OverSignature};
use crate::number::active::Active;
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::real::Real;
use crate::signature::param_kinds::{
    CacheMut, Generic, Mut, Out, ParamKind, Passive, PassiveRef, Ref, Signature, Val, View,
};
use ndarray::Dimension;

/// A kind of parameter that several threads can have at once.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` parameter cannot be shared by threads [D0704]",
    label = "a parameter cannot be shared by threads",
    note = "what is passed without a derivative is `Sync`, and not `&mut`; or use `AutoDual`, which stays on one thread"
)]
pub trait SharedKind: OverKind {
    /// What threads share: nothing of numbers, of which each thread has its own.
    type Shared<'a>: Copy + Send + Sync;

    /// What threads share.
    fn share<'a>(at: &'a Self::At<'_>) -> Self::Shared<'a>;
    /// What the function receives: see [`OverKind::over`].
    fn over_shared<'a, S: Real<Base = Self::Base>>(
        held: &'a mut Self::Held<S>,
        shared: &'a Self::Shared<'_>,
    ) -> Self::Over<'a, S>;
}

const HELD: &str = "numbers are replaced before the function is called";

macro_rules! own {
    ($([$($generics:tt)*] $ParamKind:ty, |$held:ident: $S:ident| $over:expr;)+) => { $(
        impl<$($generics)*> SharedKind for $ParamKind {
            type Shared<'a> = ();
            #[inline]
            fn share(_: &Self::At<'_>) {}
            #[inline]
            fn over_shared<'a, $S: Real<Base = Self::Base>>(
                $held: &'a mut Self::Held<$S>,
                (): &'a (),
            ) -> Self::Over<'a, $S> {
                $over
            }
        }
    )+ };
}
own! {
    [T: Lifted] Val<T>, |held: S| held.as_ref().expect(HELD).clone();
    [P: LiftedPlace + ?Sized] Ref<P>, |held: S| P::held(held.as_mut().expect(HELD));
    [P: LiftedPlace + ?Sized] Generic<P>, |held: S| P::held(held.as_mut().expect(HELD));
    [P: LiftedPlace + ?Sized] Mut<P>, |held: S| P::held(held.as_mut().expect(HELD));
    [P: LiftedPlace + ?Sized] Out<P>, |held: S| P::held(held.as_mut().expect(HELD));
    [P: LiftedPlace + ?Sized] CacheMut<P>, |held: S| P::held(held.as_mut().expect(HELD));
    [F: Lifted + Active, D: Dimension + 'static] View<F, D>, |held: S| held.as_ref().expect(HELD).view();
}

impl<T: Clone + Sync + 'static, F: Float> SharedKind for Passive<T, F> {
    type Shared<'a> = &'a T;
    #[inline]
    fn share<'a>(at: &'a <Self as ParamKind>::At<'_>) -> &'a T {
        at
    }
    #[inline]
    fn over_shared<'a, S: Real<Base = F>>((): &'a mut (), shared: &'a &'_ T) -> T {
        T::clone(shared)
    }
}

impl<T: ?Sized + Sync + 'static, F: Float> SharedKind for PassiveRef<T, F> {
    type Shared<'a> = &'a T;
    #[inline]
    fn share<'a>(at: &'a <Self as ParamKind>::At<'_>) -> &'a T {
        at
    }
    #[inline]
    fn over_shared<'a, S: Real<Base = F>>((): &'a mut (), shared: &'a &'_ T) -> &'a T {
        shared
    }
}

/// The kinds of a function's parameters, all of which several threads can have at once.
pub trait SharedSig: OverSignature {
    /// What threads share, parameter by parameter.
    type Shared<'a>: Copy + Send + Sync;

    /// What threads share.
    fn share<'a>(at: &'a Self::At<'_>) -> Self::Shared<'a>;
    /// What the function receives.
    fn over_shared<'a, S: Real<Base = Self::Base>>(
        held: &'a mut Self::Held<S>,
        shared: &'a Self::Shared<'_>,
    ) -> Self::Over<'a, S>;
}

macro_rules! sig {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: SharedKind<Base = F>),+> SharedSig for ($($K,)+) {
            type Shared<'a> = ($($K::Shared<'a>,)+);

            #[inline]
            fn share<'a>(at: &'a <Self as Signature>::At<'_>) -> Self::Shared<'a> {
                ($($K::share(&at.$i),)+)
            }
            #[inline]
            fn over_shared<'a, S: Real<Base = F>>(
                held: &'a mut Self::Held<S>,
                shared: &'a Self::Shared<'_>,
            ) -> Self::Over<'a, S> {
                ($($K::over_shared(&mut held.$i, &shared.$i),)+)
            }
        }
    };
}
arities!(sig);
