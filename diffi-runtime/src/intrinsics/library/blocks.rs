//! Parts of `nalgebra`'s matrices: rows, columns and blocks. A view of one is a copy, which is written back where it is changed.

use super::grid::Number;
use super::linear::linear;
use super::{Edit, Mat, Memory, Tan, Unary, op};
use crate::number::active::Place;
use crate::number::linear_space::LinearSpace;
use nalgebra::allocator::Allocator;
use nalgebra::{Const, DefaultAllocator, Dim, Dyn, OMatrix, U1};
use ndarray::{ArrayView2, ArrayViewMut2, Axis, Slice};
use std::ops::Range;

/// Marks the operations that are a [`Block`] of matrices.
pub trait BlockOperation {}

/// A part of a matrix of `R` rows and `C` columns, from some rows and some columns that follow each other.
pub trait Block<R: Dim, C: Dim>: BlockOperation {
    /// How many rows there are.
    type Rows: Dim;
    /// How many columns there are.
    type Columns: Dim;
    /// The rows and the columns of a matrix of this shape.
    fn ranges(&self, shape: (usize, usize)) -> (Range<usize>, Range<usize>);
    /// The part.
    fn part<'a, A>(&self, mut x: ArrayView2<'a, A>) -> ArrayView2<'a, A> {
        let (rows, columns) = self.ranges(x.dim());
        x.slice_axis_inplace(Axis(0), Slice::from(rows));
        x.slice_axis_inplace(Axis(1), Slice::from(columns));
        x
    }
    /// The part, to be changed.
    fn part_mut<'a, A>(&self, mut x: ArrayViewMut2<'a, A>) -> ArrayViewMut2<'a, A> {
        let (rows, columns) = self.ranges(x.dim());
        x.slice_axis_inplace(Axis(0), Slice::from(rows));
        x.slice_axis_inplace(Axis(1), Slice::from(columns));
        x
    }
}

macro_rules! ranges {
    ($([$($generics:tt)*] $op:ty => $Rows:ty, $Columns:ty: |$this:ident, $shape:ident| $rows:expr, $columns:expr;)+) => { $(
        impl<$($generics)*> BlockOperation for $op {}

        impl<R: Dim, C: Dim, $($generics)*> Block<R, C> for $op {
            type Rows = $Rows;
            type Columns = $Columns;
            #[inline]
            fn ranges(&self, $shape: (usize, usize)) -> (Range<usize>, Range<usize>) {
                let $this = self;
                ($rows, $columns)
            }
        }
    )+ };
}
ranges! {
    [] op::Row => U1, C: |op, shape| op.0..op.0 + 1, 0..shape.1;
    [] op::Column => R, U1: |op, shape| 0..shape.0, op.0..op.0 + 1;
    [] op::Rows => Dyn, C: |op, shape| op.0..op.0 + op.1, 0..shape.1;
    [] op::Columns => R, Dyn: |op, shape| 0..shape.0, op.0..op.0 + op.1;
    [] op::Block => Dyn, Dyn: |op, _shape| op.0.0..op.0.0 + op.1.0, op.0.1..op.0.1 + op.1.1;
    [const N: usize] op::FixedRows<N> => Const<N>, C: |op, shape| op.0..op.0 + N, 0..shape.1;
    [const N: usize] op::FixedColumns<N> => R, Const<N>: |op, shape| 0..shape.0, op.0..op.0 + N;
    [const M: usize, const N: usize] op::FixedBlock<M, N> => Const<M>, Const<N>:
        |op, _shape| op.0..op.0 + M, op.1..op.1 + N;
}

/// Reading a part, and writing it.
macro_rules! parts {
    ($($F:ident)+) => { $(
        linear! {
            [R: Dim, C: Dim, P: Block<R, C>] OMatrix<$F, R, C>, P => OMatrix<$F, P::Rows, P::Columns> where [
                DefaultAllocator: Allocator<R, C> + Allocator<P::Rows, P::Columns>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, P::Rows, P::Columns>: Mat<$F>,
            ]:
                |op, x| value Mat::<$F>::of(op.part(x.grid()));
                |dot| push <OMatrix<$F, P::Rows, P::Columns>>::shadow_of(op.part(<OMatrix<$F, R, C>>::shadow(dot)));
                |bar, y| pull {
                    let y = <OMatrix<$F, P::Rows, P::Columns>>::shadow(y);
                    op.part_mut(<OMatrix<$F, R, C>>::shadow_mut(bar)).zip_mut_with(&y, |to, v| *to += *v);
                };
        }

        impl<R: Dim, C: Dim, P: Block<R, C>> Edit<op::Set<P>, OMatrix<$F, P::Rows, P::Columns>> for OMatrix<$F, R, C>
        where
            DefaultAllocator: Allocator<R, C> + Allocator<P::Rows, P::Columns>,
            OMatrix<$F, R, C>: Mat<$F>,
            OMatrix<$F, P::Rows, P::Columns>: Mat<$F>,
        {
            fn edit(&mut self, op: &op::Set<P>, other: &OMatrix<$F, P::Rows, P::Columns>) {
                op.0.part_mut(self.grid_mut()).assign(&other.grid());
            }
            fn push<A: LinearSpace<$F>>(
                op: &op::Set<P>,
                dot: &mut Self::Shadow<A>,
                _: &OMatrix<$F, P::Rows, P::Columns>,
                other_dot: Option<&<OMatrix<$F, P::Rows, P::Columns> as Place>::Shadow<A>>,
            ) {
                let mut part = op.0.part_mut(<Self as Mat<$F>>::shadow_mut(dot));
                match other_dot {
                    Some(other) => part.assign(&<OMatrix<$F, P::Rows, P::Columns>>::shadow(other)),
                    None => part.fill(A::ZERO),
                }
            }
            fn pull<A: LinearSpace<$F>>(
                op: &op::Set<P>,
                bar: &mut Self::Shadow<A>,
                _: &OMatrix<$F, P::Rows, P::Columns>,
                other_bar: Option<&mut <OMatrix<$F, P::Rows, P::Columns> as Place>::Shadow<A>>,
            ) {
                let mut part = op.0.part_mut(<Self as Mat<$F>>::shadow_mut(bar));
                if let Some(other) = other_bar {
                    <OMatrix<$F, P::Rows, P::Columns>>::shadow_mut(other).zip_mut_with(&part, |to, v| *to += *v);
                }
                part.fill(A::ZERO);
            }
        }

        /// Elements, column by column, take the place of all.
        impl<R: Dim, C: Dim> Edit<op::Set<op::Flat>, Vec<$F>> for OMatrix<$F, R, C>
        where
            DefaultAllocator: Allocator<R, C>,
            OMatrix<$F, R, C>: Mat<$F>,
        {
            fn edit(&mut self, _: &op::Set<op::Flat>, other: &Vec<$F>) {
                by_columns(self.grid_mut()).zip(other).for_each(|(to, v)| *to = *v);
            }
            fn push<A: LinearSpace<$F>>(
                _: &op::Set<op::Flat>,
                dot: &mut Self::Shadow<A>,
                _: &Vec<$F>,
                other_dot: Option<&<Vec<$F> as Place>::Shadow<A>>,
            ) {
                let mut dot = <Self as Mat<$F>>::shadow_mut(dot);
                match other_dot {
                    Some(other) => by_columns(dot).zip($F::numbers::<A>(other)).for_each(|(to, v)| *to = *v),
                    None => dot.fill(A::ZERO),
                }
            }
            fn pull<A: LinearSpace<$F>>(
                _: &op::Set<op::Flat>,
                bar: &mut Self::Shadow<A>,
                _: &Vec<$F>,
                other_bar: Option<&mut <Vec<$F> as Place>::Shadow<A>>,
            ) {
                let mut bar = <Self as Mat<$F>>::shadow_mut(bar);
                if let Some(other) = other_bar {
                    let from = by_columns(bar.view_mut());
                    $F::numbers_mut::<A>(other).iter_mut().zip(from).for_each(|(to, v)| *to += *v);
                }
                bar.fill(A::ZERO);
            }
        }
    )+ };
}
parts!(f32 f64);

/// The elements in the order of `nalgebra`.
fn by_columns<'a, A>(x: ArrayViewMut2<'a, A>) -> impl Iterator<Item = &'a mut A> {
    x.reversed_axes().into_iter()
}
