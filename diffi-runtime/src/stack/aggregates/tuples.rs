//! Tuples on the tape.

use crate::stack::aggregates::{Parts, Whole};
use crate::stack::frame::{FrameReader, FrameWriter, Width};
use crate::stack::lasting::{Question, members_asked};

macro_rules! tuple {
    ($(($T:ident $i:tt))+; $($back:ident)+) => {
        impl<F: Copy, $($T: Whole<F>),+> Whole<F> for ($($T,)+) {
            const WIDTH: Option<Width> = Width::of(&[$($T::WIDTH),+]);
            #[inline]
            fn write(&self, frame: &mut FrameWriter<'_, F>) {
                $(self.$i.write(frame);)+
            }
            #[inline]
            fn read(frame: &mut FrameReader<'_, F>) -> Self {
                ($($T::read(frame),)+)
            }
            #[inline]
            fn save(&self, parts: &mut Parts<'_, F>) {
                match Self::WIDTH {
                    Some(width) => self.write(&mut parts.frame(width)),
                    None => { $(self.$i.save(parts);)+ }
                }
            }
            #[inline]
            #[allow(non_snake_case)]
            fn restore(parts: &mut Parts<'_, F>) -> Self {
                if let Some(width) = Self::WIDTH {
                    return Self::read(&mut parts.recorded(width));
                }
                $(let $back = $back::restore(parts);)+
                ($($T,)+)
            }
            #[inline]
            fn ask<Q: Question<Self>>(question: Q) -> Q::Answer {
                <T0 as Whole<F>>::ask(OfMember::<0, (F, $($T),+), Q>(question, std::marker::PhantomData))
            }
            #[inline]
            fn blank() -> Self {
                ($($T::blank(),)+)
            }
            #[inline]
            fn unread() -> Option<Self> {
                Some(($($T::unread()?,)+))
            }
        }
    };
}
tuple!((T0 0); T0);
tuple!((T0 0)(T1 1); T1 T0);
tuple!((T0 0)(T1 1)(T2 2); T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3); T3 T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4); T4 T3 T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5); T5 T4 T3 T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5)(T6 6); T6 T5 T4 T3 T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5)(T6 6)(T7 7); T7 T6 T5 T4 T3 T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5)(T6 6)(T7 7)(T8 8); T8 T7 T6 T5 T4 T3 T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5)(T6 6)(T7 7)(T8 8)(T9 9); T9 T8 T7 T6 T5 T4 T3 T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5)(T6 6)(T7 7)(T8 8)(T9 9)(T10 10); T10 T9 T8 T7 T6 T5 T4 T3 T2 T1 T0);
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5)(T6 6)(T7 7)(T8 8)(T9 9)(T10 10)(T11 11); T11 T10 T9 T8 T7 T6 T5 T4 T3 T2 T1 T0);
members_asked!(Whole<F: Copy>: [T0 0]
    [T0 0 T1 1]
    [T0 0 T1 1 T2 2]
    [T0 0 T1 1 T2 2 T3 3]
    [T0 0 T1 1 T2 2 T3 3 T4 4]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9 T10 10]
    [T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9 T10 10 T11 11]);
