//! The quaternions, rotations, points and isometries of the crate `nalgebra` as seeds and result buffers.

use crate::number::active::Active;
use crate::number::tangent::Tangent;
use crate::signature::result_buffers::{Buffer, Slot, slot};
use crate::signature::seeds::Seed;
use crate::stack::aggregates::Whole;
use crate::value::geometry::{IsometryTangent, QuaternionTangent};
use nalgebra::{Const, Isometry, OPoint, Quaternion, Rotation, SMatrix, Translation, Unit};
use num_complex::Complex;

/// Seeds and buffers are plain shadows.
macro_rules! buffers {
    ($($F:ident: $([$($generics:tt)*] $T:ty => $Shadow:ty;)+)+) => { $($(
        impl<$($generics)*> Buffer<$T> for $Shadow {
            #[inline]
            fn shadow(&mut self) -> &mut Self {
                self
            }
        }

        impl<$($generics)*> Slot<$T> for $Shadow {
            slot!();
        }

        impl<$($generics)*> Seed<$T> for $Shadow {
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn copy_to(&self, shadow: &mut $Shadow) {
                Tangent::<$F>::set(shadow, self);
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut($F)) {
                Tangent::<$F>::each(self, f);
            }
        }
    )+)+ };
}
macro_rules! buffers_of {
    ($($F:ident)+) => { buffers! { $($F:
        [] Quaternion<$F> => QuaternionTangent<$F>;
        [] Unit<Quaternion<$F>> => QuaternionTangent<$F>;
        [] Unit<Complex<$F>> => Complex<$F>;
        [const D: usize] Unit<SMatrix<$F, D, 1>> => SMatrix<$F, D, 1>;
        [const D: usize] Rotation<$F, D> => SMatrix<$F, D, D>;
        [const D: usize] Translation<$F, D> => Translation<$F, D>;
        [const D: usize] OPoint<$F, Const<D>> => OPoint<$F, Const<D>>;
        [R: Active<Base = $F> + Whole<$F>, const D: usize] Isometry<$F, R, D> => IsometryTangent<R::Tangent<$F>, Translation<$F, D>>;
    )+ } };
}
buffers_of!(f32 f64);
