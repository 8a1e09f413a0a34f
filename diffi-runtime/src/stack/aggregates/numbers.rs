//! Numbers, text and nothing on the tape.

use crate::stack::aggregates::{GIVEN, Parts, Whole};
use crate::stack::frame::{FrameReader, FrameWriter, Width};
use crate::stack::lasting::Question;
use crate::stack::tape::Word;
use ndarray::Axis;
use std::marker::PhantomData;

/// Rows that were pushed from the first to the last one.
#[inline]
fn rows<F: Copy + Send + Sync + 'static>(
    n: usize,
    parts: &mut Parts<'_, F>,
    row: impl Fn(&mut Parts<'_, F>) -> Vec<F>,
) -> Vec<Vec<F>> {
    let mut rows = parts.pool.shelf.take(n);
    rows.extend((0..n).map(|_| row(parts)));
    rows.reverse();
    rows
}

macro_rules! float {
    ($($F:ident)+) => { $(
        impl Whole<$F> for $F {
            const WIDTH: Option<Width> = Some(Width::FLOAT);
            #[inline]
            fn write(&self, frame: &mut FrameWriter<'_, $F>) {
                frame.floats([*self]);
            }
            #[inline]
            fn read(frame: &mut FrameReader<'_, $F>) -> Self {
                let [value] = frame.floats();
                value
            }
            #[inline]
            fn save(&self, parts: &mut Parts<'_, $F>) {
                parts.floats.push([*self]);
            }
            #[inline]
            fn restore(parts: &mut Parts<'_, $F>) -> $F {
                let [value] = parts.floats.pop();
                value
            }
            #[inline]
            fn save_all(values: &[$F], parts: &mut Parts<'_, $F>) {
                parts.floats.push_slice(values);
            }
            #[inline]
            fn restore_all(n: usize, parts: &mut Parts<'_, $F>) -> Vec<$F> {
                parts.pool.take_copy(parts.floats.unblock::<1>(n).as_flattened())
            }
            #[inline]
            fn restore_rows(n: usize, parts: &mut Parts<'_, $F>) -> Vec<Vec<$F>> {
                rows(n, parts, <Vec<$F> as Whole<$F>>::restore)
            }
            #[inline]
            fn restore_arrays<const N: usize>(n: usize, parts: &mut Parts<'_, $F>) -> Vec<[$F; N]> {
                let mut arrays = parts.pool.shelf.take(n);
                arrays.extend_from_slice(parts.floats.unblock::<N>(n));
                arrays
            }
            #[inline]
            fn some(n: usize, parts: &mut Parts<'_, $F>) -> Vec<$F> {
                parts.pool.any(n, 0.0)
            }
            #[inline]
            fn save_shape(&self, _: &mut Parts<'_, $F>) {}
            #[inline]
            fn restore_shape(_: &mut Parts<'_, $F>) -> $F {
                0.0
            }
            #[inline]
            fn restore_shapes(n: usize, parts: &mut Parts<'_, $F>) -> Vec<$F> {
                parts.pool.any(n, 0.0)
            }
            #[inline]
            fn restore_row_shapes(n: usize, parts: &mut Parts<'_, $F>) -> Vec<Vec<$F>> {
                rows(n, parts, <Vec<$F> as Whole<$F>>::restore_shape)
            }
            #[inline]
            fn restore_array_shapes<const N: usize>(n: usize, parts: &mut Parts<'_, $F>) -> Vec<[$F; N]> {
                let mut arrays = parts.pool.shelf.take(n);
                arrays.resize(n, [0.0; N]);
                arrays
            }
            const SHELVED: bool = true;
            #[inline]
            fn shelve(values: Vec<$F>, parts: &mut Parts<'_, $F>) {
                parts.arrays.push(values);
            }
            #[inline]
            fn give_all(values: Vec<$F>, parts: &mut Parts<'_, $F>) {
                parts.arrays.push(values);
                parts.push_len(GIVEN);
            }
            #[inline]
            fn give_rows(mut rows: Vec<Vec<$F>>, parts: &mut Parts<'_, $F>) {
                let n = rows.len();
                rows.drain(..).for_each(|row| row.give(parts));
                parts.push_len(n);
                parts.pool.shelf.give(rows);
            }
            #[inline]
            fn give_arrays<const N: usize>(arrays: Vec<[$F; N]>, parts: &mut Parts<'_, $F>) {
                arrays.save(parts);
                parts.pool.shelf.give(arrays);
            }
            #[inline]
            fn unshelve(_: usize, parts: &mut Parts<'_, $F>) -> Vec<$F> {
                parts.arrays.pop().expect("what was moved there")
            }
            #[inline]
            fn ask<Q: Question<$F>>(question: Q) -> Q::Answer {
                question.lasting()
            }
            #[inline]
            fn blank() -> Self {
                0.0
            }
            #[inline]
            fn unread() -> Option<Self> {
                Some(0.0)
            }
        }
    )+ };
}
float!(f32 f64);

/// Floats beside those that derivatives are taken in.
macro_rules! other_float {
    ($($T:ident on $F:ident),+) => { $(
        impl Whole<$F> for $T {
            const WIDTH: Option<Width> = Some(Width::WORD);
            #[inline]
            fn write(&self, frame: &mut FrameWriter<'_, $F>) {
                frame.words([self.to_bits().into()]);
            }
            #[inline]
            fn read(frame: &mut FrameReader<'_, $F>) -> Self {
                let [word] = frame.words();
                $T::from_bits(word as _)
            }
            #[inline]
            fn save(&self, parts: &mut Parts<'_, $F>) {
                parts.words.push([self.to_bits().into()]);
            }
            #[inline]
            fn restore(parts: &mut Parts<'_, $F>) -> $T {
                let [word] = parts.words.pop();
                $T::from_bits(word as _)
            }
            #[inline]
            fn ask<Q: Question<$T>>(question: Q) -> Q::Answer {
                question.lasting()
            }
            #[inline]
            fn blank() -> Self {
                0.0
            }
            #[inline]
            fn unread() -> Option<Self> {
                Some(0.0)
            }
        }
    )+ };
}
other_float!(f32 on f64, f64 on f32);

macro_rules! word {
    ($($T:ident)+) => { $(
        impl<F: Copy> Whole<F> for $T {
            const WIDTH: Option<Width> = Some(Width::WORD);
            #[inline]
            fn write(&self, frame: &mut FrameWriter<'_, F>) {
                frame.words([self.to_word()]);
            }
            #[inline]
            fn read(frame: &mut FrameReader<'_, F>) -> Self {
                let [word] = frame.words();
                Word::from_word(word)
            }
            #[inline]
            fn save(&self, parts: &mut Parts<'_, F>) {
                parts.words.push([self.to_word()]);
            }
            #[inline]
            fn restore(parts: &mut Parts<'_, F>) -> Self {
                let [word] = parts.words.pop();
                Word::from_word(word)
            }
            #[inline]
            fn ask<Q: Question<$T>>(question: Q) -> Q::Answer {
                question.lasting()
            }
            #[inline]
            fn blank() -> Self {
                Word::from_word(0)
            }
            #[inline]
            fn unread() -> Option<Self> {
                Some(Word::from_word(0))
            }
        }
    )+ };
}
word!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool char Axis);

impl<F: Copy> Whole<F> for String {
    fn save(&self, parts: &mut Parts<'_, F>) {
        self.bytes().for_each(|byte| parts.words.push([byte.into()]));
        parts.push_len(self.len());
    }
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        let n = parts.pop_len();
        let bytes = parts.words.unblock::<1>(n).iter().map(|[word]| *word as u8).collect();
        String::from_utf8(bytes).unwrap_or_default()
    }
    #[inline]
    fn blank() -> Self {
        String::new()
    }
}

/// A text of the program's own waits on the tape as the reference that it is.
impl<F: Copy> Whole<F> for &'static str {
    fn save(&self, parts: &mut Parts<'_, F>) {
        parts.others.push(self);
    }
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        parts.others.pop()
    }
    #[inline]
    fn blank() -> Self {
        ""
    }
}

impl<F: Copy> Whole<F> for () {
    const WIDTH: Option<Width> = Some(Width::new(0, 0));
    #[inline]
    fn write(&self, _: &mut FrameWriter<'_, F>) {}
    #[inline]
    fn read(_: &mut FrameReader<'_, F>) -> Self {}
    #[inline]
    fn save(&self, _: &mut Parts<'_, F>) {}
    #[inline]
    fn restore(_: &mut Parts<'_, F>) -> Self {}
    #[inline]
    fn blank() -> Self {}
    #[inline]
    fn unread() -> Option<Self> {
        Some(())
    }
}

impl<F: Copy, T> Whole<F> for PhantomData<T> {
    const WIDTH: Option<Width> = Some(Width::new(0, 0));
    #[inline]
    fn write(&self, _: &mut FrameWriter<'_, F>) {}
    #[inline]
    fn read(_: &mut FrameReader<'_, F>) -> Self {
        PhantomData
    }
    #[inline]
    fn save(&self, _: &mut Parts<'_, F>) {}
    #[inline]
    fn restore(_: &mut Parts<'_, F>) -> Self {
        PhantomData
    }
    #[inline]
    fn blank() -> Self {
        PhantomData
    }
    #[inline]
    fn unread() -> Option<Self> {
        Some(PhantomData)
    }
}
