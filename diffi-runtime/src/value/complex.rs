//! The complex numbers of the crate `num-complex`: pairs of reals. A shadow is the pair of both parts' shadows, and so a gradient by
//! `z` is `∂f/∂re + i ∂f/∂im`, the direction of steepest ascent in the plane.

use crate::number::active::Active;
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::stack::aggregates::{Parts, Whole};
use crate::stack::frame::{FrameReader, FrameWriter, Width};
use crate::stack::workspace::Pool;
use num_complex::Complex;

impl<A, T: Tangent<A>> Tangent<A> for Complex<T> {
    const FIXED: bool = true;

    #[inline]
    fn acc(&mut self, other: &Self) {
        self.re.acc(&other.re);
        self.im.acc(&other.im);
    }
    #[inline]
    fn clear(&mut self) {
        self.re.clear();
        self.im.clear();
    }
    #[inline]
    fn shape(&self, _: &mut dyn FnMut(usize)) {}
    #[inline]
    fn each(&self, f: &mut impl FnMut(A)) {
        self.re.each(f);
        self.im.each(f);
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut A)) {
        self.re.each_mut(f);
        self.im.each_mut(f);
    }
    #[inline]
    fn set(&mut self, other: &Self) {
        self.re.set(&other.re);
        self.im.set(&other.im);
    }
}

macro_rules! complex {
    ($($F:ident)+) => { $(
        impl Active for Complex<$F> {
            type Base = $F;
            type Tangent<A: LinearSpace<$F>> = Complex<A>;
            const FIXED: bool = true;

            #[inline]
            fn zeros<A: LinearSpace<$F>>(&self, _: &mut Pool<A>) -> Complex<A> {
                Complex { re: A::ZERO, im: A::ZERO }
            }
            #[inline]
            fn empty<A: LinearSpace<$F>>() -> Complex<A> {
                Complex { re: A::ZERO, im: A::ZERO }
            }
            #[inline]
            fn release<A: LinearSpace<$F>>(_: Complex<A>, _: &mut Pool<A>) {}
            #[inline]
            fn copied(&self, _: &mut Pool<$F>) -> Self {
                *self
            }
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn each(&self, f: &mut impl FnMut($F)) {
                f(self.re);
                f(self.im);
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut $F)) {
                f(&mut self.re);
                f(&mut self.im);
            }
        }

        impl Whole<$F> for Complex<$F> {
            const WIDTH: Option<Width> = Some(Width::new(2, 0));
            #[inline]
            fn write(&self, frame: &mut FrameWriter<'_, $F>) {
                frame.floats([self.re, self.im]);
            }
            #[inline]
            fn read(frame: &mut FrameReader<'_, $F>) -> Self {
                let [re, im] = frame.floats();
                Complex { re, im }
            }
            #[inline]
            fn save(&self, parts: &mut Parts<'_, $F>) {
                self.write(&mut parts.frame(Width::new(2, 0)));
            }
            #[inline]
            fn restore(parts: &mut Parts<'_, $F>) -> Self {
                Self::read(&mut parts.recorded(Width::new(2, 0)))
            }
            #[inline]
            fn blank() -> Self {
                Complex { re: 0.0, im: 0.0 }
            }
            #[inline]
            fn unread() -> Option<Self> {
                Some(Self::blank())
            }
        }
    )+ };
}
complex!(f32 f64);
