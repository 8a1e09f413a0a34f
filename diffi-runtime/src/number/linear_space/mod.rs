//! Linear spaces: what tangents and cotangents live in.

pub mod batch;
mod factor;
pub mod itself;
pub(crate) mod small;
pub(crate) mod vectors;

pub use batch::Batch;
pub use factor::Factor;

use crate::number::optional_shadow::MaybeNumber;
use crate::number::tangent::Tangent;
use ndarray::{ArrayView2, ArrayViewMut2};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A linear space over the floats `F`: vectors can be added, and multiplied by floats.
pub trait LinearSpace<F>:
    Copy
    + Default
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Mul<F, Output = Self>
    + Tangent<Self>
    + MaybeNumber<Self, F>
{
    /// The neutral element of addition. For floats this is -0.0: `-0.0 + v` is `v` for every `v`, so that compilers drop the
    /// addition, which they must keep for `0.0 + v`.
    const ZERO: Self;
    /// Whether what is found must hold at every point: values of active numbers then mean nothing, and both sides of what is asked of them
    /// are followed.
    const EVERYWHERE: bool = false;

    /// The vector times a float, and zero where the vector is zero, even if the float is infinite or no number. Batches go lane by lane.
    fn strong_mul(self, factor: F) -> Self;
    /// [`strong_mul`](LinearSpace::strong_mul) by the same float twice, which has to look for zero once.
    #[inline]
    fn strong_mul_twice(self, factor: F) -> Self
    where
        F: Copy,
    {
        self.strong_mul(factor).strong_mul(factor)
    }
    /// The vector times a float, and zero where the float is zero, even if the vector is infinite or no number.
    fn mul_strong(self, factor: F) -> Self;
    /// The vector times a float, and zero where one of them is zero, even if the other is infinite or no number.
    fn strong_mul_strong(self, factor: F) -> Self;

    /// Overwrites `to` with the image of `from` under a linear map that is only known on floats: `map(from, to)` overwrites
    /// `to`. Batches go lane by lane. Of sets every image takes all, as nothing is known of the map's zeros.
    fn apply(from: &[Self], to: &mut [Self], map: impl FnMut(&[F], &mut [F]));

    /// `onto += left · right`. Floats take the kernels of `ndarray`, but for small matrices.
    fn product(left: ArrayView2<'_, Self>, right: ArrayView2<'_, F>, mut onto: ArrayViewMut2<'_, Self>)
    where
        F: Copy,
    {
        for (row, mut to) in left.outer_iter().zip(onto.outer_iter_mut()) {
            for (factor, line) in row.iter().zip(right.outer_iter()) {
                to.iter_mut().zip(line).for_each(|(to, v)| *to += *factor * *v);
            }
        }
    }

    /// `onto = left · right`, whatever was there.
    fn product_over(left: ArrayView2<'_, Self>, right: ArrayView2<'_, F>, mut onto: ArrayViewMut2<'_, Self>)
    where
        F: Copy,
    {
        onto.fill(Self::ZERO);
        Self::product(left, right, onto);
    }

    /// `onto += left · right`, or what replaces it, by rows, if there is a quicker way for matrices of this size. Whether there is.
    #[inline]
    fn small_product(_: Factor<'_, Self>, _: Factor<'_, F>, _: &mut [Self], _: bool) -> bool {
        false
    }
    /// The same, where the right factor is of the linear space.
    #[inline]
    fn small_product_from(_: Factor<'_, F>, _: Factor<'_, Self>, _: &mut [Self], _: bool) -> bool {
        false
    }

    /// [`product`](LinearSpace::product), or [`product_over`](LinearSpace::product_over) with `over`, where the right factor is of the linear space: the
    /// transposes are multiplied, but for floats.
    #[inline]
    fn product_from(left: ArrayView2<'_, F>, right: ArrayView2<'_, Self>, onto: ArrayViewMut2<'_, Self>, over: bool)
    where
        F: Copy,
    {
        let (left, right, onto) = (right.reversed_axes(), left.reversed_axes(), onto.reversed_axes());
        match over {
            true => Self::product_over(left, right, onto),
            false => Self::product(left, right, onto),
        }
    }
}

/// [`LinearSpace::strong_mul`].
#[inline]
pub fn strong_mul<A: LinearSpace<F>, F>(vector: A, factor: F) -> A {
    vector.strong_mul(factor)
}

/// [`LinearSpace::strong_mul_twice`].
#[inline]
pub fn strong_mul_twice<A: LinearSpace<F>, F: Copy>(vector: A, factor: F) -> A {
    vector.strong_mul_twice(factor)
}

/// [`LinearSpace::mul_strong`].
#[inline]
pub fn mul_strong<A: LinearSpace<F>, F>(vector: A, factor: F) -> A {
    vector.mul_strong(factor)
}

/// [`LinearSpace::strong_mul_strong`].
#[inline]
pub fn strong_mul_strong<A: LinearSpace<F>, F>(vector: A, factor: F) -> A {
    vector.strong_mul_strong(factor)
}

impl<A: LinearSpace<F>, F> MaybeNumber<A, F> for () {
    #[inline]
    fn shadow_number(self) -> A {
        A::ZERO
    }
    #[inline]
    fn gain(&mut self, _: A) {}
    #[inline]
    fn lose(&mut self, _: A) {}
    #[inline]
    fn unset(&mut self) {}
}
