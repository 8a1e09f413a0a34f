//! Copies of constant vectors, whose memory comes from the workspace where rustc finds that they are vectors.

use crate::stack::nested::Nested;
use crate::stack::workspace::Pool;

/// A value of which a copy is asked for: `(&Pooled(&value)).copied(pool, || value.clone())`.
#[derive(Clone, Copy, Debug)]
pub struct Pooled<'v, T: ?Sized>(pub &'v T);

/// Elements side by side.
pub trait Listed {
    /// One of them.
    type Element;
    /// All of them.
    fn all(&self) -> &[Self::Element];
}

impl<T> Listed for Vec<T> {
    type Element = T;
    #[inline]
    fn all(&self) -> &[T] {
        self
    }
}

impl<T> Listed for [T] {
    type Element = T;
    #[inline]
    fn all(&self) -> &[T] {
        self
    }
}

impl<T: Listed + ?Sized> Listed for &T {
    type Element = T::Element;
    #[inline]
    fn all(&self) -> &[T::Element] {
        (**self).all()
    }
}

/// A copy with memory of the workspace.
pub trait PooledCopy<F> {
    /// One of the elements.
    type Element;
    /// The copy.
    fn copied(&self, pool: &mut Pool<F>, plain: impl FnOnce() -> Vec<Self::Element>) -> Vec<Self::Element>;
}

impl<F, T: Listed<Element: Nested<F>> + ?Sized> PooledCopy<F> for Pooled<'_, T> {
    type Element = T::Element;
    #[inline]
    fn copied(&self, pool: &mut Pool<F>, _: impl FnOnce() -> Vec<T::Element>) -> Vec<T::Element> {
        Nested::copies(self.0.all(), pool)
    }
}

/// Whatever the user's method makes. It is found where [`PooledCopy`] is not, for it takes one reference more.
pub trait PlainCopy {
    /// The copy.
    fn copied<P, C>(&self, _: &mut P, plain: impl FnOnce() -> C) -> C;
}

impl<T: ?Sized> PlainCopy for &Pooled<'_, T> {
    #[inline]
    fn copied<P, C>(&self, _: &mut P, plain: impl FnOnce() -> C) -> C {
        plain()
    }
}
