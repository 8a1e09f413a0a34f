//! Linear spaces: what tangents and cotangents live in.

mod factor;
pub(crate) mod small;
pub(crate) mod vectors;

pub use factor::Factor;

use crate::number::float::Base;
use crate::signature::rule::Row;
use crate::value::active::{Tangent, space_tangent};
use crate::value::optional_shadow::MaybeNumber;
use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{ArrayView2, ArrayViewMut2};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// A linear space over the floats `F`: vectors can be added, and multiplied by floats.
pub trait Lin<F>:
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

    /// [`product`](Lin::product), or [`product_over`](Lin::product_over) with `over`, where the right factor is of the linear space: the
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

macro_rules! itself {
    ($($F:ident)+) => { $(
        impl Lin<$F> for $F {
            const ZERO: Self = -0.0;
            #[inline]
            fn apply(from: &[$F], to: &mut [$F], mut map: impl FnMut(&[$F], &mut [$F])) {
                map(from, to);
            }
            #[inline]
            fn product(left: ArrayView2<'_, $F>, right: ArrayView2<'_, $F>, mut onto: ArrayViewMut2<'_, $F>) {
                let (rows, columns, inner) = (left.nrows(), right.ncols(), left.ncols());
                if rows == 1 && columns == 1 {
                    onto[[0, 0]] += left.row(0).dot(&right.column(0));
                } else if small::product(&left, &right, &mut onto, false) {
                    // that was all
                } else if inner == 1 && onto.strides()[0] == 1 {
                    let line = left.column(0);
                    onto.reversed_axes().outer_iter_mut().zip(right.row(0)).for_each(|(mut to, v)| to.scaled_add(*v, &line));
                } else if inner == 1 {
                    let line = right.row(0);
                    onto.outer_iter_mut().zip(left.column(0)).for_each(|(mut to, v)| to.scaled_add(*v, &line));
                } else if columns == 1 {
                    general_mat_vec_mul(1.0, &left, &right.column(0), 1.0, &mut onto.column_mut(0));
                } else if rows == 1 {
                    general_mat_vec_mul(1.0, &right.t(), &left.row(0), 1.0, &mut onto.row_mut(0));
                } else {
                    general_mat_mul(1.0, &left, &right, 1.0, &mut onto);
                }
            }
            #[inline]
            fn product_over(left: ArrayView2<'_, $F>, right: ArrayView2<'_, $F>, mut onto: ArrayViewMut2<'_, $F>) {
                if small::product(&left, &right, &mut onto, true) {
                    return;
                }
                if left.ncols() == 1 || right.ncols() == 1 || left.nrows() == 1 {
                    onto.fill(0.0);
                    return Self::product(left, right, onto);
                }
                general_mat_mul(1.0, &left, &right, 0.0, &mut onto);
            }
            #[inline]
            fn small_product(left: Factor<'_, $F>, right: Factor<'_, $F>, onto: &mut [$F], over: bool) -> bool {
                small::by_rows(left, right, onto, over)
            }
            #[inline]
            fn small_product_from(left: Factor<'_, $F>, right: Factor<'_, $F>, onto: &mut [$F], over: bool) -> bool {
                small::by_rows(left, right, onto, over)
            }
            #[inline]
            fn product_from(left: ArrayView2<'_, $F>, right: ArrayView2<'_, $F>, onto: ArrayViewMut2<'_, $F>, over: bool) {
                match over {
                    true => Self::product_over(left, right, onto),
                    false => Self::product(left, right, onto),
                }
            }
        }
    )+ };
}
itself!(f32 f64);

space_tangent!([] f32, 0.0);
space_tangent!([] f64, 0.0);
space_tangent!([F: Base, const N: usize] Batch<F, N>, Batch::default());

/// `N` tangents at once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Batch<F, const N: usize>(pub [F; N]);

impl<F: Base, const N: usize> Lin<F> for Batch<F, N> {
    const ZERO: Self = Batch([<F as Lin<F>>::ZERO; N]);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_neutral_to_the_last_bit() {
        fn check<F: Base, A: Lin<F>>(vectors: &[A], bits: impl Fn(A) -> Vec<u64>) {
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
