//! Arrays of different shapes together, as `ndarray`'s operators take them.

use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::stack::workspace::{Pool, shaped};
use ndarray::{Array, ArrayView, ArrayView1, ArrayViewMut, ArrayViewMut1, Axis, CowArray, DimMax, Dimension, Zip};

/// The dimension of the result of an operator.
pub type Max<D, E> = <D as DimMax<E>>::Output;

/// The shape of the result of an operator.
///
/// # Panics
///
/// If the shapes do not go together.
pub fn shape<D: DimMax<E> + Dimension, E: Dimension>(a: &D, b: &E) -> Max<D, E> {
    let (a, b) = (a.slice(), b.slice());
    let n = a.len().max(b.len());
    let mut all = Max::<D, E>::zeros(n);
    for k in 0..n {
        let of = |s: &[usize]| (k + s.len()).checked_sub(n).map_or(1, |k| s[k]);
        let (x, y) = (of(a), of(b));
        assert!(x == y || x == 1 || y == 1, "shapes {a:?} and {b:?} do not go together");
        all.slice_mut()[k] = if x == 1 { y } else { x };
    }
    all
}

/// Whether two shapes are the same. Their lengths are compared one by one, as they were written: all at once, processors would wait for them.
#[inline(always)]
pub fn alike(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// Elements that a loop walks through: side by side, or the same one all the time.
#[derive(Clone, Copy)]
pub enum Run<'a, T> {
    /// Side by side.
    Beside(&'a [T]),
    /// The same one: a copy, which no loop has to look up again.
    Same(T),
}

impl<'a, T: Copy> Run<'a, T> {
    /// All elements.
    pub fn all<D: Dimension>(v: &'a ArrayView<'_, T, D>) -> Option<Self> {
        let same = || v.strides().iter().zip(v.shape()).all(|(s, n)| *s == 0 || *n == 1);
        v.as_slice().map(Run::Beside).or_else(|| v.first().filter(|_| same()).map(|v| Run::Same(*v)))
    }

    /// All elements, each as often as an array of this shape has it, where that shows without another look: the operand has the same
    /// shape, or is one number.
    #[inline]
    fn plain<D: Dimension>(v: &'a ArrayView<'_, T, D>, shape: &[usize]) -> Option<Self> {
        match v.as_slice()? {
            all if alike(v.shape(), shape) => Some(Run::Beside(all)),
            [one] => Some(Run::Same(*one)),
            _ => None,
        }
    }

    /// A row, of which [`has_runs`] holds.
    fn row(v: &'a ArrayView1<'_, T>) -> Self {
        v.as_slice().map_or_else(|| Run::Same(v[0]), Run::Beside)
    }
}

/// Whether every row is a [`Run`].
fn has_runs<T, D: Dimension>(v: &ArrayView<'_, T, D>) -> bool {
    v.strides().last().is_some_and(|s| *s == 0 || *s == 1)
}

/// `f(a, b)`, element by element, in an empty vector that has room.
pub fn combine<S: Copy, T: Copy, U, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, S, D>,
    b: ArrayView<'_, T, E>,
    f: impl Fn(S, T) -> U,
    room: impl FnOnce(usize) -> Vec<U>,
) -> Array<U, Max<D, E>> {
    let wide = if a.ndim() < b.ndim() { b.shape() } else { a.shape() };
    if let (Some(x), Some(y)) = (Run::plain(&a, wide), Run::plain(&b, wide)) {
        let mut to = Max::<D, E>::zeros(wide.len());
        to.slice_mut().copy_from_slice(wide);
        let mut all = room(to.size());
        append(&mut all, x, y, to.size(), &f);
        return shaped(all, to);
    }
    let to = shape(&a.raw_dim(), &b.raw_dim());
    let (a, b) = (a.broadcast(to.clone()), b.broadcast(to.clone()));
    let (a, b) = (a.expect("it fits"), b.expect("it fits"));
    let values;
    if let (Some(a), Some(b)) = (Run::all(&a), Run::all(&b)) {
        let mut all = room(to.size());
        append(&mut all, a, b, to.size(), &f);
        values = all;
    } else if has_runs(&a) && has_runs(&b) {
        let mut all = room(to.size());
        for (a, b) in a.rows().into_iter().zip(b.rows()) {
            append(&mut all, Run::row(&a), Run::row(&b), a.len(), &f);
        }
        values = all;
    } else {
        return Zip::from(a).and(b).map_collect(|a, b| f(*a, *b));
    }
    shaped(values, to)
}

/// Every element becomes `f(a, b)`, if the operands are [plain](Run::plain) and one of them has this shape. Whether that is so.
#[inline]
pub fn replace<S: Copy, T: Copy, U, M: Dimension, D: Dimension, E: Dimension>(
    to: &mut Array<U, M>,
    a: &ArrayView<'_, S, D>,
    b: &ArrayView<'_, T, E>,
    f: impl Fn(S, T) -> U,
) -> bool {
    let (Some(x), Some(y)) = (Run::plain(a, to.shape()), Run::plain(b, to.shape())) else { return false };
    let whole = alike(a.shape(), to.shape()) || alike(b.shape(), to.shape());
    let Some(to) = to.as_slice_mut().filter(|_| whole) else { return false };
    match (x, y) {
        (Run::Beside(a), Run::Beside(b)) => to.iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to = f(*a, *b)),
        (Run::Beside(a), Run::Same(b)) => to.iter_mut().zip(a).for_each(|(to, a)| *to = f(*a, b)),
        (Run::Same(a), Run::Beside(b)) => to.iter_mut().zip(b).for_each(|(to, b)| *to = f(a, *b)),
        (Run::Same(a), Run::Same(b)) => to.iter_mut().for_each(|to| *to = f(a, b)),
    }
    true
}

fn append<S: Copy, T: Copy, U>(to: &mut Vec<U>, a: Run<'_, S>, b: Run<'_, T>, n: usize, f: impl Fn(S, T) -> U) {
    match (a, b) {
        (Run::Beside(a), Run::Beside(b)) => to.extend(a.iter().zip(b).map(|(a, b)| f(*a, *b))),
        (Run::Beside(a), Run::Same(b)) => to.extend(a.iter().map(|a| f(*a, b))),
        (Run::Same(a), Run::Beside(b)) => to.extend(b.iter().map(|b| f(a, *b))),
        (Run::Same(a), Run::Same(b)) => to.extend((0..n).map(|_| f(a, b))),
    }
}

/// Every `to` becomes `f(to, a, b)`.
pub fn change<T: Copy, S: Copy, U: Copy, M: Dimension, D: Dimension, E: Dimension>(
    to: &mut Array<T, M>,
    a: &ArrayView<'_, S, D>,
    b: &ArrayView<'_, U, E>,
    f: impl Fn(T, S, U) -> T,
) {
    let shape = to.raw_dim();
    if let (Some(x), Some(y)) = (Run::plain(a, shape.slice()), Run::plain(b, shape.slice()))
        && let Some(to) = to.as_slice_mut()
    {
        return changed(to, x, y, f);
    }
    let (a, b) = (a.broadcast(shape.clone()).expect("it fits"), b.broadcast(shape).expect("it fits"));
    let runs = has_runs(&to.view()) && has_runs(&a) && has_runs(&b);
    if let (Some(to), Some(a), Some(b)) = (to.as_slice_mut(), Run::all(&a), Run::all(&b)) {
        return changed(to, a, b, f);
    }
    if !runs {
        return Zip::from(to).and(a).and(b).for_each(|to, a, b| *to = f(*to, *a, *b));
    }
    for ((mut to, a), b) in to.rows_mut().into_iter().zip(a.rows()).zip(b.rows()) {
        changed(to.as_slice_mut().expect("a row side by side"), Run::row(&a), Run::row(&b), &f);
    }
}

fn changed<T: Copy, S: Copy, U: Copy>(to: &mut [T], a: Run<'_, S>, b: Run<'_, U>, f: impl Fn(T, S, U) -> T) {
    match (a, b) {
        (Run::Beside(a), Run::Beside(b)) => {
            to.iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to = f(*to, *a, *b));
        }
        (Run::Beside(a), Run::Same(b)) => to.iter_mut().zip(a).for_each(|(to, a)| *to = f(*to, *a, b)),
        (Run::Same(a), Run::Beside(b)) => to.iter_mut().zip(b).for_each(|(to, b)| *to = f(*to, a, *b)),
        (Run::Same(a), Run::Same(b)) => to.iter_mut().for_each(|to| *to = f(*to, a, b)),
    }
}

/// Every `to` grows by `f(from, a, b)`.
pub fn gather<A: LinearSpace<F>, F: Base, M: Dimension, D: Dimension, E: Dimension>(
    mut to: ArrayViewMut<'_, A, M>,
    from: &ArrayView<'_, A, M>,
    a: &ArrayView<'_, F, D>,
    b: &ArrayView<'_, F, E>,
    f: impl Fn(A, F, F) -> A,
) {
    let shape = to.raw_dim();
    if let (Some(from), Some(x), Some(y)) =
        (from.as_slice(), Run::plain(a, shape.slice()), Run::plain(b, shape.slice()))
        && let Some(to) = to.as_slice_mut()
    {
        return grown(to, from, x, y, f);
    }
    let (a, b) = (a.broadcast(shape.clone()).expect("it fits"), b.broadcast(shape).expect("it fits"));
    if let (Some(to), Some(from), Some(a), Some(b)) = (to.as_slice_mut(), from.as_slice(), Run::all(&a), Run::all(&b)) {
        return grown(to, from, a, b, f);
    }
    Zip::from(to).and(from).and(a).and(b).for_each(|to, v, a, b| *to += f(*v, *a, *b));
}

/// Every `to` becomes `f(from, a, b)`, if the elements of all of them lie side by side, or are one number. Whether they do.
#[inline]
pub fn set<A: LinearSpace<F>, F: Base, M: Dimension, N: Dimension, D: Dimension, E: Dimension>(
    mut to: ArrayViewMut<'_, A, N>,
    from: &ArrayView<'_, A, M>,
    a: &ArrayView<'_, F, D>,
    b: &ArrayView<'_, F, E>,
    f: impl Fn(A, F, F) -> A,
) -> bool {
    let (Some(x), Some(y)) = (Run::plain(a, from.shape()), Run::plain(b, from.shape())) else { return false };
    let (Some(to), Some(from)) = (to.as_slice_mut(), from.as_slice()) else { return false };
    each(to, from, x, y, |to, v, a, b| *to = f(v, a, b));
    true
}

fn grown<A: LinearSpace<F>, F: Base>(to: &mut [A], from: &[A], a: Run<'_, F>, b: Run<'_, F>, f: impl Fn(A, F, F) -> A) {
    each(to, from, a, b, |to, v, a, b| *to += f(v, a, b));
}

#[inline(always)]
fn each<A: Copy, F: Copy>(to: &mut [A], from: &[A], a: Run<'_, F>, b: Run<'_, F>, f: impl Fn(&mut A, A, F, F)) {
    let to = to.iter_mut().zip(from);
    match (a, b) {
        (Run::Beside(a), Run::Beside(b)) => to.zip(a).zip(b).for_each(|(((to, v), a), b)| f(to, *v, *a, *b)),
        (Run::Beside(a), Run::Same(b)) => to.zip(a).for_each(|((to, v), a)| f(to, *v, *a, b)),
        (Run::Same(a), Run::Beside(b)) => to.zip(b).for_each(|((to, v), b)| f(to, *v, a, *b)),
        (Run::Same(a), Run::Same(b)) => to.for_each(|(to, v)| f(to, *v, a, b)),
    }
}

/// `f(from, a, b)`, element by element, in an empty vector that has room, if all of them are [`Run`]s.
pub fn combined<A: Copy, F: Copy, M: Dimension, D: Dimension, E: Dimension>(
    from: &ArrayView<'_, A, M>,
    a: &ArrayView<'_, F, D>,
    b: &ArrayView<'_, F, E>,
    f: impl Fn(A, F, F) -> A,
    room: impl FnOnce(usize) -> Vec<A>,
) -> Option<Array<A, M>> {
    let v = from.as_slice()?;
    let (wide_a, wide_b);
    let (a, b) = match (Run::plain(a, from.shape()), Run::plain(b, from.shape())) {
        (Some(a), Some(b)) => (a, b),
        _ => {
            (wide_a, wide_b) = (a.broadcast(from.raw_dim())?, b.broadcast(from.raw_dim())?);
            (Run::all(&wide_a)?, Run::all(&wide_b)?)
        }
    };
    let mut to = room(v.len());
    match (a, b) {
        (Run::Beside(a), Run::Beside(b)) => to.extend(v.iter().zip(a).zip(b).map(|((v, a), b)| f(*v, *a, *b))),
        (Run::Beside(a), Run::Same(b)) => to.extend(v.iter().zip(a).map(|(v, a)| f(*v, *a, b))),
        (Run::Same(a), Run::Beside(b)) => to.extend(v.iter().zip(b).map(|(v, b)| f(*v, a, *b))),
        (Run::Same(a), Run::Same(b)) => to.extend(v.iter().map(|v| f(*v, a, b))),
    }
    Some(shaped(to, from.raw_dim()))
}

/// Adds `f(from, a, b)` to what was broadcast along the last axis, along all axes before it, or along all of them, where rows are
/// [`Run`]s. Whether that was so.
pub fn gather_rows<A: LinearSpace<F>, F: Base, K: Dimension, M: Dimension, D: Dimension, E: Dimension>(
    onto: &mut ArrayViewMut<'_, A, K>,
    from: &ArrayView<'_, A, M>,
    a: &ArrayView<'_, F, D>,
    b: &ArrayView<'_, F, E>,
    f: impl Fn(A, F, F) -> A,
) -> bool {
    let (Some(a), Some(b)) = (a.broadcast(from.raw_dim()), b.broadcast(from.raw_dim())) else { return false };
    let (Some((length, before)), to) = (from.shape().split_last(), onto.shape()) else { return false };
    let (own_length, own_before) = to.split_last().map_or((1, to), |(length, before)| (*length, before));
    let (each, all) = (own_before == before, own_before.iter().all(|n| *n == 1));
    let runs = from.strides().last() == Some(&1) && has_runs(&a) && has_runs(&b) && *length > 0;
    let Some(onto) = onto.as_slice_mut().filter(|_| runs && (each || all)) else { return false };
    for (k, ((from, a), b)) in from.rows().into_iter().zip(a.rows()).zip(b.rows()).enumerate() {
        let (from, a, b) = (from.to_slice().unwrap_or_default(), Run::row(&a), Run::row(&b));
        let onto = &mut onto[if each { k * own_length } else { 0 }..][..own_length];
        match onto {
            [onto] => *onto += gathered::<F, A>(from, a, b, &f),
            onto => grown(onto, from, a, b, &f),
        }
    }
    true
}

/// The sum of `f(from, a, b)`.
pub fn gathered<F: Base, A: LinearSpace<F>>(from: &[A], a: Run<'_, F>, b: Run<'_, F>, f: impl Fn(A, F, F) -> A) -> A {
    match (a, b) {
        (Run::Beside(a), Run::Beside(b)) => {
            from.iter().zip(a).zip(b).fold(A::ZERO, |sum, ((v, a), b)| sum + f(*v, *a, *b))
        }
        (Run::Beside(a), Run::Same(b)) => in_eight_sums::<F, A>(from, a, |v, a| f(v, a, b)),
        (Run::Same(a), Run::Beside(b)) => in_eight_sums::<F, A>(from, b, |v, b| f(v, a, b)),
        (Run::Same(a), Run::Same(b)) => f(total::<F, A>(from), a, b),
    }
}

/// The sum of `f(from, beside)`.
fn in_eight_sums<F: Base, A: LinearSpace<F>>(from: &[A], beside: &[F], f: impl Fn(A, F) -> A) -> A {
    let mut sums = [A::ZERO; 8];
    let ((eights, rest), (others, others_rest)) = (from.as_chunks::<8>(), beside.as_chunks::<8>());
    for (v, w) in eights.iter().zip(others) {
        (0..8).for_each(|k| sums[k] += f(v[k], w[k]));
    }
    sums.iter_mut().zip(rest).zip(others_rest).for_each(|((sum, v), w)| *sum += f(*v, *w));
    sums.into_iter().fold(A::ZERO, |sum, part| sum + part)
}

/// `onto += from`, summed over the axes along which `onto` was broadcast.
pub fn unbroadcast<F: Base, A: LinearSpace<F>, D: Dimension, M: Dimension>(
    onto: ArrayViewMut<'_, A, D>,
    from: ArrayView<'_, A, M>,
) {
    let (mut onto, mut from) = (onto.into_dyn(), CowArray::from(from.into_dyn()));
    while from.ndim() > onto.ndim() {
        from = Pool::of_its_own(|pool| sum(from.view(), Axis(0), pool)).into();
    }
    for k in 0..onto.ndim() {
        if onto.shape()[k] != from.shape()[k] {
            from = Pool::of_its_own(|pool| sum(from.view(), Axis(k), pool)).insert_axis(Axis(k)).into();
        }
    }
    Zip::from(&mut onto).and(&from).for_each(|to, v| *to += *v);
}

/// The sums along an axis, in the order in which `ndarray` makes them.
pub fn sum<F: Base, A: LinearSpace<F>, D: ndarray::RemoveAxis>(
    v: ArrayView<'_, A, D>,
    axis: Axis,
    pool: &mut Pool<A>,
) -> Array<A, D::Smaller> {
    if v.axes().rev().min_by_key(|a| a.stride.abs()).is_some_and(|a| a.axis == axis) {
        let mut sums = pool.array(v.raw_dim().remove_axis(axis), A::ZERO);
        Zip::from(&mut sums).and(v.lanes(axis)).for_each(|to, lane| *to = lane_sum::<F, A>(&lane));
        return sums;
    }
    let mut sums = pool.filled(v.raw_dim().remove_axis(axis), A::ZERO);
    for part in v.axis_iter(axis) {
        Zip::from(&mut sums).and(part).for_each(|to, v| *to += *v);
    }
    sums
}

/// The sum of a lane, likewise.
pub fn lane_sum<F: Base, A: LinearSpace<F>>(lane: &ArrayView1<'_, A>) -> A {
    lane.as_slice().map_or_else(|| lane.iter().fold(A::ZERO, |sum, v| sum + *v), total::<F, A>)
}

/// Eight sums at once, as `ndarray` does.
pub fn total<F: Base, A: LinearSpace<F>>(values: &[A]) -> A {
    let mut sums = [A::ZERO; 8];
    let (eights, rest) = values.as_chunks::<8>();
    for eight in eights {
        sums.iter_mut().zip(eight).for_each(|(sum, v)| *sum += *v);
    }
    let [a, b, c, d, e, f, g, h] = sums;
    let mut sum = (a + e) + (b + f) + (c + g) + (d + h);
    rest.iter().for_each(|v| sum += *v);
    sum
}

/// Adds a value to all elements of each part along an axis.
pub fn spread<F: Base, A: LinearSpace<F>, D: ndarray::RemoveAxis>(
    mut onto: ArrayViewMut<'_, A, D>,
    from: ArrayView<'_, A, D::Smaller>,
    axis: Axis,
) {
    if onto.stride_of(axis) == 1 {
        let add = |mut lane: ArrayViewMut1<'_, A>, v: &A| {
            lane.as_slice_mut().into_iter().flatten().for_each(|to| *to += *v);
        };
        return Zip::from(onto.lanes_mut(axis)).and(from).for_each(add);
    }
    onto.axis_iter_mut(axis).for_each(|part| Zip::from(part).and(&from).for_each(|to, v| *to += *v));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2, array};

    /// `Σ y a / b` over what each element was broadcast to, against loops over the elements.
    #[test]
    fn what_was_broadcast_gathers_all_that_it_went_to() {
        let y = Array2::from_shape_fn((3, 10), |(i, j)| ((7 * i + 3 * j) as f64).sin());
        let f = |y: f64, a: f64, b: f64| y * a / b;
        let (line, column) = (Array1::from_shape_fn(10, |j| 1.5 + j as f64), array![[2.0], [0.5], [4.0]]);
        let mut along_rows = Array1::from_elem(10, 1.0);
        assert!(gather_rows(&mut along_rows.view_mut(), &y.view(), &y.view(), &line.view(), f));
        for j in 0..10 {
            let wanted = 1.0 + (0..3).map(|i| f(y[[i, j]], y[[i, j]], line[j])).sum::<f64>();
            assert!((along_rows[j] - wanted).abs() < 1e-14);
        }
        let mut along_columns = Array2::from_elem((3, 1), 1.0);
        for swapped in [false, true] {
            along_columns.fill(1.0);
            let mut onto = along_columns.view_mut();
            assert!(match swapped {
                false => gather_rows(&mut onto, &y.view(), &y.view(), &column.view(), f),
                true => gather_rows(&mut onto, &y.view(), &column.view(), &y.view(), |v, b, a| f(v, a, b)),
            });
            for i in 0..3 {
                let wanted = 1.0 + (0..10).map(|j| f(y[[i, j]], y[[i, j]], column[[i, 0]])).sum::<f64>();
                assert!((along_columns[[i, 0]] - wanted).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn what_lies_apart_is_left_to_others() {
        let y = Array2::<f64>::ones((3, 4));
        let mut onto = Array1::zeros(4);
        let turned = y.t();
        assert!(!gather_rows(&mut Array1::zeros(3).view_mut(), &turned, &turned, &turned, |y, _, _| y));
        assert!(gather_rows(&mut onto.view_mut(), &y.view(), &y.view(), &y.view(), |y, _, _| y));
        assert_eq!(onto, array![3.0, 3.0, 3.0, 3.0]);
    }
}
