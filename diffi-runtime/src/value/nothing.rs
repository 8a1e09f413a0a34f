//! The value of a parameter without a derivative.

use crate::number::active::Active;
use crate::number::batch::Float;
use crate::number::linear_space::LinearSpace;
use crate::stack::workspace::Pool;
use std::fmt::Debug;
use std::marker::PhantomData;

/// The place of a parameter without a derivative: nothing.
#[derive(Debug)]
pub struct Nothing<F>(PhantomData<F>);

impl<F> Nothing<F> {
    pub(crate) const NEW: Self = Nothing(PhantomData);

    pub(crate) fn new() -> Self {
        Nothing(PhantomData)
    }
}

impl<F> Clone for Nothing<F> {
    fn clone(&self) -> Self {
        Nothing(PhantomData)
    }
}

impl<F: Float> Active for Nothing<F> {
    type Base = F;
    type Tangent<A: LinearSpace<F>> = ();
    const FIXED: bool = true;

    #[inline]
    fn zeros<A: LinearSpace<F>>(&self, _: &mut Pool<A>) {}
    #[inline]
    fn empty<A: LinearSpace<F>>() {}
    #[inline]
    fn release<A: LinearSpace<F>>((): (), _: &mut Pool<A>) {}
    #[inline]
    fn copied(&self, _: &mut Pool<F>) -> Self {
        Nothing::new()
    }
    #[inline]
    fn shape(&self, _: &mut dyn FnMut(usize)) {}
    #[inline]
    fn each(&self, _: &mut impl FnMut(F)) {}
    #[inline]
    fn each_mut(&mut self, _: &mut impl FnMut(&mut F)) {}
}
