//! Batches: several tangents at once.

use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::linear_space::itself::space_tangent;
use crate::number::row::Row;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// `N` tangents at once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Batch<F, const N: usize>(pub [F; N]);

impl<F: Base, const N: usize> LinearSpace<F> for Batch<F, N> {
    const ZERO: Self = Batch([<F as LinearSpace<F>>::ZERO; N]);

    #[inline]
    fn strong_mul(self, factor: F) -> Self {
        Batch(self.0.map(|v| v.strong_mul(factor)))
    }

    #[inline]
    fn strong_mul_twice(self, factor: F) -> Self {
        Batch(self.0.map(|v| v.strong_mul_twice(factor)))
    }

    #[inline]
    fn mul_strong(self, factor: F) -> Self {
        Batch(self.0.map(|v| v.mul_strong(factor)))
    }

    #[inline]
    fn strong_mul_strong(self, factor: F) -> Self {
        Batch(self.0.map(|v| v.strong_mul_strong(factor)))
    }

    #[inline]
    fn apply(from: &[Self], to: &mut [Self], mut map: impl FnMut(&[F], &mut [F])) {
        let zero = <F as Base>::ZERO;
        let (mut source, mut image) = (Row::of(zero, from.len()), Row::of(zero, to.len()));
        for lane in 0..N {
            source.iter_mut().zip(from).for_each(|(s, v)| *s = v[lane]);
            map(&source, &mut image);
            to.iter_mut().zip(&*image).for_each(|(v, i)| v[lane] = *i);
        }
    }
}

impl<F: Base, const N: usize> Batch<F, N> {
    /// 1 at `k`, and 0 elsewhere.
    ///
    /// # Panics
    ///
    /// Unless `k < N`.
    #[inline]
    pub fn unit(k: usize) -> Self {
        let mut unit = Batch::default();
        unit[k] = F::ONE;
        unit
    }
}

impl<F: Base, const N: usize> Default for Batch<F, N> {
    #[inline]
    fn default() -> Self {
        Batch([<F as Base>::ZERO; N])
    }
}

impl<F, const N: usize> Index<usize> for Batch<F, N> {
    type Output = F;
    #[inline]
    fn index(&self, k: usize) -> &F {
        &self.0[k]
    }
}

impl<F, const N: usize> IndexMut<usize> for Batch<F, N> {
    #[inline]
    fn index_mut(&mut self, k: usize) -> &mut F {
        &mut self.0[k]
    }
}

impl<F: Base, const N: usize> Add for Batch<F, N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Batch(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl<F: Base, const N: usize> Sub for Batch<F, N> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Batch(std::array::from_fn(|k| self.0[k] - other.0[k]))
    }
}

impl<F: Base, const N: usize> Neg for Batch<F, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Batch(std::array::from_fn(|k| -self.0[k]))
    }
}

impl<F: Base, const N: usize> Mul<F> for Batch<F, N> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: F) -> Self {
        Batch(std::array::from_fn(|k| self.0[k] * factor))
    }
}

impl<F: Base, const N: usize> AddAssign for Batch<F, N> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        for k in 0..N {
            self.0[k] += other.0[k];
        }
    }
}

impl<F: Base, const N: usize> SubAssign for Batch<F, N> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        for k in 0..N {
            self.0[k] -= other.0[k];
        }
    }
}

space_tangent!([F: Base, const N: usize] Batch<F, N>, Batch::default());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::tangent::Tangent;

    #[test]
    fn zero_is_neutral_to_the_last_bit() {
        fn check<F: Base, A: LinearSpace<F>>(vectors: &[A], bits: impl Fn(A) -> Vec<u64>) {
            for v in vectors {
                let mut sum = A::ZERO;
                sum += *v;
                assert_eq!(bits(sum), bits(*v));
                assert_eq!(bits(A::ZERO + *v), bits(*v));
            }
        }
        check::<f64, f64>(&[0.0, -0.0, 1.5], |v| vec![v.to_bits()]);
        check::<f32, f32>(&[0.0, -0.0, 1.5], |v| vec![v.to_bits().into()]);
        check::<f64, Batch<f64, 2>>(&[Batch([0.0, -0.0]), Batch([1.0, -2.0])], |v| v.0.map(f64::to_bits).to_vec());
    }

    #[test]
    fn a_batch_is_a_vector_per_lane() {
        let (a, b) = (Batch([1.0, -2.0, 0.5]), Batch([4.0, 8.0, -16.0]));
        assert_eq!(a + b, Batch([5.0, 6.0, -15.5]));
        assert_eq!(a - b, Batch([-3.0, -10.0, 16.5]));
        assert_eq!(-a, Batch([-1.0, 2.0, -0.5]));
        assert_eq!(a * 2.0, Batch([2.0, -4.0, 1.0]));
        let mut c = a;
        c += b;
        assert_eq!(c, a + b);
        c -= b;
        assert_eq!(c, a);
        assert_eq!(Batch::<f32, 3>::unit(1), Batch([0.0, 1.0, 0.0]));
        assert!(Batch::<f64, 2>::default().0.iter().all(|v| v.is_sign_positive()));
        assert_eq!((a[1], size_of::<Batch<f64, 3>>()), (-2.0, 24));
    }

    #[test]
    fn tangents_of_spaces() {
        let mut batch = Batch([1.0f64, -2.0]);
        batch.acc(&Batch([1.0, 1.0]));
        assert_eq!(batch, Batch([2.0, -1.0]));
        batch.clear();
        assert!(batch.0.iter().all(|v| *v == 0.0 && v.is_sign_positive()));
    }
}
