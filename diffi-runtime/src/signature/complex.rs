//! Complex numbers as seeds and result buffers.

use crate::number::active::Active;
use crate::signature::result_buffers::{Buffer, Slot, slot};
use crate::signature::seeds::Seed;
use num_complex::Complex;

macro_rules! complex {
    ($($F:ident)+) => { $(
        impl Seed<Complex<$F>> for Complex<$F> {
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn copy_to(&self, shadow: &mut Complex<$F>) {
                *shadow = *self;
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut($F)) {
                Active::each(self, f);
            }
        }

        impl Buffer<Complex<$F>> for Complex<$F> {
            #[inline]
            fn shadow(&mut self) -> &mut Self {
                self
            }
        }

        impl Slot<Complex<$F>> for Complex<$F> {
            slot!();
        }
    )+ };
}
complex!(f32 f64);
