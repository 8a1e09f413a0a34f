//! The vectors and matrices of the crate `nalgebra`. Flattened, they are row-major like all matrices.

use crate::number::active::Active;
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::stack::aggregates::{Parts, Whole};
use crate::stack::workspace::Pool;
use nalgebra::{DMatrix, DVector, RowDVector, SMatrix, Scalar};

/// Calls a macro for every family of types: generics, alias and its arguments, whether the type fixes the shape, an owned
/// matrix from its shape and its elements by column, and the smallest shape.
macro_rules! families {
    ($callback:ident! { $($more:tt)* }) => { $callback! { $($more)*
        [const R: usize, const C: usize] SMatrix [, R, C] true: |_rows, _columns, v| SMatrix::from_iterator(v), (R, C);
        [] DMatrix [] false: |rows, columns, v| DMatrix::from_iterator(rows, columns, v), (0, 0);
        [] DVector [] false: |rows, _columns, v| DVector::from_iterator(rows, v), (0, 1);
        [] RowDVector [] false: |_rows, columns, v| RowDVector::from_iterator(columns, v), (1, 0);
    } };
}
pub(crate) use families;

/// The places of all elements, row by row.
fn places(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |i| (0..columns).map(move |j| (i, j)))
}

macro_rules! shadows {
    ($([$($generics:tt)*] $M:ident [$($args:tt)*] $fixed:literal:
        |$rows:ident, $columns:ident, $v:ident| $make:expr, $smallest:expr;)+) => { $(
        impl<A: Copy, T: Scalar + Tangent<A>, $($generics)*> Tangent<A> for $M<T $($args)*> {
            const FIXED: bool = $fixed;

            #[inline]
            fn acc(&mut self, other: &Self) {
                if self.shape() != other.shape() {
                    self.clone_from(other); // it was cleared, and its value had another shape then
                    return;
                }
                self.as_mut_slice().iter_mut().zip(other.as_slice()).for_each(|(a, b)| a.acc(b));
            }
            #[inline]
            fn clear(&mut self) {
                self.as_mut_slice().iter_mut().for_each(Tangent::<A>::clear);
            }
            #[inline]
            fn shape(&self, dim: &mut dyn FnMut(usize)) {
                dim(self.nrows());
                dim(self.ncols());
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut(A)) {
                places(self.nrows(), self.ncols()).for_each(|at| self[at].each(f));
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut A)) {
                places(self.nrows(), self.ncols()).for_each(|at| self[at].each_mut(f));
            }
            #[inline]
            fn set(&mut self, other: &Self) {
                self.as_mut_slice().iter_mut().zip(other.as_slice()).for_each(|(a, b)| a.set(b));
            }
        }
    )+ };
}
families!(shadows! {});

macro_rules! values {
    ($F:ident $([$($generics:tt)*] $M:ident [$($args:tt)*] $fixed:literal:
        |$rows:ident, $columns:ident, $v:ident| $make:expr, $smallest:expr;)+) => { $(
        impl<$($generics)*> Active for $M<$F $($args)*> {
            type Base = $F;
            type Tangent<A: LinearSpace<$F>> = $M<A $($args)*>;
            const FIXED: bool = $fixed;

            #[inline]
            fn zeros<A: LinearSpace<$F>>(&self, _: &mut Pool<A>) -> $M<A $($args)*> {
                self.map(|_| A::ZERO)
            }
            #[inline]
            fn copied(&self, _: &mut Pool<$F>) -> Self {
                self.clone()
            }
            #[inline]
            fn copy_into(&self, own: &mut Self) {
                own.clone_from(self);
            }
            #[inline]
            fn empty<A: LinearSpace<$F>>() -> $M<A $($args)*> {
                let ($rows, $columns) = $smallest;
                let $v = std::iter::repeat_n(A::ZERO, $rows * $columns);
                $make
            }
            #[inline]
            fn release<A: LinearSpace<$F>>(_: $M<A $($args)*>, _: &mut Pool<A>) {}
            #[inline]
            fn shape(&self, dim: &mut dyn FnMut(usize)) {
                dim(self.nrows());
                dim(self.ncols());
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut($F)) {
                places(self.nrows(), self.ncols()).for_each(|at| f(self[at]));
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut $F)) {
                places(self.nrows(), self.ncols()).for_each(|at| f(&mut self[at]));
            }
        }

        impl<$($generics)*> Whole<$F> for $M<$F $($args)*> {
            fn save(&self, parts: &mut Parts<'_, $F>) {
                <$F as Whole<$F>>::save_all(self.as_slice(), parts);
                <usize as Whole<$F>>::save(&self.nrows(), parts);
                <usize as Whole<$F>>::save(&self.ncols(), parts);
            }
            fn restore(parts: &mut Parts<'_, $F>) -> Self {
                let $columns = <usize as Whole<$F>>::restore(parts);
                let $rows = <usize as Whole<$F>>::restore(parts);
                let $v = <$F as Whole<$F>>::restore_all($rows * $columns, parts).into_iter();
                $make
            }
            fn blank() -> Self {
                let ($rows, $columns) = $smallest;
                let $v = std::iter::repeat_n(0.0, $rows * $columns);
                $make
            }
            #[inline]
            fn unread() -> Option<Self> {
                <Self as Active>::FIXED.then(<Self as Whole<$F>>::blank)
            }
        }
    )+ };
}
families!(values! { f32 });
families!(values! { f64 });
