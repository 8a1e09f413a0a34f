//! Several tangents at once: spaces whose elements are rows of floats, and operators with several seeds.

use crate::active::{Active, Tangent};
use crate::base::Base;
use crate::linear::{Batch, Lin};
use crate::list::List;
use crate::real::Real;
use crate::scalar::Dual;
use std::fmt::Debug;

/// `f32` or `f64`: a [`Base`] with everything that operators need.
pub trait Float: Base + Lanes<Self> + Active<Base = Self> {}
impl<F: Base + Lanes<F> + Active<Base = F>> Float for F {}

/// A linear space whose elements are rows of floats.
pub trait Lanes<F: Base>: Lin<F> {
    /// How many floats.
    const LANES: usize;
    /// A float with a tangent in this space.
    type Dual: Real<Base = F>;
    /// A float with its tangent.
    fn dual(value: F, tangent: Self) -> Self::Dual;
    /// The tangent.
    fn tangent(dual: Self::Dual) -> Self;
    /// One of them.
    fn lane(&self, k: usize) -> F;
    /// Changes one of them.
    fn set_lane(&mut self, k: usize, value: F);

    /// 1 in one lane, +0.0 elsewhere.
    #[inline]
    fn unit(k: usize) -> Self {
        let mut unit = Self::ZERO;
        Tangent::clear(&mut unit);
        unit.set_lane(k, F::ONE);
        unit
    }
}

macro_rules! float {
    ($($F:ident)+) => { $(
        impl Lanes<$F> for $F {
            const LANES: usize = 1;
            type Dual = Dual<$F, 1>;
            #[inline]
            fn dual(value: $F, tangent: $F) -> Dual<$F, 1> {
                Dual::new(value, [tangent])
            }
            #[inline]
            fn tangent(dual: Dual<$F, 1>) -> $F {
                dual.partial(0)
            }
            #[inline]
            fn lane(&self, _: usize) -> $F {
                *self
            }
            #[inline]
            fn set_lane(&mut self, _: usize, value: $F) {
                *self = value;
            }
        }
    )+ };
}
float!(f32 f64);

impl<F: Base, const N: usize> Lanes<F> for Batch<F, N> {
    const LANES: usize = N;
    type Dual = Dual<F::Number, N>;
    #[inline]
    fn dual(value: F, tangent: Self) -> Dual<F::Number, N> {
        Dual::new(F::Number::from_base(value), tangent.0.map(F::Number::from_base))
    }
    #[inline]
    fn tangent(dual: Dual<F::Number, N>) -> Self {
        Batch(dual.partials().map(Real::value))
    }
    #[inline]
    fn lane(&self, k: usize) -> F {
        self.0[k]
    }
    #[inline]
    fn set_lane(&mut self, k: usize, value: F) {
        self.0[k] = value;
    }
}

/// Shadows of all seeds.
pub type Gathered<'a, L, W> = <L as List>::Muts<'a, <W as Width>::Space<<L as List>::Base>>;

/// How many seeds an operator was given, and what it therefore returns.
pub trait Width: Sized + Debug + Send + 'static {
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

impl Width for One {
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

impl<const N: usize> Width for Many<N> {
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
