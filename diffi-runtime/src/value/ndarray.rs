//! The arrays of the crate `ndarray`.

use crate::number::active::{Active, Place};
use crate::number::linear_space::LinearSpace;
use crate::number::shape;
use crate::number::tangent::Tangent;
use crate::stack::workspace::{Pool, shaped};
use ndarray::{Array, ArrayView, Dimension, Zip};

impl<A, T: Tangent<A> + Clone, D: Dimension + 'static> Tangent<A> for Array<T, D> {
    const FIXED: bool = false;

    #[inline]
    fn acc(&mut self, other: &Self) {
        if other.is_empty() {
            return; // it stands for zeros, of whatever shape
        }
        if self.raw_dim() != other.raw_dim() {
            self.clone_from(other); // it was cleared, and its value had another shape then
            return;
        }
        Zip::from(self).and(other).for_each(|a, b| a.acc(b));
    }
    #[inline]
    fn clear(&mut self) {
        self.iter_mut().for_each(Tangent::<A>::clear);
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        Array::shape(self).iter().for_each(|n| dim(*n));
        shape::told(T::FIXED, self).for_each(|t| t.shape(dim));
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(A)) {
        self.iter().for_each(|t| t.each(f));
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut A)) {
        self.iter_mut().for_each(|t| t.each_mut(f));
    }
    #[inline]
    fn side_by_side(&self) -> Option<&[A]> {
        self.as_slice().and_then(T::all_side_by_side)
    }
    #[inline]
    fn side_by_side_mut(&mut self) -> Option<&mut [A]> {
        self.as_slice_mut().and_then(T::all_side_by_side_mut)
    }
    #[inline]
    fn set(&mut self, other: &Self) {
        Zip::from(self).and(other).for_each(|a, b| a.set(b));
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<A>) {
        T::recycle_all(self.into_raw_vec_and_offset().0, pool);
    }
}

impl<T: Active, D: Dimension + 'static> Active for Array<T, D> {
    type Base = T::Base;
    type Tangent<A: LinearSpace<T::Base>> = Array<T::Tangent<A>, D>;
    const FIXED: bool = false;

    #[inline]
    fn floats(&self) -> Option<&[T::Base]> {
        self.as_slice().and_then(T::all_floats)
    }

    #[inline]
    fn zeros<A: LinearSpace<T::Base>>(&self, pool: &mut Pool<A>) -> Array<T::Tangent<A>, D> {
        let shadow = match self.as_slice() {
            Some(values) => T::zero_vec(values, pool),
            None => self.iter().map(|v| v.zeros(pool)).collect(),
        };
        shaped(shadow, self.raw_dim())
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> Array<T::Tangent<A>, D> {
        match D::NDIM {
            Some(0) => Array::from_shape_simple_fn(D::zeros(0), T::empty),
            axes => shaped(Vec::new(), D::zeros(axes.unwrap_or(1))),
        }
    }
    #[inline]
    fn release<A: LinearSpace<T::Base>>(t: Array<T::Tangent<A>, D>, pool: &mut Pool<A>) {
        T::release_vec(t.into_raw_vec_and_offset().0, pool);
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<T::Base>) -> Self {
        match self.as_slice() {
            Some(values) => shaped(T::copy_all(values, pool), self.raw_dim()),
            None => self.map(Active::duplicate),
        }
    }
    #[inline]
    fn copy_into(&self, own: &mut Self) {
        match Array::shape(self) == Array::shape(own) {
            true => Zip::from(own).and(self).for_each(|own, value| value.copy_into(own)),
            false => *own = self.map(Active::duplicate),
        }
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<T::Base>) {
        T::recycle_all(self.into_raw_vec_and_offset().0, pool);
    }
    #[inline]
    fn fresh<A: LinearSpace<T::Base>>(&self, _: &mut Pool<A>) -> Array<T::Tangent<A>, D> {
        Self::empty::<A>()
    }
    #[inline]
    fn fresh_in<'k, A: LinearSpace<T::Base>>(
        &self,
        place: &'k mut Option<Array<T::Tangent<A>, D>>,
        _: &mut Pool<A>,
    ) -> &'k mut Array<T::Tangent<A>, D> {
        place.get_or_insert_with(Self::empty::<A>)
    }
    #[inline]
    fn fresh_of<A: LinearSpace<T::Base>>(
        &self,
        last: Array<T::Tangent<A>, D>,
        _: &mut Pool<A>,
    ) -> Array<T::Tangent<A>, D> {
        last
    }
    #[inline]
    fn initialise<A: LinearSpace<T::Base>>(&self, fresh: &mut Array<T::Tangent<A>, D>, pool: &mut Pool<A>) {
        match Array::shape(self) == Array::shape(fresh) {
            true => fresh.clear(),
            false => std::mem::replace(fresh, self.zeros(pool)).recycle(pool),
        }
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        Array::shape(self).iter().for_each(|n| dim(*n));
        shape::told(T::FIXED, self).for_each(|v| v.shape(dim));
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(T::Base)) {
        self.iter().for_each(|v| v.each(f));
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
        self.iter_mut().for_each(|v| v.each_mut(f));
    }
}

/// A view's shadow is an array.
impl<T: Active, D: Dimension + 'static> Place for ArrayView<'_, T, D> {
    type Base = T::Base;
    type Shadow<A: LinearSpace<T::Base>> = Array<T::Tangent<A>, D>;
}
