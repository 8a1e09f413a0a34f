//! What bodies over any number type hand to each other: a caller does not know which of its values the callee makes of numbers.
//!
//! A parameter of a callee is therefore a type parameter, and so is how an argument becomes what the callee needs: the `M`s
//! below, of which rustc finds the only one that fits. (Number types are type parameters there, and so equal no float.)

use super::lifted::{Lifted, LiftedPlace};
use crate::number::real::Real;
use std::marker::PhantomData;

/// As it is.
#[derive(Debug)]
pub struct Same;
/// A vector where a slice is taken: what a deref coercion does for references.
#[derive(Debug)]
pub struct FromVec<M>(PhantomData<M>);
/// An array where a slice is taken.
#[derive(Debug)]
pub struct FromArray<M>(PhantomData<M>);
/// Floats where numbers are needed.
#[derive(Debug)]
pub struct Constants;
/// Numbers where floats are needed.
#[derive(Debug)]
pub struct Observed;
/// A reference too many.
#[derive(Debug)]
pub struct Nested<M>(PhantomData<M>);

/// A `&mut` where `&` is enough.
#[derive(Debug)]
pub struct Lent;

/// An argument for a parameter `&P` that is made of the numbers `S`.
pub trait NumbersRef<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>, M> {
    /// What the callee reads.
    fn shared<'a>(&'a self, held: &'a mut Option<P::Held<S>>) -> &'a P::Over<S>;
}

/// An argument for a parameter `&mut P` that is made of the numbers `S`.
pub trait NumbersMut<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>, M> {
    /// What the callee changes.
    fn exclusive(&mut self) -> &mut P::Over<S>;
}

/// An argument for a parameter `&P` without a derivative, in code over the numbers `S`.
pub trait ConstantRef<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>, M> {
    /// What the callee reads.
    fn constant<'a>(&'a self, held: &'a mut Option<P::Own>) -> &'a P;
}

/// A value as another type `T` of the same shape, in code over the numbers `S`.
pub trait Remade<T, S, M> {
    /// Its numbers as constants, or its values.
    fn remade(self) -> T;
}

/// A value as the type that is needed: see [`Remade`].
#[inline]
pub fn remade<T, S, M, V: Remade<T, S, M>>(value: V) -> T {
    value.remade()
}

/// A copy that is made of the numbers `S`.
#[inline]
pub fn lifted<S: Real<Base = P::Base>, P: LiftedPlace + ?Sized>(place: &P) -> P::Held<S> {
    place.hold(&mut S::from_base)
}

/// What a function returns that has no body over other numbers, where its type cannot be written: there is no such value.
#[derive(Clone, Debug)]
pub enum Unknown {}

impl<T, S> Remade<T, S, Unknown> for Unknown {
    fn remade(self) -> T {
        match self {}
    }
}

impl<I> std::ops::Index<I> for Unknown {
    type Output = Unknown;
    fn index(&self, _: I) -> &Unknown {
        self
    }
}

impl Values for Unknown {
    type Plain = Unknown;
    fn values(&self) -> Unknown {
        match *self {}
    }
}

impl<T, S> Remade<T, S, Same> for T {
    #[inline]
    fn remade(self) -> T {
        self
    }
}

impl<S: Real<Base = T::Base>, T: Lifted> Remade<T::Over<S>, S, Constants> for T {
    #[inline]
    fn remade(self) -> T::Over<S> {
        self.lift(&mut S::from_base)
    }
}

impl<S: Real<Base = T::Base>, T: Lifted> Remade<T, S, Observed> for T::Over<S> {
    #[inline]
    fn remade(self) -> T {
        T::observed(&self)
    }
}

impl<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>> NumbersRef<P, S, Same> for &P::Over<S> {
    #[inline]
    fn shared<'a>(&'a self, _: &'a mut Option<P::Held<S>>) -> &'a P::Over<S> {
        self
    }
}

impl<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>> NumbersRef<P, S, Lent> for &mut P::Over<S> {
    #[inline]
    fn shared<'a>(&'a self, _: &'a mut Option<P::Held<S>>) -> &'a P::Over<S> {
        self
    }
}

impl<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>> NumbersRef<P, S, Constants> for &P {
    #[inline]
    fn shared<'a>(&'a self, held: &'a mut Option<P::Held<S>>) -> &'a P::Over<S> {
        P::held(held.insert(lifted(*self)))
    }
}

impl<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>> NumbersMut<P, S, Same> for &mut P::Over<S> {
    #[inline]
    fn exclusive(&mut self) -> &mut P::Over<S> {
        self
    }
}

impl<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>> ConstantRef<P, S, Same> for &P {
    #[inline]
    fn constant<'a>(&'a self, _: &'a mut Option<P::Own>) -> &'a P {
        self
    }
}

impl<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>> ConstantRef<P, S, Observed> for &P::Over<S> {
    #[inline]
    fn constant<'a>(&'a self, held: &'a mut Option<P::Own>) -> &'a P {
        P::lend(held.insert(P::observed(self)))
    }
}

/// References to references, as loops over references give them.
impl<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>, M, X: NumbersRef<P, S, M>> NumbersRef<P, S, Nested<M>> for &X {
    #[inline]
    fn shared<'a>(&'a self, held: &'a mut Option<P::Held<S>>) -> &'a P::Over<S> {
        (**self).shared(held)
    }
}

impl<P: LiftedPlace + ?Sized, S: Real<Base = P::Base>, M, X: ConstantRef<P, S, M>> ConstantRef<P, S, Nested<M>> for &X {
    #[inline]
    fn constant<'a>(&'a self, held: &'a mut Option<P::Own>) -> &'a P {
        (**self).constant(held)
    }
}

/// Owned containers where the parameter is a slice.
macro_rules! unsized_argument {
    ($([$($generics:tt)*] $From:ident: $plain:ty, $over:ty;)+) => { $(
        impl<T: Lifted, S: Real<Base = T::Base>, $($generics)*> NumbersRef<[T], S, $From<Same>> for &$over {
            #[inline]
            fn shared<'a>(&'a self, _: &'a mut Option<Vec<T::Over<S>>>) -> &'a [T::Over<S>] {
                &self[..]
            }
        }

        impl<T: Lifted, S: Real<Base = T::Base>, $($generics)*> NumbersRef<[T], S, $From<Lent>> for &mut $over {
            #[inline]
            fn shared<'a>(&'a self, _: &'a mut Option<Vec<T::Over<S>>>) -> &'a [T::Over<S>] {
                &self[..]
            }
        }

        impl<T: Lifted, S: Real<Base = T::Base>, $($generics)*> NumbersRef<[T], S, $From<Constants>> for &$plain {
            #[inline]
            fn shared<'a>(&'a self, held: &'a mut Option<Vec<T::Over<S>>>) -> &'a [T::Over<S>] {
                held.insert(lifted(&self[..]))
            }
        }

        impl<T: Lifted, S: Real<Base = T::Base>, $($generics)*> NumbersMut<[T], S, $From<Same>> for &mut $over {
            #[inline]
            fn exclusive(&mut self) -> &mut [T::Over<S>] {
                &mut self[..]
            }
        }

        impl<T: Lifted, S: Real<Base = T::Base>, $($generics)*> ConstantRef<[T], S, $From<Same>> for &$plain {
            #[inline]
            fn constant<'a>(&'a self, _: &'a mut Option<Vec<T>>) -> &'a [T] {
                &self[..]
            }
        }

        impl<T: Lifted, S: Real<Base = T::Base>, $($generics)*> ConstantRef<[T], S, $From<Observed>> for &$over {
            #[inline]
            fn constant<'a>(&'a self, held: &'a mut Option<Vec<T>>) -> &'a [T] {
                held.insert(<[T]>::observed(&self[..]))
            }
        }
    )+ };
}
unsized_argument! {
    [] FromVec: Vec<T>, Vec<T::Over<S>>;
    [const N: usize] FromArray: [T; N], [T::Over<S>; N];
}

/// The values of numbers, for tokens that read them all.
pub trait Values {
    /// The same shape, made of floats.
    type Plain;
    /// The values: see [`Real::observe`].
    fn values(&self) -> Self::Plain;
}

/// The values of numbers: see [`Values`].
#[inline]
pub fn values<V: Values + ?Sized>(numbers: &V) -> V::Plain {
    numbers.values()
}

/// What a callee made, of which only rustc knows whether it is made of numbers: `Seen(&value).values()`.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'v, T: ?Sized>(pub &'v T);

/// The values of what is made of numbers.
pub trait MadeOfNumbers {
    /// The same shape, made of floats.
    type Plain;
    /// The values.
    fn values(self) -> Self::Plain;
}

impl<T: Values + ?Sized> MadeOfNumbers for Seen<'_, T> {
    type Plain = T::Plain;
    #[inline]
    fn values(self) -> T::Plain {
        self.0.values()
    }
}

/// A value that is not: its function has no body over numbers, and so its caller's is never run. It is found where [`MadeOfNumbers`]
/// is not, for it takes one reference more.
pub trait AsItIs {
    /// The type.
    type Plain;
    /// Never called.
    fn values(&self) -> Self::Plain;
}

impl<T> AsItIs for Seen<'_, T> {
    type Plain = T;
    fn values(&self) -> T {
        unreachable!("its function has no body over other number types")
    }
}

impl<S: Real> Values for S {
    type Plain = S::Base;
    #[inline]
    fn values(&self) -> S::Base {
        self.observe()
    }
}

impl<V: Values> Values for Option<V> {
    type Plain = Option<V::Plain>;
    #[inline]
    fn values(&self) -> Option<V::Plain> {
        self.as_ref().map(V::values)
    }
}

impl<V: Values, E: Clone> Values for Result<V, E> {
    type Plain = Result<V::Plain, E>;
    #[inline]
    fn values(&self) -> Result<V::Plain, E> {
        self.as_ref().map(V::values).map_err(E::clone)
    }
}

impl<V: Values> Values for [V] {
    type Plain = Vec<V::Plain>;
    #[inline]
    fn values(&self) -> Vec<V::Plain> {
        self.iter().map(V::values).collect()
    }
}

impl<V: Values> Values for Vec<V> {
    type Plain = Vec<V::Plain>;
    #[inline]
    fn values(&self) -> Vec<V::Plain> {
        self.iter().map(V::values).collect()
    }
}

impl<V: Values, const N: usize> Values for [V; N] {
    type Plain = [V::Plain; N];
    #[inline]
    fn values(&self) -> [V::Plain; N] {
        std::array::from_fn(|i| self[i].values())
    }
}

/// A value that nobody reads: where a variable has one on every path.
pub trait Unread {
    /// Any value.
    fn unread() -> Self;
}

impl<S: Real> Unread for S {
    #[inline]
    fn unread() -> S {
        S::lit(0.0)
    }
}

impl<V> Unread for Vec<V> {
    #[inline]
    fn unread() -> Vec<V> {
        Vec::new()
    }
}

impl<V: Unread, const N: usize> Unread for [V; N] {
    #[inline]
    fn unread() -> [V; N] {
        std::array::from_fn(|_| V::unread())
    }
}

macro_rules! tuple {
    ($(($V:ident $i:tt))+) => {
        impl<$($V: Values),+> Values for ($($V,)+) {
            type Plain = ($($V::Plain,)+);
            #[inline]
            fn values(&self) -> Self::Plain {
                ($(self.$i.values(),)+)
            }
        }

        impl<$($V: Unread),+> Unread for ($($V,)+) {
            #[inline]
            fn unread() -> Self {
                ($($V::unread(),)+)
            }
        }
    };
}
tuple!((V0 0));
tuple!((V0 0)(V1 1));
tuple!((V0 0)(V1 1)(V2 2));
tuple!((V0 0)(V1 1)(V2 2)(V3 3));

/// What carries no derivative is its own value.
macro_rules! passive {
    ($($T:ty)+) => { $(
        impl Values for $T {
            type Plain = $T;
            #[inline]
            fn values(&self) -> $T {
                self.clone()
            }
        }

        impl Unread for $T {
            #[inline]
            fn unread() -> $T {
                Default::default()
            }
        }
    )+ };
}
passive!(bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize String);
