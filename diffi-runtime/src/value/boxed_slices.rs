//! Slices in boxes, `Box<[f64]>`: lists whose length is fixed. Their shadows are vectors.

use crate::number::active::Active;
use crate::number::linear_space::LinearSpace;
use crate::number::shape;
use crate::stack::aggregates::{Parts, Whole};
use crate::stack::workspace::Pool;

impl<T: Active> Active for Box<[T]> {
    type Base = T::Base;
    type Tangent<A: LinearSpace<T::Base>> = Vec<T::Tangent<A>>;
    const FIXED: bool = false;

    fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool {
        self.iter().zip(&**other).all(|(a, b)| a.has_constants_of(b, otherwise))
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        dim(self.len());
        shape::told(T::FIXED, self.iter()).for_each(|v| v.shape(dim));
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(T::Base)) {
        self.iter().for_each(|v| v.each(f));
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
        self.iter_mut().for_each(|v| v.each_mut(f));
    }
    #[inline]
    fn floats(&self) -> Option<&[T::Base]> {
        T::all_floats(self)
    }
    #[inline]
    fn zeros<A: LinearSpace<T::Base>>(&self, pool: &mut Pool<A>) -> Vec<T::Tangent<A>> {
        T::zero_vec(self, pool)
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> Vec<T::Tangent<A>> {
        Vec::new()
    }
    #[inline]
    fn release<A: LinearSpace<T::Base>>(t: Vec<T::Tangent<A>>, pool: &mut Pool<A>) {
        T::release_vec(t, pool);
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<T::Base>) -> Self {
        T::copy_all(self, pool).into_boxed_slice()
    }
    #[inline]
    fn copy_into(&self, own: &mut Self) {
        match self.len() == own.len() {
            true => self.iter().zip(own.iter_mut()).for_each(|(value, own)| value.copy_into(own)),
            false => *own = self.iter().map(Active::duplicate).collect(),
        }
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<T::Base>) {
        T::recycle_all(self.into_vec(), pool);
    }
}

impl<F: Copy, T: Whole<F>> Whole<F> for Box<[T]> {
    #[inline]
    fn save(&self, parts: &mut Parts<'_, F>) {
        T::save_all(self, parts);
        parts.push_len(self.len());
    }
    #[inline]
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        let n = parts.pop_len();
        T::restore_all(n, parts).into_boxed_slice()
    }
    #[inline]
    fn blank() -> Self {
        Box::default()
    }
}
