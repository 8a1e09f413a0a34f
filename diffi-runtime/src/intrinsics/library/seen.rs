//! Products of arrays through views: neither the view nor its cotangent is made.

use super::grid::Grid;
use super::products::{Factors, pull, pull_push, push, room, start};
use super::{Binary, Memory, Tan, op};
use crate::number::linear_space::LinearSpace;
use crate::stack::workspace::Pool;
use ndarray::{ArrayView, ArrayView2, ArrayViewMut, ArrayViewMut2, Dimension, RemoveAxis};

/// The same elements, otherwise arranged.
pub trait Seen<D: Dimension> {
    /// The dimension of what is seen.
    type To: Dimension;
    /// The view.
    fn of<'a, A>(&self, x: ArrayView<'a, A, D>) -> ArrayView<'a, A, Self::To>;
    /// The view, to be changed.
    fn of_mut<'a, A>(&self, x: ArrayViewMut<'a, A, D>) -> ArrayViewMut<'a, A, Self::To>;
}

macro_rules! seen {
    ($([$($generics:tt)*] $op:ty, $D:ty => $To:ty: |$this:ident, $x:ident| $view:expr;)+) => { $(
        impl<$($generics)*> Seen<$D> for $op {
            type To = $To;
            #[inline]
            fn of<'a, A>(&self, $x: ArrayView<'a, A, $D>) -> ArrayView<'a, A, $To> {
                let $this = self;
                $view
            }
            #[inline]
            fn of_mut<'a, A>(&self, $x: ArrayViewMut<'a, A, $D>) -> ArrayViewMut<'a, A, $To> {
                let $this = self;
                $view
            }
        }
    )+ };
}

seen! {
    [D: Dimension] op::Plain, D => D: |_op, x| x;
    [D: Dimension] op::Transpose, D => D: |_op, x| x.reversed_axes();
    [D: Dimension<Larger: RemoveAxis>] op::InsertAxis, D => D::Larger: |op, x| x.insert_axis(op.0);
}

/// The dimension that the left factor is seen with.
type Left<L, X> = <L as Seen<<X as Grid>::Dim>>::To;
/// The dimension that the right factor is seen with.
type Right<R, Y> = <R as Seen<<Y as Grid>::Dim>>::To;
/// The product.
type Product<L, R, X, Y> = <Left<L, X> as Factors<Right<R, Y>>>::Out<<X as Grid>::Elem>;

impl<X: Grid, Y: Grid<Elem = X::Elem>, L: Seen<X::Dim>, R: Seen<Y::Dim>> Binary<op::DotOf<L, R>, Y> for X
where
    Left<L, X>: Factors<Right<R, Y>>,
{
    type Out = Product<L, R, X, Y>;

    fn value(&self, op: &op::DotOf<L, R>, other: &Y) -> Self::Out {
        Pool::of_its_own(|pool| self.value_in(op, other, pool))
    }
    fn value_in(&self, op: &op::DotOf<L, R>, other: &Y, pool: &mut Pool<X::Elem>) -> Self::Out {
        let (a, b) = (left::<L, R, X, Y, _>(op, self.grid()), right::<L, R, X, Y, _>(op, other.grid()));
        Left::<L, X>::value(a, b, pool)
    }
    #[inline]
    fn value_onto(&self, op: &op::DotOf<L, R>, other: &Y, onto: &mut Self::Out) -> bool {
        let (a, b) = (left::<L, R, X, Y, _>(op, self.grid()), right::<L, R, X, Y, _>(op, other.grid()));
        Left::<L, X>::value_onto(a, b, onto)
    }
    fn push<A: LinearSpace<X::Elem>>(
        &self,
        op: &op::DotOf<L, R>,
        dot: Option<&X::Shadow<A>>,
        other: &Y,
        other_dot: Option<&Y::Shadow<A>>,
        _: &Self::Out,
        _: &mut Memory<X, A>,
    ) -> Tan<Self::Out, A> {
        let (a, b) = (left::<L, R, X, Y, _>(op, self.grid()), right::<L, R, X, Y, _>(op, other.grid()));
        let a_dot = dot.map(|dot| left::<L, R, X, Y, _>(op, X::shadow(dot)));
        let b_dot = other_dot.map(|dot| right::<L, R, X, Y, _>(op, Y::shadow(dot)));
        Left::<L, X>::shadow(push::<X::Elem, A>(a, a_dot, b, b_dot))
    }
    fn pull<A: LinearSpace<X::Elem>>(
        &self,
        op: &op::DotOf<L, R>,
        bar: Option<&mut X::Shadow<A>>,
        other: &Y,
        other_bar: Option<&mut Y::Shadow<A>>,
        _: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, A>,
        _: &mut Memory<X, A>,
    ) {
        let (a, b) = (left::<L, R, X, Y, _>(op, self.grid()), right::<L, R, X, Y, _>(op, other.grid()));
        let a_bar = bar.map(|bar| left_mut::<L, R, X, Y, _>(op, X::shadow_mut(bar)));
        let b_bar = other_bar.map(|bar| right_mut::<L, R, X, Y, _>(op, Y::shadow_mut(bar)));
        pull::<X::Elem, A>(a, a_bar, b, b_bar, Left::<L, X>::cotangent::<X::Elem, A>(y_bar));
    }
    fn start<A: LinearSpace<X::Elem>>(
        &self,
        op: &op::DotOf<L, R>,
        bar: Option<&mut X::Shadow<A>>,
        other: &Y,
        other_bar: Option<&mut Y::Shadow<A>>,
        [fresh, other_fresh]: [bool; 2],
        _: Option<&Self::Out>,
        y_bar: &mut Tan<Self::Out, A>,
        memory: &mut Memory<X, A>,
    ) {
        let pool = &mut memory.shadows;
        let (a, b) = (left::<L, R, X, Y, _>(op, self.grid()), right::<L, R, X, Y, _>(op, other.grid()));
        let a_bar = bar.map(|bar| (left_mut::<L, R, X, Y, _>(op, room::<X, A>(self, bar, fresh, pool)), fresh));
        let b_bar = other_bar
            .map(|bar| (right_mut::<L, R, X, Y, _>(op, room::<Y, A>(other, bar, other_fresh, pool)), other_fresh));
        start::<X::Elem, A>(a, a_bar, b, b_bar, Left::<L, X>::cotangent::<X::Elem, A>(y_bar));
    }
    fn pull_push<A: LinearSpace<X::Elem>>(
        &self,
        op: &op::DotOf<L, R>,
        dot: Option<&X::Shadow<A>>,
        bars: Option<(&mut X::Shadow<X::Elem>, &mut X::Shadow<A>)>,
        other: &Y,
        other_dot: Option<&Y::Shadow<A>>,
        other_bars: Option<(&mut Y::Shadow<X::Elem>, &mut Y::Shadow<A>)>,
        _: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, X::Elem>,
        y_bar_dot: &Tan<Self::Out, A>,
        _: &mut Memory<X, A>,
    ) {
        let (a, b) = (left::<L, R, X, Y, _>(op, self.grid()), right::<L, R, X, Y, _>(op, other.grid()));
        let a_dot = dot.map(|dot| left::<L, R, X, Y, _>(op, X::shadow(dot)));
        let b_dot = other_dot.map(|dot| right::<L, R, X, Y, _>(op, Y::shadow(dot)));
        let a_bars = bars.map(|(bar, dot)| {
            (left_mut::<L, R, X, Y, _>(op, X::shadow_mut(bar)), left_mut::<L, R, X, Y, _>(op, X::shadow_mut(dot)))
        });
        let b_bars = other_bars.map(|(bar, dot)| {
            (right_mut::<L, R, X, Y, _>(op, Y::shadow_mut(bar)), right_mut::<L, R, X, Y, _>(op, Y::shadow_mut(dot)))
        });
        let y_bar = Left::<L, X>::cotangent::<X::Elem, X::Elem>(y_bar);
        let y_bar_dot = Left::<L, X>::cotangent::<X::Elem, A>(y_bar_dot);
        pull_push::<X::Elem, A>(a, a_dot, a_bars, b, b_dot, b_bars, y_bar, y_bar_dot);
    }
}

/// The left factor.
fn left<'a, L: Seen<X::Dim>, R: Seen<Y::Dim>, X: Grid, Y: Grid, A>(
    op: &op::DotOf<L, R>,
    v: ArrayView<'a, A, X::Dim>,
) -> ArrayView2<'a, A>
where
    Left<L, X>: Factors<Right<R, Y>>,
{
    Left::<L, X>::left(op.0.of(v))
}

/// The left factor, to be changed.
fn left_mut<'a, L: Seen<X::Dim>, R: Seen<Y::Dim>, X: Grid, Y: Grid, A>(
    op: &op::DotOf<L, R>,
    v: ArrayViewMut<'a, A, X::Dim>,
) -> ArrayViewMut2<'a, A>
where
    Left<L, X>: Factors<Right<R, Y>>,
{
    Left::<L, X>::left_mut(op.0.of_mut(v))
}

/// The right factor.
fn right<'a, L: Seen<X::Dim>, R: Seen<Y::Dim>, X: Grid, Y: Grid, A>(
    op: &op::DotOf<L, R>,
    v: ArrayView<'a, A, Y::Dim>,
) -> ArrayView2<'a, A>
where
    Left<L, X>: Factors<Right<R, Y>>,
{
    Left::<L, X>::right(op.1.of(v))
}

/// The right factor, to be changed.
fn right_mut<'a, L: Seen<X::Dim>, R: Seen<Y::Dim>, X: Grid, Y: Grid, A>(
    op: &op::DotOf<L, R>,
    v: ArrayViewMut<'a, A, Y::Dim>,
) -> ArrayViewMut2<'a, A>
where
    Left<L, X>: Factors<Right<R, Y>>,
{
    Left::<L, X>::right_mut(op.1.of_mut(v))
}
