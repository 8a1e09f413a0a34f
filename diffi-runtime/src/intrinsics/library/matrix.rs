//! The operations of `nalgebra`'s vectors and matrices.
//!
//! They are those of `ndarray`'s arrays of two axes, which see the same memory; only `*` is the matrix product.

use super::decompositions::{self, logarithm, solve};
use super::edits::{Step, StepOperation, pulled, pushed, stepped};
use super::linear::{HasAxes, HasShape, linear};
use super::rules::binary;
use super::{Binary, Edit, Memory, Tan, Unary, cholesky, elementwise, op, products};
use crate::intrinsics::library::grid::Number;
use crate::number::active::{Active, Place};
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::value::nalgebra::families;
use nalgebra::allocator::Allocator;
use nalgebra::{DMatrix, DVector, DefaultAllocator, Dim, OMatrix, RowDVector, SMatrix};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, ShapeBuilder, aview0};
use std::marker::PhantomData;

/// A vector or a matrix of `nalgebra` over the float `F`, seen as an array of two axes.
pub trait Mat<F: Number>: Active<Base = F> {
    /// The smallest shape; of fixed sizes, the only one.
    fn smallest() -> (usize, usize);
    /// The values.
    fn grid(&self) -> ArrayView2<'_, F>;
    /// The values, to be changed.
    fn grid_mut(&mut self) -> ArrayViewMut2<'_, F>;
    /// The shadow.
    fn shadow<A: LinearSpace<F>>(shadow: &Tan<Self, A>) -> ArrayView2<'_, A>;
    /// The shadow, to be changed.
    fn shadow_mut<A: LinearSpace<F>>(shadow: &mut Tan<Self, A>) -> ArrayViewMut2<'_, A>;
    /// A value.
    fn of(values: ArrayView2<'_, F>) -> Self;
    /// A shadow.
    fn shadow_of<A: LinearSpace<F>>(values: ArrayView2<'_, A>) -> Tan<Self, A>;
}

macro_rules! mats {
    ($F:ident $([$($generics:tt)*] $M:ident [$($args:tt)*] $fixed:literal:
        |$rows:ident, $columns:ident, $v:ident| $make:expr, $smallest:expr;)+) => { $(
        impl<$($generics)*> Mat<$F> for $M<$F $($args)*> {
            #[inline]
            fn smallest() -> (usize, usize) {
                $smallest
            }
            #[inline]
            fn grid(&self) -> ArrayView2<'_, $F> {
                ArrayView2::from_shape((self.nrows(), self.ncols()).f(), self.as_slice()).expect("its own shape")
            }
            #[inline]
            fn grid_mut(&mut self) -> ArrayViewMut2<'_, $F> {
                let shape = (self.nrows(), self.ncols()).f();
                ArrayViewMut2::from_shape(shape, self.as_mut_slice()).expect("its own shape")
            }
            #[inline]
            fn shadow<A: LinearSpace<$F>>(shadow: &Self::Tangent<A>) -> ArrayView2<'_, A> {
                let shape = (shadow.nrows(), shadow.ncols()).f();
                ArrayView2::from_shape(shape, shadow.as_slice()).expect("its own shape")
            }
            #[inline]
            fn shadow_mut<A: LinearSpace<$F>>(shadow: &mut Self::Tangent<A>) -> ArrayViewMut2<'_, A> {
                let shape = (shadow.nrows(), shadow.ncols()).f();
                ArrayViewMut2::from_shape(shape, shadow.as_mut_slice()).expect("its own shape")
            }
            #[inline]
            fn of(values: ArrayView2<'_, $F>) -> Self {
                let ($rows, $columns) = values.dim();
                let _ = ($rows, $columns);
                let by_columns = values.reversed_axes();
                let by_columns = by_columns.as_standard_layout();
                let $v = by_columns.as_slice().expect("in logical order").iter().copied();
                $make
            }
            #[inline]
            fn shadow_of<A: LinearSpace<$F>>(values: ArrayView2<'_, A>) -> Self::Tangent<A> {
                let ($rows, $columns) = values.dim();
                let _ = ($rows, $columns);
                let by_columns = values.reversed_axes();
                let by_columns = by_columns.as_standard_layout();
                let $v = by_columns.as_slice().expect("in logical order").iter().copied();
                $make
            }
        }
    )+ };
}
families!(mats! { f32 });
families!(mats! { f64 });

/// The same bounds for every matrix that a rule mentions.
macro_rules! operators {
    ($($F:ident)+) => { binary! { $(
        [R: Dim, K: Dim, C: Dim] OMatrix<$F, R, K>, op::Mul, OMatrix<$F, K, C> => OMatrix<$F, R, C>, $F
            where [
                DefaultAllocator: Allocator<R, K> + Allocator<K, C> + Allocator<R, C>,
                OMatrix<$F, R, K>: Mat<$F>, OMatrix<$F, K, C>: Mat<$F>, OMatrix<$F, R, C>: Mat<$F>,
            ]:
            products::value, products::push, products::pull, products::pull_push;
            |a| a.grid(), <OMatrix<$F, R, K>>::shadow(a), <OMatrix<$F, R, K>>::shadow_mut(a);
            |b| b.grid(), <OMatrix<$F, K, C>>::shadow(b), <OMatrix<$F, K, C>>::shadow_mut(b);
            |y| <OMatrix<$F, R, C>>::of(y.view()), <OMatrix<$F, R, C>>::shadow_of(y.view()), <OMatrix<$F, R, C>>::shadow(y);
        [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Dot, OMatrix<$F, R, C> => $F, $F
            where [DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,]:
            inner::value, inner::push, inner::pull, inner::pull_push;
            |a| a.grid(), <OMatrix<$F, R, C>>::shadow(a), <OMatrix<$F, R, C>>::shadow_mut(a);
            |b| b.grid(), <OMatrix<$F, R, C>>::shadow(b), <OMatrix<$F, R, C>>::shadow_mut(b);
            |y| y, y, *y;
        [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Cross, OMatrix<$F, R, C> => OMatrix<$F, R, C>, $F
            where [DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,]:
            cross::value, cross::push, cross::pull, cross::pull_push;
            |a| a.grid(), <OMatrix<$F, R, C>>::shadow(a), <OMatrix<$F, R, C>>::shadow_mut(a);
            |b| b.grid(), <OMatrix<$F, R, C>>::shadow(b), <OMatrix<$F, R, C>>::shadow_mut(b);
            |y| <OMatrix<$F, R, C>>::of(y.view()), <OMatrix<$F, R, C>>::shadow_of(y.view()), <OMatrix<$F, R, C>>::shadow(y);
        [R: Dim, C: Dim, D: Dim] OMatrix<$F, R, C>, op::CholeskySolve, OMatrix<$F, R, D> => OMatrix<$F, R, D>, $F
            where [
                DefaultAllocator: Allocator<R, C> + Allocator<R, D>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, R, D>: Mat<$F>,
            ]:
            cholesky::solve::value, cholesky::solve::push, cholesky::solve::pull, cholesky::solve::pull_push;
            |a| a.grid(), <OMatrix<$F, R, C>>::shadow(a), <OMatrix<$F, R, C>>::shadow_mut(a);
            |b| b.grid(), <OMatrix<$F, R, D>>::shadow(b), <OMatrix<$F, R, D>>::shadow_mut(b);
            |y| <OMatrix<$F, R, D>>::of(y.view()), <OMatrix<$F, R, D>>::shadow_of(y.view()), <OMatrix<$F, R, D>>::shadow(y);
    )+ } };
}
operators!(f32 f64);

/// Inner products through transposes, which are not made.
macro_rules! transposed {
    ($($F:ident)+) => { binary! { $(
        [R: Dim, C: Dim, M: Dim, N: Dim] OMatrix<$F, R, C>, op::DotOf<op::Transpose, op::Transpose>, OMatrix<$F, M, N> => $F, $F
            where [
                DefaultAllocator: Allocator<R, C> + Allocator<M, N>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, M, N>: Mat<$F>,
            ]:
            inner::value, inner::push, inner::pull, inner::pull_push;
            |a| a.grid().reversed_axes(), <OMatrix<$F, R, C>>::shadow(a).reversed_axes(), <OMatrix<$F, R, C>>::shadow_mut(a).reversed_axes();
            |b| b.grid().reversed_axes(), <OMatrix<$F, M, N>>::shadow(b).reversed_axes(), <OMatrix<$F, M, N>>::shadow_mut(b).reversed_axes();
            |y| y, y, *y;
        [R: Dim, C: Dim, M: Dim, N: Dim] OMatrix<$F, R, C>, op::DotOf<op::Transpose, op::Plain>, OMatrix<$F, M, N> => $F, $F
            where [
                DefaultAllocator: Allocator<R, C> + Allocator<M, N>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, M, N>: Mat<$F>,
            ]:
            inner::value, inner::push, inner::pull, inner::pull_push;
            |a| a.grid().reversed_axes(), <OMatrix<$F, R, C>>::shadow(a).reversed_axes(), <OMatrix<$F, R, C>>::shadow_mut(a).reversed_axes();
            |b| b.grid(), <OMatrix<$F, M, N>>::shadow(b), <OMatrix<$F, M, N>>::shadow_mut(b);
            |y| y, y, *y;
        [R: Dim, C: Dim, M: Dim, N: Dim] OMatrix<$F, R, C>, op::DotOf<op::Plain, op::Transpose>, OMatrix<$F, M, N> => $F, $F
            where [
                DefaultAllocator: Allocator<R, C> + Allocator<M, N>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, M, N>: Mat<$F>,
            ]:
            inner::value, inner::push, inner::pull, inner::pull_push;
            |a| a.grid(), <OMatrix<$F, R, C>>::shadow(a), <OMatrix<$F, R, C>>::shadow_mut(a);
            |b| b.grid().reversed_axes(), <OMatrix<$F, M, N>>::shadow(b).reversed_axes(), <OMatrix<$F, M, N>>::shadow_mut(b).reversed_axes();
            |y| y, y, *y;
    )+ } };
}
transposed!(f32 f64);

/// Linear systems: the factors cost more than to keep them.
macro_rules! systems {
    ($($F:ident)+) => { $(
        impl<R: Dim, C: Dim, D: Dim> Binary<op::Solve, OMatrix<$F, R, D>> for OMatrix<$F, R, C>
        where
            DefaultAllocator: Allocator<R, C> + Allocator<R, D>,
            OMatrix<$F, R, C>: Mat<$F>,
            OMatrix<$F, R, D>: Mat<$F>,
        {
            type Out = OMatrix<$F, R, D>;

            fn value(&self, _: &op::Solve, other: &Self::Out) -> Self::Out {
                Mat::<$F>::of(solve::value(self.grid(), other.grid()).view())
            }
            fn value_kept<A: LinearSpace<$F>>(&self, _: &op::Solve, other: &Self::Out, memory: &mut Memory<Self, A>) -> Self::Out {
                Mat::<$F>::of(solve::value_kept(self.grid(), other.grid(), memory).view())
            }
            fn push<A: LinearSpace<$F>>(
                &self,
                _: &op::Solve,
                dot: Option<&Self::Shadow<A>>,
                _: &Self::Out,
                other_dot: Option<&<Self::Out as Place>::Shadow<A>>,
                y: &Self::Out,
                _: &mut Memory<Self, A>,
            ) -> Tan<Self::Out, A> {
                let (dot, other_dot) = (dot.map(<Self as Mat<$F>>::shadow), other_dot.map(<Self::Out as Mat<$F>>::shadow));
                <Self::Out as Mat<$F>>::shadow_of(solve::push(self.grid(), dot, other_dot, y.grid()).view())
            }
            fn pull<A: LinearSpace<$F>>(
                &self,
                _: &op::Solve,
                bar: Option<&mut Self::Shadow<A>>,
                other: &Self::Out,
                other_bar: Option<&mut <Self::Out as Place>::Shadow<A>>,
                y: Option<&Self::Out>,
                y_bar: &Tan<Self::Out, A>,
                memory: &mut Memory<Self, A>,
            ) {
                let (bar, y_bar) = (bar.map(<Self as Mat<$F>>::shadow_mut), <Self::Out as Mat<$F>>::shadow(y_bar));
                let other_bar = other_bar.map(<Self::Out as Mat<$F>>::shadow_mut);
                solve::pull(self.grid(), bar, other.grid(), other_bar, y.map(Mat::grid), y_bar, memory);
            }
            fn pull_push<A: LinearSpace<$F>>(
                &self,
                _: &op::Solve,
                dot: Option<&Self::Shadow<A>>,
                bars: Option<(&mut Self::Shadow<$F>, &mut Self::Shadow<A>)>,
                other: &Self::Out,
                other_dot: Option<&<Self::Out as Place>::Shadow<A>>,
                other_bars: Option<(&mut <Self::Out as Place>::Shadow<$F>, &mut <Self::Out as Place>::Shadow<A>)>,
                y: Option<&Self::Out>,
                y_bar: &Tan<Self::Out, $F>,
                y_bar_dot: &Tan<Self::Out, A>,
                memory: &mut Memory<Self, A>,
            ) {
                let (dot, other_dot) = (dot.map(<Self as Mat<$F>>::shadow), other_dot.map(<Self::Out as Mat<$F>>::shadow));
                let bars = bars.map(|(bar, dot)| (<Self as Mat<$F>>::shadow_mut(bar), <Self as Mat<$F>>::shadow_mut(dot)));
                let other_bars = other_bars
                    .map(|(bar, dot)| (<Self::Out as Mat<$F>>::shadow_mut(bar), <Self::Out as Mat<$F>>::shadow_mut(dot)));
                let (y_bar, y_bar_dot) = (<Self::Out as Mat<$F>>::shadow(y_bar), <Self::Out as Mat<$F>>::shadow(y_bar_dot));
                let (a, b, y) = (self.grid(), other.grid(), y.map(Mat::grid));
                solve::pull_push(a, dot, bars, b, other_dot, other_bars, y, y_bar, y_bar_dot, memory);
            }
        }
    )+ };
}
systems!(f32 f64);

/// `+`, `-`, and what is done element by element.
macro_rules! by_elements {
    ($F:ident: $($Op:ident: $by:ident)+) => { binary! { $(
        [R: Dim, C: Dim] OMatrix<$F, R, C>, op::$Op, OMatrix<$F, R, C> => OMatrix<$F, R, C>, $F
            where [DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,]:
            elementwise::value::<op::$by, _, _, _>, elementwise::push::<op::$by, _, _, _, _>,
            elementwise::pull::<op::$by, _, _, _, _>, elementwise::pull_push::<op::$by, _, _, _, _>;
            |a| a.grid(), <OMatrix<$F, R, C>>::shadow(a), <OMatrix<$F, R, C>>::shadow_mut(a);
            |b| b.grid(), <OMatrix<$F, R, C>>::shadow(b), <OMatrix<$F, R, C>>::shadow_mut(b);
            |y| <OMatrix<$F, R, C>>::of(y.view()), <OMatrix<$F, R, C>>::shadow_of(y.view()), <OMatrix<$F, R, C>>::shadow(y);
    )+ } };
}
by_elements!(f32: Add: Add Sub: Sub ComponentMul: Mul ComponentDiv: Div);
by_elements!(f64: Add: Add Sub: Sub ComponentMul: Mul ComponentDiv: Div);

/// What numbers do to matrices.
macro_rules! by_numbers {
    ($F:ident: $($Op:ident)+) => { binary! { $(
        [R: Dim, C: Dim] OMatrix<$F, R, C>, op::$Op, $F => OMatrix<$F, R, C>, $F
            where [DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,]:
            elementwise::value::<op::$Op, _, _, _>, elementwise::push::<op::$Op, _, _, _, _>,
            elementwise::pull::<op::$Op, _, _, _, _>, elementwise::pull_push::<op::$Op, _, _, _, _>;
            |a| a.grid(), <OMatrix<$F, R, C>>::shadow(a), <OMatrix<$F, R, C>>::shadow_mut(a);
            |b| aview0(b), aview0(b), elementwise::number_mut(b);
            |y| <OMatrix<$F, R, C>>::of(y.view()), <OMatrix<$F, R, C>>::shadow_of(y.view()), <OMatrix<$F, R, C>>::shadow(y);
    )+
        [R: Dim, C: Dim] $F, op::Mul, OMatrix<$F, R, C> => OMatrix<$F, R, C>, $F
            where [DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,]:
            elementwise::value::<op::Mul, _, _, _>, elementwise::push::<op::Mul, _, _, _, _>,
            elementwise::pull::<op::Mul, _, _, _, _>, elementwise::pull_push::<op::Mul, _, _, _, _>;
            |a| aview0(a), aview0(a), elementwise::number_mut(a);
            |b| b.grid(), <OMatrix<$F, R, C>>::shadow(b), <OMatrix<$F, R, C>>::shadow_mut(b);
            |y| <OMatrix<$F, R, C>>::of(y.view()), <OMatrix<$F, R, C>>::shadow_of(y.view()), <OMatrix<$F, R, C>>::shadow(y);
    } };
}
by_numbers!(f32: Mul Div);
by_numbers!(f64: Mul Div);

/// Inner products of vectors and matrices.
mod inner {
    use super::*;

    fn pairs<A: Copy, B: Copy>(a: ArrayView2<'_, A>, b: ArrayView2<'_, B>) -> impl Iterator<Item = (A, B)> {
        a.into_iter().copied().zip(b.into_iter().copied()).collect::<Vec<_>>().into_iter()
    }

    pub fn value<F: Number>(a: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> F {
        pairs(a, b).fold(<F as Base>::ZERO, |sum, (a, b)| sum + a * b)
    }
    pub fn push<F: Number, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
    ) -> A {
        let part = |dot: Option<ArrayView2<'_, A>>, by| {
            dot.map_or(A::ZERO, |dot| pairs(dot, by).fold(A::ZERO, |sum, (dot, v): (A, F)| sum + dot * v))
        };
        part(a_dot, b) + part(b_dot, a)
    }
    pub fn pull<F: Number, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_bar: Option<ArrayViewMut2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_bar: Option<ArrayViewMut2<'_, A>>,
        y_bar: A,
    ) {
        a_bar.into_iter().for_each(|mut bar| bar.zip_mut_with(&b, |to, v| *to += y_bar * *v));
        b_bar.into_iter().for_each(|mut bar| bar.zip_mut_with(&a, |to, v| *to += y_bar * *v));
    }
    #[expect(clippy::too_many_arguments, reason = "both operands with all their shadows")]
    pub fn pull_push<F: Number, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        a_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
        b_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        y_bar: F,
        y_bar_dot: A,
    ) {
        for (bars, by, dot) in [(a_bars, b, b_dot), (b_bars, a, a_dot)] {
            let Some((mut bar, mut bar_dot)) = bars else { continue };
            bar.zip_mut_with(&by, |to, v| *to += y_bar * *v);
            bar_dot.zip_mut_with(&by, |to, v| *to += y_bar_dot * *v);
            dot.into_iter().for_each(|dot| bar_dot.zip_mut_with(&dot, |to, v| *to += *v * y_bar));
        }
    }
}

/// Cross products of vectors of three elements.
mod cross {
    use super::*;

    fn product<S: Copy, T: Copy, U: Copy + std::ops::Sub<Output = U>>(
        a: ArrayView2<'_, S>,
        b: ArrayView2<'_, T>,
        times: impl Fn(S, T) -> U,
    ) -> Array2<U> {
        let (x, y): (Vec<S>, Vec<T>) = (a.iter().copied().collect(), b.iter().copied().collect());
        let at = |i: usize, j: usize| times(x[i], y[j]) - times(x[j], y[i]);
        Array2::from_shape_vec(a.raw_dim(), vec![at(1, 2), at(2, 0), at(0, 1)]).expect("three elements")
    }

    /// `dot × v`.
    fn from_left<F: Number, A: LinearSpace<F>>(dot: ArrayView2<'_, A>, v: ArrayView2<'_, F>) -> Array2<A> {
        product(dot, v, |dot, v| dot * v)
    }

    /// `v × dot`.
    fn from_right<F: Number, A: LinearSpace<F>>(v: ArrayView2<'_, F>, dot: ArrayView2<'_, A>) -> Array2<A> {
        product(v, dot, |v, dot| dot * v)
    }

    fn add<F: Number, A: LinearSpace<F>>(mut onto: ArrayViewMut2<'_, A>, from: &Array2<A>) {
        onto.zip_mut_with(from, |to, v| *to += *v);
    }

    pub fn value<F: Number>(a: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
        product(a, b, |a, b| a * b)
    }
    pub fn push<F: Number, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
    ) -> Array2<A> {
        let mut onto = Array2::from_elem(a.raw_dim(), A::ZERO);
        a_dot.into_iter().for_each(|dot| add::<F, A>(onto.view_mut(), &from_left(dot, b)));
        b_dot.into_iter().for_each(|dot| add::<F, A>(onto.view_mut(), &from_right(a, dot)));
        onto
    }
    pub fn pull<F: Number, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_bar: Option<ArrayViewMut2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_bar: Option<ArrayViewMut2<'_, A>>,
        y_bar: ArrayView2<'_, A>,
    ) {
        a_bar.into_iter().for_each(|bar| add::<F, A>(bar, &from_right(b, y_bar)));
        b_bar.into_iter().for_each(|bar| add::<F, A>(bar, &from_left(y_bar, a)));
    }
    #[expect(clippy::too_many_arguments, reason = "both operands with all their shadows")]
    pub fn pull_push<F: Number, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        a_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
        b_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        y_bar: ArrayView2<'_, F>,
        y_bar_dot: ArrayView2<'_, A>,
    ) {
        if let Some((bar, mut bar_dot)) = a_bars {
            add::<F, F>(bar, &from_right(b, y_bar));
            add::<F, A>(bar_dot.view_mut(), &from_right(b, y_bar_dot));
            b_dot.into_iter().for_each(|dot| add::<F, A>(bar_dot.view_mut(), &from_left(dot, y_bar)));
        }
        if let Some((bar, mut bar_dot)) = b_bars {
            add::<F, F>(bar, &from_left(y_bar, a));
            add::<F, A>(bar_dot.view_mut(), &from_left(y_bar_dot, a));
            a_dot.into_iter().for_each(|dot| add::<F, A>(bar_dot.view_mut(), &from_right(y_bar, dot)));
        }
    }
}

/// The shape of a matrix of the type `M`, and how its elements lie in a vector.
#[derive(Debug)]
pub struct Form<M> {
    rows: usize,
    columns: usize,
    by_rows: bool,
    of: PhantomData<fn() -> M>,
}

impl<M> Clone for Form<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Form<M> {}

/// The form of a new matrix.
#[inline]
pub fn formed<M>(rows: usize, columns: usize, by_rows: bool) -> Form<M> {
    Form { rows, columns, by_rows, of: PhantomData }
}

/// The form of a new matrix of a fixed size, whose elements are written row by row.
#[inline]
pub fn fixed<F: Number, M: Mat<F>>() -> Form<M> {
    let (rows, columns) = M::smallest();
    formed(rows, columns, true)
}

/// The same, whose elements are written column by column.
#[inline]
pub fn fixed_by_columns<F: Number, M: Mat<F>>() -> Form<M> {
    Form { by_rows: false, ..fixed() }
}

/// The identity of the same size.
#[inline]
pub fn identity_like<F: Number + nalgebra::RealField, R: Dim, C: Dim>(m: &OMatrix<F, R, C>) -> OMatrix<F, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    OMatrix::identity_generic(m.shape_generic().0, m.shape_generic().1)
}

macro_rules! of_one {
    ($F:ident) => {
        impl<R: Dim, C: Dim> HasShape for OMatrix<$F, R, C>
        where
            DefaultAllocator: Allocator<R, C>,
            OMatrix<$F, R, C>: Mat<$F>,
        {
            type Shape = Form<OMatrix<$F, R, C>>;
            fn shape(&self) -> Form<OMatrix<$F, R, C>> {
                Form { rows: self.nrows(), columns: self.ncols(), by_rows: false, of: PhantomData }
            }
        }

        impl<R: Dim, C: Dim> HasAxes for OMatrix<$F, R, C>
        where
            DefaultAllocator: Allocator<R, C>,
        {
            fn length(&self, axis: Axis) -> usize {
                if axis == Axis(0) { self.nrows() } else { self.ncols() }
            }
        }

        linear! {
            [M: Mat<$F>] $F, op::Filled<Form<M>> => M:
                |op, x| value M::of(op.0.filled(*x).view());
                |dot| push M::shadow_of(op.0.filled(*dot).view());
                |bar, y| pull M::shadow(y).iter().for_each(|v| *bar += *v);
            [M: Mat<$F>] Vec<$F>, op::Shaped<Form<M>> => M:
                |op, x| value M::of(op.0.array(x));
                |dot| push M::shadow_of(op.0.array(dot));
                |bar, y| pull op.0.back::<$F, A>(bar, M::shadow(y));
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Flat => Vec<$F> where [
                DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,
            ]:
                |_op, x| value x.grid().reversed_axes().iter().copied().collect();
                |dot| push <OMatrix<$F, R, C>>::shadow(dot).reversed_axes().iter().copied().collect();
                |bar, y| pull {
                    let bar = <OMatrix<$F, R, C>>::shadow_mut(bar);
                    bar.reversed_axes().iter_mut().zip(y).for_each(|(to, v)| *to += *v);
                };
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Sum => $F where [
                DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,
            ]:
                |_op, x| value x.iter().sum();
                |dot| push <OMatrix<$F, R, C>>::shadow(dot).iter().fold(<A as LinearSpace<$F>>::ZERO, |sum, v| sum + *v);
                |bar, y| pull <OMatrix<$F, R, C>>::shadow_mut(bar).iter_mut().for_each(|to| *to += *y);
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Transpose => OMatrix<$F, C, R> where [
                DefaultAllocator: Allocator<R, C> + Allocator<C, R>,
                OMatrix<$F, R, C>: Mat<$F>, OMatrix<$F, C, R>: Mat<$F>,
            ]:
                |_op, x| value x.transpose();
                |dot| push <OMatrix<$F, C, R>>::shadow_of(<OMatrix<$F, R, C>>::shadow(dot).reversed_axes());
                |bar, y| pull {
                    let y = <OMatrix<$F, C, R>>::shadow(y);
                    <OMatrix<$F, R, C>>::shadow_mut(bar).zip_mut_with(&y.t(), |to, v| *to += *v);
                };
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Neg => OMatrix<$F, R, C> where [
                DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,
            ]:
                |_op, x| value -x;
                |dot| push <OMatrix<$F, R, C>>::shadow_of(<OMatrix<$F, R, C>>::shadow(dot).mapv(|v| -v).view());
                |bar, y| pull {
                    let y = <OMatrix<$F, R, C>>::shadow(y);
                    <OMatrix<$F, R, C>>::shadow_mut(bar).zip_mut_with(&y, |to, v| *to -= *v);
                };
            [R: Dim, C: Dim] OMatrix<$F, R, C>, op::Owned => OMatrix<$F, R, C> where [
                DefaultAllocator: Allocator<R, C>, OMatrix<$F, R, C>: Mat<$F>,
            ]:
                |_op, x| value x.clone();
                |dot| push <OMatrix<$F, R, C>>::shadow_of(<OMatrix<$F, R, C>>::shadow(dot));
                |bar, y| pull {
                    let y = <OMatrix<$F, R, C>>::shadow(y);
                    <OMatrix<$F, R, C>>::shadow_mut(bar).zip_mut_with(&y, |to, v| *to += *v);
                };
        }

        of_matrix! { $F, op::LogDeterminant => $F: |x, _op| logarithm::value(x.grid());
            |x, dot, _y| logarithm::push(x.grid(), dot);
            |x, bar, _y, y_bar| logarithm::pull(x.grid(), bar, *y_bar);
            |x, dot, bar, bar_dot, _y, y_bar, y_bar_dot| logarithm::pull_push(x.grid(), dot, bar, bar_dot, *y_bar, *y_bar_dot);
        }
        of_matrix! { $F, op::CholeskyLogDeterminant => $F: |x, _op| cholesky::logarithm::value(x.grid());
            |x, dot, _y| cholesky::logarithm::push(x.grid(), dot);
            |x, bar, _y, y_bar| cholesky::logarithm::pull(x.grid(), bar, *y_bar);
            |x, dot, bar, bar_dot, _y, y_bar, y_bar_dot| {
                cholesky::logarithm::pull_push(x.grid(), dot, bar, bar_dot, *y_bar, *y_bar_dot);
            };
        }
        of_matrix! { $F, op::Determinant => $F: |x, _op| determinant(x.grid());
            |x, dot, y| logarithm::push(x.grid(), dot) * *y;
            |x, bar, _y, y_bar| logarithm::pull(x.grid(), bar, *y_bar * determinant(x.grid()));
            |x, dot, bar, bar_dot, _y, y_bar, y_bar_dot| {
                let y = determinant(x.grid());
                let slope = logarithm::push(x.grid(), dot.view());
                logarithm::pull_push(x.grid(), dot, bar, bar_dot, *y_bar * y, *y_bar_dot * y + slope * (*y_bar * y));
            };
        }
        of_matrix! { $F, op::Cholesky => OMatrix<$F, R, R>: |x, _op| Mat::<$F>::of(cholesky::value(x.grid()).view());
            |_x, dot, y| <OMatrix<$F, R, R> as Mat<$F>>::shadow_of(cholesky::push(&y.grid().to_owned(), dot).view());
            |x, bar, y, y_bar| {
                let y_bar = <OMatrix<$F, R, R> as Mat<$F>>::shadow(y_bar);
                cholesky::pull(&factor(x, y), bar, y_bar);
            };
            |x, dot, bar, bar_dot, y, y_bar, y_bar_dot| {
                let y_bar = <OMatrix<$F, R, R> as Mat<$F>>::shadow(y_bar);
                let y_bar_dot = <OMatrix<$F, R, R> as Mat<$F>>::shadow(y_bar_dot);
                cholesky::pull_push(&factor(x, y), dot, bar, bar_dot, y_bar, y_bar_dot);
            };
            /// The factor costs more than to keep it.
            fn save<A: LinearSpace<$F>>(y: &Self::Out, memory: &mut Memory<Self, A>) {
                memory.floats.push_slice(y.as_slice());
                memory.words.push([y.nrows() as u64]);
            }
            fn restore<A: LinearSpace<$F>>(memory: &mut Memory<Self, A>) -> Option<Self::Out> {
                let [n] = memory.words.pop();
                let mut factor = Array2::from_elem((n as usize, n as usize).f(), <$F as Base>::ZERO);
                memory.floats.pop_slice(factor.as_slice_memory_order_mut().expect("a matrix of its own"));
                Some(Mat::<$F>::of(factor.view()))
            }
        }
    };
}

/// The factor, which was kept.
fn factor<F: decompositions::Real, M: Mat<F>>(x: &M, y: Option<&M>) -> Array2<F> {
    y.map_or_else(|| cholesky::value(x.grid()), |y| y.grid().as_standard_layout().into_owned())
}

/// The rule of a function of a square matrix.
macro_rules! of_matrix {
    ($F:ident, $op:ty => $Out:ty: |$x:ident, $this:ident| $value:expr;
        |$x1:ident, $dot1:ident, $y1:ident| $push:expr;
        |$x2:ident, $bar2:ident, $y2:ident, $y_bar2:ident| $pull:expr;
        |$x3:ident, $dot3:ident, $bar3:ident, $bar_dot3:ident, $y3:ident, $y_bar3:ident, $y_bar_dot3:ident| $pull_push:expr;
        $($kept:item)*
    ) => {
        impl<R: Dim> Unary<$op> for OMatrix<$F, R, R>
        where
            DefaultAllocator: Allocator<R, R>,
            OMatrix<$F, R, R>: Mat<$F>,
        {
            type Out = $Out;

            fn value(&self, $this: &$op) -> $Out {
                let $x = self;
                $value
            }
            fn push<A: LinearSpace<$F>>(&self, _: &$op, dot: &Self::Shadow<A>, $y1: &$Out) -> Tan<$Out, A> {
                let ($x1, $dot1) = (self, <Self as Mat<$F>>::shadow(dot));
                let _ = $x1;
                $push
            }
            fn pull<A: LinearSpace<$F>>(
                &self,
                _: &$op,
                bar: &mut Self::Shadow<A>,
                $y2: Option<&$Out>,
                $y_bar2: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                let ($x2, $bar2) = (self, <Self as Mat<$F>>::shadow_mut(bar));
                $pull
            }
            fn pull_push<A: LinearSpace<$F>>(
                &self,
                _: &$op,
                dot: Option<&Self::Shadow<A>>,
                bar: &mut Self::Shadow<$F>,
                bar_dot: &mut Self::Shadow<A>,
                $y3: Option<&$Out>,
                $y_bar3: &Tan<$Out, $F>,
                $y_bar_dot3: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                let ($x3, dot) = (self, dot.expect("an operand with a cotangent has a tangent"));
                let $dot3 = <Self as Mat<$F>>::shadow(dot);
                let ($bar3, $bar_dot3) = (<Self as Mat<$F>>::shadow_mut(bar), <Self as Mat<$F>>::shadow_mut(bar_dot));
                $pull_push
            }
            $($kept)*
        }
    };
}
of_one!(f32);
of_one!(f64);

/// The determinant.
fn determinant<F: decompositions::Real>(a: ArrayView2<'_, F>) -> F {
    DMatrix::from_iterator(a.nrows(), a.ncols(), a.reversed_axes().into_iter().copied()).determinant()
}

impl<M> Form<M> {
    /// One number everywhere.
    fn filled<A: Copy>(&self, v: A) -> Array2<A> {
        Array2::from_elem((self.rows, self.columns), v)
    }
    /// The elements in this form; as an iterator may have more of them, the first ones.
    fn array<'a, A>(&self, elements: &'a [A]) -> ArrayView2<'a, A> {
        let (shape, elements) = ((self.rows, self.columns), &elements[..self.rows * self.columns]);
        match self.by_rows {
            true => ArrayView2::from_shape(shape, elements),
            false => ArrayView2::from_shape(shape.f(), elements),
        }
        .expect("as many elements")
    }

    /// Adds to the elements' cotangents.
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: &mut [A], y: ArrayView2<'_, A>) {
        let (shape, onto) = ((self.rows, self.columns), &mut onto[..self.rows * self.columns]);
        let onto = match self.by_rows {
            true => ArrayViewMut2::from_shape(shape, onto),
            false => ArrayViewMut2::from_shape(shape.f(), onto),
        };
        onto.expect("as many elements").zip_mut_with(&y, |to, v| *to += *v);
    }
}

/// Changes in place.
macro_rules! edits {
    ($($F:ident)+) => { $(
        impl<R: Dim, C: Dim, O: Step<$F> + StepOperation> Edit<O, OMatrix<$F, R, C>> for OMatrix<$F, R, C>
        where
            DefaultAllocator: Allocator<R, C>,
            OMatrix<$F, R, C>: Mat<$F>,
        {
            fn edit(&mut self, op: &O, other: &Self) {
                stepped::<$F, _, _, _, _>(op, self.grid_mut(), other.grid());
            }
            fn push<A: LinearSpace<$F>>(op: &O, dot: &mut Self::Shadow<A>, _: &Self, other_dot: Option<&Self::Shadow<A>>) {
                let other = other_dot.map(|dot| <Self as Mat<$F>>::shadow(dot));
                pushed::<$F, A, _, _, _>(op, <Self as Mat<$F>>::shadow_mut(dot), other);
            }
            fn pull<A: LinearSpace<$F>>(op: &O, bar: &mut Self::Shadow<A>, _: &Self, other_bar: Option<&mut Self::Shadow<A>>) {
                let other = other_bar.map(|bar| <Self as Mat<$F>>::shadow_mut(bar));
                pulled::<$F, A, _, _, _>(op, <Self as Mat<$F>>::shadow_mut(bar), other);
            }
        }

        /// A number that comes in everywhere.
        impl<R: Dim, C: Dim, O: Step<$F> + StepOperation> Edit<O, $F> for OMatrix<$F, R, C>
        where
            DefaultAllocator: Allocator<R, C>,
            OMatrix<$F, R, C>: Mat<$F>,
        {
            fn edit(&mut self, op: &O, other: &$F) {
                stepped::<$F, _, _, _, _>(op, self.grid_mut(), aview0(other));
            }
            fn push<A: LinearSpace<$F>>(op: &O, dot: &mut Self::Shadow<A>, _: &$F, other_dot: Option<&A>) {
                pushed::<$F, A, _, _, _>(op, <Self as Mat<$F>>::shadow_mut(dot), other_dot.map(aview0));
            }
            fn pull<A: LinearSpace<$F>>(op: &O, bar: &mut Self::Shadow<A>, _: &$F, other_bar: Option<&mut A>) {
                let other = other_bar.map(elementwise::number_mut);
                pulled::<$F, A, _, _, _>(op, <Self as Mat<$F>>::shadow_mut(bar), other);
            }
        }
    )+ };
}
edits!(f32 f64);
