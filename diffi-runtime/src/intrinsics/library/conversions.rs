//! Conversions of values into a user's type that several `impl From` make: rustc finds the rule by the type of the value.

use super::{Memory, Tan, Unary, op};
use crate::number::active::{Active, Place};
use crate::number::linear_space::LinearSpace;

/// The rule of `impl From<X>` for a type of the user's. (The type comes first: a trait may be implemented for it wherever `From` may.)
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of `{Self}::from` of `{X}` [D0802]",
    label = "no derivative is known of this conversion",
    note = "put `#[differentiable]` on the `impl From`"
)]
pub trait Conversion<X: Place>: Active<Base = X::Base> {
    /// The conversion itself.
    fn value(x: &X) -> Self;
    /// The result's tangent.
    fn push<A: LinearSpace<X::Base>>(x: &X, dot: &X::Shadow<A>, memory: &mut Memory<X, A>) -> Tan<Self, A>;
    /// Adds to the cotangent of what is converted.
    fn pull<A: LinearSpace<X::Base>>(x: &X, bar: &mut X::Shadow<A>, y_bar: &Tan<Self, A>, memory: &mut Memory<X, A>);
    /// [`pull`](Conversion::pull) in floats, with tangents of everything in `A`.
    fn pull_push<A: LinearSpace<X::Base>>(
        x: &X,
        dot: Option<&X::Shadow<A>>,
        bars: (&mut X::Shadow<X::Base>, &mut X::Shadow<A>),
        y_bars: (&Tan<Self, X::Base>, &Tan<Self, A>),
        memory: &mut Memory<X, A>,
    );
}

impl<X: Place, Y: Conversion<X>> Unary<op::Into<Y>> for X {
    type Out = Y;

    fn value(&self, _: &op::Into<Y>) -> Y {
        Y::value(self)
    }

    fn push<A: LinearSpace<X::Base>>(&self, _: &op::Into<Y>, dot: &X::Shadow<A>, _: &Y) -> Tan<Y, A> {
        Y::push(self, dot, &mut Memory::<X, A>::new())
    }

    fn push_in<A: LinearSpace<X::Base>>(
        &self,
        _: &op::Into<Y>,
        dot: &X::Shadow<A>,
        _: &Y,
        memory: &mut Memory<X, A>,
    ) -> Tan<Y, A> {
        Y::push(self, dot, memory)
    }

    fn pull<A: LinearSpace<X::Base>>(
        &self,
        _: &op::Into<Y>,
        bar: &mut X::Shadow<A>,
        _: Option<&Y>,
        y_bar: &Tan<Y, A>,
        memory: &mut Memory<X, A>,
    ) {
        Y::pull(self, bar, y_bar, memory);
    }

    fn pull_push<A: LinearSpace<X::Base>>(
        &self,
        _: &op::Into<Y>,
        dot: Option<&X::Shadow<A>>,
        bar: &mut X::Shadow<X::Base>,
        bar_dot: &mut X::Shadow<A>,
        _: Option<&Y>,
        y_bar: &Tan<Y, X::Base>,
        y_bar_dot: &Tan<Y, A>,
        memory: &mut Memory<X, A>,
    ) {
        Y::pull_push(self, dot, (bar, bar_dot), (y_bar, y_bar_dot), memory);
    }
}
