//! Linear maps that put elements elsewhere, some of them several times or nowhere.

use super::linear::{Linear, LinearOperation};
use super::op;
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::stack::workspace::Pool;
use ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, IntoDimension, Ix1, Ix2, RemoveAxis, Slice, Zip};

impl<I> LinearOperation for op::Select<I> {}
impl<E> LinearOperation for op::Broadcast<E> {}
impl<E> LinearOperation for op::OfDimension<E> {}
impl LinearOperation for op::FromDiagonal {}
impl<P> LinearOperation for op::Permute<P> {}
impl LinearOperation for op::SwapAxes {}
impl LinearOperation for op::Flatten {}
impl LinearOperation for op::Lower {}
impl LinearOperation for op::Upper {}
impl LinearOperation for op::Differences {}

impl<D: RemoveAxis + 'static, I: AsRef<[usize]>> Linear<D> for op::Select<I> {
    type To = D;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, _: &mut Pool<A>) -> Array<A, D> {
        x.select(self.0, self.1.as_ref())
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        for (part, at) in y.axis_iter(self.0).zip(self.1.as_ref()) {
            Zip::from(onto.index_axis_mut(self.0, *at)).and(part).for_each(|to, v| *to += *v);
        }
    }
}

impl<D: Dimension + 'static, E: IntoDimension<Dim: 'static> + Clone> Linear<D> for op::Broadcast<E> {
    type To = E::Dim;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, E::Dim> {
        pool.copy_of(&x.broadcast(self.0.clone()).expect("shapes that fit"))
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, E::Dim>) {
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
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, E> {
        pool.copy_of(&x).into_dimensionality().expect("as many axes")
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, E>) {
        Zip::from(onto).and(y.into_dimensionality::<D>().expect("as many axes")).for_each(|to, v| *to += *v);
    }
}

impl Linear<Ix1> for op::FromDiagonal {
    type To = Ix2;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, Ix1>, pool: &mut Pool<A>) -> Array<A, Ix2> {
        let mut matrix = pool.filled(Ix2(x.len(), x.len()), A::ZERO);
        matrix.diag_mut().assign(&x);
        matrix
    }
    fn values<F: super::grid::Number>(&self, x: ArrayView<'_, F, Ix1>, _: &mut Pool<F>) -> Array<F, Ix2> {
        let mut matrix = Array::from_elem((x.len(), x.len()), <F as Base>::lit(0.0));
        matrix.diag_mut().assign(&x);
        matrix
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, Ix1>, y: ArrayView<'_, A, Ix2>) {
        Zip::from(&mut onto).and(&y.diag()).for_each(|to, v| *to += *v);
    }
}

impl<D: Dimension + 'static, P: IntoDimension<Dim = D> + Clone> Linear<D> for op::Permute<P> {
    type To = D;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D> {
        pool.copy_of(&x.permuted_axes(self.0.clone()))
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        Zip::from(onto.permuted_axes(self.0.clone())).and(y).for_each(|to, v| *to += *v);
    }
}

impl<D: Dimension + 'static> Linear<D> for op::SwapAxes {
    type To = D;
    fn apply<F: Base, A: LinearSpace<F>>(&self, mut x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D> {
        x.swap_axes(self.0, self.1);
        pool.copy_of(&x)
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        onto.swap_axes(self.0, self.1);
        Zip::from(onto).and(y).for_each(|to, v| *to += *v);
    }
}

impl<D: Dimension + 'static> Linear<D> for op::Flatten {
    type To = Ix1;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, Ix1> {
        Array::from_vec(pool.flat(&x))
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, Ix1>) {
        onto.iter_mut().zip(y).for_each(|(to, v)| *to += *v);
    }
}

/// The columns of each row that a triangle has.
macro_rules! triangles {
    ($($op:ident |$this:ident, $i:ident, $n:ident| $columns:expr;)+) => { $(
        impl Linear<Ix2> for op::$op {
            type To = Ix2;
            fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, Ix2>, pool: &mut Pool<A>) -> Array<A, Ix2> {
                let mut triangle = pool.filled(x.raw_dim(), A::ZERO);
                self.back(triangle.view_mut(), x);
                triangle
            }
            fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, Ix2>, y: ArrayView<'_, A, Ix2>) {
                let ($this, $n) = (self, y.ncols());
                for ($i, (mut to, from)) in onto.outer_iter_mut().zip(y.outer_iter()).enumerate() {
                    let columns = Slice::from($columns);
                    let to = to.slice_axis_mut(Axis(0), columns);
                    Zip::from(to).and(from.slice_axis(Axis(0), columns)).for_each(|to, v| *to += *v);
                }
            }
        }
    )+ };
}
triangles! {
    Lower |op, i, n| 0..n.min((i + 1).saturating_add_signed(op.0));
    Upper |op, i, n| n.min(i.saturating_add_signed(op.0))..n;
}

impl<D: Dimension + 'static> Linear<D> for op::Differences {
    type To = D;
    fn apply<F: Base, A: LinearSpace<F>>(&self, x: ArrayView<'_, A, D>, pool: &mut Pool<A>) -> Array<A, D> {
        let mut all = pool.copy_of(&x);
        for _ in 0..self.0 {
            let before = all.slice_axis(self.1, Slice::from(..-1));
            let mut differences = all.slice_axis(self.1, Slice::from(1..)).to_owned();
            differences.zip_mut_with(&before, |v, before| *v -= *before);
            all = differences;
        }
        all
    }
    fn back<F: Base, A: LinearSpace<F>>(&self, mut onto: ArrayViewMut<'_, A, D>, y: ArrayView<'_, A, D>) {
        let mut flow = y.to_owned();
        for _ in 0..self.0 {
            let mut shape = flow.raw_dim();
            shape[self.1.index()] += 1;
            let mut wider = Array::from_elem(shape, A::ZERO);
            wider.slice_axis_mut(self.1, Slice::from(..-1)).zip_mut_with(&flow, |to, v| *to -= *v);
            wider.slice_axis_mut(self.1, Slice::from(1..)).zip_mut_with(&flow, |to, v| *to += *v);
            flow = wider;
        }
        onto.zip_mut_with(&flow, |to, v| *to += *v);
    }
}
