//! Inner products and matrix products.
//!
//! For `C = A B` the adjoints are `Ā += C̄ Bᵀ` and `B̄ += Aᵀ C̄` (Giles, "Collected matrix derivative results for forward and
//! reverse mode algorithmic differentiation", 2008, section 2.2.2), and the tangent is `Ċ = Ȧ B + A Ḃ`. All of them are products
//! again, for which floats take the kernels of `ndarray`.

use super::broadcast::alike;
use super::grid::{Grid, Number};
use super::rules::binary;
use super::{Binary, Memory, Tan, op};
use crate::number::active::{Active, Place};
use crate::number::float::Base;
use crate::number::linear_space::{Factor, LinearSpace, vectors};
use crate::stack::workspace::Pool;
use ndarray::{
    Array, Array2, ArrayView, ArrayView1, ArrayView2, ArrayViewMut, ArrayViewMut2, Axis, Dimension, Ix1, Ix2,
};

/// The dimensions of two factors: vectors are matrices of one row on the left, and of one column on the right.
pub trait Factors<E: Dimension>: Dimension {
    /// The product.
    type Out<F: Number>: Active<Base = F>;

    /// The left factor.
    fn left<A>(v: ArrayView<'_, A, Self>) -> ArrayView2<'_, A>;
    /// The right factor.
    fn right<A>(v: ArrayView<'_, A, E>) -> ArrayView2<'_, A>;
    /// The left factor's shadow.
    fn left_mut<A>(v: ArrayViewMut<'_, A, Self>) -> ArrayViewMut2<'_, A>;
    /// The right factor's shadow.
    fn right_mut<A>(v: ArrayViewMut<'_, A, E>) -> ArrayViewMut2<'_, A>;
    /// The product.
    fn value<F: Number>(left: ArrayView2<'_, F>, right: ArrayView2<'_, F>, pool: &mut Pool<F>) -> Self::Out<F>;
    /// The product in the place of another one, if that has its shape and its elements side by side. Whether it does.
    fn value_onto<F: Number>(left: ArrayView2<'_, F>, right: ArrayView2<'_, F>, onto: &mut Self::Out<F>) -> bool;
    /// The product's shadow.
    fn shadow<F: Number, A: LinearSpace<F>>(v: Array2<A>) -> Tan<Self::Out<F>, A>;
    /// The product's cotangent.
    fn cotangent<F: Number, A: LinearSpace<F>>(v: &Tan<Self::Out<F>, A>) -> ArrayView2<'_, A>;
}

macro_rules! factors {
    ($($D:ty, $E:ty => $Out:ty, $F:ident:
        $left:ident, $right:ident, $value:ident, $product:ident, $again:ident, |$m:ident| $own:expr, |$n:ident| $cut:expr, $wrap:ident, |$v:ident| $cotangent:expr;)+) => { $(
        impl Factors<$E> for $D {
            type Out<$F: Number> = $Out;

            #[inline]
            fn left<A>(v: ArrayView<'_, A, $D>) -> ArrayView2<'_, A> {
                $left(v)
            }
            #[inline]
            fn right<A>(v: ArrayView<'_, A, $E>) -> ArrayView2<'_, A> {
                $right(v)
            }
            #[inline]
            fn left_mut<A>(v: ArrayViewMut<'_, A, $D>) -> ArrayViewMut2<'_, A> {
                $left(v)
            }
            #[inline]
            fn right_mut<A>(v: ArrayViewMut<'_, A, $E>) -> ArrayViewMut2<'_, A> {
                $right(v)
            }
            #[inline]
            fn value<$F: Number>(left: ArrayView2<'_, $F>, right: ArrayView2<'_, $F>, pool: &mut Pool<$F>) -> $Out {
                let $m = $product(left, right, pool);
                $own
            }
            #[inline]
            fn value_onto<$F: Number>(left: ArrayView2<'_, $F>, right: ArrayView2<'_, $F>, onto: &mut $Out) -> bool {
                $again(left, right, onto)
            }
            #[inline]
            fn shadow<$F: Number, A: LinearSpace<$F>>($n: Array2<A>) -> Tan<$Out, A> {
                $F::$wrap($cut)
            }
            #[inline]
            fn cotangent<$F: Number, A: LinearSpace<$F>>($v: &Tan<$Out, A>) -> ArrayView2<'_, A> {
                $cotangent
            }
        }
    )+ };
}

/// One number as a matrix.
fn one<A>(v: &A) -> ArrayView2<'_, A> {
    row(ArrayView1::from(std::slice::from_ref(v)))
}

fn row<S: ndarray::RawData>(v: ndarray::ArrayBase<S, Ix1>) -> ndarray::ArrayBase<S, Ix2> {
    v.insert_axis(Axis(0))
}

fn column<S: ndarray::RawData>(v: ndarray::ArrayBase<S, Ix1>) -> ndarray::ArrayBase<S, Ix2> {
    v.insert_axis(Axis(1))
}

fn matrix<S: ndarray::RawData>(v: ndarray::ArrayBase<S, Ix2>) -> ndarray::ArrayBase<S, Ix2> {
    v
}

factors! {
    Ix1, Ix1 => F, F: row, column, value, inner, inner_again, |m| m, |m| m[[0, 0]], shadow, |v| one(F::number_ref::<A>(v));
    Ix1, Ix2 => Array<F, Ix1>, F: row, matrix, value, by_vector, by_vector_again, |m| m.remove_axis(Axis(0)), |m| m.remove_axis(Axis(0)), array,
        |v| F::view::<A, _>(v).insert_axis(Axis(0));
    Ix2, Ix1 => Array<F, Ix1>, F: matrix, column, value, by_vector, by_vector_again, |m| m.remove_axis(Axis(1)), |m| m.remove_axis(Axis(1)), array,
        |v| F::view::<A, _>(v).insert_axis(Axis(1));
    Ix2, Ix2 => Array<F, Ix2>, F: matrix, matrix, value, matrices, matrices_again, |m| m, |m| m, array, |v| F::view::<A, _>(v);
}

/// `left · right`, one of which is a vector, bit by bit as `ndarray` has it.
fn by_vector<F: Number>(left: ArrayView2<'_, F>, right: ArrayView2<'_, F>, pool: &mut Pool<F>) -> Array2<F> {
    assert_eq!(left.ncols(), right.nrows(), "the factors of a product fit");
    let mut onto = pool.array(Ix2(left.nrows(), right.ncols()), <F as Base>::ZERO);
    match right.ncols() {
        1 => F::vector_product(left, right.column(0), onto.column_mut(0)),
        _ => F::vector_product(right.reversed_axes(), left.row(0), onto.row_mut(0)),
    }
    onto
}

fn by_vector_again<F: Number>(left: ArrayView2<'_, F>, right: ArrayView2<'_, F>, onto: &mut Array<F, Ix1>) -> bool {
    assert_eq!(left.ncols(), right.nrows(), "the factors of a product fit");
    if onto.len() != left.nrows() * right.ncols() || onto.as_slice().is_none() {
        return false;
    }
    match right.ncols() {
        1 => F::vector_product(left, right.column(0), onto.view_mut()),
        _ => F::vector_product(right.reversed_axes(), left.row(0), onto.view_mut()),
    }
    true
}

/// `left · right` of two matrices, bit by bit as `ndarray` has it.
fn matrices<F: Number>(left: ArrayView2<'_, F>, right: ArrayView2<'_, F>, pool: &mut Pool<F>) -> Array2<F> {
    assert_eq!(left.ncols(), right.nrows(), "the factors of a product fit");
    let mut onto = pool.array(Ix2(left.nrows(), right.ncols()), <F as Base>::ZERO);
    F::matrix_product(left, right, onto.view_mut());
    onto
}

fn matrices_again<F: Number>(left: ArrayView2<'_, F>, right: ArrayView2<'_, F>, onto: &mut Array2<F>) -> bool {
    assert_eq!(left.ncols(), right.nrows(), "the factors of a product fit");
    let fits = onto.nrows() == left.nrows() && onto.ncols() == right.ncols() && onto.as_slice().is_some();
    if fits {
        F::matrix_product(left, right, onto.view_mut());
    }
    fits
}

fn inner_again<F: Number>(left: ArrayView2<'_, F>, right: ArrayView2<'_, F>, onto: &mut F) -> bool {
    *onto = F::inner_product(left.row(0), right.column(0));
    true
}

/// `left · right`, which is one number.
fn inner<F: Number>(left: ArrayView2<'_, F>, right: ArrayView2<'_, F>, _: &mut Pool<F>) -> F {
    F::inner_product(left.row(0), right.column(0))
}

/// `onto += left · right`, where the left factor is of the linear space, or with `over` what replaces it. Of the right factor, this may be the
/// transpose.
#[inline]
fn by_left<F: Base, A: LinearSpace<F>>(
    left: ArrayView2<'_, A>,
    (right, turned): (ArrayView2<'_, F>, bool),
    mut onto: ArrayViewMut2<'_, A>,
    over: bool,
) {
    if let (Some(left), Some(right)) = (Factor::of(&left), Factor::of(&right)) {
        let right = right.seen(turned);
        if let Some(onto) = onto.as_slice_mut() {
            let rule = vectors::Rule { zero: A::ZERO, times: |v: A, w: F| v * w, over };
            if vectors::product(left, right, onto, rule) || A::small_product(left, right, onto, over) {
                return;
            }
        } else if let Some(onto) = onto.view_mut().reversed_axes().into_slice()
            && A::small_product_from(right.turned(), left.turned(), onto, over)
        {
            return;
        }
    }
    let right = if turned { right.reversed_axes() } else { right };
    match over {
        true => A::product_over(left, right, onto),
        false => A::product(left, right, onto),
    }
}

/// The same, where the right factor is of the linear space, and the left one may be the transpose.
#[inline]
fn by_right<F: Base, A: LinearSpace<F>>(
    (left, turned): (ArrayView2<'_, F>, bool),
    right: ArrayView2<'_, A>,
    mut onto: ArrayViewMut2<'_, A>,
    over: bool,
) {
    if let (Some(left), Some(right)) = (Factor::of(&left), Factor::of(&right)) {
        let left = left.seen(turned);
        if let Some(onto) = onto.as_slice_mut() {
            let rule = vectors::Rule { zero: A::ZERO, times: |v: F, w: A| w * v, over };
            if vectors::product(left, right, onto, rule) || A::small_product_from(left, right, onto, over) {
                return;
            }
        } else if let Some(onto) = onto.view_mut().reversed_axes().into_slice()
            && A::small_product(right.turned(), left.turned(), onto, over)
        {
            return;
        }
    }
    A::product_from(if turned { left.reversed_axes() } else { left }, right, onto, over);
}

/// The product.
#[cfg(feature = "nalgebra")]
pub fn value<F: Base>(a: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
    assert_eq!(a.ncols(), b.nrows(), "the factors of a product fit");
    let mut onto = Array2::from_elem((a.nrows(), b.ncols()), <F as Base>::ZERO);
    <F as LinearSpace<F>>::product(a, b, onto.view_mut());
    onto
}

/// Its tangent.
pub fn push<F: Base, A: LinearSpace<F>>(
    a: ArrayView2<'_, F>,
    a_dot: Option<ArrayView2<'_, A>>,
    b: ArrayView2<'_, F>,
    b_dot: Option<ArrayView2<'_, A>>,
) -> Array2<A> {
    let mut onto = Array2::from_elem((a.nrows(), b.ncols()), A::ZERO);
    if let Some(dot) = a_dot {
        by_left(dot, (b, false), onto.view_mut(), false);
    }
    if let Some(dot) = b_dot {
        by_right((a, false), dot, onto.view_mut(), false);
    }
    onto
}

/// Its adjoint.
#[inline]
pub fn pull<F: Base, A: LinearSpace<F>>(
    a: ArrayView2<'_, F>,
    a_bar: Option<ArrayViewMut2<'_, A>>,
    b: ArrayView2<'_, F>,
    b_bar: Option<ArrayViewMut2<'_, A>>,
    y_bar: ArrayView2<'_, A>,
) {
    let there = |bar| (bar, false);
    start(a, a_bar.map(there), b, b_bar.map(there), y_bar);
}

/// Its adjoint, where some cotangents are to be replaced.
#[inline]
pub fn start<F: Base, A: LinearSpace<F>>(
    a: ArrayView2<'_, F>,
    a_bar: Option<(ArrayViewMut2<'_, A>, bool)>,
    b: ArrayView2<'_, F>,
    b_bar: Option<(ArrayViewMut2<'_, A>, bool)>,
    y_bar: ArrayView2<'_, A>,
) {
    if let Some((bar, over)) = a_bar {
        by_left(y_bar, (b, true), bar, over);
    }
    if let Some((bar, over)) = b_bar {
        by_right((a, true), y_bar, bar, over);
    }
}

/// The adjoint with its tangent.
#[expect(clippy::too_many_arguments, reason = "both operands with all their shadows")]
pub fn pull_push<F: Base, A: LinearSpace<F>>(
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
        by_left::<F, F>(y_bar, (b, true), bar, false);
        by_left(y_bar_dot, (b, true), bar_dot.view_mut(), false);
        if let Some(dot) = b_dot {
            by_right((y_bar, false), dot.reversed_axes(), bar_dot, false);
        }
    }
    if let Some((bar, mut bar_dot)) = b_bars {
        by_right::<F, F>((a, true), y_bar, bar, false);
        by_right((a, true), y_bar_dot, bar_dot.view_mut(), false);
        if let Some(dot) = a_dot {
            by_left(dot.reversed_axes(), (y_bar, false), bar_dot, false);
        }
    }
}

binary! {
    [X: Grid, Y: Grid<Elem = X::Elem>] X, op::Dot, Y => <X::Dim as Factors<Y::Dim>>::Out<X::Elem>, X::Elem
        where [X::Dim: Factors<Y::Dim>,]:
        |a, b| Pool::of_its_own(|pool| X::Dim::value(a, b, pool)), push, pull, pull_push;
        |a| X::Dim::left(a.grid()), X::Dim::left(X::shadow(a)), X::Dim::left_mut(X::shadow_mut(a));
        |b| X::Dim::right(b.grid()), X::Dim::right(Y::shadow(b)), X::Dim::right_mut(Y::shadow_mut(b));
        |y| y, X::Dim::shadow(y), X::Dim::cotangent(y);
        start X::Dim::value, X::Dim::value_onto, |a, a_bar, b, b_bar, y, _: &mut Pool<A>| start(a, a_bar, b, b_bar, y); |bar, fresh, pool| (X::Dim::left_mut(room::<X, A>(a, bar, fresh, pool)), fresh),
            |bar, fresh, pool| (X::Dim::right_mut(room::<Y, A>(b, bar, fresh, pool)), fresh), X::Dim::cotangent(y);
}

/// A cotangent of the operand's shape; what a fresh one holds is anything.
pub fn room<'a, X: Grid, A: LinearSpace<X::Elem>>(
    x: &X,
    bar: &'a mut X::Shadow<A>,
    fresh: bool,
    pool: &mut Pool<A>,
) -> ArrayViewMut<'a, A, X::Dim> {
    let whole = X::whole_shadow(bar);
    let grid = x.grid();
    if fresh && !alike(whole.shape(), grid.shape()) {
        let array = pool.array(grid.raw_dim(), A::ZERO);
        pool.give(std::mem::replace(whole, array).into_raw_vec_and_offset().0);
    }
    whole.view_mut()
}
