//! The matrices of the crate `nalgebra` as result buffers.

use crate::signature::result_buffers::{Buffer, Slot, slot};
use crate::value::nalgebra::families;
use nalgebra::{DMatrix, DVector, RowDVector, SMatrix};

macro_rules! buffers {
    ($F:ident $([$($generics:tt)*] $M:ident [$($args:tt)*] $fixed:literal:
        |$rows:ident, $columns:ident, $v:ident| $make:expr, $smallest:expr;)+) => { $(
        impl<$($generics)*> Buffer<$M<$F $($args)*>> for $M<$F $($args)*> {
            #[inline]
            fn shadow(&mut self) -> &mut Self {
                self
            }
        }

        impl<$($generics)*> Slot<$M<$F $($args)*>> for $M<$F $($args)*> {
            slot!();
        }
    )+ };
}
families!(buffers! { f32 });
families!(buffers! { f64 });
