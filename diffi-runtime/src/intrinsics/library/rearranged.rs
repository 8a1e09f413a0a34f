//! Linear maps that put elements elsewhere, some of them several times or nowhere.

use super::linear::{Linear, LinearOperation};
use super::op;
use crate::number::float::Base;
use crate::number::linear_space::Lin;
use crate::stack::workspace::Pool;
use ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, IntoDimension, Ix1, Ix2, RemoveAxis, Zip};

impl<I> LinearOperation for op::Select<I> {}
impl<E> LinearOperation for op::Broadcast<E> {}
impl<E> LinearOperation for op::OfDimension<E> {}
impl LinearOperation for op::FromDiagonal {}

impl<D: RemoveAxis + 'static, I: AsRef<[usize]>> Linear<D> for op::Select<I> {
    type To = D;
    fn apply<F: Base, A: Lin<F>>(&self, x: ArrayView<'_, A, D>, _: &mut Pool<A>) -> Array<A, D> {
        x.select(self.0, self.1.as_ref())
    }
    fn back<F: Base, A: Lin<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        for (part, at) in y.axis_iter(self.0).zip(self.1.as_ref()) {
            Zip::from(onto.index_axis_mut(self.0, *at)).and(part).for_each(|to, v| *to += *v);
        }
    }
}

impl<D: Dimension + 'static, E: IntoDimension<Dim: 'static> + Clone> Linear<D> for op::Broadcast<E> {
    type To = E::Dim;
    fn apply<F: Base, A: Lin<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, E::Dim> {
        pool.copy_of(&x.broadcast(self.0.clone()).expect("shapes that fit"))
    }
    fn back<F: Base, A: Lin<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, E::Dim>) {
        let (lengths, mut left) = (y.raw_dim(), D::zeros(onto.ndim()));
        let more = y.ndim() - onto.ndim();
        for (k, v) in y.iter().enumerate() {
            let mut rest = k;
            for axis in (0..y.ndim()).rev() {
                if axis >= more {
                    let wide = onto.len_of(Axis(axis - more)) > 1;
                    left[axis - more] = if wide { rest % lengths[axis] } else { 0 };
                }
                rest /= lengths[axis];
            }
            onto[left.clone()] += *v;
        }
    }
}

impl<D: Dimension + 'static, E: Dimension + 'static> Linear<D> for op::OfDimension<E> {
    type To = E;
    fn apply<F: Base, A: Lin<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, E> {
        pool.copy_of(&x).into_dimensionality().expect("as many axes")
    }
    fn back<F: Base, A: Lin<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, E>) {
        Zip::from(onto).and(y.into_dimensionality::<D>().expect("as many axes")).for_each(|to, v| *to += *v);
    }
}

impl Linear<Ix1> for op::FromDiagonal {
    type To = Ix2;
    fn apply<F: Base, A: Lin<F>>(&self, x: ArrayView<'_, A, Ix1>, pool: &mut Pool<A>) -> Array<A, Ix2> {
        let mut matrix = pool.filled(Ix2(x.len(), x.len()), A::ZERO);
        matrix.diag_mut().assign(&x);
        matrix
    }
    fn values<F: super::grid::Number>(&self, x: ArrayView<'_, F, Ix1>, _: &mut Pool<F>) -> Array<F, Ix2> {
        let mut matrix = Array::from_elem((x.len(), x.len()), <F as Base>::lit(0.0));
        matrix.diag_mut().assign(&x);
        matrix
    }
    fn back<F: Base, A: Lin<F>>(&self, mut onto: ArrayViewMut<'_, A, Ix1>, y: ArrayView<'_, A, Ix2>) {
        Zip::from(&mut onto).and(&y.diag()).for_each(|to, v| *to += *v);
    }
}
