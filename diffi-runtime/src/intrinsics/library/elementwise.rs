//! `+ - * /` element by element, with broadcasting; arrays and numbers in any combination.
//!
//! The partial derivatives are those of the derivative table.

use super::broadcast::{
    Max, Run, alike, change, combine, combined, gather, gather_rows, gathered, replace, set, shape, unbroadcast,
};
use super::grid::{Grid, Number};
use super::onto::{Onto, taken};
use super::rules::binary;
use super::{Binary, Memory, Tan, op};
use crate::number::active::Place;
use crate::number::linear_space::LinearSpace;
use crate::number::real::{Real, lift};
use crate::number::scalar::Dual;
use crate::stack::workspace::Pool;
use ndarray::{Array, ArrayView, ArrayViewMut, DimMax, Dimension, Ix0, Zip, aview0};

/// So few elements are copied sooner than an array is moved.
const FEW: usize = 256;

/// A line of the derivative table with two operands.
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of an operation [D0810]",
    label = "the operands carry derivatives",
    note = "put `#[differentiable]` on the `impl` of the operator, or work on the elements"
)]
pub trait Line {
    /// The operation.
    fn value<S: Real>(a: S, b: S) -> S;
    /// Its partial derivatives, as the table has them.
    fn table<S: Real>(a: S, b: S) -> [S; 2];
    /// Its partial derivatives.
    #[inline]
    fn partials<S: Real>(a: S, b: S) -> [S; 2] {
        Self::table(a, b)
    }
    /// `v` times a partial derivative. That of a quotient may be infinite where this is a number.
    #[inline]
    fn times<F: Number, A: LinearSpace<F>>(side: Side, v: A, a: F, b: F) -> A {
        v * Self::partials(a, b)[side as usize]
    }
    /// What any `a` may be multiplied by instead, with the same result to the last bit.
    #[inline]
    fn factor<F: Number>(_: F) -> Option<F> {
        None
    }
    /// By which pairs of operands its second derivatives are not zero everywhere.
    const CURVED: &'static [[char; 2]];

    /// Whether partial derivatives depend on each operand.
    const BENT: [bool; 2] = [is_among('a', Self::CURVED), is_among('b', Self::CURVED)];

    /// Whether one of the partial derivatives depends on an operand.
    #[inline]
    fn bends(one: Side, by: Side) -> bool {
        Self::CURVED.iter().any(|pair| *pair == [one.name(), by.name()] || *pair == [by.name(), one.name()])
    }
}

/// Whether an operand is one of a pair.
const fn is_among(operand: char, pairs: &[[char; 2]]) -> bool {
    match pairs {
        [] => false,
        [[a, b], rest @ ..] => *a == operand || *b == operand || is_among(operand, rest),
    }
}

macro_rules! lines {
    ($($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        $(line! { $name $args $y $partials $(($($second)+))? })+
    };
}

macro_rules! line {
    (add $($line:tt)+) => { line! { Add: add $($line)+ } };
    (sub $($line:tt)+) => { line! { Sub: sub $($line)+ } };
    (mul $($line:tt)+) => { line! { Mul: mul $($line)+ } };
    (div $($line:tt)+) => { line! { Div: div $($line)+ } };
    ($Op:ident: $name:ident ($a:ident, $b:ident) $y:ident $partials:tt $(($($second:tt)+))?) => {
        impl Line for op::$Op {
            #[inline]
            fn value<S: Real>($a: S, $b: S) -> S {
                std::ops::$Op::$name($a, $b)
            }
            #[inline]
            #[allow(unused_variables)]
            fn table<S: Real>($a: S, $b: S) -> [S; 2] {
                let $y = std::ops::$Op::$name($a, $b);
                lift!(S, $partials)
            }
            line!(@special $Op);
            const CURVED: &'static [[char; 2]] = line!(@pairs $($($second)+)?);
        }
    };
    (@special Div) => {
        /// `f(a / b, 1)` is `f(a, b)`: the partial derivatives are those there, times `1 / b`. That is the only division, and stands in
        /// front of loops along which `b` stays the same.
        #[inline]
        fn partials<S: Real>(a: S, b: S) -> [S; 2] {
            let by = S::lit(1.0) / b;
            Self::table(a * by, S::lit(1.0)).map(|slope| slope * by)
        }
        #[inline]
        fn times<F: Number, A: LinearSpace<F>>(side: Side, v: A, a: F, b: F) -> A {
            let by = F::ONE / b;
            match side {
                Side::Left => v * by,
                Side::Right => v * by * -(a * by),
            }
        }
        #[inline]
        fn factor<F: Number>(b: F) -> Option<F> {
            b.inverse()
        }
    };
    (@special $other:ident) => {};
    (@pairs) => { &[] };
    (@pairs ab) => { &[['a', 'b']] };
    (@pairs ab, bb) => { &[['a', 'b'], ['b', 'b']] };
    ($other:ident $($line:tt)+) => {};
}
diffi_rules::operators!(lines);

/// One of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Left = 0,
    /// The second.
    Right = 1,
}

impl Side {
    /// Its name in the derivative table.
    fn name(self) -> char {
        if self == Side::Left { 'a' } else { 'b' }
    }
}

/// The operation.
pub fn value<O: Line, F: Number, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, F, D>,
    b: ArrayView<'_, F, E>,
) -> Array<F, Max<D, E>> {
    Pool::of_its_own(|pool| value_in::<O, F, D, E>(a, b, pool))
}

/// The same, in memory from the pool.
pub fn value_in<O: Line, F: Number, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, F, D>,
    b: ArrayView<'_, F, E>,
    pool: &mut Pool<F>,
) -> Array<F, Max<D, E>> {
    if let (Some(number), []) = (b.first(), b.shape())
        && let Some(factor) = O::factor(*number)
    {
        return combine(a, b, |a, _| a * factor, |n| pool.empty(n));
    }
    combine(a, b, |a, b| O::value(a, b), |n| pool.empty(n))
}

/// The same in the place of another result, if the shapes are those of the elements. Whether they are.
#[inline]
pub fn value_onto<O: Line, F: Number, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, F, D>,
    b: ArrayView<'_, F, E>,
    onto: &mut Array<F, Max<D, E>>,
) -> bool {
    if let (Some(number), []) = (b.first(), b.shape())
        && let Some(factor) = O::factor(*number)
    {
        return replace(onto, &a, &b, |a, _| a * factor);
    }
    replace(onto, &a, &b, |a, b| O::value(a, b))
}

/// Calls `f(dot, a, b)` for all elements, and adds the results up in the shape of the result.
fn term<F: Number, A: LinearSpace<F>, D: DimMax<E> + Dimension, E: Dimension, K: Dimension>(
    mut onto: ArrayViewMut<'_, A, Max<D, E>>,
    dot: ArrayView<'_, A, K>,
    (a, b): (&ArrayView<'_, F, D>, &ArrayView<'_, F, E>),
    f: impl Fn(A, F, F) -> A,
) {
    let to = onto.raw_dim();
    let a = a.broadcast(to.clone()).expect("it fits");
    let b = b.broadcast(to.clone()).expect("it fits");
    let dot = dot.broadcast(to).expect("it fits");
    Zip::from(&mut onto).and(dot).and(a).and(b).for_each(|to, v, a, b| *to += f(*v, *a, *b));
}

/// Its tangent.
pub fn push<O: Line, F: Number, A: LinearSpace<F>, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, F, D>,
    a_dot: Option<ArrayView<'_, A, D>>,
    b: ArrayView<'_, F, E>,
    b_dot: Option<ArrayView<'_, A, E>>,
) -> Array<A, Max<D, E>> {
    let mut onto = Array::from_elem(shape(&a.raw_dim(), &b.raw_dim()), A::ZERO);
    if let Some(dot) = a_dot {
        term(onto.view_mut(), dot, (&a, &b), |v, a, b| O::times(Side::Left, v, a, b));
    }
    if let Some(dot) = b_dot {
        term(onto.view_mut(), dot, (&a, &b), |v, a, b| O::times(Side::Right, v, a, b));
    }
    onto
}

/// `onto += f(y_bar, a, b)`, for the operand that `onto` is the cotangent of.
fn pulled<F: Number, A: LinearSpace<F>, D: DimMax<E> + Dimension, E: Dimension, K: Dimension>(
    mut onto: ArrayViewMut<'_, A, K>,
    y_bar: ArrayView<'_, A, Max<D, E>>,
    (a, b): (&ArrayView<'_, F, D>, &ArrayView<'_, F, E>),
    f: impl Fn(A, F, F) -> A,
) {
    if alike(onto.shape(), y_bar.shape()) {
        let onto = onto.view_mut().into_dimensionality::<Max<D, E>>().expect("the same shape");
        gather(onto, &y_bar, a, b, f);
        return;
    }
    let to = y_bar.raw_dim();
    let wide = (a.broadcast(to.clone()).expect("it fits"), b.broadcast(to).expect("it fits"));
    if let (1, Some(y_bar), Some(a), Some(b)) = (onto.len(), y_bar.as_slice(), Run::all(&wide.0), Run::all(&wide.1)) {
        // of one number: no terms have to be laid side by side
        onto.iter_mut().for_each(|onto| *onto += gathered::<F, A>(y_bar, a, b, &f));
        return;
    }
    if gather_rows(&mut onto, &y_bar, a, b, &f) {
        return;
    }
    let mut terms = y_bar.to_owned();
    change(&mut terms, a, b, f);
    unbroadcast::<F, A, _, _>(onto, terms.view());
}

/// Its adjoint.
pub fn pull<O: Line, F: Number, A: LinearSpace<F>, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, F, D>,
    a_bar: Option<ArrayViewMut<'_, A, D>>,
    b: ArrayView<'_, F, E>,
    b_bar: Option<ArrayViewMut<'_, A, E>>,
    y_bar: ArrayView<'_, A, Max<D, E>>,
) {
    if let Some(bar) = a_bar {
        pulled(bar, y_bar.view(), (&a, &b), |y: A, a, b| O::times(Side::Left, y, a, b));
    }
    if let Some(bar) = b_bar {
        pulled(bar, y_bar, (&a, &b), |y: A, a, b| O::times(Side::Right, y, a, b));
    }
}

/// Its adjoint, where the result's cotangent is not read again: that of the last operand takes its memory.
pub fn start<O: Line, F: Number, A: LinearSpace<F>, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, F, D>,
    a_bar: Option<Onto<'_, A, D>>,
    b: ArrayView<'_, F, E>,
    b_bar: Option<Onto<'_, A, E>>,
    y_bar: &mut Array<A, Max<D, E>>,
    pool: &mut Pool<A>,
) {
    let (left, right) = (|y: A, a, b| O::times(Side::Left, y, a, b), |y: A, a, b| O::times(Side::Right, y, a, b));
    match (a_bar, b_bar) {
        (Some(a_bar @ Onto::Fresh(_)), Some(Onto::Fresh(b_bar))) if is_same(&a, &b) => {
            // the other part of the sum stays as it is: without elements
            let both = |y: A, a, b| left(y, a, b) + right(y, a, b);
            pool.give(taken(b_bar).into_raw_vec_and_offset().0);
            started(a_bar, a.shape(), (y_bar, true), (&a, &b), both, pool);
        }
        (Some(a_bar), None) => started(a_bar, a.shape(), (y_bar, true), (&a, &b), left, pool),
        (Some(a_bar), Some(b_bar)) => {
            started(b_bar, b.shape(), (y_bar, false), (&a, &b), right, pool);
            started(a_bar, a.shape(), (y_bar, true), (&a, &b), left, pool);
        }
        (None, Some(b_bar)) => started(b_bar, b.shape(), (y_bar, true), (&a, &b), right, pool),
        (None, None) => {}
    }
}

/// Whether both operands are one array.
fn is_same<F, D: Dimension, E: Dimension>(a: &ArrayView<'_, F, D>, b: &ArrayView<'_, F, E>) -> bool {
    std::ptr::eq(a.as_ptr(), b.as_ptr()) && a.shape() == b.shape() && a.strides() == b.strides() && a.ndim() > 0
}

/// `f(y_bar, a, b)` is the cotangent of the operand of this shape, or is added to it: in the memory of the result's cotangent, if that is not
/// read again.
fn started<F: Number, A: LinearSpace<F>, D: DimMax<E> + Dimension, E: Dimension, K: Dimension>(
    onto: Onto<'_, A, K>,
    shape: &[usize],
    (y_bar, spent): (&mut Array<A, Max<D, E>>, bool),
    (a, b): (&ArrayView<'_, F, D>, &ArrayView<'_, F, E>),
    f: impl Fn(A, F, F) -> A,
    pool: &mut Pool<A>,
) {
    let onto = match onto {
        Onto::There(onto) => return pulled(onto, y_bar.view(), (a, b), f),
        Onto::Fresh(onto) => onto,
    };
    let same = alike(shape, y_bar.shape()) && !shape.is_empty();
    let there = same && alike(onto.shape(), shape) && (!spent || y_bar.len() <= FEW);
    if there && set(onto.view_mut(), &y_bar.view(), a, b, &f) {
        return;
    }
    pool.give(taken(onto).into_raw_vec_and_offset().0);
    if !same {
        *onto = pool.filled(K::from_dimension(&ndarray::Dim(shape)).expect("its own shape"), A::ZERO);
        return pulled(onto.view_mut(), y_bar.view(), (a, b), f);
    }
    let terms = match spent {
        true => {
            let mut terms = taken(y_bar);
            change(&mut terms, a, b, f);
            terms
        }
        false => combined(&y_bar.view(), a, b, &f, |n| pool.empty(n)).unwrap_or_else(|| {
            let mut terms = pool.copy_of(&y_bar.view());
            change(&mut terms, a, b, &f);
            terms
        }),
    };
    *onto = terms.into_dimensionality().expect("the same shape");
}

/// The second derivatives: of each partial derivative by both operands.
#[inline]
pub fn second<O: Line, F: Number>(a: F, b: F) -> [[F; 2]; 2] {
    O::partials(Dual::<F, 2>::variable(a, 0), Dual::variable(b, 1)).map(|partial| partial.partials())
}

/// The cotangent's tangent of one operand: `y_bar_dot ∂ + y_bar (∂∂a a_dot + ∂∂b b_dot)`.
fn pulled_dot<O: Line, F: Number, A: LinearSpace<F>, D: DimMax<E> + Dimension, E: Dimension, K: Dimension>(
    side: Side,
    mut onto: ArrayViewMut<'_, A, K>,
    (a, b): (&ArrayView<'_, F, D>, &ArrayView<'_, F, E>),
    (a_dot, b_dot): (Option<ArrayView<'_, A, D>>, Option<ArrayView<'_, A, E>>),
    y_bar: ArrayView<'_, F, Max<D, E>>,
    y_bar_dot: ArrayView<'_, A, Max<D, E>>,
) {
    pulled(onto.view_mut(), y_bar_dot, (a, b), |y: A, a, b| O::times(side, y, a, b));
    let (a_dot, b_dot) = (a_dot.filter(|_| O::bends(side, Side::Left)), b_dot.filter(|_| O::bends(side, Side::Right)));
    if a_dot.is_none() && b_dot.is_none() {
        return;
    }
    let mut flow = Array::from_elem(y_bar.raw_dim(), A::ZERO);
    if let Some(dot) = a_dot {
        term(flow.view_mut(), dot, (a, b), |v, a, b| v * second::<O, F>(a, b)[side as usize][0]);
    }
    if let Some(dot) = b_dot {
        term(flow.view_mut(), dot, (a, b), |v, a, b| v * second::<O, F>(a, b)[side as usize][1]);
    }
    Zip::from(&mut flow).and(y_bar).for_each(|flow, y| *flow = *flow * *y);
    unbroadcast::<F, A, _, _>(onto, flow.view());
}

/// The adjoint with its tangent.
#[expect(clippy::too_many_arguments, reason = "both operands with all their shadows")]
pub fn pull_push<O: Line, F: Number, A: LinearSpace<F>, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, F, D>,
    a_dot: Option<ArrayView<'_, A, D>>,
    a_bars: Option<(ArrayViewMut<'_, F, D>, ArrayViewMut<'_, A, D>)>,
    b: ArrayView<'_, F, E>,
    b_dot: Option<ArrayView<'_, A, E>>,
    b_bars: Option<(ArrayViewMut<'_, F, E>, ArrayViewMut<'_, A, E>)>,
    y_bar: ArrayView<'_, F, Max<D, E>>,
    y_bar_dot: ArrayView<'_, A, Max<D, E>>,
) {
    let dots = || (a_dot.clone(), b_dot.clone());
    if let Some((bar, bar_dot)) = a_bars {
        pulled(bar, y_bar.view(), (&a, &b), |y: F, a, b| O::times(Side::Left, y, a, b));
        pulled_dot::<O, F, A, _, _, _>(Side::Left, bar_dot, (&a, &b), dots(), y_bar.view(), y_bar_dot.view());
    }
    if let Some((bar, bar_dot)) = b_bars {
        pulled(bar, y_bar.view(), (&a, &b), |y: F, a, b| O::times(Side::Right, y, a, b));
        pulled_dot::<O, F, A, _, _, _>(Side::Right, bar_dot, (&a, &b), dots(), y_bar.view(), y_bar_dot.view());
    }
}

binary! {
    [X: Grid, Y: Grid<Elem = X::Elem>, O: Line] X, O, Y => Array<X::Elem, Max<X::Dim, Y::Dim>>, X::Elem
        where [X::Dim: DimMax<Y::Dim>, Max<X::Dim, Y::Dim>: 'static,]:
            value::<O, _, _, _>, push::<O, _, _, _, _>, pull::<O, _, _, _, _>, pull_push::<O, _, _, _, _>;
        |a| a.grid(), X::shadow(a), X::shadow_mut(a);
        |b| b.grid(), Y::shadow(b), Y::shadow_mut(b);
        |y| y, X::Elem::array(y), X::Elem::view(y);
        start value_in::<O, _, _, _>, value_onto::<O, _, _, _>, start::<O, _, _, _, _>; array::<X, A>, array::<Y, A>, X::Elem::elements(y);
}

macro_rules! with_numbers {
    ($($F:ident)+) => { binary! { $(
        [X: Grid<Elem = $F>, O: Line] X, O, $F => Array<$F, X::Dim>, $F
            where [X::Dim: DimMax<Ix0, Output = X::Dim>,]:
            value::<O, _, _, _>, push::<O, _, _, _, _>, pull::<O, _, _, _, _>, pull_push::<O, _, _, _, _>;
            |a| a.grid(), X::shadow(a), X::shadow_mut(a);
            |b| aview0(b), aview0(b), number_mut(b);
            |y| y, y, y.view();
            start value_in::<O, _, _, _>, value_onto::<O, _, _, _>, start::<O, _, _, _, _>;
                array::<X, A>, |bar, _, _| Onto::There(number_mut(bar)), y;
        [Y: Grid<Elem = $F>, O: Line] $F, O, Y => Array<$F, Y::Dim>, $F
            where [Ix0: DimMax<Y::Dim, Output = Y::Dim>,]:
            value::<O, _, _, _>, push::<O, _, _, _, _>, pull::<O, _, _, _, _>, pull_push::<O, _, _, _, _>;
            |a| aview0(a), aview0(a), number_mut(a);
            |b| b.grid(), Y::shadow(b), Y::shadow_mut(b);
            |y| y, y, y.view();
            start value_in::<O, _, _, _>, value_onto::<O, _, _, _>, start::<O, _, _, _, _>;
                |bar, _, _| Onto::There(number_mut(bar)), array::<Y, A>, y;
    )+ } };
}
with_numbers!(f32 f64);

/// Where the cotangent of an array goes.
fn array<'a, X: Grid, A: LinearSpace<X::Elem>>(
    bar: &'a mut X::Shadow<A>,
    fresh: bool,
    _: &mut Pool<A>,
) -> Onto<'a, A, X::Dim> {
    if fresh { Onto::Fresh(X::whole_shadow(bar)) } else { Onto::There(X::shadow_mut(bar)) }
}

/// One number as an array without axes.
pub fn number_mut<A>(v: &mut A) -> ArrayViewMut<'_, A, Ix0> {
    ArrayViewMut::from_shape((), std::slice::from_mut(v)).expect("one element")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, arr0};

    /// `a / b` has the slopes `1 / b` and `-a / b^2`.
    #[test]
    fn quotients_have_the_slopes_of_the_table() {
        for (a, b) in [(3.0, 7.0), (-2.5, 0.3), (0.0, -4.0), (1e200, 1e-100), (1e-300, 1e-200)] {
            let ([left, right], wanted) = (<op::Div as Line>::partials::<f64>(a, b), [1.0 / b, -(a / b) / b]);
            for (slope, wanted) in [left, right].into_iter().zip(wanted) {
                assert!(slope == wanted || (slope - wanted).abs() <= 1e-15 * wanted.abs(), "{a} {b}: {slope} {wanted}");
            }
        }
    }

    /// Powers of two among the divisors, which are multiplied by instead.
    #[test]
    fn quotients_by_one_number_are_those_of_ndarray_to_the_last_bit() {
        let a = Array1::from_shape_fn(19, |i| (i as f64 + 0.3).sin() * 10f64.powi(i as i32 * 16 - 160));
        for b in [4.0, -0.125, 3.0, 1e-300, 2f64.powi(-1022), 2f64.powi(1022), f64::INFINITY, 0.0] {
            let found = value::<op::Div, f64, _, _>(a.view(), arr0(b).view());
            assert_eq!(found.mapv(f64::to_bits), (&a / b).mapv(f64::to_bits), "{b}");
        }
    }
}
