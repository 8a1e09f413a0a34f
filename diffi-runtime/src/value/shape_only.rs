//! The shape of a value that is gone when a shadow like it is made.

use crate::number::active::Active;
use crate::number::batch::Float;
use crate::number::linear_space::LinearSpace;
use crate::stack::aggregates::{Parts, Whole};
use crate::stack::frame::{FrameReader, FrameWriter, Width};
use crate::stack::workspace::Pool;
use crate::value::nothing::Nothing;

/// What a shadow of a value can be made like: nothing, where the type alone fixes the shape, and else a copy.
#[derive(Clone, Debug)]
pub struct Mold<T>(Option<T>);

/// A value whose shape is asked for: `Like(&value).mold(&mut pool)`.
#[derive(Clone, Copy, Debug)]
pub struct Like<'v, T: ?Sized>(pub &'v T);

/// [`Like`] as a method: rustc says nothing of methods of a value whose type it has refused already.
pub trait LikeIt {
    /// A value whose shape is asked for.
    #[inline(always)]
    fn __like(&self) -> Like<'_, Self> {
        Like(self)
    }
}

impl<T: ?Sized> LikeIt for T {}

/// The shape of a value.
pub trait Molded {
    /// Of which value.
    type Of: Active;
    /// The shape, with buffers of the pool.
    fn mold(self, pool: &mut Pool<<Self::Of as Active>::Base>) -> Mold<Self::Of>;
}

impl<T: Active> Molded for Like<'_, T> {
    type Of = T;
    #[inline]
    fn mold(self, pool: &mut Pool<T::Base>) -> Mold<T> {
        Mold((!T::FIXED).then(|| self.0.copied(pool)))
    }
}

impl<T> Mold<T> {
    /// The shape of this value.
    #[inline]
    pub(crate) fn of_value(value: T) -> Self {
        Mold(Some(value))
    }
}

/// The shape of a value that has no shadow. It is found where [`Molded`] is not, for it takes one reference more.
pub trait Shapeless {
    /// No shape: the shadow is `()`.
    fn mold<F: Float>(&self, pool: &mut Pool<F>) -> Nothing<F>;
}

impl<T> Shapeless for Like<'_, T> {
    #[inline]
    fn mold<F: Float>(&self, _: &mut Pool<F>) -> Nothing<F> {
        Nothing::new()
    }
}

impl<F, G: Copy> Whole<G> for Nothing<F> {
    const WIDTH: Option<Width> = Some(Width::new(0, 0));
    #[inline]
    fn write(&self, _: &mut FrameWriter<'_, G>) {}
    #[inline]
    fn read(_: &mut FrameReader<'_, G>) -> Self {
        Nothing::new()
    }
    #[inline]
    fn save(&self, _: &mut Parts<'_, G>) {}
    #[inline]
    fn restore(_: &mut Parts<'_, G>) -> Self {
        Nothing::new()
    }
    #[inline]
    fn blank() -> Self {
        Nothing::new()
    }
}

impl<T: Active> Active for Mold<T> {
    type Base = T::Base;
    type Tangent<A: LinearSpace<T::Base>> = T::Tangent<A>;
    const FIXED: bool = T::FIXED;

    #[inline]
    fn zeros<A: LinearSpace<T::Base>>(&self, pool: &mut Pool<A>) -> T::Tangent<A> {
        match &self.0 {
            Some(value) => value.zeros(pool),
            None => T::empty(),
        }
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> T::Tangent<A> {
        T::empty()
    }
    #[inline]
    fn release<A: LinearSpace<T::Base>>(t: T::Tangent<A>, pool: &mut Pool<A>) {
        T::release(t, pool);
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<T::Base>) -> Self {
        Mold(self.0.copied(pool))
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<T::Base>) {
        self.0.into_iter().for_each(|value| value.recycle(pool));
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        self.0.iter().for_each(|v| v.shape(dim));
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(T::Base)) {
        self.0.iter().for_each(|v| v.each(f));
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
        self.0.iter_mut().for_each(|v| v.each_mut(f));
    }
}

impl<F: Float, T: Active<Base = F> + Whole<F>> Whole<F> for Mold<T> {
    #[inline]
    fn save(&self, parts: &mut Parts<'_, F>) {
        self.0.iter().for_each(|v| v.save_shape(parts));
    }
    #[inline]
    fn spend(self, parts: &mut Parts<'_, F>) {
        self.save(parts);
        self.recycle(parts.pool);
    }
    #[inline]
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        Mold((!T::FIXED).then(|| T::restore_shape(parts)))
    }
    #[inline]
    fn blank() -> Self {
        Mold(None)
    }
}
