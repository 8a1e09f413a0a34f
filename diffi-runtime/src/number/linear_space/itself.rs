//! Floats as linear spaces of their own.

use crate::number::linear_space::factor::Factor;
use crate::number::linear_space::{LinearSpace, small};
use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{ArrayView2, ArrayViewMut2};

/// `Tangent<Self>` for a linear space, one line per space: generics, the space, its +0.0.
macro_rules! space_tangent {
    ([$($generics:tt)*] $space:ty, $zero:expr) => {
        impl<$($generics)*> $crate::number::tangent::Tangent<$space> for $space {
            const FIXED: bool = true;

            #[inline]
            fn acc(&mut self, other: &Self) {
                *self += *other;
            }
            #[inline]
            fn clear(&mut self) {
                *self = $zero;
            }
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn each(&self, f: &mut impl FnMut($space)) {
                f(*self);
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut $space)) {
                f(self);
            }
            #[inline]
            fn side_by_side(&self) -> Option<&[Self]> {
                Some(std::slice::from_ref(self))
            }
            #[inline]
            fn all_side_by_side(several: &[Self]) -> Option<&[Self]> {
                Some(several)
            }
            #[inline]
            fn side_by_side_mut(&mut self) -> Option<&mut [Self]> {
                Some(std::slice::from_mut(self))
            }
            #[inline]
            fn all_side_by_side_mut(several: &mut [Self]) -> Option<&mut [Self]> {
                Some(several)
            }
            #[inline]
            fn set(&mut self, other: &Self) {
                *self = *other;
            }
            #[inline]
            fn recycle_all(several: Vec<Self>, pool: &mut $crate::stack::workspace::Pool<$space>) {
                pool.give(several);
            }
            #[inline]
            fn recycle_rows(rows: Vec<Vec<Self>>, pool: &mut $crate::stack::workspace::Pool<$space>) {
                pool.give_rows(rows);
            }
            #[inline]
            fn recycle_arrays<const LENGTH: usize>(
                arrays: Vec<[Self; LENGTH]>,
                pool: &mut $crate::stack::workspace::Pool<$space>,
            ) {
                pool.shelf.give(arrays);
            }
        }

        impl<Scalar, $($generics)*> $crate::number::optional_shadow::MaybeNumber<$space, Scalar> for $space
        where
            $space: $crate::number::linear_space::LinearSpace<Scalar>,
        {
            #[inline]
            fn shadow_number(self) -> Self {
                self
            }
            #[inline]
            fn gain(&mut self, value: Self) {
                *self += value;
            }
            #[inline]
            fn lose(&mut self, value: Self) {
                *self -= value;
            }
            #[inline]
            fn unset(&mut self) {
                *self = <$space as $crate::number::linear_space::LinearSpace<Scalar>>::ZERO;
            }
        }
    };
}

pub(crate) use space_tangent;

macro_rules! itself {
    ($($F:ident)+) => { $(
        impl LinearSpace<$F> for $F {
            const ZERO: Self = -0.0;
            #[inline]
            fn strong_mul(self, factor: $F) -> Self {
                if self == 0.0 { 0.0 } else { self * factor }
            }
            #[inline]
            fn strong_mul_twice(self, factor: $F) -> Self {
                if self == 0.0 { 0.0 } else { self * factor * factor }
            }
            #[inline]
            fn mul_strong(self, factor: $F) -> Self {
                if factor == 0.0 { 0.0 } else { self * factor }
            }
            #[inline]
            fn strong_mul_strong(self, factor: $F) -> Self {
                if self == 0.0 || factor == 0.0 { 0.0 } else { self * factor }
            }
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
