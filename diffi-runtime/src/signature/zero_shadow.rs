//! The shadow of a struct's constant list: generated code reads elements of it, as it does not see which fields are constants.

use crate::number::active::{Active, Place};
use crate::number::flag::{Flag, Off};
use crate::number::linear_space::LinearSpace;
use crate::number::optional_shadow::MaybeNumber;
use crate::number::tangent::Tangent;
use crate::signature::shadow_slots::{Bar, BarSlot, Dot, DotSlot, Spare};
use crate::stack::workspace::Pool;
use ndarray::{Array, Dimension};
use std::ops::{Index, IndexMut};

/// No derivative, in place of a list's: every part of it is none as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inert;

impl<I> Index<I> for Inert {
    type Output = Inert;
    #[inline]
    fn index(&self, _: I) -> &Inert {
        self
    }
}

impl<I> IndexMut<I> for Inert {
    #[inline]
    fn index_mut(&mut self, _: I) -> &mut Inert {
        self
    }
}

impl<A> Tangent<A> for Inert {
    const FIXED: bool = true;

    #[inline]
    fn acc(&mut self, _: &Self) {}
    #[inline]
    fn clear(&mut self) {}
    #[inline]
    fn shape(&self, _: &mut dyn FnMut(usize)) {}
    #[inline]
    fn each(&self, _: &mut impl FnMut(A)) {}
    #[inline]
    fn each_mut(&mut self, _: &mut impl FnMut(&mut A)) {}
}

impl<A: LinearSpace<F>, F> MaybeNumber<A, F> for Inert {
    #[inline]
    fn shadow_number(self) -> A {
        A::ZERO
    }
    #[inline]
    fn gain(&mut self, _: A) {}
    #[inline]
    fn lose(&mut self, _: A) {}
    #[inline]
    fn unset(&mut self) {}
}

/// A shadow that may be [`Inert`], and is added to another that may be. `M` tells which is.
pub trait Joined<A, To: ?Sized, M> {
    /// `to += self`.
    fn join(&self, to: &mut To);
}

/// Both are there.
#[derive(Debug)]
pub struct Both;
/// The one that is added is none.
#[derive(Debug)]
pub struct NoneAdded;
/// The one that is added to is none.
#[derive(Debug)]
pub struct NoneKept;

impl<A, T: Tangent<A> + ?Sized> Joined<A, T, Both> for T {
    #[inline]
    fn join(&self, to: &mut T) {
        to.acc(self);
    }
}

impl<A, T: ?Sized> Joined<A, T, NoneAdded> for Inert {
    #[inline]
    fn join(&self, _: &mut T) {}
}

impl<A, T: ?Sized> Joined<A, Inert, NoneKept> for T {
    #[inline]
    fn join(&self, _: &mut Inert) {}
}

/// `to += from`, where one of them may be a part of a struct's constant list.
#[inline]
pub fn join<A, To: ?Sized, From: Joined<A, To, M> + ?Sized, M>(to: &mut To, from: &From) {
    from.join(to);
}

/// The shadow of a place whose value has been replaced by one that does not move: `Still(&mut shadow).of(&value, pool)`.
#[derive(Debug)]
pub struct Still<'s, T: ?Sized>(pub &'s mut T);

/// Of a constant. Being inherent, these come before [`Stills`].
impl Still<'_, Inert> {
    /// Nothing.
    #[inline]
    pub fn of<V: ?Sized, P>(self, _: &V, _: &mut P) {}
}

impl Still<'_, ()> {
    /// Nothing.
    #[inline]
    pub fn of<V: ?Sized, P>(self, _: &V, _: &mut P) {}
}

/// Of a value that carries derivatives.
pub trait Stills<T> {
    /// Makes the shadow zero, in the shape of the value.
    fn of<V: Active<Tangent<A> = T>, A: LinearSpace<V::Base>>(self, value: &V, pool: &mut Pool<A>)
    where
        T: Tangent<A>;
}

impl<T> Stills<T> for Still<'_, T> {
    #[inline]
    fn of<V: Active<Tangent<A> = T>, A: LinearSpace<V::Base>>(self, value: &V, pool: &mut Pool<A>)
    where
        T: Tangent<A>,
    {
        match V::FIXED {
            true => self.0.clear(),
            false => V::release(std::mem::replace(self.0, value.zeros(pool)), pool),
        }
    }
}

/// A tangent in a struct, of which a copy is made.
#[derive(Debug)]
pub struct Shadow<'s, T: ?Sized>(pub &'s T);

impl Shadow<'_, Inert> {
    /// Zero, where there is none.
    #[inline]
    pub fn copied<A: LinearSpace<P::Base>, P: Active>(&self, primal: &P, pool: &mut Pool<A>) -> P::Tangent<A> {
        primal.zeros(pool)
    }
}

/// Of all other tangents; the method above is found before.
pub trait CopiedShadow<T> {
    /// The copy.
    fn copied<A, P>(&self, primal: &P, pool: &mut Pool<A>) -> T;
}

impl<T: Clone> CopiedShadow<T> for Shadow<'_, T> {
    #[inline]
    fn copied<A, P>(&self, _: &P, _: &mut Pool<A>) -> T {
        self.0.clone()
    }
}

/// Shadows of what a call may change.
#[diagnostic::on_unimplemented(
    message = "a constant field is passed to be changed, and active values might be stored in it [D0812]",
    label = "this field is `#[differentiable(constant)]`",
    note = "leave the attribute off the field, or change the list where the function is not annotated"
)]
pub trait Changed {}

impl Shadow<'_, Inert> {
    /// Nothing keeps the derivative of what would be stored there.
    pub fn may_change(&self)
    where
        Self: Changed,
    {
    }
}

/// Of all other shadows; the method above is found before.
pub trait Changing {
    /// There is something to be seen to.
    #[inline(always)]
    fn may_change(&self) {}
}

impl<T: ?Sized> Changing for Shadow<'_, T> {}

/// The shadow of an argument that is a part of a struct, where the struct's may be missing.
pub trait OrInert<P: Spare + ?Sized, A: LinearSpace<P::Base>, M> {
    /// A shadow that nobody reads, in place of the missing one.
    fn spare(owner: &mut P::Owner<A>) -> &mut Self;
}

impl<P: Spare + ?Sized, A: LinearSpace<P::Base>> OrInert<P, A, Both> for P::Shadow<A> {
    #[inline]
    fn spare(owner: &mut P::Owner<A>) -> &mut Self {
        P::of(owner)
    }
}

impl<P: Spare + ?Sized, A: LinearSpace<P::Base>> OrInert<P, A, NoneKept> for Inert {
    #[inline]
    fn spare(_: &mut P::Owner<A>) -> &mut Self {
        Box::leak(Box::new(Inert)) // of no size: nothing is allocated
    }
}

/// The shadow, where there is no spare one, for a place of this type. A missing struct has no parts: they are not looked for then.
#[inline]
pub fn there_or<'s, A: LinearSpace<P::Base>, P: Spare + ?Sized, S: OrInert<P, A, M> + ?Sized, M>(
    spare: Option<&'s mut P::Owner<A>>,
    shadow: impl FnOnce() -> &'s S,
    _: &P,
) -> &'s S {
    match spare {
        None => shadow(),
        Some(owner) => &*S::spare(owner),
    }
}

/// The same, to be changed.
#[inline]
pub fn there_or_mut<'s, A: LinearSpace<P::Base>, P: Spare + ?Sized, S: OrInert<P, A, M> + ?Sized, M>(
    spare: Option<&'s mut P::Owner<A>>,
    shadow: impl FnOnce() -> &'s mut S,
    _: &P,
) -> &'s mut S {
    match spare {
        None => shadow(),
        Some(owner) => S::spare(owner),
    }
}

/// A constant list that is passed on carries nothing.
macro_rules! no_slot {
    ($([$($generics:tt)*] $P:ty;)+) => { $(
        impl<Q: Flag, A: LinearSpace<<$P as Place>::Base>, $($generics)*> DotSlot<$P, A> for Dot<Q, &Inert> {
            type On = Off;
            #[inline]
            fn get<'a>(&'a self, off: &'a <$P as Place>::Shadow<A>) -> &'a <$P as Place>::Shadow<A> {
                off
            }
        }

        impl<Q: Flag, Z: Flag, A: LinearSpace<<$P as Place>::Base>, $($generics)*> DotSlot<$P, A> for Bar<Q, Z, &mut Inert> {
            type On = Off;
            #[inline]
            fn get<'a>(&'a self, off: &'a <$P as Place>::Shadow<A>) -> &'a <$P as Place>::Shadow<A> {
                off
            }
        }

        impl<Q: Flag, Z: Flag, A: LinearSpace<<$P as Place>::Base>, $($generics)*> BarSlot<$P, A> for Bar<Q, Z, &mut Inert> {
            type On = Off;
            const FRESH: bool = false;
            #[inline]
            fn get<'a>(&'a mut self, off: &'a mut <$P as Place>::Shadow<A>) -> &'a mut <$P as Place>::Shadow<A> {
                off
            }
        }
    )+ };
}
no_slot! {
    [] f64;
    [] f32;
    [T: Active] [T];
    [T: Active] Vec<T>;
    [T: Active, const N: usize] [T; N];
    [T: Active, D: Dimension + 'static] Array<T, D>;
}
