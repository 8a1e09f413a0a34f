//! Linear maps of `nalgebra`'s matrices: sums, means, diagonals and triangles.

use super::linear::linear;
use super::{Mat, Memory, Tan, Unary, op};
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use nalgebra::allocator::Allocator;
use nalgebra::{DefaultAllocator, Dim, DimMin, DimMinimum, OMatrix, OVector, U1};
use ndarray::{Array2, ArrayView2, Axis};

macro_rules! maps {
    ($($F:ident)+) => { $(
        linear! {
            [R: DimMin<C>, C: Dim] OMatrix<$F, R, C>, op::Diagonal => OVector<$F, DimMinimum<R, C>> where [
                DefaultAllocator: Allocator<R, C> + Allocator<DimMinimum<R, C>>,
                OMatrix<$F, R, C>: Mat<$F>, OVector<$F, DimMinimum<R, C>>: Mat<$F>,
            ]:
                |_op, x| value Mat::<$F>::of(x.grid().diag().insert_axis(Axis(1)));
                |dot| push {
                    let dot = <OMatrix<$F, R, C>>::shadow(dot);
                    <OVector<$F, DimMinimum<R, C>>>::shadow_of(dot.diag().insert_axis(Axis(1)))
                };
                |bar, y| pull {
                    let mut bar = <OMatrix<$F, R, C>>::shadow_mut(bar);
                    let y = <OVector<$F, DimMinimum<R, C>>>::shadow(y);
                    bar.diag_mut().iter_mut().zip(&y).for_each(|(to, v)| *to += *v);
                };
            [R: Dim] OVector<$F, R>, op::FromDiagonal => OMatrix<$F, R, R> where [
                DefaultAllocator: Allocator<R> + Allocator<R, R>,
                OVector<$F, R>: Mat<$F>, OMatrix<$F, R, R>: Mat<$F>,
            ]:
                |_op, x| value Mat::<$F>::of(Array2::from_diag(&x.grid().column(0)).view());
                |dot| push {
                    let dot = <OVector<$F, R>>::shadow(dot);
                    let mut square = Array2::from_elem((dot.nrows(), dot.nrows()), <A as LinearSpace<$F>>::ZERO);
                    square.diag_mut().assign(&dot.column(0));
                    <OMatrix<$F, R, R>>::shadow_of(square.view())
                };
                |bar, y| pull {
                    let y = <OMatrix<$F, R, R>>::shadow(y);
                    <OVector<$F, R>>::shadow_mut(bar).iter_mut().zip(y.diag()).for_each(|(to, v)| *to += *v);
                };
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Mean => $F where [
                DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,
            ]:
                |_op, x| value x.mean();
                |dot| push {
                    let dot = <OMatrix<$F, R, C>>::shadow(dot);
                    dot.iter().fold(<A as LinearSpace<$F>>::ZERO, |sum, v| sum + *v) * (1.0 / dot.len() as $F)
                };
                |bar, y| pull {
                    let mut bar = <OMatrix<$F, R, C>>::shadow_mut(bar);
                    let share = *y * (1.0 / bar.len() as $F);
                    bar.iter_mut().for_each(|to| *to += share);
                };
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::RowSum => OMatrix<$F, U1, C> where [
                DefaultAllocator: Allocator<R, C> + Allocator<U1, C>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, U1, C>: Mat<$F>,
            ]:
                |_op, x| value Mat::<$F>::of(sums::<$F, $F>(x.grid(), 0).view());
                |dot| push <OMatrix<$F, U1, C>>::shadow_of(sums::<$F, A>(<OMatrix<$F, R, C>>::shadow(dot), 0).view());
                |bar, y| pull {
                    let y = <OMatrix<$F, U1, C>>::shadow(y);
                    let mut bar = <OMatrix<$F, R, C>>::shadow_mut(bar);
                    bar.rows_mut().into_iter().for_each(|mut row| row.zip_mut_with(&y.row(0), |to, v| *to += *v));
                };
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::ColumnSum => OMatrix<$F, R, U1> where [
                DefaultAllocator: Allocator<R, C> + Allocator<R, U1>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, R, U1>: Mat<$F>,
            ]:
                |_op, x| value Mat::<$F>::of(sums::<$F, $F>(x.grid(), 1).view());
                |dot| push <OMatrix<$F, R, U1>>::shadow_of(sums::<$F, A>(<OMatrix<$F, R, C>>::shadow(dot), 1).view());
                |bar, y| pull {
                    let y = <OMatrix<$F, R, U1>>::shadow(y);
                    let mut bar = <OMatrix<$F, R, C>>::shadow_mut(bar);
                    bar.columns_mut().into_iter().for_each(|mut c| c.zip_mut_with(&y.column(0), |to, v| *to += *v));
                };
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Lower => OMatrix<$F, R, C> where [
                DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,
            ]:
                |op, x| value Mat::<$F>::of(kept::<$F, $F>(x.grid(), |at| op.keeps(at)).view());
                |dot| push {
                    let dot = <OMatrix<$F, R, C>>::shadow(dot);
                    <OMatrix<$F, R, C>>::shadow_of(kept::<$F, A>(dot, |at| op.keeps(at)).view())
                };
                |bar, y| pull {
                    let y = <OMatrix<$F, R, C>>::shadow(y);
                    let mut bar = <OMatrix<$F, R, C>>::shadow_mut(bar);
                    bar.indexed_iter_mut().filter(|(at, _)| op.keeps(*at)).for_each(|(at, to)| *to += y[at]);
                };
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Upper => OMatrix<$F, R, C> where [
                DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,
            ]:
                |op, x| value Mat::<$F>::of(kept::<$F, $F>(x.grid(), |at| op.keeps(at)).view());
                |dot| push {
                    let dot = <OMatrix<$F, R, C>>::shadow(dot);
                    <OMatrix<$F, R, C>>::shadow_of(kept::<$F, A>(dot, |at| op.keeps(at)).view())
                };
                |bar, y| pull {
                    let y = <OMatrix<$F, R, C>>::shadow(y);
                    let mut bar = <OMatrix<$F, R, C>>::shadow_mut(bar);
                    bar.indexed_iter_mut().filter(|(at, _)| op.keeps(*at)).for_each(|(at, to)| *to += y[at]);
                };
        }
    )+ };
}
maps!(f32 f64);

/// The sums along an axis, as a matrix of one row or one column.
fn sums<F: Base, A: LinearSpace<F>>(x: ArrayView2<'_, A>, axis: usize) -> Array2<A> {
    x.map_axis(Axis(axis), |lane| lane.iter().fold(A::ZERO, |sum, v| sum + *v)).insert_axis(Axis(axis))
}

impl op::Lower {
    /// Whether the triangle has this element.
    fn keeps(self, (i, j): (usize, usize)) -> bool {
        j as isize - i as isize <= self.0
    }
}

impl op::Upper {
    /// Whether the triangle has this element.
    fn keeps(self, (i, j): (usize, usize)) -> bool {
        j as isize - i as isize >= self.0
    }
}

/// The elements of a triangle, and zeros.
fn kept<F: Base, A: LinearSpace<F>>(x: ArrayView2<'_, A>, keeps: impl Fn((usize, usize)) -> bool) -> Array2<A> {
    Array2::from_shape_fn(x.dim(), |at| if keeps(at) { x[at] } else { A::ZERO })
}
