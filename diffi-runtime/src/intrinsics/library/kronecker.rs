//! The Kronecker product of `nalgebra`'s matrices.

use super::grid::Number;
use super::rules::binary;
use super::{Binary, Mat, Memory, Tan, op};
use crate::number::active::Place;
use crate::number::linear_space::LinearSpace;
use nalgebra::allocator::Allocator;
use nalgebra::{DefaultAllocator, Dim, DimMul, DimProd, OMatrix};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

macro_rules! operators {
    ($($F:ident)+) => { binary! { $(
        [R: DimMul<M>, C: DimMul<N>, M: Dim, N: Dim] OMatrix<$F, R, C>, op::Kronecker, OMatrix<$F, M, N>
            => OMatrix<$F, DimProd<R, M>, DimProd<C, N>>, $F
            where [
                DefaultAllocator: Allocator<R, C> + Allocator<M, N> + Allocator<DimProd<R, M>, DimProd<C, N>>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, M, N>: Mat<$F>, OMatrix<$F, DimProd<R, M>, DimProd<C, N>>: Mat<$F>,
            ]:
            value, push, pull, pull_push;
            |a| a.grid(), <OMatrix<$F, R, C>>::shadow(a), <OMatrix<$F, R, C>>::shadow_mut(a);
            |b| b.grid(), <OMatrix<$F, M, N>>::shadow(b), <OMatrix<$F, M, N>>::shadow_mut(b);
            |y| Mat::<$F>::of(y.view()), <OMatrix<$F, DimProd<R, M>, DimProd<C, N>>>::shadow_of(y.view()),
                <OMatrix<$F, DimProd<R, M>, DimProd<C, N>>>::shadow(y);
    )+ } };
}
operators!(f32 f64);

/// Every element of the first matrix with every element of the second one: where their product lies, and where they do.
fn places<S, T>(
    a: ArrayView2<'_, S>,
    b: ArrayView2<'_, T>,
) -> impl Iterator<Item = ([usize; 2], [usize; 2], [usize; 2])> + use<S, T> {
    let ((rows, columns), (m, n)) = (a.dim(), b.dim());
    let pairs = (0..rows * m).flat_map(move |i| (0..columns * n).map(move |j| (i, j)));
    pairs.map(move |(i, j)| ([i, j], [i / m, j / n], [i % m, j % n]))
}

fn value<F: Number>(a: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
    let (m, n) = b.dim();
    Array2::from_shape_fn((a.nrows() * m, a.ncols() * n), |(i, j)| a[[i / m, j / n]] * b[[i % m, j % n]])
}

fn push<F: Number, A: LinearSpace<F>>(
    a: ArrayView2<'_, F>,
    a_dot: Option<ArrayView2<'_, A>>,
    b: ArrayView2<'_, F>,
    b_dot: Option<ArrayView2<'_, A>>,
) -> Array2<A> {
    let mut dot = Array2::from_elem((a.nrows() * b.nrows(), a.ncols() * b.ncols()), A::ZERO);
    for (at, i, j) in places(a, b) {
        a_dot.into_iter().for_each(|a_dot| dot[at] += a_dot[i] * b[j]);
        b_dot.into_iter().for_each(|b_dot| dot[at] += b_dot[j] * a[i]);
    }
    dot
}

fn pull<F: Number, A: LinearSpace<F>>(
    a: ArrayView2<'_, F>,
    mut a_bar: Option<ArrayViewMut2<'_, A>>,
    b: ArrayView2<'_, F>,
    mut b_bar: Option<ArrayViewMut2<'_, A>>,
    y_bar: ArrayView2<'_, A>,
) {
    for (at, i, j) in places(a, b) {
        a_bar.iter_mut().for_each(|bar| bar[i] += y_bar[at] * b[j]);
        b_bar.iter_mut().for_each(|bar| bar[j] += y_bar[at] * a[i]);
    }
}

#[expect(clippy::too_many_arguments, reason = "both operands with all their shadows")]
fn pull_push<F: Number, A: LinearSpace<F>>(
    a: ArrayView2<'_, F>,
    a_dot: Option<ArrayView2<'_, A>>,
    mut a_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
    b: ArrayView2<'_, F>,
    b_dot: Option<ArrayView2<'_, A>>,
    mut b_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
    y_bar: ArrayView2<'_, F>,
    y_bar_dot: ArrayView2<'_, A>,
) {
    for (at, i, j) in places(a, b) {
        if let Some((bar, bar_dot)) = &mut a_bars {
            bar[i] += y_bar[at] * b[j];
            bar_dot[i] += y_bar_dot[at] * b[j];
            b_dot.into_iter().for_each(|dot| bar_dot[i] += dot[j] * y_bar[at]);
        }
        if let Some((bar, bar_dot)) = &mut b_bars {
            bar[j] += y_bar[at] * a[i];
            bar_dot[j] += y_bar_dot[at] * a[i];
            a_dot.into_iter().for_each(|dot| bar_dot[j] += dot[i] * y_bar[at]);
        }
    }
}
