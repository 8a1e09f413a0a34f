//! How many seeds an operator is given.

use crate::number::batch::{Float, Lanes};
use crate::number::hlist::List;
use crate::number::linear_space::batch::Batch;
use std::fmt::Debug;

/// Shadows of all seeds.
pub type Gathered<'a, L, W> = <L as List>::Muts<'a, <W as BatchWidth>::Space<<L as List>::Base>>;

/// How many seeds an operator was given, and what it therefore returns.
pub trait BatchWidth: Sized + Debug + Send + 'static {
    /// One `T` for each seed.
    type Of<T>;
    /// The space in which all seeds are one.
    type Space<F: Float>: Lanes<F>;
    /// How many seeds.
    const N: usize;

    /// Makes one `T` for each seed.
    fn make<T>(make: impl FnMut() -> T) -> Self::Of<T>;
    /// Turns each `T` into a `U`.
    fn map<T, U>(of: Self::Of<T>, f: impl FnMut(T) -> U) -> Self::Of<U>;
    /// That of the seed `k`.
    fn get<T>(of: &mut Self::Of<T>, k: usize) -> &mut T;
    /// Plain shadows as shadows of all seeds: only if there is one seed.
    fn gather<L: List>(plain: L::Muts<'_, L::Base>) -> Option<Gathered<'_, L, Self>>;
    /// The opposite.
    fn spread<L: List>(all: Gathered<'_, L, Self>) -> Result<L::Muts<'_, L::Base>, Gathered<'_, L, Self>>;
}

/// One seed.
#[derive(Clone, Copy, Debug)]
pub struct One;

impl BatchWidth for One {
    type Of<T> = T;
    type Space<F: Float> = F;
    const N: usize = 1;

    #[inline]
    fn make<T>(mut make: impl FnMut() -> T) -> T {
        make()
    }
    #[inline]
    fn map<T, U>(of: T, mut f: impl FnMut(T) -> U) -> U {
        f(of)
    }
    #[inline]
    fn get<T>(of: &mut T, _: usize) -> &mut T {
        of
    }
    #[inline]
    fn gather<L: List>(plain: L::Muts<'_, L::Base>) -> Option<L::Muts<'_, L::Base>> {
        Some(plain)
    }
    #[inline]
    fn spread<L: List>(all: L::Muts<'_, L::Base>) -> Result<L::Muts<'_, L::Base>, L::Muts<'_, L::Base>> {
        Ok(all)
    }
}

/// An array of seeds.
#[derive(Clone, Copy, Debug)]
pub struct Many<const N: usize>;

impl<const N: usize> BatchWidth for Many<N> {
    type Of<T> = [T; N];
    type Space<F: Float> = Batch<F, N>;
    const N: usize = N;

    #[inline]
    fn make<T>(mut make: impl FnMut() -> T) -> [T; N] {
        std::array::from_fn(|_| make())
    }
    #[inline]
    fn map<T, U>(of: [T; N], f: impl FnMut(T) -> U) -> [U; N] {
        of.map(f)
    }
    #[inline]
    fn get<T>(of: &mut [T; N], k: usize) -> &mut T {
        &mut of[k]
    }
    #[inline]
    fn gather<L: List>(_: L::Muts<'_, L::Base>) -> Option<Gathered<'_, L, Self>> {
        None
    }
    #[inline]
    fn spread<L: List>(all: Gathered<'_, L, Self>) -> Result<L::Muts<'_, L::Base>, Gathered<'_, L, Self>> {
        Err(all)
    }
}
