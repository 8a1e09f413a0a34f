//! The quaternions, rotations, points and isometries of the crate `nalgebra`. A shadow has the parts of its value; that of a unit or a
//! rotation lies in the space around it, so that it is a plain vector, quaternion or matrix.

use crate::number::active::Active;
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::stack::aggregates::{Parts, Whole};
use crate::stack::workspace::Pool;
use nalgebra::{Const, Isometry, OPoint, Quaternion, Rotation, SMatrix, Scalar, Translation, Unit};
use num_complex::Complex;

/// The shadow of a quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuaternionTangent<A> {
    /// That of the first imaginary part.
    pub i: A,
    /// That of the second one.
    pub j: A,
    /// That of the third one.
    pub k: A,
    /// That of the real part.
    pub w: A,
}

/// The shadow of an isometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IsometryTangent<R, T> {
    /// That of the translation.
    pub translation: T,
    /// That of the rotation.
    pub rotation: R,
}

/// The shadows that are types of their own: generics, the type over a scalar `T`, and its parts with their types.
macro_rules! shadows {
    ($([$($generics:tt)*] $T:ty where $A:ident: $($part:ident: $P:ty),+;)+) => { $(
        impl<$A: Copy, $($generics)*> Tangent<$A> for $T {
            const FIXED: bool = true;

            #[inline]
            fn acc(&mut self, other: &Self) {
                $(<$P as Tangent<$A>>::acc(&mut self.$part, &other.$part);)+
            }
            #[inline]
            fn clear(&mut self) {
                $(<$P as Tangent<$A>>::clear(&mut self.$part);)+
            }
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn each(&self, f: &mut impl FnMut($A)) {
                $(<$P as Tangent<$A>>::each(&self.$part, f);)+
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut $A)) {
                $(<$P as Tangent<$A>>::each_mut(&mut self.$part, f);)+
            }
        }
    )+ };
}
shadows! {
    [T: Tangent<A>] QuaternionTangent<T> where A: i: T, j: T, k: T, w: T;
    [T: Scalar + Tangent<A>, const D: usize] Translation<T, D> where A: vector: SMatrix<T, D, 1>;
    [T: Scalar + Tangent<A>, const D: usize] OPoint<T, Const<D>> where A: coords: SMatrix<T, D, 1>;
    [R: Tangent<A>, T: Tangent<A>] IsometryTangent<R, T> where A: translation: T, rotation: R;
}

/// Values: generics, the float, the type, and its shadow; then the parts, each with its type, and how they are seen, changed, and put
/// together. Parts of a shadow are put together by the second way.
macro_rules! values {
    ($([$($generics:tt)*] $F:ident, $T:ty => $Shadow:ty where $A:ident:
        |$this:ident| { $($part:ident: $P:ty = $get:expr, $set:expr;)+ } $whole:expr, $whole_shadow:expr;)+) => { $(
        impl<$($generics)*> Active for $T {
            type Base = $F;
            type Tangent<$A: LinearSpace<$F>> = $Shadow;
            const FIXED: bool = true;

            #[inline]
            fn zeros<$A: LinearSpace<$F>>(&self, _: &mut Pool<$A>) -> $Shadow {
                <Self as Active>::empty::<$A>()
            }
            #[inline]
            fn empty<$A: LinearSpace<$F>>() -> $Shadow {
                $(let $part = <$P as Active>::empty::<$A>();)+
                $whole_shadow
            }
            #[inline]
            fn release<$A: LinearSpace<$F>>(_: $Shadow, _: &mut Pool<$A>) {}
            #[inline]
            fn copied(&self, _: &mut Pool<$F>) -> Self {
                let $this = self;
                $(let $part = <$P as Active>::duplicate($get);)+
                $whole
            }
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn each(&self, f: &mut impl FnMut($F)) {
                let $this = self;
                $(<$P as Active>::each($get, f);)+
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut $F)) {
                let $this = self;
                $(<$P as Active>::each_mut($set, f);)+
            }
        }

        impl<$($generics)*> Whole<$F> for $T {
            #[inline]
            fn save(&self, parts: &mut Parts<'_, $F>) {
                let $this = self;
                $(<$P as Whole<$F>>::save($get, parts);)+
            }
            #[inline]
            fn restore(parts: &mut Parts<'_, $F>) -> Self {
                values!(@restored parts, $F: $($part: $P),+);
                $whole
            }
            #[inline]
            fn blank() -> Self {
                $(let $part = <$P as Whole<$F>>::blank();)+
                $whole
            }
            #[inline]
            fn unread() -> Option<Self> {
                $(let $part = <$P as Whole<$F>>::unread()?;)+
                Some($whole)
            }
        }
    )+ };
    // the last part that was saved is the first one to be restored
    (@restored $parts:ident, $F:ident: $a:ident: $P:ty, $b:ident: $Q:ty) => {
        let $b = <$Q as Whole<$F>>::restore($parts);
        let $a = <$P as Whole<$F>>::restore($parts);
    };
    (@restored $parts:ident, $F:ident: $a:ident: $P:ty) => {
        let $a = <$P as Whole<$F>>::restore($parts);
    };
}

macro_rules! of_float {
    ($($F:ident)+) => { $(
        values! {
            [] $F, Quaternion<$F> => QuaternionTangent<A> where A: |q| {
                    coords: SMatrix<$F, 4, 1> = &q.coords, &mut q.coords;
                } Quaternion { coords }, QuaternionTangent { i: coords[0], j: coords[1], k: coords[2], w: coords[3] };
            [] $F, Unit<Quaternion<$F>> => QuaternionTangent<A> where A: |q| {
                    quaternion: Quaternion<$F> = q.as_ref(), q.as_mut_unchecked();
                } Unit::new_unchecked(quaternion), quaternion;
            [] $F, Unit<Complex<$F>> => Complex<A> where A: |z| {
                    complex: Complex<$F> = z.as_ref(), z.as_mut_unchecked();
                } Unit::new_unchecked(complex), complex;
            [const D: usize] $F, Unit<SMatrix<$F, D, 1>> => SMatrix<A, D, 1> where A: |v| {
                    vector: SMatrix<$F, D, 1> = v.as_ref(), v.as_mut_unchecked();
                } Unit::new_unchecked(vector), vector;
            [const D: usize] $F, Rotation<$F, D> => SMatrix<A, D, D> where A: |r| {
                    matrix: SMatrix<$F, D, D> = r.matrix(), r.matrix_mut_unchecked();
                } Rotation::from_matrix_unchecked(matrix), matrix;
            [const D: usize] $F, Translation<$F, D> => Translation<A, D> where A: |t| {
                    vector: SMatrix<$F, D, 1> = &t.vector, &mut t.vector;
                } Translation { vector }, Translation { vector };
            [const D: usize] $F, OPoint<$F, Const<D>> => OPoint<A, Const<D>> where A: |p| {
                    coords: SMatrix<$F, D, 1> = &p.coords, &mut p.coords;
                } OPoint { coords }, OPoint { coords };
            [R: Active<Base = $F> + Whole<$F>, const D: usize] $F, Isometry<$F, R, D> => IsometryTangent<R::Tangent<A>, Translation<A, D>> where A: |i| {
                    translation: Translation<$F, D> = &i.translation, &mut i.translation;
                    rotation: R = &i.rotation, &mut i.rotation;
                } Isometry { rotation, translation }, IsometryTangent { translation, rotation };
        }
    )+ };
}
of_float!(f32 f64);
