//! Shadows: tangents and cotangents, in any linear space.

use crate::stack::workspace::Pool;

/// A shadow over the linear space `A`: it can be accumulated, cleared and walked through in flattened (row-major) order.
pub trait Tangent<A>: Send + 'static {
    /// Whether the type alone fixes the shape, as [`Active::FIXED`](crate::number::active::Active::FIXED) of the value's.
    const FIXED: bool;
    /// `self += other`.
    fn acc(&mut self, other: &Self);
    /// Sets every number to +0.0, the zero that is shown to users.
    fn clear(&mut self);
    /// Passes on the lengths of all containers, outermost first.
    fn shape(&self, dim: &mut dyn FnMut(usize));
    /// Passes on every number.
    fn each(&self, f: &mut impl FnMut(A));
    /// Passes on every number, to be changed.
    fn each_mut(&mut self, f: &mut impl FnMut(&mut A));
    /// All numbers in flattened order, where they stand side by side in memory.
    #[inline]
    fn side_by_side(&self) -> Option<&[A]> {
        None
    }
    /// The same of several shadows.
    #[inline]
    fn all_side_by_side(_: &[Self]) -> Option<&[A]>
    where
        Self: Sized,
    {
        None
    }
    /// [`side_by_side`](Tangent::side_by_side), to be changed.
    #[inline]
    fn side_by_side_mut(&mut self) -> Option<&mut [A]> {
        None
    }
    /// The same of several shadows.
    #[inline]
    fn all_side_by_side_mut(_: &mut [Self]) -> Option<&mut [A]>
    where
        Self: Sized,
    {
        None
    }
    /// `self = other`, of the same shape.
    #[inline]
    fn set(&mut self, other: &Self) {
        self.clear();
        self.acc(other);
    }
    /// Gives the buffers of an array back.
    #[doc(hidden)]
    #[inline]
    fn recycle(self, _: &mut Pool<A>)
    where
        Self: Sized,
    {
    }
    /// The same of several shadows.
    #[doc(hidden)]
    #[inline]
    fn recycle_all(mut several: Vec<Self>, pool: &mut Pool<A>)
    where
        Self: Sized,
    {
        several.drain(..).rev().for_each(|shadow| shadow.recycle(pool));
        pool.shelf.give(several);
    }
    /// The same of rows of shadows.
    #[doc(hidden)]
    #[inline]
    fn recycle_rows(mut rows: Vec<Vec<Self>>, pool: &mut Pool<A>)
    where
        Self: Sized,
    {
        rows.drain(..).rev().for_each(|row| Self::recycle_all(row, pool));
        pool.shelf.give(rows);
    }
    /// The same of arrays of shadows.
    #[doc(hidden)]
    #[inline]
    fn recycle_arrays<const N: usize>(mut arrays: Vec<[Self; N]>, pool: &mut Pool<A>)
    where
        Self: Sized,
    {
        arrays.drain(..).rev().flatten().for_each(|shadow| shadow.recycle(pool));
        pool.shelf.give(arrays);
    }
}
