//! Arrays of different shapes together, as `ndarray`'s operators take them.

use crate::base::Base;
use crate::linear::Lin;
use ndarray::{Array, ArrayView, ArrayViewMut, Axis, DimMax, Dimension, Zip};

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

/// `f(a, b)`, element by element.
pub fn combine<S: Copy, T: Copy, U, D: DimMax<E> + Dimension, E: Dimension>(
    a: ArrayView<'_, S, D>,
    b: ArrayView<'_, T, E>,
    mut f: impl FnMut(S, T) -> U,
) -> Array<U, Max<D, E>> {
    let to = shape(&a.raw_dim(), &b.raw_dim());
    let (a, b) = (a.broadcast(to.clone()), b.broadcast(to));
    let (a, b) = (a.expect("it fits"), b.expect("it fits"));
    Zip::from(a).and(b).map_collect(|a, b| f(*a, *b))
}

/// `onto += from`, summed over the axes along which `onto` was broadcast.
pub fn unbroadcast<F: Base, A: Lin<F>, D: Dimension, M: Dimension>(
    onto: ArrayViewMut<'_, A, D>,
    from: ArrayView<'_, A, M>,
) {
    let (mut onto, mut from) = (onto.into_dyn(), from.to_owned().into_dyn());
    while from.ndim() > onto.ndim() {
        from = sum(from.view(), Axis(0));
    }
    for k in 0..onto.ndim() {
        if onto.shape()[k] != from.shape()[k] {
            from = sum(from.view(), Axis(k)).insert_axis(Axis(k));
        }
    }
    Zip::from(&mut onto).and(&from).for_each(|to, v| *to += *v);
}

/// The sums along an axis.
pub fn sum<F: Base, A: Lin<F>, D: ndarray::RemoveAxis>(v: ArrayView<'_, A, D>, axis: Axis) -> Array<A, D::Smaller> {
    let mut sums = Array::from_elem(v.raw_dim().remove_axis(axis), A::ZERO);
    for part in v.axis_iter(axis) {
        Zip::from(&mut sums).and(part).for_each(|to, v| *to += *v);
    }
    sums
}
