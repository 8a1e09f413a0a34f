//! Auxiliary outputs: what a function gives beside the result that is differentiated, and how operators hand it on.

use super::{Number, ReturnValue};
use crate::number::active::Active;
use crate::number::batch::Float;
use crate::number::flag::{Flag, Off, On};
use crate::number::hlist::{Cons, List};
use crate::number::linear_space::LinearSpace;
use crate::stack::workspace::Pool;

/// The auxiliary output of a function that is `#[differentiable(has_aux)]`: a value of any type, without a derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aux<A>(pub A);

/// What a function with an auxiliary output returns, as operators take it.
#[inline]
pub fn with_aux<Y, A>((y, aux): (Y, A)) -> (Y, Aux<A>) {
    (y, Aux(aux))
}

/// What a function without a derivative of its own gives: its value stands beside nothing.
#[inline]
pub fn answered<A>(value: A) -> ((), Aux<A>) {
    ((), Aux(value))
}

/// What operators show of what a function over `F` returns, and what they give beside their own results.
pub trait Shown<F: Float>: Sized {
    /// The value: what the function returns.
    type Value;
    /// What is beside results: the auxiliary output, if there is one.
    type Aux;
    /// A result, and what is beside it.
    type With<T>;
    /// Whether something is.
    type HasAux: Flag;

    /// As operators show it.
    fn shown(self) -> Self::Value;
    /// As it was before.
    fn hidden(value: Self::Value) -> Self;
    /// What is beside results: asked for, if [`HasAux`](Shown::HasAux) is on.
    fn aux(y: Option<Self>) -> Self::Aux;
    /// A copy of what is beside results.
    fn beside(&self) -> Self::Aux;
    /// A result and what is beside it.
    fn with<T>(result: T, aux: Self::Aux) -> Self::With<T>;
    /// A result without what is beside it.
    fn without<T>(with: Self::With<T>) -> T;
}

/// Nothing is beside results.
macro_rules! alone {
    () => {
        type Aux = ();
        type With<T> = T;
        type HasAux = Off;

        #[inline]
        fn aux(_: Option<Self>) {}
        #[inline]
        fn beside(&self) {}
        #[inline]
        fn with<T>(result: T, (): ()) -> T {
            result
        }
        #[inline]
        fn without<T>(result: T) -> T {
            result
        }
    };
}

/// Results are shown as they are.
macro_rules! bare {
    () => {
        alone!();
        type Value = Self;

        #[inline]
        fn shown(self) -> Self {
            self
        }
        #[inline]
        fn hidden(value: Self) -> Self {
            value
        }
    };
}

impl<F: Float, Y: Active<Base = F>> Shown<F> for Y {
    bare!();
}

impl<F: Float> Shown<F> for () {
    bare!();
}

impl<F: Float, Y: Active<Base = F>, E: 'static> Shown<F> for Result<Y, E> {
    bare!();
}

impl<F: Float, Y: Active<Base = F>, A: Clone + 'static> Shown<F> for (Y, Aux<A>) {
    type Value = (Y, A);
    type Aux = A;
    type With<T> = (T, A);
    type HasAux = On;

    #[inline]
    fn shown(self) -> (Y, A) {
        (self.0, self.1.0)
    }
    #[inline]
    fn hidden(value: (Y, A)) -> Self {
        with_aux(value)
    }
    #[inline]
    fn aux(y: Option<Self>) -> A {
        y.expect("a backend gives the value when it is asked for it").1.0
    }
    #[inline]
    fn beside(&self) -> A {
        self.1.0.clone()
    }
    #[inline]
    fn with<T>(result: T, aux: A) -> (T, A) {
        (result, aux)
    }
    #[inline]
    fn without<T>((result, _): (T, A)) -> T {
        result
    }
}

/// The value alone is shown.
impl<F: Float, A: 'static> Shown<F> for ((), Aux<A>) {
    alone!();
    type Value = A;

    #[inline]
    fn shown(self) -> A {
        self.1.0
    }
    #[inline]
    fn hidden(value: A) -> Self {
        answered(value)
    }
}

/// Its derivatives are those of the first member alone.
impl<F: Float, Y: Active<Base = F>, A: Clone + 'static> ReturnValue<F> for (Y, Aux<A>) {
    type Tangent<S: LinearSpace<F>> = <Y as Active>::Tangent<S>;
    type Onto<L: List<Base = F>> = Cons<Y, L>;
    type Landed = Self;
    const FIXED: bool = Y::FIXED;

    #[inline]
    fn landed(self) -> Self {
        self
    }
    #[inline]
    fn zero<S: LinearSpace<F>>(&self, pool: &mut Pool<S>) -> Self::Tangent<S> {
        self.0.zeros(pool)
    }
    #[inline]
    fn empty<S: LinearSpace<F>>() -> Self::Tangent<S> {
        <Y as Active>::empty()
    }
    #[inline]
    fn release<S: LinearSpace<F>>(t: Self::Tangent<S>, pool: &mut Pool<S>) {
        <Y as Active>::release(t, pool);
    }
    #[inline]
    fn muts<'a, L: List<Base = F>, S: LinearSpace<F>>(
        t: &'a mut Self::Tangent<S>,
        rest: L::Muts<'a, S>,
    ) -> <Cons<Y, L> as List>::Muts<'a, S> {
        (t, rest)
    }
    #[inline]
    fn stores<L: List<Base = F>, S: LinearSpace<F>>(
        t: Self::Tangent<S>,
        rest: L::Stores<S>,
    ) -> <Cons<Y, L> as List>::Stores<S> {
        (t, rest)
    }
    #[inline]
    fn owns<L: List<Base = F>>(&self, rest: L::Owns) -> <Cons<Y, L> as List>::Owns {
        (self.0.duplicate(), rest)
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(F)) {
        self.0.each(f);
    }
    #[inline]
    fn is_absent(&self) -> bool {
        self.0.is_absent()
    }
}

macro_rules! number {
    ($($F:ident)+) => { $(
        impl<L, A: Clone + 'static> Number<$F, L> for ($F, Aux<A>) {}
    )+ };
}
number!(f32 f64);
