//! Vectors of numbers, of rows and of arrays, whose memory comes from the workspace.

use crate::stack::room::Room;
use crate::stack::workspace::Pool;

/// A number, a row or an array of numbers, in a vector of such.
pub trait Nested<A>: Sized {
    /// An empty vector that has room for so many.
    fn room(n: usize, pool: &mut Pool<A>) -> Vec<Self>;
    /// The same so many times.
    fn repeated(&self, n: usize, pool: &mut Pool<A>) -> Vec<Self>;
    /// These.
    #[inline]
    fn listed<const N: usize>(all: [Self; N], pool: &mut Pool<A>) -> Vec<Self> {
        let mut list = Self::room(N, pool);
        list.extend(all);
        list
    }
    /// A copy of several.
    fn copies(all: &[Self], pool: &mut Pool<A>) -> Vec<Self>;
}

impl<A: Copy + Send + Sync + 'static> Nested<A> for A {
    #[inline]
    fn room(n: usize, pool: &mut Pool<A>) -> Vec<Self> {
        pool.empty(n)
    }
    #[inline]
    fn repeated(&self, n: usize, pool: &mut Pool<A>) -> Vec<Self> {
        pool.take(n, *self)
    }
    #[inline]
    fn copies(all: &[Self], pool: &mut Pool<A>) -> Vec<Self> {
        pool.take_copy(all)
    }
}

impl<A: Copy + Send + Sync + 'static> Nested<A> for Vec<A> {
    #[inline]
    fn room(n: usize, pool: &mut Pool<A>) -> Vec<Self> {
        pool.shelf.take(n)
    }
    #[inline]
    fn repeated(&self, n: usize, pool: &mut Pool<A>) -> Vec<Self> {
        pool.rows(n, |pool, _| pool.take_copy(self))
    }
    #[inline]
    fn copies(all: &[Self], pool: &mut Pool<A>) -> Vec<Self> {
        pool.rows(all.len(), |pool, k| pool.take_copy(&all[k]))
    }
}

impl<A: Copy + Send + Sync + 'static, const N: usize> Nested<A> for [A; N] {
    #[inline]
    fn room(n: usize, pool: &mut Pool<A>) -> Vec<Self> {
        Room::new().take(n, pool)
    }
    #[inline]
    fn repeated(&self, n: usize, pool: &mut Pool<A>) -> Vec<Self> {
        Room::new().repeated(*self, n, pool)
    }
    #[inline]
    fn copies(all: &[Self], pool: &mut Pool<A>) -> Vec<Self> {
        Room::new().copies(all, pool)
    }
}
