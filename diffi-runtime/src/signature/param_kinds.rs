//! How a function takes a parameter: by value or reference, with or without a derivative.

use crate::number::active::{Active, Member, Place};
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::signature::copies::Copies;
use crate::value::nothing::Nothing;
use ndarray::{Array, ArrayView, Dimension, Zip};
use std::fmt::Debug;
use std::marker::PhantomData;

/// `x: T`, active.
#[derive(Debug)]
pub struct Val<T>(PhantomData<T>);
/// `x: &T`, active.
#[derive(Debug)]
pub struct Ref<T: ?Sized>(PhantomData<T>);
/// `x: &T`, active, of a [`ScalarFn`](crate::overload::ScalarFn).
#[derive(Debug)]
pub struct Generic<T: ?Sized>(PhantomData<T>);
/// `x: &mut T`, read and written.
#[derive(Debug)]
pub struct Mut<T: ?Sized>(PhantomData<T>);
/// `x: &mut T`, written before it is read.
#[derive(Debug)]
pub struct Out<T: ?Sized>(PhantomData<T>);
/// `x: &mut T`, declared as scratch.
#[derive(Debug)]
pub struct CacheMut<T: ?Sized>(PhantomData<T>);
/// `x: ArrayView<'_, F, D>`, active.
#[derive(Debug)]
pub struct View<F, D>(PhantomData<(F, D)>);
/// `x: T` without a derivative, of a function over `F`.
#[derive(Debug)]
pub struct Passive<T, F = f64>(PhantomData<(T, F)>);
/// `x: &T` without a derivative, of a function over `F`.
#[derive(Debug)]
pub struct PassiveRef<T: ?Sized, F = f64>(PhantomData<F>, PhantomData<T>);
/// `x: &mut T` without a derivative, of a function over `F`.
#[derive(Debug)]
pub struct PassiveMut<T: ?Sized, F = f64>(PhantomData<F>, PhantomData<T>);

/// A kind of parameter.
pub trait ParamKind: 'static {
    /// The float of the function.
    type Base: Float;
    /// What has the shadow.
    type Place: Member<Base = Self::Base> + ?Sized;
    /// What the function receives.
    type At<'a>;
    /// What pushforwards receive beside it: the tangent.
    type Dot<'a, A: LinearSpace<Self::Base>>;
    /// What pullbacks receive beside it: the adjoint.
    type Bar<'a, A: LinearSpace<Self::Base>>;

    /// The argument again, for a shorter time.
    fn again<'s>(at: &'s mut Self::At<'_>) -> Self::At<'s>;
    /// The tangent, from where it is kept.
    fn dot<A: LinearSpace<Self::Base>>(shadow: &mut Shadow<Self, A>) -> Self::Dot<'_, A>;
    /// The adjoint, from where it is kept.
    fn bar<A: LinearSpace<Self::Base>>(shadow: &mut Shadow<Self, A>) -> Self::Bar<'_, A>;
    /// A shadow of the argument's shape.
    fn zero<A: LinearSpace<Self::Base>>(at: &Self::At<'_>) -> Store<Self, A>;
    /// Passes on the lengths of all containers.
    fn shape(at: &Self::At<'_>, dim: &mut dyn FnMut(usize));
    /// How many numbers the argument has.
    fn count(at: &Self::At<'_>) -> usize;
    /// Copies the argument.
    fn save(at: &Self::At<'_>, own: &mut Option<Own<Self>>);
    /// Puts a copy's values into the argument, if that can be written to.
    fn restore(at: &mut Self::At<'_>, own: &mut Option<Own<Self>>);
    /// The copy in the argument's place, if there is one.
    fn lend<'s>(own: &'s mut Option<Own<Self>>, at: &'s mut Self::At<'_>) -> Self::At<'s>;
}

/// The shadow of a parameter of kind `K`.
pub type Shadow<K, A> = <<K as ParamKind>::Place as Place>::Shadow<A>;
/// The owned shadow of a parameter of kind `K`.
pub type Store<K, A> = <<K as ParamKind>::Place as Member>::Store<A>;
/// The owned value of a parameter of kind `K`.
pub type Own<K> = <<K as ParamKind>::Place as Member>::Own;

/// How many numbers a place has.
#[inline]
pub fn count<P: Member + ?Sized>(place: &P) -> usize {
    let mut n = 0;
    place.each(&mut |_| n += 1);
    n
}

/// Copies `place` into the storage of a former copy.
#[inline]
fn save<P: Member + ?Sized>(place: &P, own: &mut Option<P::Own>) {
    match own {
        Some(own) => place.copy_to(own),
        None => *own = Some(place.own()),
    }
}

impl<T: Active> ParamKind for Val<T> {
    type Base = T::Base;
    type Place = T;
    type At<'a> = T;
    type Dot<'a, A: LinearSpace<T::Base>> = &'a T::Tangent<A>;
    type Bar<'a, A: LinearSpace<T::Base>> = &'a mut T::Tangent<A>;

    #[inline]
    fn again(at: &mut T) -> T {
        at.duplicate()
    }
    #[inline]
    fn dot<A: LinearSpace<T::Base>>(shadow: &mut T::Tangent<A>) -> &T::Tangent<A> {
        shadow
    }
    #[inline]
    fn bar<A: LinearSpace<T::Base>>(shadow: &mut T::Tangent<A>) -> &mut T::Tangent<A> {
        shadow
    }
    #[inline]
    fn zero<A: LinearSpace<T::Base>>(at: &T) -> T::Tangent<A> {
        Member::zero(at)
    }
    #[inline]
    fn shape(at: &T, dim: &mut dyn FnMut(usize)) {
        Active::shape(at, dim);
    }
    #[inline]
    fn count(at: &T) -> usize {
        count(at)
    }
    #[inline]
    fn save(at: &T, own: &mut Option<T>) {
        save(at, own);
    }
    #[inline]
    fn restore(_: &mut T, _: &mut Option<T>) {}
    #[inline]
    fn lend<'s>(own: &'s mut Option<T>, at: &'s mut T) -> T {
        own.as_ref().unwrap_or(at).duplicate()
    }
}

macro_rules! shared {
    ($($ParamKind:ident)+) => { $(
        impl<P: Member + ?Sized> ParamKind for $ParamKind<P> {
            type Base = P::Base;
            type Place = P;
            type At<'a> = &'a P;
            type Dot<'a, A: LinearSpace<P::Base>> = &'a P::Shadow<A>;
            type Bar<'a, A: LinearSpace<P::Base>> = &'a mut P::Shadow<A>;

            #[inline]
            fn again<'s>(at: &'s mut &P) -> &'s P {
                at
            }
            #[inline]
            fn dot<A: LinearSpace<P::Base>>(shadow: &mut P::Shadow<A>) -> &P::Shadow<A> {
                shadow
            }
            #[inline]
            fn bar<A: LinearSpace<P::Base>>(shadow: &mut P::Shadow<A>) -> &mut P::Shadow<A> {
                shadow
            }
            #[inline]
            fn zero<A: LinearSpace<P::Base>>(at: &&P) -> P::Store<A> {
                at.zero()
            }
            #[inline]
            fn shape(at: &&P, dim: &mut dyn FnMut(usize)) {
                P::shape(at, dim);
            }
            #[inline]
            fn count(at: &&P) -> usize {
                count(*at)
            }
            #[inline]
            fn save(at: &&P, own: &mut Option<P::Own>) {
                save(*at, own);
            }
            #[inline]
            fn restore(_: &mut &P, _: &mut Option<P::Own>) {}
            #[inline]
            fn lend<'s>(own: &'s mut Option<P::Own>, at: &'s mut &P) -> &'s P {
                match own {
                    Some(own) => P::lend(own),
                    None => at,
                }
            }
        }
    )+ };
}
shared!(Ref Generic);

macro_rules! exclusive {
    ($($ParamKind:ident)+) => { $(
        impl<P: Member + ?Sized> ParamKind for $ParamKind<P> {
            type Base = P::Base;
            type Place = P;
            type At<'a> = &'a mut P;
            type Dot<'a, A: LinearSpace<P::Base>> = &'a mut P::Shadow<A>;
            type Bar<'a, A: LinearSpace<P::Base>> = &'a mut P::Shadow<A>;

            #[inline]
            fn again<'s>(at: &'s mut &mut P) -> &'s mut P {
                at
            }
            #[inline]
            fn dot<A: LinearSpace<P::Base>>(shadow: &mut P::Shadow<A>) -> &mut P::Shadow<A> {
                shadow
            }
            #[inline]
            fn bar<A: LinearSpace<P::Base>>(shadow: &mut P::Shadow<A>) -> &mut P::Shadow<A> {
                shadow
            }
            #[inline]
            fn zero<A: LinearSpace<P::Base>>(at: &&mut P) -> P::Store<A> {
                at.zero()
            }
            #[inline]
            fn shape(at: &&mut P, dim: &mut dyn FnMut(usize)) {
                P::shape(at, dim);
            }
            #[inline]
            fn count(at: &&mut P) -> usize {
                count(&**at)
            }
            #[inline]
            fn save(at: &&mut P, own: &mut Option<P::Own>) {
                save(&**at, own);
            }
            #[inline]
            fn restore(at: &mut &mut P, own: &mut Option<P::Own>) {
                if let Some(own) = own {
                    at.set(P::lend(own));
                }
            }
            #[inline]
            fn lend<'s>(own: &'s mut Option<P::Own>, at: &'s mut &mut P) -> &'s mut P {
                match own {
                    Some(own) => P::lend(own),
                    None => at,
                }
            }
        }
    )+ };
}
exclusive!(Mut Out CacheMut);

impl<F: Active, D: Dimension + 'static> ParamKind for View<F, D> {
    type Base = F::Base;
    type Place = Array<F, D>;
    type At<'a> = ArrayView<'a, F, D>;
    type Dot<'a, A: LinearSpace<F::Base>> = &'a Array<F::Tangent<A>, D>;
    type Bar<'a, A: LinearSpace<F::Base>> = &'a mut Array<F::Tangent<A>, D>;

    #[inline]
    fn again<'s>(at: &'s mut ArrayView<'_, F, D>) -> ArrayView<'s, F, D> {
        at.view()
    }
    #[inline]
    fn dot<A: LinearSpace<F::Base>>(shadow: &mut Array<F::Tangent<A>, D>) -> &Array<F::Tangent<A>, D> {
        shadow
    }
    #[inline]
    fn bar<A: LinearSpace<F::Base>>(shadow: &mut Array<F::Tangent<A>, D>) -> &mut Array<F::Tangent<A>, D> {
        shadow
    }
    #[inline]
    fn zero<A: LinearSpace<F::Base>>(at: &ArrayView<'_, F, D>) -> Array<F::Tangent<A>, D> {
        at.map(|v| Member::zero(v))
    }
    #[inline]
    fn shape(at: &ArrayView<'_, F, D>, dim: &mut dyn FnMut(usize)) {
        at.raw_dim().slice().iter().for_each(|n| dim(*n));
        at.iter().for_each(|v| Active::shape(v, dim));
    }
    #[inline]
    fn count(at: &ArrayView<'_, F, D>) -> usize {
        at.iter().map(count).sum()
    }
    #[inline]
    fn save(at: &ArrayView<'_, F, D>, own: &mut Option<Array<F, D>>) {
        match own {
            Some(own) if own.raw_dim() == at.raw_dim() => {
                Zip::from(own).and(at).for_each(|own, value| value.copy_into(own))
            }
            own => *own = Some(at.map(Active::duplicate)),
        }
    }
    #[inline]
    fn restore(_: &mut ArrayView<'_, F, D>, _: &mut Option<Array<F, D>>) {}
    #[inline]
    fn lend<'s>(own: &'s mut Option<Array<F, D>>, at: &'s mut ArrayView<'_, F, D>) -> ArrayView<'s, F, D> {
        match own {
            Some(own) => own.view(),
            None => at.view(),
        }
    }
}

macro_rules! passive {
    ($($ParamKind:ident [$($bound:tt)*] $At:ty, $Dot:ty, |$at:ident| $again:expr;)+) => { $(
        impl<T: $($bound)* + 'static, F: Float> ParamKind for $ParamKind<T, F> {
            type Base = F;
            type Place = Nothing<F>;
            type At<'a> = $At;
            type Dot<'a, A: LinearSpace<F>> = $Dot;
            type Bar<'a, A: LinearSpace<F>> = &'a mut ();

            #[inline]
            fn again<'s>($at: &'s mut Self::At<'_>) -> Self::At<'s> {
                $again
            }
            #[inline]
            fn dot<A: LinearSpace<F>>(shadow: &mut ()) -> Self::Dot<'_, A> {
                shadow
            }
            #[inline]
            fn bar<A: LinearSpace<F>>(shadow: &mut ()) -> &mut () {
                shadow
            }
            #[inline]
            fn zero<A: LinearSpace<F>>(_: &Self::At<'_>) {}
            #[inline]
            fn shape(_: &Self::At<'_>, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn count(_: &Self::At<'_>) -> usize {
                0
            }
            #[inline]
            fn save(_: &Self::At<'_>, _: &mut Option<Nothing<F>>) {}
            #[inline]
            fn restore(_: &mut Self::At<'_>, _: &mut Option<Nothing<F>>) {}
            #[inline]
            fn lend<'s>(_: &'s mut Option<Nothing<F>>, at: &'s mut Self::At<'_>) -> Self::At<'s> {
                Self::again(at)
            }
        }
    )+ };
}
passive! {
    Passive [Clone] T, &'a (), |at| at.clone();
    PassiveRef [?Sized] &'a T, &'a (), |at| at;
    PassiveMut [?Sized] &'a mut T, &'a mut (), |at| at;
}

/// What a function of type `fn(&()) -> &D` lends: in its type `D` may leave out lifetimes that have to be written elsewhere.
pub trait Lent<'a> {
    /// The reference, with these lifetimes.
    type Ty;
}

impl<'a, F: Fn(&'a ()) -> R, R> Lent<'a> for F {
    type Ty = R;
}

/// The kind of a parameter whose type is known by a name only: `<ArrayView2<'static, f64> as Param>::ParamKind`.
pub trait Param {
    /// How the type is taken.
    type ParamKind: ParamKind;
}

impl<F: Active, D: Dimension + 'static> Param for ArrayView<'static, F, D> {
    type ParamKind = View<F, D>;
}

/// The kinds of a function's parameters: a tuple of 1 to 12.
pub trait Signature: 'static {
    /// The float of the function.
    type Base: Float;
    /// What the function receives.
    type At<'a>;
    /// The tangents, parameter by parameter.
    type Dots<'a, A: LinearSpace<Self::Base>>;
    /// The adjoints, parameter by parameter.
    type Bars<'a, A: LinearSpace<Self::Base>>;
    /// Shadows, parameter by parameter.
    type Stores<A: LinearSpace<Self::Base>>: Tangent<A> + Clone + Debug + Send;
    /// Copies of arguments, parameter by parameter.
    type Owns: Copies + Default;

    /// The arguments again, for a shorter time.
    fn again<'s>(at: &'s mut Self::At<'_>) -> Self::At<'s>;
    /// The tangents, from where they are kept.
    fn dots<A: LinearSpace<Self::Base>>(stores: &mut Self::Stores<A>) -> Self::Dots<'_, A>;
    /// The adjoints, from where they are kept.
    fn bars<A: LinearSpace<Self::Base>>(stores: &mut Self::Stores<A>) -> Self::Bars<'_, A>;
    /// Shadows that hold nothing, for code that does not touch them.
    fn idle<A: LinearSpace<Self::Base>>() -> Self::Stores<A>;
    /// The copies in the arguments' places, where there are any.
    fn lend<'s>(owns: &'s mut Self::Owns, at: &'s mut Self::At<'_>) -> Self::At<'s>;
}

macro_rules! sig {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: ParamKind<Base = F>),+> Signature for ($($K,)+) {
            type Base = F;
            type At<'a> = ($($K::At<'a>,)+);
            type Dots<'a, A: LinearSpace<F>> = ($($K::Dot<'a, A>,)+);
            type Bars<'a, A: LinearSpace<F>> = ($($K::Bar<'a, A>,)+);
            type Stores<A: LinearSpace<F>> = ($(Store<$K, A>,)+);
            type Owns = ($(Option<Own<$K>>,)+);

            #[inline]
            fn again<'s>(at: &'s mut Self::At<'_>) -> Self::At<'s> {
                ($($K::again(&mut at.$i),)+)
            }
            #[inline]
            fn dots<A: LinearSpace<F>>(stores: &mut Self::Stores<A>) -> Self::Dots<'_, A> {
                ($($K::dot(<$K::Place as Member>::shadow(&mut stores.$i)),)+)
            }
            #[inline]
            fn bars<A: LinearSpace<F>>(stores: &mut Self::Stores<A>) -> Self::Bars<'_, A> {
                ($($K::bar(<$K::Place as Member>::shadow(&mut stores.$i)),)+)
            }
            #[inline]
            fn idle<A: LinearSpace<F>>() -> Self::Stores<A> {
                ($(<$K::Place as Member>::empty::<A>(),)+)
            }
            #[inline]
            fn lend<'s>(owns: &'s mut Self::Owns, at: &'s mut Self::At<'_>) -> Self::At<'s> {
                ($($K::lend(&mut owns.$i, &mut at.$i),)+)
            }
        }
    };
}

arities!(sig);
