//! Vectors of values that wait in the pool, where rustc finds that they may be sent to other threads with it.

use crate::stack::workspace::Pool;
use std::marker::PhantomData;

/// Whose vectors are asked for: `Room::<T>::new().take(n, pool)`.
#[derive(Clone, Copy, Debug)]
pub struct Room<T>(PhantomData<fn() -> T>);

impl<T> Room<T> {
    /// Vectors of `T`.
    #[inline]
    #[expect(clippy::new_without_default, reason = "it is asked by its type")]
    pub fn new() -> Self {
        Room(PhantomData)
    }
}

impl<T: Send + 'static> Room<T> {
    /// An empty vector of the pool, with room for `n` values.
    #[inline]
    pub fn take<F>(self, n: usize, pool: &mut Pool<F>) -> Vec<T> {
        pool.shelf.take(n)
    }
    /// Gives it back.
    #[inline]
    pub fn give<F>(self, vector: Vec<T>, pool: &mut Pool<F>) {
        pool.shelf.give(vector);
    }
    /// A value so many times.
    #[inline]
    pub fn repeated<F>(self, value: T, n: usize, pool: &mut Pool<F>) -> Vec<T>
    where
        T: Clone,
    {
        let mut list = self.take(n, pool);
        list.resize(n, value);
        list
    }
    /// Copies of several values.
    #[inline]
    pub fn copies<F>(self, all: &[T], pool: &mut Pool<F>) -> Vec<T>
    where
        T: Clone,
    {
        let mut list = self.take(all.len(), pool);
        list.extend_from_slice(all);
        list
    }
    /// These values.
    #[inline]
    pub fn listed<F, const N: usize>(self, all: [T; N], pool: &mut Pool<F>) -> Vec<T> {
        let mut list = self.take(N, pool);
        list.extend(all);
        list
    }
}

/// Of all other values; the methods above are found before.
pub trait PlainRoom<T>: Sized {
    /// An empty vector of its own.
    #[inline]
    fn take<P>(self, n: usize, _: P) -> Vec<T> {
        Vec::with_capacity(n)
    }
    /// There is nothing to give back.
    #[inline]
    fn give<P>(self, _: Vec<T>, _: P) {}
}

impl<T> PlainRoom<T> for Room<T> {}
