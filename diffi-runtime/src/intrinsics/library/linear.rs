//! Linear operations of one operand: the same map serves values and tangents, and its transpose cotangents.

use super::broadcast::{lane_sum, spread, sum, total};
use super::grid::{Grid, Number};
use super::onto::taken;
use super::{Memory, Tan, Unary, op};
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::stack::row_by_row::row_by_row;
use crate::stack::workspace::{Pool, shaped};
use ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, IntoDimension, Ix1, Ix2, RemoveAxis};
use ndarray::{SliceArg, Zip};

/// Marks the operations that are [`Linear`] for any dimension.
pub trait LinearOperation {}

/// A linear map from arrays of the dimension `D` to arrays.
pub trait Linear<D: Dimension>: LinearOperation {
    /// The dimension of the image.
    type To: Dimension + 'static;
    /// The image.
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, Self::To>;
    /// The image of values, bit by bit as the library has it.
    fn values<F: Number>(&self, x: ArrayView<'_, F, D>, pool: &mut Pool<F>) -> Array<F, Self::To> {
        self.apply::<F, F>(x, pool)
    }
    /// Adds the transposed map of `y` to `onto`.
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, Self::To>);
    /// The transposed map of `y`, of this shape; in the memory of `y` if it only puts the same elements elsewhere.
    fn transposed<F: Base, A: LinearSpace<F>>(
        &self,
        shape: D,
        y: Array<A, Self::To>,
        pool: &mut Pool<A>,
    ) -> Array<A, D> {
        let mut onto = pool.filled(shape, A::ZERO);
        self.back(onto.view_mut(), y.view());
        pool.give(y.into_raw_vec_and_offset().0);
        onto
    }
}

macro_rules! linear_operations {
    ($([$($generics:tt)*] $op:ty;)+) => { $(impl<$($generics)*> LinearOperation for $op {})+ };
}
linear_operations! {
    [] op::Owned;
    [] op::Shown;
    [] op::Neg;
    [] op::SumAxis;
    [] op::MeanAxis;
    [] op::Row;
    [] op::Column;
    [] op::At;
    [] op::Lane;
    [] op::Diagonal;
    [I] op::Slice<I>;
    [] op::Transpose;
    [] op::SliceAxis;
    [] op::InsertAxis;
    [] op::RemoveAxis;
    [E] op::Reshape<E>;
}

impl<X: Grid, O: Linear<X::Dim> + LinearOperation> Unary<O> for X {
    type Out = Array<X::Elem, O::To>;

    #[inline]
    fn value(&self, op: &O) -> Self::Out {
        Pool::of_its_own(|pool| self.value_in(op, pool))
    }
    #[inline]
    fn value_in(&self, op: &O, pool: &mut Pool<X::Elem>) -> Self::Out {
        op.values(self.grid(), pool)
    }
    #[inline]
    fn push<A: LinearSpace<X::Elem>>(&self, op: &O, dot: &X::Shadow<A>, _: &Self::Out) -> Tan<Self::Out, A> {
        X::Elem::array(Pool::of_its_own(|pool| op.apply::<X::Elem, A>(X::shadow(dot), pool)))
    }
    #[inline]
    fn pull<A: LinearSpace<X::Elem>>(
        &self,
        op: &O,
        bar: &mut X::Shadow<A>,
        _: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, A>,
        _: &mut Memory<X, A>,
    ) {
        op.back::<X::Elem, A>(X::shadow_mut(bar), X::Elem::view(y_bar));
    }
    #[inline]
    fn start<A: LinearSpace<X::Elem>>(
        &self,
        op: &O,
        bar: &mut X::Shadow<A>,
        _: Option<&Self::Out>,
        y_bar: &mut Tan<Self::Out, A>,
        memory: &mut Memory<X, A>,
    ) {
        let y_bar = taken(X::Elem::elements::<A, _>(y_bar));
        *X::whole_shadow(bar) = op.transposed::<X::Elem, A>(self.grid().raw_dim(), y_bar, &mut memory.shadows);
    }
    #[inline]
    fn pull_push<A: LinearSpace<X::Elem>>(
        &self,
        op: &O,
        _: Option<&X::Shadow<A>>,
        bar: &mut X::Shadow<X::Elem>,
        bar_dot: &mut X::Shadow<A>,
        _: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, X::Elem>,
        y_bar_dot: &Tan<Self::Out, A>,
        _: &mut Memory<X, A>,
    ) {
        op.back::<X::Elem, X::Elem>(X::shadow_mut(bar), X::Elem::view(y_bar));
        op.back::<X::Elem, A>(X::shadow_mut(bar_dot), X::Elem::view(y_bar_dot));
    }
}

/// `onto += from`.
fn add<F: Base, A: LinearSpace<F>, D: Dimension>(onto: ArrayViewMut<'_, A, D>, from: ArrayView<'_, A, D>) {
    row_by_row(onto, from, |to, v| *to += *v);
}

impl<D: Dimension + 'static> Linear<D> for op::Owned {
    type To = D;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D> {
        pool.copy_of(&x)
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        add(onto, y);
    }
    fn transposed<F: Base, A: LinearSpace<F>>(&self, _: D, y: Array<A, D>, _: &mut Pool<A>) -> Array<A, D> {
        y
    }
}

impl<D: Dimension + 'static> Linear<D> for op::Shown {
    type To = D;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D> {
        pool.copy_of(&x)
    }
    fn values<F: Number>(&self, x: ArrayView<'_, F, D>, pool: &mut Pool<F>) -> Array<F, D> {
        pool.part(&x)
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        add(onto, y);
    }
    fn transposed<F: Base, A: LinearSpace<F>>(&self, _: D, y: Array<A, D>, _: &mut Pool<A>) -> Array<A, D> {
        y
    }
}

impl<D: Dimension + 'static> Linear<D> for op::Neg {
    type To = D;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D> {
        pool.copy_of(&x).mapv_into(|v| -v)
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        Zip::from(onto).and(y).for_each(|to, v| *to -= *v);
    }
    fn transposed<F: Base, A: LinearSpace<F>>(&self, _: D, y: Array<A, D>, _: &mut Pool<A>) -> Array<A, D> {
        y.mapv_into(|v| -v)
    }
}

impl<D: RemoveAxis + 'static> Linear<D> for op::SumAxis
where
    D::Smaller: 'static,
{
    type To = D::Smaller;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D::Smaller> {
        sum(x, self.0, pool)
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D::Smaller>) {
        spread(onto, y, self.0);
    }
}

impl<D: RemoveAxis + 'static> Linear<D> for op::MeanAxis
where
    D::Smaller: 'static,
{
    type To = D::Smaller;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D::Smaller> {
        let share = F::ONE / F::lit(x.len_of(self.0) as f64);
        sum(x, self.0, pool).mapv_into(|v| v * share)
    }
    fn values<F: Number>(&self, x: ArrayView<'_, F, D>, pool: &mut Pool<F>) -> Array<F, D::Smaller> {
        let n = <F as Base>::lit(x.len_of(self.0) as f64);
        sum::<F, F, _>(x, self.0, pool).mapv_into(|v| v / n)
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D::Smaller>) {
        let share = F::ONE / F::lit(onto.len_of(self.0) as f64);
        spread(onto, y.mapv(|v| v * share).view(), self.0);
    }
}

/// Maps that only take elements from where they are: a view of the values, and the same view of the shadow.
macro_rules! part {
    ($([$($generics:tt)*] $op:ty, $D:ty => $To:ty: |$this:ident, $x:ident| $view:expr, $view_mut:expr;)+) => { $(
        impl<$($generics)*> Linear<$D> for $op
        where
            $To: 'static,
        {
            type To = $To;
            fn apply<F: Base, A: LinearSpace<F>>(&self, $x: ArrayView<'_, A, $D>, pool: &mut Pool<A>) -> Array<A, $To> {
                let $this = self;
                pool.copy_of(&$view)
            }
            fn values<F: Number>(&self, $x: ArrayView<'_, F, $D>, pool: &mut Pool<F>) -> Array<F, $To> {
                let $this = self;
                pool.part(&$view)
            }
            #[allow(unused_mut)]
            fn back<F: Base, A: LinearSpace<F>>(&self, mut $x: ArrayViewMut<'_, A, $D>, y: ArrayView<'_, A, $To>) {
                let $this = self;
                add($view_mut, y);
            }
        }

        /// Writing to the same part.
        impl<$($generics)*> Part<$D> for $op
        where
            $To: 'static,
        {
            type Of = $To;
            fn part_mut<'a, A>(&self, $x: &'a mut ArrayViewMut<'_, A, $D>) -> ArrayViewMut<'a, A, $To> {
                let $this = self;
                $view_mut
            }
        }
    )+ };
}

/// A part of an array of the dimension `D`.
pub trait Part<D: Dimension> {
    /// The part's dimension.
    type Of: Dimension + 'static;
    /// The part, to be changed.
    fn part_mut<'a, A>(&self, x: &'a mut ArrayViewMut<'_, A, D>) -> ArrayViewMut<'a, A, Self::Of>;
}

part! {
    [] op::Row, Ix2 => Ix1: |op, x| x.row(op.0), x.row_mut(op.0);
    [] op::Column, Ix2 => Ix1: |op, x| x.column(op.0), x.column_mut(op.0);
    [D: RemoveAxis + 'static] op::At, D => D::Smaller:
        |op, x| x.index_axis(op.0, op.1), x.index_axis_mut(op.0, op.1);
    [D: Dimension + 'static] op::Lane, D => Ix1:
        |op, x| x.lanes(op.0).into_iter().nth(op.1).expect("a lane"), x.lanes_mut(op.0).into_iter().nth(op.1).expect("a lane");
    [D: Dimension + 'static] op::Diagonal, D => Ix1: |_op, x| x.diag(), x.diag_mut();
    [D: Dimension + 'static, I: SliceArg<D> + Clone] op::Slice<I>, D => I::OutDim:
        |op, x| x.slice(op.0.clone()), x.slice_mut(op.0.clone());
    [D: Dimension + 'static] op::SliceAxis, D => D:
        |op, x| x.slice_axis(op.0, op.1), x.slice_axis_mut(op.0, op.1);
}

impl<D: Dimension + 'static> Linear<D> for op::Transpose {
    type To = D;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D> {
        pool.copy_of(&x.reversed_axes())
    }
    fn values<F: Number>(&self, x: ArrayView<'_, F, D>, pool: &mut Pool<F>) -> Array<F, D> {
        pool.part(&x.reversed_axes())
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        add(onto, y.reversed_axes());
    }
    fn transposed<F: Base, A: LinearSpace<F>>(&self, _: D, y: Array<A, D>, _: &mut Pool<A>) -> Array<A, D> {
        y.reversed_axes()
    }
}

impl<D: Dimension + 'static> Linear<D> for op::InsertAxis
where
    D::Larger: RemoveAxis<Smaller = D> + 'static,
{
    type To = D::Larger;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D::Larger> {
        pool.copy_of(&x).insert_axis(self.0)
    }
    fn values<F: Number>(&self, x: ArrayView<'_, F, D>, pool: &mut Pool<F>) -> Array<F, D::Larger> {
        pool.part(&x).insert_axis(self.0)
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D::Larger>) {
        add(onto, y.index_axis_move(self.0, 0));
    }
    fn transposed<F: Base, A: LinearSpace<F>>(&self, _: D, y: Array<A, D::Larger>, _: &mut Pool<A>) -> Array<A, D> {
        y.index_axis_move(self.0, 0)
    }
}

impl<D: RemoveAxis + 'static> Linear<D> for op::RemoveAxis
where
    D::Smaller: 'static,
{
    type To = D::Smaller;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D::Smaller> {
        pool.copy_of(&x.remove_axis(self.0))
    }
    fn values<F: Number>(&self, x: ArrayView<'_, F, D>, pool: &mut Pool<F>) -> Array<F, D::Smaller> {
        pool.part(&x.remove_axis(self.0))
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D::Smaller>) {
        add(onto.index_axis_mut(self.0, 0), y);
    }
}

impl<D: Dimension + 'static, E: IntoDimension + Clone> Linear<D> for op::Reshape<E>
where
    E::Dim: 'static,
{
    type To = E::Dim;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, E::Dim> {
        let values = pool.flat(&x);
        Array::from_shape_vec(self.0.clone().into_dimension(), values).expect("as many elements")
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, E::Dim>) {
        onto.iter_mut().zip(y).for_each(|(to, v)| *to += *v);
    }
}

/// Linear maps between arrays, vectors and numbers: the operand's numbers, then the result's.
macro_rules! linear {
    ($([$($generics:tt)*] $X:ty, $op:ty => $Out:ty $(where [$($bounds:tt)*])?:
        |$this:ident, $x:ident| value $value:expr;
        $(within |$pool:ident| $value_in:expr;)?
        |$dot:ident| push $push:expr;
        |$bar:ident, $y:ident| pull $pull:expr;
        $(|$fresh:ident, $given:ident, $memory:ident| start $start:expr;)?
    )+) => { $(
        impl<$($generics)*> Unary<$op> for $X
        where
            $($($bounds)*)?
        {
            type Out = $Out;
            const READS: bool = false;

            fn value(&self, $this: &$op) -> $Out {
                let $x = self;
                $value
            }
            $(
                fn value_in(&self, $this: &$op, $pool: &mut crate::stack::workspace::Pool<Self::Base>) -> $Out {
                    let $x = self;
                    $value_in
                }
            )?
            fn push<A: LinearSpace<Self::Base>>(&self, $this: &$op, $dot: &Self::Shadow<A>, _: &$Out) -> Tan<$Out, A> {
                $push
            }
            fn pull<A: LinearSpace<Self::Base>>(
                &self,
                $this: &$op,
                $bar: &mut Self::Shadow<A>,
                _: Option<&$Out>,
                $y: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                let _ = $this;
                $pull
            }
            $(
                fn start<A: LinearSpace<Self::Base>>(
                    &self,
                    _: &$op,
                    $fresh: &mut Self::Shadow<A>,
                    _: Option<&$Out>,
                    $given: &mut Tan<$Out, A>,
                    $memory: &mut Memory<Self, A>,
                ) {
                    #[allow(unused_variables)]
                    let $x = self;
                    $start
                }
            )?
            fn pull_push<A: LinearSpace<Self::Base>>(
                &self,
                op: &$op,
                _: Option<&Self::Shadow<A>>,
                bar: &mut Self::Shadow<Self::Base>,
                bar_dot: &mut Self::Shadow<A>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, Self::Base>,
                y_bar_dot: &Tan<$Out, A>,
                memory: &mut Memory<Self, A>,
            ) {
                Unary::pull(self, op, bar, None, y_bar, &mut Memory::<Self, Self::Base>::new());
                Unary::pull(self, op, bar_dot, None, y_bar_dot, memory);
            }
        }
    )+ };
}

#[cfg(feature = "nalgebra")]
pub(super) use linear;

linear! {
    [X: Grid] X, op::Sum => X::Elem:
        |_op, x| value x.grid().sum_of();
        |dot| push X::Elem::shadow(X::shadow(dot).iter().fold(A::ZERO, |sum, v| sum + *v));
        |bar, y| pull {
            let y: A = X::Elem::number(y);
            X::shadow_mut(bar).iter_mut().for_each(|to| *to += y);
        };
        |bar, y, memory| start {
            *X::whole_shadow(bar) = memory.shadows.filled(x.grid().raw_dim(), X::Elem::number::<A>(y));
        };
    [X: Grid] X, op::Mean => X::Elem:
        |_op, x| value x.grid().sum_of() / X::Elem::lit(x.grid().len() as f64);
        |dot| push {
            let dot = X::shadow(dot);
            let share = X::Elem::ONE / X::Elem::lit(dot.len() as f64);
            X::Elem::shadow(dot.iter().fold(A::ZERO, |sum, v| sum + *v) * share)
        };
        |bar, y| pull {
            let mut bar = X::shadow_mut(bar);
            let share = X::Elem::ONE / X::Elem::lit(bar.len() as f64);
            let y: A = X::Elem::number::<A>(y) * share;
            bar.iter_mut().for_each(|to| *to += y);
        };
        |bar, y, memory| start {
            let share = X::Elem::ONE / X::Elem::lit(x.grid().len() as f64);
            *X::whole_shadow(bar) = memory.shadows.filled(x.grid().raw_dim(), X::Elem::number::<A>(y) * share);
        };
    [X: Grid] X, op::Flat => Vec<X::Elem>:
        |_op, x| value {
            let grid = x.grid();
            match grid.as_slice() {
                Some(values) => values.to_vec(),
                None => grid.iter().copied().collect(),
            }
        };
        within |pool| pool.flat(&x.grid());
        |dot| push X::Elem::vec(X::shadow(dot).iter().copied().collect());
        |bar, y| pull {
            let y = X::Elem::numbers::<A>(y);
            let mut bar = X::shadow_mut(bar);
            match bar.as_slice_mut() {
                Some(bar) => bar.iter_mut().zip(y).for_each(|(to, v)| *to += *v),
                None => bar.iter_mut().zip(y).for_each(|(to, v)| *to += *v),
            }
        };
        |bar, y, _memory| start {
            let y = std::mem::take(X::Elem::all_numbers::<A>(y));
            *X::whole_shadow(bar) = shaped(y, x.grid().raw_dim());
        };
    [F: Number] Vec<F>, op::Flat => Vec<F>:
        |_op, x| value x.clone();
        |dot| push dot.clone();
        |bar, y| pull {
            let y = F::numbers::<A>(y);
            F::numbers_mut::<A>(bar).iter_mut().zip(y).for_each(|(to, v)| *to += *v);
        };
    [F: Number, const N: usize] [F; N], op::Flat => Vec<F>:
        |_op, x| value x.to_vec();
        |dot| push dot.to_vec();
        |bar, y| pull {
            let y = F::numbers::<A>(y);
            F::numbers_mut::<A>(bar).iter_mut().zip(y).for_each(|(to, v)| *to += *v);
        };
    [F: Number, D: IntoDimension<Dim: 'static> + Clone] Vec<F>, op::Shaped<D> => Array<F, D::Dim>:
        |op, x| value Array::from_shape_vec(op.0.clone().into_dimension(), x.clone()).expect("as many elements");
        within |pool| {
            let values = pool.take_copy(x);
            shaped(values, op.0.clone().into_dimension())
        };
        |dot| push {
            let values = F::numbers::<A>(dot).to_vec();
            F::array(Array::from_shape_vec(op.0.clone().into_dimension(), values).expect("as many elements"))
        };
        |bar, y| pull {
            let y = F::view::<A, _>(y);
            F::numbers_mut::<A>(bar).iter_mut().zip(y).for_each(|(to, v)| *to += *v);
        };
        |bar, y, memory| start {
            let y = taken(F::elements::<A, _>(y));
            *F::all_numbers::<A>(bar) = match y.is_standard_layout() {
                true => numbers_of(y),
                false => memory.shadows.flat(&y.view()),
            };
        };
}

/// The numbers of an array in logical order, in its memory.
fn numbers_of<A, D: Dimension>(array: Array<A, D>) -> Vec<A> {
    let n = array.len();
    let (mut numbers, start) = array.into_raw_vec_and_offset();
    numbers.truncate(start.unwrap_or(0) + n);
    numbers.drain(..start.unwrap_or(0));
    numbers
}

/// A number everywhere in an array.
macro_rules! filled {
    ($($F:ident)+) => {
        linear! { $(
            [D: IntoDimension<Dim: 'static> + Clone] $F, op::Filled<D> => Array<$F, D::Dim>:
                |op, x| value Array::from_elem(op.0.clone().into_dimension(), *x);
                |dot| push Array::from_elem(op.0.clone().into_dimension(), *dot);
                |bar, y| pull y.iter().for_each(|v| *bar += *v);
        )+ }
    };
}
filled!(f32 f64);

/// Sums of floats as `ndarray` makes them.
trait SumOf<F> {
    fn sum_of(&self) -> F;
}

impl<F: Base, D: Dimension> SumOf<F> for ArrayView<'_, F, D> {
    fn sum_of(&self) -> F {
        match self.as_slice_memory_order() {
            Some(values) => total::<F, F>(values),
            None => self.rows().into_iter().fold(<F as Base>::ZERO, |sum, row| sum + lane_sum::<F, F>(&row)),
        }
    }
}

/// What has a shape in which its elements in order make the same again.
pub trait HasShape {
    /// The shape.
    type Shape;
    /// The shape.
    fn shape(&self) -> Self::Shape;
}

impl<X: Grid> HasShape for X {
    type Shape = X::Dim;
    #[inline]
    fn shape(&self) -> X::Dim {
        self.grid().raw_dim()
    }
}

/// The shape of an array.
#[inline]
pub fn shape<X: HasShape>(x: &X) -> X::Shape {
    x.shape()
}

/// Arrays whose functions of floats are those of their elements. (The `exp` of a matrix of `nalgebra` is another.)
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of this function of `{Self}` [D0810]",
    label = "this operand carries a derivative",
    note = "write `map(|v| ..)` for a function of each element"
)]
pub trait ByElements: HasShape {}

impl<X: Grid> ByElements for X {}

/// The shape of an array whose functions are those of its elements.
#[inline]
pub fn shape_by_elements<X: ByElements>(x: &X) -> X::Shape {
    HasShape::shape(x)
}

/// The shape of an array without one axis.
#[inline]
pub fn shape_without<X: Grid<Dim: RemoveAxis>>(x: &X, axis: Axis) -> <X::Dim as Dimension>::Smaller {
    x.grid().raw_dim().remove_axis(axis)
}

/// How many one-dimensional parts there are along an axis.
#[inline]
pub fn lanes<X: Grid>(x: &X, axis: Axis) -> usize {
    x.grid().lanes(axis).into_iter().len()
}

/// What has axes of some length.
pub trait HasAxes {
    /// How long an axis is.
    fn length(&self, axis: Axis) -> usize;
}

impl<X: Grid> HasAxes for X {
    #[inline]
    fn length(&self, axis: Axis) -> usize {
        self.grid().len_of(axis)
    }
}

/// How long an axis is.
#[inline]
pub fn length<X: HasAxes>(x: &X, axis: Axis) -> usize {
    x.length(axis)
}

/// The indices of an element, counted in logical order.
#[inline]
pub fn indices<X: Grid>(x: &X, at: usize) -> <X::Dim as Dimension>::Pattern {
    let grid = x.grid();
    let mut left = at;
    let mut indices = X::Dim::zeros(grid.ndim());
    for axis in (0..grid.ndim()).rev() {
        let len = grid.len_of(Axis(axis));
        indices[axis] = left % len;
        left /= len;
    }
    indices.into_pattern()
}

/// A shape from its lengths.
#[inline]
pub fn dims<const N: usize>(lengths: [usize; N]) -> <[usize; N] as IntoDimension>::Dim
where
    [usize; N]: IntoDimension,
{
    lengths.into_dimension()
}

/// `-x` of a number.
macro_rules! negated {
    ($($F:ident)+) => {
        linear! { $(
            [] $F, op::Neg => $F:
                |_op, x| value -*x;
                |dot| push -*dot;
                |bar, y| pull *bar -= *y;
        )+ }
    };
}
negated!(f32 f64);
