//! Tuples: they carry derivatives where one of their members does, and what carries none may stand beside it.

use crate::number::active::Active;
use crate::number::batch::Float;
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::stack::lasting::{Question, members_asked};
use crate::stack::workspace::Pool;
use std::fmt::Debug;

/// The float of what carries no derivative: none.
#[derive(Debug)]
pub struct Neutral;

/// The float that a member of a tuple is made of, or [`Neutral`].
pub trait Based {
    /// Which.
    type Base;
}

/// The float of two members together.
pub trait Join<Other> {
    /// Which.
    type Out;
}

impl<F: Float> Join<F> for F {
    type Out = F;
}

impl<F: Float> Join<Neutral> for F {
    type Out = F;
}

impl<F: Float> Join<F> for Neutral {
    type Out = F;
}

impl Join<Neutral> for Neutral {
    type Out = Neutral;
}

/// A member of a tuple that is made of the float `F`.
#[diagnostic::on_unimplemented(
    message = "a tuple with a member of type `{Self}` cannot carry a derivative [D0808]",
    label = "no tangent is known for `{Self}`",
    note = "members are numbers, what carries derivatives, integers, `bool`, `char` and text; a struct that derives `Differentiable` may hold anything"
)]
pub trait Part<F: Float>: Sized + 'static {
    /// The tangent of the member; `()` of what carries none.
    type Shadow<A: LinearSpace<F>>: Tangent<A> + Clone + Debug + Send;
    /// [`Active::FIXED`].
    const FIXED: bool;
    /// [`Active::MOST`].
    const MOST: usize;

    /// [`Active::zeros`].
    fn zeros<A: LinearSpace<F>>(&self, pool: &mut Pool<A>) -> Self::Shadow<A>;
    /// [`Active::empty`].
    fn empty<A: LinearSpace<F>>() -> Self::Shadow<A>;
    /// [`Active::release`].
    fn release<A: LinearSpace<F>>(t: Self::Shadow<A>, pool: &mut Pool<A>);
    /// [`Active::copied`].
    fn copied(&self, pool: &mut Pool<F>) -> Self;
    /// [`Active::has_constants_of`].
    fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool;
    /// [`Active::copy_into`].
    fn copy_into(&self, own: &mut Self);
    /// [`Active::recycle`].
    #[inline]
    fn recycle(self, _: &mut Pool<F>) {}
    /// [`Active::ask`].
    #[inline]
    fn ask<Q: Question<Self>>(question: Q) -> Q::Answer {
        question.passing()
    }
    /// [`Active::shape`].
    fn shape(&self, dim: &mut dyn FnMut(usize));
    /// [`Active::each`].
    fn each(&self, f: &mut impl FnMut(F));
    /// [`Active::each_mut`].
    fn each_mut(&mut self, f: &mut impl FnMut(&mut F));
}

impl<T: Active> Based for T {
    type Base = T::Base;
}

impl<F: Float, T: Active<Base = F>> Part<F> for T {
    type Shadow<A: LinearSpace<F>> = T::Tangent<A>;
    const FIXED: bool = T::FIXED;
    const MOST: usize = T::MOST;

    #[inline]
    fn zeros<A: LinearSpace<F>>(&self, pool: &mut Pool<A>) -> T::Tangent<A> {
        Active::zeros(self, pool)
    }
    #[inline]
    fn empty<A: LinearSpace<F>>() -> T::Tangent<A> {
        <T as Active>::empty()
    }
    #[inline]
    fn release<A: LinearSpace<F>>(t: T::Tangent<A>, pool: &mut Pool<A>) {
        <T as Active>::release(t, pool);
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<F>) -> T {
        Active::copied(self, pool)
    }
    #[inline]
    fn has_constants_of(&self, other: &T, otherwise: bool) -> bool {
        Active::has_constants_of(self, other, otherwise)
    }
    #[inline]
    fn copy_into(&self, own: &mut T) {
        Active::copy_into(self, own);
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<F>) {
        Active::recycle(self, pool);
    }
    #[inline]
    fn ask<Q: Question<T>>(question: Q) -> Q::Answer {
        <T as Active>::ask(question)
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        Active::shape(self, dim);
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(F)) {
        Active::each(self, f);
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut F)) {
        Active::each_mut(self, f);
    }
}

/// What carries nothing.
macro_rules! passive {
    ($([$($generics:tt)*] $P:ty;)+) => { $(
        impl<$($generics)*> Based for $P {
            type Base = Neutral;
        }

        impl<F: Float, $($generics)*> Part<F> for $P {
            type Shadow<A: LinearSpace<F>> = ();
            const FIXED: bool = true;
            const MOST: usize = 0;

            #[inline]
            fn zeros<A: LinearSpace<F>>(&self, _: &mut Pool<A>) {}
            #[inline]
            fn empty<A: LinearSpace<F>>() {}
            #[inline]
            fn release<A: LinearSpace<F>>((): (), _: &mut Pool<A>) {}
            #[inline]
            fn copied(&self, _: &mut Pool<F>) -> Self {
                self.clone()
            }
            #[inline]
            fn has_constants_of(&self, other: &Self, _: bool) -> bool {
                self == other
            }
            #[inline]
            fn copy_into(&self, own: &mut Self) {
                own.clone_from(self);
            }
            #[inline]
            fn ask<Q: Question<Self>>(question: Q) -> Q::Answer {
                question.lasting()
            }
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn each(&self, _: &mut impl FnMut(F)) {}
            #[inline]
            fn each_mut(&mut self, _: &mut impl FnMut(&mut F)) {}
        }
    )+ };
    (each $($P:ty)+) => { passive! { $([] $P; [] Vec<$P>; [] Option<$P>; [const N: usize] [$P; N];)+ } };
}
passive!(each u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char String &'static str);
passive! { [] std::cmp::Ordering; [] std::ops::Range<usize>; }

/// The float of all members.
macro_rules! base {
    ($T:ident) => { <$T as Based>::Base };
    ($T:ident $($rest:ident)+) => { <<$T as Based>::Base as Join<base!($($rest)+)>>::Out };
}

macro_rules! tuple {
    ($([$T:ident $i:tt])+) => { tuple!(@ [$([$T $i])+] [] $($T)+); };
    (@ $all:tt [] $T:ident) => { tuple!(= $all [$T: Based<Base = F>,]); };
    (@ $all:tt [] $T:ident $($rest:ident)+) => {
        tuple!(@ $all [$T: Based, <$T as Based>::Base: Join<base!($($rest)+), Out = F>,] $($rest)+);
    };
    (@ $all:tt [$($bounds:tt)+] $T:ident) => { tuple!(= $all [$($bounds)+ $T: Based,]); };
    (@ $all:tt [$($bounds:tt)+] $T:ident $($rest:ident)+) => {
        tuple!(@ $all [$($bounds)+ $T: Based, <$T as Based>::Base: Join<base!($($rest)+)>,] $($rest)+);
    };
    (= [$([$T:ident $i:tt])+] [$($bounds:tt)+]) => {
        impl<F: Float, $($T: Part<F>),+> Active for ($($T,)+)
        where
            $($bounds)+
        {
            type Base = F;
            type Tangent<A: LinearSpace<F>> = ($($T::Shadow<A>,)+);
            const FIXED: bool = $(<$T as Part<F>>::FIXED)&&+;
            const MOST: usize = 0usize$(.saturating_add(<$T as Part<F>>::MOST))+;

            #[inline]
            fn ask<Q: Question<Self>>(question: Q) -> Q::Answer {
                <T0 as Part<F>>::ask(OfMember::<0, (F, $($T),+), Q>(question, std::marker::PhantomData))
            }
            #[inline]
            fn shape(&self, dim: &mut dyn FnMut(usize)) {
                $(<$T as Part<F>>::shape(&self.$i, dim);)+
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut(F)) {
                $(<$T as Part<F>>::each(&self.$i, f);)+
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut F)) {
                $(<$T as Part<F>>::each_mut(&mut self.$i, f);)+
            }
            #[inline]
            fn zeros<A: LinearSpace<F>>(&self, pool: &mut Pool<A>) -> Self::Tangent<A> {
                ($(<$T as Part<F>>::zeros(&self.$i, pool),)+)
            }
            #[inline]
            fn empty<A: LinearSpace<F>>() -> Self::Tangent<A> {
                ($(<$T as Part<F>>::empty(),)+)
            }
            #[inline]
            fn release<A: LinearSpace<F>>(t: Self::Tangent<A>, pool: &mut Pool<A>) {
                $(<$T as Part<F>>::release(t.$i, pool);)+
            }
            #[inline]
            fn copied(&self, pool: &mut Pool<F>) -> Self {
                ($(<$T as Part<F>>::copied(&self.$i, pool),)+)
            }
            #[inline]
            fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool {
                $(<$T as Part<F>>::has_constants_of(&self.$i, &other.$i, otherwise))&&+
            }
            #[inline]
            fn copy_into(&self, own: &mut Self) {
                $(<$T as Part<F>>::copy_into(&self.$i, &mut own.$i);)+
            }
            #[inline]
            fn recycle(self, pool: &mut Pool<F>) {
                $(<$T as Part<F>>::recycle(self.$i, pool);)+
            }
        }
    };
}
tuple!([T0 0]);
tuple!([T0 0] [T1 1]);
tuple!([T0 0] [T1 1] [T2 2]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3] [T4 4]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3] [T4 4] [T5 5]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3] [T4 4] [T5 5] [T6 6]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3] [T4 4] [T5 5] [T6 6] [T7 7]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3] [T4 4] [T5 5] [T6 6] [T7 7] [T8 8]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3] [T4 4] [T5 5] [T6 6] [T7 7] [T8 8] [T9 9]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3] [T4 4] [T5 5] [T6 6] [T7 7] [T8 8] [T9 9] [T10 10]);
tuple!([T0 0] [T1 1] [T2 2] [T3 3] [T4 4] [T5 5] [T6 6] [T7 7] [T8 8] [T9 9] [T10 10] [T11 11]);

members_asked!(Part<F: Float>: [T0 0]
    [T0 0 T1 1]
    [T0 0 T1 1 T2 2]
    [T0 0 T1 1 T2 2 T3 3]
    [T0 0 T1 1 T2 2 T3 3 T4 4]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9 T10 10]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9 T10 10 T11 11]);
