//! Operations of `nalgebra` that are differentiated by its own code, run over dual numbers.
//!
//! An operation of a few numbers is one line of a table: its operands' types over any number, and the call. Its tangent is that call over
//! dual numbers, its cotangent takes one such call for each number of its operands, and the cotangent's tangent one over hyper-dual
//! numbers (Fike & Alonso 2011). So the derivative is that of the formula which `nalgebra` uses, in the space around units and rotations.

mod calls;
mod evaluation;
mod geometry;
mod matrices;
mod numbers;

pub use calls::{traits, unnamed};
pub use evaluation::{pull_push1, pull_push2, pull_push3, pull_push4, pull1, pull2, pull3, pull4};
pub use evaluation::{push1, push2, push3, push4};
pub use numbers::{AnyNumber, Numbers, Operand};

use crate::intrinsics::library::Number;
use crate::number::active::Active;
use nalgebra::RealField;
use num_dual::{Dual, HyperDual};

/// A float, and the numbers over it that carry derivatives.
pub trait Jet: Number + RealField + Copy {
    /// With a first derivative.
    type First: AnyNumber;
    /// With first derivatives in two directions, and the second one in both.
    type Second: AnyNumber;
    /// A number that changes at this rate.
    fn first(value: Self, rate: Self) -> Self::First;
    /// The rate.
    fn rate(number: Self::First) -> Self;
    /// A number that changes at these rates.
    fn second(value: Self, rates: [Self; 2]) -> Self::Second;
    /// The second derivative.
    fn curvature(number: Self::Second) -> Self;
}

macro_rules! jet {
    ($($F:ident)+) => { $(
        impl Jet for $F {
            type First = Dual<$F>;
            type Second = HyperDual<$F>;
            #[inline]
            fn first(value: $F, rate: $F) -> Dual<$F> {
                Dual::new(value, rate)
            }
            #[inline]
            fn rate(number: Dual<$F>) -> $F {
                number.eps
            }
            #[inline]
            fn second(value: $F, [one, other]: [$F; 2]) -> HyperDual<$F> {
                HyperDual::new(value, one, other, 0.0)
            }
            #[inline]
            fn curvature(number: HyperDual<$F>) -> $F {
                number.eps1eps2
            }
        }
    )+ };
}
jet!(f32 f64);

/// The operation `Op` of these operands, as a method or a function of this type.
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of `{Op}` of `{Self}` with the operands `{Args}` [D0810]",
    label = "these operands carry derivatives",
    note = "work on the elements, or write the operation as a function with `#[differentiable]` and call that"
)]
pub trait Formula<Op, Args> {
    /// The result.
    type Out: Active;
    /// The operation itself.
    fn value(args: Args) -> Self::Out;
    /// The operation over any number: from the operands' numbers to those of the result.
    fn run<S: AnyNumber>(from: &mut impl FnMut() -> S, to: &mut impl FnMut(S));
}

/// One operation a line: generics, the type, its name, the operands with their types over the number `S`, the result, and the call.
macro_rules! formulas {
    ($($kind:ident [$($generics:tt)*] $T:ty, $op:ident($($x:ident: $X:ty),+) => $Out:ty { $call:expr })+) => {
        formulas! { @of f32 of_f32: $($kind [$($generics)*] $T, $op($($x: $X),+) => $Out { $call })+ }
        formulas! { @of f64 of_f64: $($kind [$($generics)*] $T, $op($($x: $X),+) => $Out { $call })+ }
    };
    (@of $F:ident $module:ident: $($kind:ident [$($generics:tt)*] $T:ty, $op:ident($($x:ident: $X:ty),+) => $Out:ty { $call:expr })+) => {
        mod $module {
            #[allow(clippy::wildcard_imports)]
            use super::*;
            type S = $F;
            $(
                impl<$($generics)*> Formula<named::$op, ($($X,)+)> for $T {
                    type Out = $Out;
                    #[inline]
                    fn value(($($x,)+): ($($X,)+)) -> $Out {
                        $call
                    }
                    #[inline]
                    fn run<S: AnyNumber>(from: &mut impl FnMut() -> S, to: &mut impl FnMut(S)) {
                        $(let $x = <$X as Numbers<S>>::read(from);)+
                        let y: $Out = $call;
                        Numbers::<S>::write(y, to);
                    }
                }
                formulas! { @$kind [$($generics)*] $T, $op, $($X),+ => $Out }
            )+
        }
    };
    // a function, found by rustc on the type
    (@make [$($generics:tt)*] $T:ty, $op:ident, $($X:ty),+ => $Out:ty) => {
        impl<$($generics)*> traits::$op for $T {}
    };
    // a method, found likewise
    (@call [$($generics:tt)*] $T:ty, $op:ident, $($X:ty),+ => $Out:ty) => {
        impl<$($generics)*> traits::$op for $T {}
        formulas! { @rule [$($generics)*] $T, named::$op, $($X),+ => $Out }
    };
    // a method that is found by another row, for these operands
    (@also [$($generics:tt)*] $T:ty, $op:ident, $($X:ty),+ => $Out:ty) => {
        formulas! { @rule [$($generics)*] $T, named::$op, $($X),+ => $Out }
    };
    (@operator [$($generics:tt)*] $T:ty, $op:ident, $($X:ty),+ => $Out:ty) => {
        formulas! { @rule [$($generics)*] $T, op::$op, $($X),+ => $Out }
    };
    (@rule [$($generics:tt)*] $T:ty, $op:ty, $X:ty => $Out:ty) => {
        impl<$($generics)*> Unary<$op> for $X {
            type Out = $Out;
            #[inline]
            fn value(&self, _: &$op) -> $Out {
                <$T as Formula<$op, ($X,)>>::value((self.clone(),))
            }
            fn push<A: LinearSpace<S>>(&self, op: &$op, dot: &Self::Shadow<A>, y: &$Out) -> Tan<$Out, A> {
                self.push_in(op, dot, y, &mut Memory::<Self, A>::new())
            }
            fn push_in<A: LinearSpace<S>>(
                &self,
                _: &$op,
                dot: &Self::Shadow<A>,
                _: &$Out,
                memory: &mut Memory<Self, A>,
            ) -> Tan<$Out, A> {
                push1::<$T, $op, _, _, _>(self, Some(dot), memory).1
            }
            fn pull<A: LinearSpace<S>>(
                &self,
                _: &$op,
                bar: &mut Self::Shadow<A>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, A>,
                memory: &mut Memory<Self, A>,
            ) {
                pull1::<$T, $op, _, _, _>(self, Some(bar), y_bar, memory);
            }
            fn pull_push<A: LinearSpace<S>>(
                &self,
                _: &$op,
                dot: Option<&Self::Shadow<A>>,
                bar: &mut Self::Shadow<S>,
                bar_dot: &mut Self::Shadow<A>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, S>,
                y_bar_dot: &Tan<$Out, A>,
                memory: &mut Memory<Self, A>,
            ) {
                pull_push1::<$T, $op, _, _, _>(self, dot, Some((bar, bar_dot)), y_bar, y_bar_dot, memory);
            }
        }
    };
    (@rule [$($generics:tt)*] $T:ty, $op:ty, $X:ty, $Y:ty => $Out:ty) => {
        impl<$($generics)*> Binary<$op, $Y> for $X {
            type Out = $Out;
            #[inline]
            fn value(&self, _: &$op, other: &$Y) -> $Out {
                <$T as Formula<$op, ($X, $Y)>>::value((self.clone(), other.clone()))
            }
            fn push<A: LinearSpace<S>>(
                &self,
                _: &$op,
                dot: Option<&Self::Shadow<A>>,
                other: &$Y,
                other_dot: Option<&<$Y as Place>::Shadow<A>>,
                _: &$Out,
                memory: &mut Memory<Self, A>,
            ) -> Tan<$Out, A> {
                push2::<$T, $op, _, _, _, _>(self, dot, other, other_dot, memory).1
            }
            fn pull<A: LinearSpace<S>>(
                &self,
                _: &$op,
                bar: Option<&mut Self::Shadow<A>>,
                other: &$Y,
                other_bar: Option<&mut <$Y as Place>::Shadow<A>>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, A>,
                memory: &mut Memory<Self, A>,
            ) {
                pull2::<$T, $op, _, _, _, _>(self, bar, other, other_bar, y_bar, memory);
            }
            fn pull_push<A: LinearSpace<S>>(
                &self,
                _: &$op,
                dot: Option<&Self::Shadow<A>>,
                bars: Option<(&mut Self::Shadow<S>, &mut Self::Shadow<A>)>,
                other: &$Y,
                other_dot: Option<&<$Y as Place>::Shadow<A>>,
                other_bars: Option<(&mut <$Y as Place>::Shadow<S>, &mut <$Y as Place>::Shadow<A>)>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, S>,
                y_bar_dot: &Tan<$Out, A>,
                memory: &mut Memory<Self, A>,
            ) {
                pull_push2::<$T, $op, _, _, _, _>(
                    self, dot, bars, other, other_dot, other_bars, y_bar, y_bar_dot, memory,
                );
            }
        }
    };
    // with more operands, the method finds the formula itself
    (@rule [$($generics:tt)*] $T:ty, $op:ty, $X:ty, $Y:ty, $($Z:ty),+ => $Out:ty) => {};
}
use formulas;

/// The operations' names.
#[allow(non_camel_case_types, missing_docs)]
pub mod named {
    pub use super::calls::names::*;
    pub use crate::intrinsics::library::op::{Add, Div, Dot, Mul, Neg, Sub, Transpose};
}
