//! Values as their numbers, in the order in which shadows have them.

use crate::intrinsics::library::of_float::{OfF32, OfF64};
use crate::number::active::Active;
use nalgebra::{Complex, Const, Isometry, OPoint, Quaternion, RealField, Rotation, SMatrix, Translation, Unit};
use nalgebra::{DMatrix, DVector, RowDVector};
use num_dual::{Dual, HyperDual};

/// A number that `nalgebra` computes with.
pub trait AnyNumber: RealField + Copy + Numbers<Self> {}

/// A value made of numbers of the type `S`.
pub trait Numbers<S>: Sized {
    /// The value of these numbers.
    fn read(from: &mut impl FnMut() -> S) -> Self;
    /// Its numbers.
    fn write(self, to: &mut impl FnMut(S));
}

/// Types that are made of one part: how it is put in and taken out.
macro_rules! wrapped {
    ($([$($generics:tt)*] $T:ty, $Part:ty: |$made:ident| $make:expr, |$this:ident| $take:expr;)+) => { $(
        impl<S: AnyNumber, $($generics)*> Numbers<S> for $T {
            #[inline]
            fn read(from: &mut impl FnMut() -> S) -> Self {
                let $made = <$Part as Numbers<S>>::read(from);
                $make
            }
            #[inline]
            fn write(self, to: &mut impl FnMut(S)) {
                let $this = self;
                Numbers::<S>::write($take, to);
            }
        }
    )+ };
}
wrapped! {
    [] Quaternion<S>, SMatrix<S, 4, 1>: |coords| Quaternion { coords }, |q| q.coords;
    [] Unit<Quaternion<S>>, Quaternion<S>: |q| Unit::new_unchecked(q), |q| q.into_inner();
    [] Unit<Complex<S>>, Complex<S>: |z| Unit::new_unchecked(z), |z| z.into_inner();
    [const D: usize] Unit<SMatrix<S, D, 1>>, SMatrix<S, D, 1>: |v| Unit::new_unchecked(v), |v| v.into_inner();
    [const D: usize] Rotation<S, D>, SMatrix<S, D, D>: |m| Rotation::from_matrix_unchecked(m), |r| r.into_inner();
    [const D: usize] Translation<S, D>, SMatrix<S, D, 1>: |vector| Translation { vector }, |t| t.vector;
    [const D: usize] OPoint<S, Const<D>>, SMatrix<S, D, 1>: |coords| OPoint { coords }, |p| p.coords;
}

macro_rules! numbers {
    ($($S:ty),+) => { $(
        impl AnyNumber for $S {}

        impl Numbers<$S> for $S {
            #[inline]
            fn read(from: &mut impl FnMut() -> $S) -> $S {
                from()
            }
            #[inline]
            fn write(self, to: &mut impl FnMut($S)) {
                to(self);
            }
        }
    )+ };
}
numbers!(f32, f64, Dual<f32>, Dual<f64>, HyperDual<f32>, HyperDual<f64>);

/// Matrices row by row.
impl<S: AnyNumber, const R: usize, const C: usize> Numbers<S> for SMatrix<S, R, C> {
    #[inline]
    fn read(from: &mut impl FnMut() -> S) -> Self {
        let mut matrix = SMatrix::zeros();
        for at in (0..R).flat_map(|i| (0..C).map(move |j| (i, j))) {
            matrix[at] = from();
        }
        matrix
    }
    #[inline]
    fn write(self, to: &mut impl FnMut(S)) {
        (0..R).flat_map(|i| (0..C).map(move |j| (i, j))).for_each(|at| to(self[at]));
    }
}

impl<S: AnyNumber> Numbers<S> for Complex<S> {
    #[inline]
    fn read(from: &mut impl FnMut() -> S) -> Self {
        let re = from();
        Complex { re, im: from() }
    }
    #[inline]
    fn write(self, to: &mut impl FnMut(S)) {
        to(self.re);
        to(self.im);
    }
}

impl<S: AnyNumber, R: Numbers<S>, const D: usize> Numbers<S> for Isometry<S, R, D> {
    #[inline]
    fn read(from: &mut impl FnMut() -> S) -> Self {
        let translation = Numbers::<S>::read(from);
        Isometry { translation, rotation: Numbers::<S>::read(from) }
    }
    #[inline]
    fn write(self, to: &mut impl FnMut(S)) {
        Numbers::<S>::write(self.translation, to);
        Numbers::<S>::write(self.rotation, to);
    }
}

/// A value that may be missing, as a result: it is there for all numbers, or for none.
impl<S: AnyNumber, T: Numbers<S>> Numbers<S> for Option<T> {
    #[inline]
    fn read(from: &mut impl FnMut() -> S) -> Self {
        Some(T::read(from))
    }
    #[inline]
    fn write(self, to: &mut impl FnMut(S)) {
        self.into_iter().for_each(|value| value.write(to));
    }
}

macro_rules! tuples {
    ($(($($T:ident $k:tt),+))+) => { $(
        impl<S: AnyNumber, $($T: Numbers<S>),+> Numbers<S> for ($($T,)+) {
            #[inline]
            fn read(from: &mut impl FnMut() -> S) -> Self {
                ($($T::read(from),)+)
            }
            #[inline]
            fn write(self, to: &mut impl FnMut(S)) {
                $(self.$k.write(to);)+
            }
        }
    )+ };
}
tuples! {
    (T0 0, T1 1)
    (T0 0, T1 1, T2 2)
}

/// An operand as it is written in a call: by value, or by reference.
pub trait Operand {
    /// The value's type.
    type Of: Active;
    /// The value.
    fn operand(self) -> Self::Of;
}

macro_rules! operands {
    ($($F:ident $Of:ident)+) => { $(
        operands! { @of [] $F; [] Complex<$F>; }
        operands! { @of_float $Of:
        [] Quaternion<$F>;
        [] Unit<Quaternion<$F>>;
        [] Unit<Complex<$F>>;
        [const D: usize] Unit<SMatrix<$F, D, 1>>;
        [const D: usize] Rotation<$F, D>;
        [const D: usize] Translation<$F, D>;
        [const D: usize] OPoint<$F, Const<D>>;
        [const D: usize] Isometry<$F, Unit<Quaternion<$F>>, D>;
        [const D: usize] Isometry<$F, Unit<Complex<$F>>, D>;
        [const D: usize, const N: usize] Isometry<$F, Rotation<$F, N>, D>;
        [const R: usize, const C: usize] SMatrix<$F, R, C>;
        [] DMatrix<$F>;
        [] DVector<$F>;
            [] RowDVector<$F>;
        }
    )+ };
    (@of_float $Of:ident: $([$($generics:tt)*] $T:ty;)+) => {
        operands! { @of $([$($generics)*] $T;)+ }
        $(impl<$($generics)*> $Of for $T {})+
    };
    (@of $([$($generics:tt)*] $T:ty;)+) => { $(
        impl<$($generics)*> Operand for $T {
            type Of = $T;
            #[inline]
            fn operand(self) -> $T {
                self
            }
        }

        impl<$($generics)*> Operand for &$T {
            type Of = $T;
            #[inline]
            fn operand(self) -> $T {
                self.clone()
            }
        }
    )+ };
}
operands!(f32 OfF32 f64 OfF64);
