//! Arguments that several threads have at once: what is read they share, and of what is written each has a copy.

use crate::number::active::{Active, Member};
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::signature::param_kinds::{
    CacheMut, Generic, Mut, Out, Own, ParamKind, Passive, PassiveRef, Ref, Signature, Val, View,
};
use ndarray::{ArrayView, Dimension};

/// A kind of parameter that several threads can have at once.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` parameter cannot be shared by threads [D0704]",
    label = "a parameter cannot be shared by threads",
    note = "what is passed is `Sync`, and no `&mut` without a derivative; or leave `AutoThreads` out"
)]
pub trait ThreadKind: ParamKind {
    /// What threads share.
    type Shared<'a>: Copy + Send + Sync;
    /// What threads share.
    fn share<'a>(at: &'a Self::At<'_>) -> Self::Shared<'a>;
    /// What the function receives on a thread that has this copy.
    fn mine<'a>(shared: Self::Shared<'a>, own: &'a mut Option<Own<Self>>) -> Self::At<'a>;
}

impl<T: Active + Sync> ThreadKind for Val<T> {
    type Shared<'a> = &'a T;
    #[inline]
    fn share(at: &T) -> &T {
        at
    }
    #[inline]
    fn mine<'a>(shared: &'a T, _: &'a mut Option<Own<Self>>) -> T {
        shared.duplicate()
    }
}

macro_rules! read {
    ($($ParamKind:ident)+) => { $(
        impl<P: Member + Sync + ?Sized> ThreadKind for $ParamKind<P> {
            type Shared<'a> = &'a P;
            #[inline]
            fn share<'a>(at: &'a &P) -> &'a P {
                at
            }
            #[inline]
            fn mine<'a>(shared: &'a P, _: &'a mut Option<Own<Self>>) -> &'a P {
                shared
            }
        }
    )+ };
}
read!(Ref Generic);

macro_rules! written {
    ($($ParamKind:ident)+) => { $(
        impl<P: Member + Sync + ?Sized> ThreadKind for $ParamKind<P> {
            type Shared<'a> = &'a P;
            #[inline]
            fn share<'a>(at: &'a &mut P) -> &'a P {
                at
            }
            #[inline]
            fn mine<'a>(shared: &'a P, own: &'a mut Option<Own<Self>>) -> &'a mut P {
                match own {
                    Some(own) => shared.copy_to(own),
                    None => *own = Some(shared.own()),
                }
                P::lend(own.as_mut().expect("it was copied"))
            }
        }
    )+ };
}
written!(Mut Out CacheMut);

impl<F: Active + Sync, D: Dimension + 'static> ThreadKind for View<F, D> {
    type Shared<'a> = &'a ArrayView<'a, F, D>;
    #[inline]
    fn share<'a>(at: &'a ArrayView<'_, F, D>) -> &'a ArrayView<'a, F, D> {
        at
    }
    #[inline]
    fn mine<'a>(shared: &'a ArrayView<'a, F, D>, _: &'a mut Option<Own<Self>>) -> ArrayView<'a, F, D> {
        shared.view()
    }
}

impl<T: Clone + Sync + 'static, F: Float> ThreadKind for Passive<T, F> {
    type Shared<'a> = &'a T;
    #[inline]
    fn share(at: &T) -> &T {
        at
    }
    #[inline]
    fn mine<'a>(shared: &'a T, _: &'a mut Option<Own<Self>>) -> T {
        shared.clone()
    }
}

impl<T: ?Sized + Sync + 'static, F: Float> ThreadKind for PassiveRef<T, F> {
    type Shared<'a> = &'a T;
    #[inline]
    fn share<'a>(at: &'a &T) -> &'a T {
        at
    }
    #[inline]
    fn mine<'a>(shared: &'a T, _: &'a mut Option<Own<Self>>) -> &'a T {
        shared
    }
}

/// The kinds of a function's parameters, all of which several threads can have at once.
pub trait ThreadSignature: Signature<Owns: Send> {
    /// What threads share, parameter by parameter.
    type Shared<'a>: Copy + Send + Sync;
    /// What threads share.
    fn share<'a>(at: &'a Self::At<'_>) -> Self::Shared<'a>;
    /// What the function receives on a thread that has these copies.
    fn mine<'a>(shared: Self::Shared<'a>, owns: &'a mut Self::Owns) -> Self::At<'a>;
    /// Puts what a thread has written into the arguments.
    fn back(at: &mut Self::At<'_>, owns: &mut Self::Owns);
}

macro_rules! sig {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: ThreadKind<Base = F>),+> ThreadSignature for ($($K,)+)
        where
            $(Own<$K>: Send),+
        {
            type Shared<'a> = ($($K::Shared<'a>,)+);

            #[inline]
            fn share<'a>(at: &'a <Self as Signature>::At<'_>) -> Self::Shared<'a> {
                ($($K::share(&at.$i),)+)
            }
            #[inline]
            fn mine<'a>(shared: Self::Shared<'a>, owns: &'a mut Self::Owns) -> <Self as Signature>::At<'a> {
                ($($K::mine(shared.$i, &mut owns.$i),)+)
            }
            #[inline]
            fn back(at: &mut <Self as Signature>::At<'_>, owns: &mut Self::Owns) {
                $($K::restore(&mut at.$i, &mut owns.$i);)+
            }
        }
    };
}
arities!(sig);
