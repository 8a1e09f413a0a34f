//! Methods and constructors of complex numbers as generated code calls them, found by rustc on the receiver's type.

use super::Complex;
use crate::intrinsics::library::{Binary, Memory, One, Tan, Two, Unary, op};
use crate::number::active::Place;
use crate::number::flag::Off;
use crate::number::linear_space::LinearSpace;
use crate::signature::by_value_or_ref::Given;
use crate::signature::shadow_slots::{BarSlot, DotSlot};
use crate::signature::sweeps::Sweeps;

type Value<T, O> = <T as Unary<O>>::Out;
type Value2<T, O, Y> = <T as Binary<O, Y>>::Out;

/// Methods without arguments, with one that carries no derivative, and with one that may.
macro_rules! methods {
    (
        [$($Op:ident $annotated:ident $push:ident $pull:ident $pull_push:ident;)+]
        by [$($OpBy:ident($By:ty) $annotated_by:ident $push_by:ident $pull_by:ident $pull_push_by:ident;)+]
        with [$($OpWith:ident $annotated_with:ident $push_with:ident $pull_with:ident $pull_push_with:ident;)+]
    ) => {
        /// Derivative code of methods.
        #[expect(clippy::too_many_arguments, missing_docs, reason = "the signatures of generated code")]
        pub trait Methods: Place + Sized {
            $(
                #[inline(always)]
                fn $annotated(&self) -> &Self {
                    self
                }
                #[inline]
                fn $push<A: LinearSpace<Self::Base>>(
                    &self,
                    dot: impl DotSlot<Self, A>,
                    memory: &mut Memory<Self, A>,
                ) -> (Value<Self, op::$Op>, Tan<Value<Self, op::$Op>, A>)
                where
                    Self: Unary<op::$Op>,
                {
                    One::__push(op::$Op, Off, self, dot, memory)
                }
                #[inline]
                fn $pull<A: LinearSpace<Self::Base>, S: Sweeps>(
                    &self,
                    bar: impl BarSlot<Self, A>,
                    y_bar: Option<&mut Tan<Value<Self, op::$Op>, A>>,
                    memory: &mut Memory<Self, A>,
                    sweeps: S,
                ) -> Option<Value<Self, op::$Op>>
                where
                    Self: Unary<op::$Op>,
                {
                    One::__pull(op::$Op, Off, self, bar, y_bar, memory, sweeps)
                }
                #[inline]
                fn $pull_push<A: LinearSpace<Self::Base>, S: Sweeps>(
                    &self,
                    dot: impl DotSlot<Self, A>,
                    bar: impl BarSlot<Self, Self::Base>,
                    bar_dot: impl BarSlot<Self, A>,
                    y_bar: Option<&mut Tan<Value<Self, op::$Op>, Self::Base>>,
                    y_bar_dot: Option<&mut Tan<Value<Self, op::$Op>, A>>,
                    memory: &mut Memory<Self, A>,
                    sweeps: S,
                ) -> Option<(Value<Self, op::$Op>, Tan<Value<Self, op::$Op>, A>)>
                where
                    Self: Unary<op::$Op>,
                {
                    One::__pull_push(op::$Op, Off, Off, Off, self, dot, bar, bar_dot, y_bar, y_bar_dot, memory, sweeps)
                }
            )+
            $(
                #[inline(always)]
                fn $annotated_by(&self) -> &Self {
                    self
                }
                #[inline]
                fn $push_by<A: LinearSpace<Self::Base>>(
                    &self,
                    dot: impl DotSlot<Self, A>,
                    by: $By,
                    _: Off,
                    memory: &mut Memory<Self, A>,
                ) -> (Value<Self, op::$OpBy>, Tan<Value<Self, op::$OpBy>, A>)
                where
                    Self: Unary<op::$OpBy>,
                {
                    One::__push(op::$OpBy(by), Off, self, dot, memory)
                }
                #[inline]
                fn $pull_by<A: LinearSpace<Self::Base>, S: Sweeps>(
                    &self,
                    bar: impl BarSlot<Self, A>,
                    by: $By,
                    _: Off,
                    y_bar: Option<&mut Tan<Value<Self, op::$OpBy>, A>>,
                    memory: &mut Memory<Self, A>,
                    sweeps: S,
                ) -> Option<Value<Self, op::$OpBy>>
                where
                    Self: Unary<op::$OpBy>,
                {
                    One::__pull(op::$OpBy(by), Off, self, bar, y_bar, memory, sweeps)
                }
                #[inline]
                fn $pull_push_by<A: LinearSpace<Self::Base>, S: Sweeps>(
                    &self,
                    dot: impl DotSlot<Self, A>,
                    bar: impl BarSlot<Self, Self::Base>,
                    bar_dot: impl BarSlot<Self, A>,
                    by: $By,
                    _: Off,
                    _: Off,
                    _: Off,
                    y_bar: Option<&mut Tan<Value<Self, op::$OpBy>, Self::Base>>,
                    y_bar_dot: Option<&mut Tan<Value<Self, op::$OpBy>, A>>,
                    memory: &mut Memory<Self, A>,
                    sweeps: S,
                ) -> Option<(Value<Self, op::$OpBy>, Tan<Value<Self, op::$OpBy>, A>)>
                where
                    Self: Unary<op::$OpBy>,
                {
                    let op = op::$OpBy(by);
                    One::__pull_push(op, Off, Off, Off, self, dot, bar, bar_dot, y_bar, y_bar_dot, memory, sweeps)
                }
            )+
            $(
                #[inline(always)]
                fn $annotated_with(&self) -> &Self {
                    self
                }
                #[inline]
                fn $push_with<Y: Place<Base = Self::Base>, A: LinearSpace<Self::Base>>(
                    &self,
                    dot: impl DotSlot<Self, A>,
                    with: Y,
                    with_dot: impl DotSlot<Y, A>,
                    memory: &mut Memory<Self, A>,
                ) -> (Value2<Self, op::$OpWith, Y>, Tan<Value2<Self, op::$OpWith, Y>, A>)
                where
                    Self: Binary<op::$OpWith, Y>,
                {
                    Two::__push(op::$OpWith, Off, self, dot, &with, with_dot, memory)
                }
                #[inline]
                fn $pull_with<Y: Place<Base = Self::Base>, A: LinearSpace<Self::Base>, S: Sweeps>(
                    &self,
                    bar: impl BarSlot<Self, A>,
                    with: Y,
                    with_bar: impl BarSlot<Y, A>,
                    y_bar: Option<&mut Tan<Value2<Self, op::$OpWith, Y>, A>>,
                    memory: &mut Memory<Self, A>,
                    sweeps: S,
                ) -> Option<Value2<Self, op::$OpWith, Y>>
                where
                    Self: Binary<op::$OpWith, Y>,
                {
                    Two::__pull(op::$OpWith, Off, self, bar, &with, with_bar, y_bar, memory, sweeps)
                }
                #[inline]
                fn $pull_push_with<Y: Place<Base = Self::Base>, A: LinearSpace<Self::Base>, S: Sweeps>(
                    &self,
                    dot: impl DotSlot<Self, A>,
                    bar: impl BarSlot<Self, Self::Base>,
                    bar_dot: impl BarSlot<Self, A>,
                    with: Y,
                    with_dot: impl DotSlot<Y, A>,
                    with_bar: impl BarSlot<Y, Self::Base>,
                    with_bar_dot: impl BarSlot<Y, A>,
                    y_bar: Option<&mut Tan<Value2<Self, op::$OpWith, Y>, Self::Base>>,
                    y_bar_dot: Option<&mut Tan<Value2<Self, op::$OpWith, Y>, A>>,
                    memory: &mut Memory<Self, A>,
                    sweeps: S,
                ) -> Option<(Value2<Self, op::$OpWith, Y>, Tan<Value2<Self, op::$OpWith, Y>, A>)>
                where
                    Self: Binary<op::$OpWith, Y>,
                {
                    Two::__pull_push(
                        op::$OpWith, Off, Off, Off, self, dot, bar, bar_dot, &with, with_dot, with_bar, with_bar_dot,
                        y_bar, y_bar_dot, memory, sweeps,
                    )
                }
            )+
        }
    };
}
methods! { [
    Conj conj__annotated conj__push conj__pull conj__pull_push;
    Inv inv__annotated inv__push inv__pull inv__pull_push;
    Norm norm__annotated norm__push norm__pull norm__pull_push;
    NormSqr norm_sqr__annotated norm_sqr__push norm_sqr__pull norm_sqr__pull_push;
    Arg arg__annotated arg__push arg__pull arg__pull_push;
    Exp exp__annotated exp__push exp__pull exp__pull_push;
    Ln ln__annotated ln__push ln__pull ln__pull_push;
    Sqrt sqrt__annotated sqrt__push sqrt__pull sqrt__pull_push;
    Sin sin__annotated sin__push sin__pull sin__pull_push;
    Cos cos__annotated cos__push cos__pull cos__pull_push;
    Tan tan__annotated tan__push tan__pull tan__pull_push;
    Sinh sinh__annotated sinh__push sinh__pull sinh__pull_push;
    Cosh cosh__annotated cosh__push cosh__pull cosh__pull_push;
    Tanh tanh__annotated tanh__push tanh__pull tanh__pull_push;
    Asin asin__annotated asin__push asin__pull asin__pull_push;
    Acos acos__annotated acos__push acos__pull acos__pull_push;
    Atan atan__annotated atan__push atan__pull atan__pull_push;
    Asinh asinh__annotated asinh__push asinh__pull asinh__pull_push;
    Acosh acosh__annotated acosh__push acosh__pull acosh__pull_push;
    Atanh atanh__annotated atanh__push atanh__pull atanh__pull_push;
    Exp2 exp2__annotated exp2__push exp2__pull exp2__pull_push;
    Log2 log2__annotated log2__push log2__pull log2__pull_push;
    Log10 log10__annotated log10__push log10__pull log10__pull_push;
    ] by [
    Powi(i32) powi__annotated powi__push powi__pull powi__pull_push;
    Powu(u32) powu__annotated powu__push powu__pull powu__pull_push;
    ] with [
    Scale scale__annotated scale__push scale__pull scale__pull_push;
    Unscale unscale__annotated unscale__push unscale__pull unscale__pull_push;
    Powf powf__annotated powf__push powf__pull powf__pull_push;
    Powc powc__annotated powc__push powc__pull powc__pull_push;
] }

/// Functions of one number, and of two.
macro_rules! constructors {
    (
        [$($Op:ident $push:ident $pull:ident $pull_push:ident;)+]
        with [$($OpWith:ident $push_with:ident $pull_with:ident $pull_push_with:ident;)+]
    ) => {
        /// Derivative code of constructors.
        #[expect(clippy::too_many_arguments, missing_docs, reason = "the signatures of generated code")]
        pub trait Constructors<F: Place<Base = F>>: Sized {
            $(
                #[inline]
                fn $push<A: LinearSpace<F>>(
                    x: impl Given<F>,
                    dot: impl DotSlot<F, A>,
                    memory: &mut Memory<F, A>,
                ) -> (Value<F, op::$Op>, Tan<Value<F, op::$Op>, A>)
                where
                    F: Unary<op::$Op>,
                {
                    One::__push(op::$Op, Off, &x.given(), dot, memory)
                }
                #[inline]
                fn $pull<A: LinearSpace<F>, S: Sweeps>(
                    x: impl Given<F>,
                    bar: impl BarSlot<F, A>,
                    y_bar: Option<&mut Tan<Value<F, op::$Op>, A>>,
                    memory: &mut Memory<F, A>,
                    sweeps: S,
                ) -> Option<Value<F, op::$Op>>
                where
                    F: Unary<op::$Op>,
                {
                    One::__pull(op::$Op, Off, &x.given(), bar, y_bar, memory, sweeps)
                }
                #[inline]
                fn $pull_push<A: LinearSpace<F>, S: Sweeps>(
                    x: impl Given<F>,
                    dot: impl DotSlot<F, A>,
                    bar: impl BarSlot<F, F>,
                    bar_dot: impl BarSlot<F, A>,
                    y_bar: Option<&mut Tan<Value<F, op::$Op>, F>>,
                    y_bar_dot: Option<&mut Tan<Value<F, op::$Op>, A>>,
                    memory: &mut Memory<F, A>,
                    sweeps: S,
                ) -> Option<(Value<F, op::$Op>, Tan<Value<F, op::$Op>, A>)>
                where
                    F: Unary<op::$Op> + LinearSpace<F>,
                {
                    let x = x.given();
                    One::__pull_push(op::$Op, Off, Off, Off, &x, dot, bar, bar_dot, y_bar, y_bar_dot, memory, sweeps)
                }
            )+
            $(
                #[inline]
                fn $push_with<A: LinearSpace<F>>(
                    x: impl Given<F>,
                    dot: impl DotSlot<F, A>,
                    with: F,
                    with_dot: impl DotSlot<F, A>,
                    memory: &mut Memory<F, A>,
                ) -> (Value2<F, op::$OpWith, F>, Tan<Value2<F, op::$OpWith, F>, A>)
                where
                    F: Binary<op::$OpWith, F>,
                {
                    Two::__push(op::$OpWith, Off, &x.given(), dot, &with, with_dot, memory)
                }
                #[inline]
                fn $pull_with<A: LinearSpace<F>, S: Sweeps>(
                    x: impl Given<F>,
                    bar: impl BarSlot<F, A>,
                    with: F,
                    with_bar: impl BarSlot<F, A>,
                    y_bar: Option<&mut Tan<Value2<F, op::$OpWith, F>, A>>,
                    memory: &mut Memory<F, A>,
                    sweeps: S,
                ) -> Option<Value2<F, op::$OpWith, F>>
                where
                    F: Binary<op::$OpWith, F>,
                {
                    Two::__pull(op::$OpWith, Off, &x.given(), bar, &with, with_bar, y_bar, memory, sweeps)
                }
                #[inline]
                fn $pull_push_with<A: LinearSpace<F>, S: Sweeps>(
                    x: impl Given<F>,
                    dot: impl DotSlot<F, A>,
                    bar: impl BarSlot<F, F>,
                    bar_dot: impl BarSlot<F, A>,
                    with: F,
                    with_dot: impl DotSlot<F, A>,
                    with_bar: impl BarSlot<F, F>,
                    with_bar_dot: impl BarSlot<F, A>,
                    y_bar: Option<&mut Tan<Value2<F, op::$OpWith, F>, F>>,
                    y_bar_dot: Option<&mut Tan<Value2<F, op::$OpWith, F>, A>>,
                    memory: &mut Memory<F, A>,
                    sweeps: S,
                ) -> Option<(Value2<F, op::$OpWith, F>, Tan<Value2<F, op::$OpWith, F>, A>)>
                where
                    F: Binary<op::$OpWith, F> + LinearSpace<F>,
                {
                    let x = x.given();
                    Two::__pull_push(
                        op::$OpWith, Off, Off, Off, &x, dot, bar, bar_dot, &with, with_dot, with_bar, with_bar_dot,
                        y_bar, y_bar_dot, memory, sweeps,
                    )
                }
            )+
        }
    };
}
constructors! { [
    Cis cis__push cis__pull cis__pull_push;
    Whole from__push from__pull from__pull_push;
    ] with [
    New new__push new__pull new__pull_push;
    FromPolar from_polar__push from_polar__pull from_polar__pull_push;
] }

macro_rules! of {
    ($($F:ident)+) => { $(
        impl Methods for $F {}
        impl Methods for Complex<$F> {}
        impl Constructors<$F> for Complex<$F> {}
    )+ };
}
of!(f32 f64);
