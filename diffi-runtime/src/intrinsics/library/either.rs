//! One of two values, where a trace follows both sides of a condition: it depends on what either depends on.

use super::{Binary, Memory, Tan, op};
use crate::number::active::Active;
use crate::number::linear_space::LinearSpace;
use crate::number::shape::Shape;
use crate::number::tangent::Tangent;
use crate::overload::either::unanswered;
use crate::stack::workspace::Pool;

impl<T: Active> Binary<op::Either, T> for T {
    type Out = T;

    /// Of the same shape as the other; that may be another one at another point otherwise.
    fn value(&self, _: &op::Either, other: &T) -> T {
        let of = |v: &T| Shape::of(|dim| Active::shape(v, dim));
        if of(self) != of(other) {
            unanswered();
        }
        other.duplicate()
    }

    fn push<A: LinearSpace<T::Base>>(
        &self,
        _: &op::Either,
        dot: Option<&Tan<T, A>>,
        other: &T,
        other_dot: Option<&Tan<T, A>>,
        _: &T,
        _: &mut Memory<T, A>,
    ) -> Tan<T, A> {
        let mut sum = Pool::of_its_own(|pool| other.zeros(pool));
        [dot, other_dot].into_iter().flatten().for_each(|dot| sum.acc(dot));
        sum
    }

    fn pull<A: LinearSpace<T::Base>>(
        &self,
        _: &op::Either,
        bar: Option<&mut Tan<T, A>>,
        _: &T,
        other_bar: Option<&mut Tan<T, A>>,
        _: Option<&T>,
        y_bar: &Tan<T, A>,
        _: &mut Memory<T, A>,
    ) {
        [bar, other_bar].into_iter().flatten().for_each(|bar| bar.acc(y_bar));
    }

    fn pull_push<A: LinearSpace<T::Base>>(
        &self,
        _: &op::Either,
        _: Option<&Tan<T, A>>,
        bars: Option<(&mut Tan<T, T::Base>, &mut Tan<T, A>)>,
        _: &T,
        _: Option<&Tan<T, A>>,
        other_bars: Option<(&mut Tan<T, T::Base>, &mut Tan<T, A>)>,
        _: Option<&T>,
        y_bar: &Tan<T, T::Base>,
        y_bar_dot: &Tan<T, A>,
        _: &mut Memory<T, A>,
    ) {
        for (bar, bar_dot) in [bars, other_bars].into_iter().flatten() {
            bar.acc(y_bar);
            bar_dot.acc(y_bar_dot);
        }
    }
}
