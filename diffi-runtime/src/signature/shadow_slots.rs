//! The shadows of a function's parameters: each is there or switched off, and the types say which.
//!
//! Generated code takes a slot per parameter, so that one text serves every choice of active arguments: what belongs to a
//! switched-off parameter stands under `if X::On::ON` and is dropped by the compiler.

use crate::number::active::{Active, Member, Place};
use crate::number::flag::{Flag, Off, On};
use crate::number::linear_space::LinearSpace;
use ndarray::{Array, ArrayView, Dimension};
use std::marker::PhantomData;

/// The tangent of a parameter of type `P`, to be read.
#[diagnostic::on_unimplemented(
    message = "what is lent to this call is taken for a constant, and the parameter carries derivatives [D0815]",
    label = "the function may change it",
    note = "declare the function's parameter `constant(..)`, if no derivative flows through it",
    note = "a variable is taken for a constant if `constant(..)` says so, or if it is a generator of random numbers or a map"
)]
pub trait DotSlot<P: Place + ?Sized, A: LinearSpace<P::Base>> {
    /// Whether there is one.
    type On: Flag;
    /// The same as a constant.
    const ON: bool = <Self::On as Flag>::ON;
    /// The tangent, or `off` if there is none.
    fn get<'a>(&'a self, off: &'a P::Shadow<A>) -> &'a P::Shadow<A>;
    /// The tangent, if there is one.
    #[inline]
    fn there(&self) -> Option<&P::Shadow<A>> {
        None
    }
    /// The tangent of a number, or zero.
    ///
    /// Bodies open their slots by methods without written types, which rustc checks in half the time of [`get`](DotSlot::get).
    #[inline]
    fn number(&self) -> A
    where
        P: Place<Shadow<A> = A>,
    {
        *self.get(&A::ZERO)
    }
    /// The tangent of a slice of numbers, or an empty one.
    #[inline]
    fn elements(&self) -> &[A]
    where
        P: Place<Shadow<A> = [A]>,
    {
        self.get(&[])
    }
}

/// The slot of a parameter of `f64` or `f32` in a function of a generic float, through which no derivative flows.
#[diagnostic::on_unimplemented(
    message = "a parameter of type `f64` or `f32` is constant in a function of a generic float, and this argument carries a derivative [D0816]",
    label = "the derivative would be lost",
    note = "give the parameter the generic float for its type, or write the function for one float"
)]
pub trait NoShadow {}

impl NoShadow for Off {}

/// The adjoint of a parameter of type `P`, to be added to; or the tangent of a parameter that is written to.
#[diagnostic::on_unimplemented(
    message = "what is lent to this call is taken for a constant, and the parameter carries derivatives [D0815]",
    label = "the function may change it",
    note = "declare the function's parameter `constant(..)`, if no derivative flows through it",
    note = "a variable is taken for a constant if `constant(..)` says so, or if it is a generator of random numbers or a map"
)]
pub trait BarSlot<P: Place + ?Sized, A: LinearSpace<P::Base>> {
    /// Whether there is one.
    type On: Flag;
    /// The same as a constant.
    const ON: bool = <Self::On as Flag>::ON;
    /// The callee initialises: what the shadow holds is garbage that stands for zero, and every number must be written.
    const FRESH: bool;
    /// The shadow, or `off` if there is none.
    fn get<'a>(&'a mut self, off: &'a mut P::Shadow<A>) -> &'a mut P::Shadow<A>;
    /// The shadow, if there is one.
    #[inline]
    fn there(&mut self) -> Option<&mut P::Shadow<A>> {
        None
    }
    /// [`FRESH`](BarSlot::FRESH), where the caller's own slot says so.
    #[inline]
    fn is_fresh(&self) -> bool {
        Self::FRESH
    }
    /// The adjoint of a number, as the body begins: zero, if the callee initialises or there is none.
    #[inline]
    fn number(&mut self) -> A
    where
        P: Place<Shadow<A> = A>,
    {
        let mut bar = *self.get(&mut { A::ZERO });
        if Self::FRESH {
            bar.clear();
        }
        bar
    }
    /// The same, as the body ends.
    #[inline]
    fn put(&mut self, bar: A)
    where
        P: Place<Shadow<A> = A>,
    {
        *self.get(&mut { A::ZERO }) = bar;
    }
    /// The adjoint of a slice of numbers, or an empty one.
    #[inline]
    fn elements(&mut self) -> &mut [A]
    where
        P: Place<Shadow<A> = [A]>,
    {
        self.get(&mut [])
    }
}

impl<P: Place + ?Sized, A: LinearSpace<P::Base>> DotSlot<P, A> for Off {
    type On = Off;
    #[inline]
    fn get<'a>(&'a self, off: &'a P::Shadow<A>) -> &'a P::Shadow<A> {
        off
    }
}

impl<P: Place + ?Sized, A: LinearSpace<P::Base>> BarSlot<P, A> for Off {
    type On = Off;
    const FRESH: bool = false;
    #[inline]
    fn get<'a>(&'a mut self, off: &'a mut P::Shadow<A>) -> &'a mut P::Shadow<A> {
        off
    }
}

/// The tangent behind the reference `R`, if `F` is `On`.
#[derive(Debug)]
pub struct Dot<F, R>(R, PhantomData<F>);

impl<F: Flag, R> Dot<F, R> {
    /// A slot for the shadow behind `r`.
    #[inline]
    pub fn new(r: R) -> Self {
        Dot(r, PhantomData)
    }

    /// The reference.
    #[inline]
    pub fn place(&self) -> &R {
        &self.0
    }
}

impl<F: Flag, P: Place + ?Sized, A: LinearSpace<P::Base>> DotSlot<P, A> for Dot<F, &P::Shadow<A>> {
    type On = F;
    #[inline]
    fn get<'a>(&'a self, off: &'a P::Shadow<A>) -> &'a P::Shadow<A> {
        if F::ON { self.0 } else { off }
    }
    #[inline]
    fn there(&self) -> Option<&P::Shadow<A>> {
        F::ON.then_some(self.0)
    }
}

impl<F: Flag, P: Place + ?Sized, A: LinearSpace<P::Base>> BarSlot<P, A> for Dot<F, &mut P::Shadow<A>> {
    type On = F;
    const FRESH: bool = false;
    #[inline]
    fn get<'a>(&'a mut self, off: &'a mut P::Shadow<A>) -> &'a mut P::Shadow<A> {
        if F::ON { self.0 } else { off }
    }
    #[inline]
    fn there(&mut self) -> Option<&mut P::Shadow<A>> {
        F::ON.then_some(&mut *self.0)
    }
}

/// The adjoint behind the reference `R`, if `F` is `On`; to be initialised by the callee, if `Z` is.
#[derive(Debug)]
pub struct Bar<F, Z, R>(R, PhantomData<(F, Z)>);

impl<F: Flag, Z: Flag, R> Bar<F, Z, R> {
    /// A slot for the shadow behind `r`.
    #[inline]
    pub fn new(r: R) -> Self {
        Bar(r, PhantomData)
    }

    /// The reference.
    #[inline]
    pub fn place(&self) -> &R {
        &self.0
    }

    /// The reference.
    #[inline]
    pub fn place_mut(&mut self) -> &mut R {
        &mut self.0
    }
}

impl<F: Flag, Z: Flag, P: Place + ?Sized, A: LinearSpace<P::Base>> BarSlot<P, A> for Bar<F, Z, &mut P::Shadow<A>> {
    type On = F;
    const FRESH: bool = Z::ON;
    #[inline]
    fn get<'a>(&'a mut self, off: &'a mut P::Shadow<A>) -> &'a mut P::Shadow<A> {
        if F::ON { self.0 } else { off }
    }
    #[inline]
    fn there(&mut self) -> Option<&mut P::Shadow<A>> {
        F::ON.then_some(&mut *self.0)
    }
}

/// The slot of a variable that is taken for a constant, and that a call may change: none for a parameter that carries derivatives.
#[derive(Clone, Copy, Debug)]
pub struct LentSlot;

/// What is lent to a call, as it is.
#[inline]
pub fn lent_place<T: ?Sized>(place: &mut T) -> &mut T {
    place
}

/// The slot of a tangent that is there. These three say the types once, so that calls need not write them.
#[inline]
pub fn dot_slot<R>(tangent: R) -> Dot<On, R> {
    Dot::new(tangent)
}

/// The slot of an adjoint that is there, to be added to.
#[inline]
pub fn bar_slot<R>(adjoint: R) -> Bar<On, Off, R> {
    Bar::new(adjoint)
}

/// The slot of an adjoint that is there, to be initialised by the callee.
#[inline]
pub fn fresh_slot<R>(adjoint: R) -> Bar<On, On, R> {
    Bar::new(adjoint)
}

/// The adjoint behind the reference `R`; to be initialised by the callee, if that is true.
#[derive(Debug)]
pub struct Relayed<R>(pub R, pub bool);

impl<P: Place + ?Sized, A: LinearSpace<P::Base>> BarSlot<P, A> for Relayed<&mut P::Shadow<A>> {
    type On = On;
    const FRESH: bool = false;
    #[inline]
    fn get<'a>(&'a mut self, _: &'a mut P::Shadow<A>) -> &'a mut P::Shadow<A> {
        self.0
    }
    #[inline]
    fn there(&mut self) -> Option<&mut P::Shadow<A>> {
        Some(&mut *self.0)
    }
    #[inline]
    fn is_fresh(&self) -> bool {
        self.1
    }
}

/// A `&mut` that is passed for a `&`.
impl<F: Flag, Z: Flag, P: Place + ?Sized, A: LinearSpace<P::Base>> DotSlot<P, A> for Bar<F, Z, &mut P::Shadow<A>> {
    type On = F;
    #[inline]
    fn get<'a>(&'a self, off: &'a P::Shadow<A>) -> &'a P::Shadow<A> {
        if F::ON { self.0 } else { off }
    }
    #[inline]
    fn there(&self) -> Option<&P::Shadow<A>> {
        F::ON.then_some(&*self.0)
    }
}

/// A place for which a shadow can be made that nobody reads: every [`Member`], and views.
pub trait Spare: Place {
    /// Owns the shadow.
    type Owner<A: LinearSpace<Self::Base>>;
    /// A shadow of this place's shape, all zero.
    fn spare<A: LinearSpace<Self::Base>>(&self) -> Self::Owner<A>;
    /// The shadow that is owned.
    fn of<A: LinearSpace<Self::Base>>(owner: &mut Self::Owner<A>) -> &mut Self::Shadow<A>;
}

impl<P: Member + ?Sized> Spare for P {
    type Owner<A: LinearSpace<P::Base>> = P::Store<A>;
    #[inline]
    fn spare<A: LinearSpace<P::Base>>(&self) -> P::Store<A> {
        self.zero()
    }
    #[inline]
    fn of<A: LinearSpace<P::Base>>(owner: &mut P::Store<A>) -> &mut P::Shadow<A> {
        P::shadow(owner)
    }
}

impl<T: Active, D: Dimension + 'static> Spare for ArrayView<'_, T, D> {
    type Owner<A: LinearSpace<T::Base>> = Array<T::Tangent<A>, D>;
    #[inline]
    fn spare<A: LinearSpace<T::Base>>(&self) -> Array<T::Tangent<A>, D> {
        self.map(|v| Member::zero(v))
    }
    #[inline]
    fn of<A: LinearSpace<T::Base>>(owner: &mut Array<T::Tangent<A>, D>) -> &mut Array<T::Tangent<A>, D> {
        owner
    }
}

/// The shadow behind its owner, for a place of this type.
#[inline]
pub fn shadow_like<'s, A: LinearSpace<P::Base>, P: Spare + ?Sized>(
    _: &P,
    store: &'s mut P::Owner<A>,
) -> &'s mut P::Shadow<A> {
    P::of(store)
}

/// Owned containers where the parameter is a slice: what a deref coercion does for the value itself.
macro_rules! unsized_shadow {
    ($([$($generics:tt)*] $owned:ty;)+) => { $(
        impl<Q: Flag, T: Active, A: LinearSpace<T::Base>, $($generics)*> DotSlot<[T], A> for Dot<Q, &$owned> {
            type On = Q;
            #[inline]
            fn get<'a>(&'a self, off: &'a [T::Tangent<A>]) -> &'a [T::Tangent<A>] {
                if Q::ON { self.0 } else { off }
            }
        }

        impl<Q: Flag, Z: Flag, T: Active, A: LinearSpace<T::Base>, $($generics)*> DotSlot<[T], A> for Bar<Q, Z, &mut $owned> {
            type On = Q;
            #[inline]
            fn get<'a>(&'a self, off: &'a [T::Tangent<A>]) -> &'a [T::Tangent<A>] {
                if Q::ON { self.0 } else { off }
            }
        }

        impl<Q: Flag, Z: Flag, T: Active, A: LinearSpace<T::Base>, $($generics)*> BarSlot<[T], A> for Bar<Q, Z, &mut $owned> {
            type On = Q;
            const FRESH: bool = Z::ON;
            #[inline]
            fn get<'a>(&'a mut self, off: &'a mut [T::Tangent<A>]) -> &'a mut [T::Tangent<A>] {
                if Q::ON { self.0 } else { off }
            }
        }
    )+ };
}
unsized_shadow! {
    [] Vec<T::Tangent<A>>;
    [const N: usize] [T::Tangent<A>; N];
}
