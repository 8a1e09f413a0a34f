//! Several tangents at once: spaces whose elements are rows of floats.

use crate::number::active::Active;
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::linear_space::batch::Batch;
use crate::number::real::Real;
use crate::number::scalar::{Dual, HyperDual};
use crate::number::tangent::Tangent;

/// `f32` or `f64`: a [`Base`] with everything that operators need.
pub trait Float: Base + Lanes<Self> + Active<Base = Self> {}
impl<F: Base + Lanes<F> + Active<Base = F>> Float for F {}

/// A linear space whose elements are rows of floats.
pub trait Lanes<F: Base>: LinearSpace<F> {
    /// How many floats.
    const LANES: usize;
    /// A float with a tangent in this space; products are checked for infinite factors if it is `SAFE`.
    type Dual<const SAFE: bool>: Real<Base = F>;
    /// A float with a tangent in this space, `N` derivatives, and their tangents in this space.
    type Hyper<const N: usize>: Mixed<F, Self>;
    /// A float with its tangent.
    fn dual<const SAFE: bool>(value: F, tangent: Self) -> Self::Dual<SAFE>;
    /// The tangent.
    fn tangent<const SAFE: bool>(dual: Self::Dual<SAFE>) -> Self;
    /// One of them.
    fn lane(&self, k: usize) -> F;
    /// Changes one of them.
    fn set_lane(&mut self, k: usize, value: F);

    /// Several of them as floats, if each is one.
    #[inline]
    fn floats_mut(_: &mut [Self]) -> Option<&mut [F]> {
        None
    }

    /// 1 in one lane, +0.0 elsewhere.
    #[inline]
    fn unit(k: usize) -> Self {
        let mut unit = Self::ZERO;
        Tangent::clear(&mut unit);
        unit.set_lane(k, F::ONE);
        unit
    }
}

/// A number with its derivatives in some directions, a tangent in the space `A`, and the tangents of the derivatives.
pub trait Mixed<F, A>: Real<Base = F> {
    /// A number that changes in no direction, with its tangent.
    fn with_tangent(value: F, tangent: A) -> Self;
    /// Changes the derivative in the direction `k`.
    fn set_row(&mut self, k: usize, derivative: F);
    /// The derivative in the direction `k`.
    fn row(&self, k: usize) -> F;
    /// Its tangent.
    fn row_tangent(&self, k: usize) -> A;
}

impl<F: Base, A: Lanes<F>, const N: usize, const SAFE: bool> Mixed<F, A> for Dual<A::Dual<SAFE>, N, SAFE> {
    #[inline]
    fn with_tangent(value: F, tangent: A) -> Self {
        Dual::constant(A::dual(value, tangent))
    }
    #[inline]
    fn set_row(&mut self, k: usize, derivative: F) {
        self.set_partial(k, Real::from_base(derivative));
    }
    #[inline]
    fn row(&self, k: usize) -> F {
        self.partial(k).value()
    }
    #[inline]
    fn row_tangent(&self, k: usize) -> A {
        A::tangent(self.partial(k))
    }
}

/// Tangents of one lane are the float itself, of several a batch.
impl<F: Base, A: Lanes<F>, S: Real<Base = F>, const N: usize, const M: usize> Mixed<F, A> for HyperDual<S, N, M> {
    #[inline]
    fn with_tangent(value: F, tangent: A) -> Self {
        HyperDual::new(S::from_base(value), std::array::from_fn(|k| S::from_base(tangent.lane(k))))
    }
    #[inline]
    fn set_row(&mut self, k: usize, derivative: F) {
        HyperDual::set_row(self, k, S::from_base(derivative));
    }
    #[inline]
    fn row(&self, k: usize) -> F {
        self.rows()[k].value()
    }
    #[inline]
    fn row_tangent(&self, k: usize) -> A {
        let mut tangent = A::ZERO;
        self.mixed()[k].iter().enumerate().for_each(|(lane, t)| tangent.set_lane(lane, t.value()));
        tangent
    }
}

macro_rules! float {
    ($($F:ident)+) => { $(
        impl Lanes<$F> for $F {
            const LANES: usize = 1;
            type Dual<const SAFE: bool> = Dual<$F, 1, SAFE>;
            type Hyper<const N: usize> = HyperDual<$F, N, 1>;
            #[inline]
            fn floats_mut(several: &mut [$F]) -> Option<&mut [$F]> {
                Some(several)
            }
            #[inline]
            fn dual<const SAFE: bool>(value: $F, tangent: $F) -> Dual<$F, 1, SAFE> {
                Dual::new(value, [tangent])
            }
            #[inline]
            fn tangent<const SAFE: bool>(dual: Dual<$F, 1, SAFE>) -> $F {
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
    type Dual<const SAFE: bool> = Dual<F::Number, N, SAFE>;
    type Hyper<const M: usize> = HyperDual<F::Number, M, N>;
    #[inline]
    fn dual<const SAFE: bool>(value: F, tangent: Self) -> Dual<F::Number, N, SAFE> {
        Dual::new(F::Number::from_base(value), tangent.0.map(F::Number::from_base))
    }
    #[inline]
    fn tangent<const SAFE: bool>(dual: Dual<F::Number, N, SAFE>) -> Self {
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
