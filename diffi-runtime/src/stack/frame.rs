//! Frames of values whose types alone say how many numbers they have: what an iteration keeps lies side by side, and room for all of
//! it is made at once.

use crate::stack::tape::Stack;
use std::mem::take;

/// How many floats and words a value takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Width {
    /// Floats that derivatives are taken in.
    pub floats: usize,
    /// Other numbers.
    pub words: usize,
}

impl Width {
    /// One float.
    pub const FLOAT: Self = Width { floats: 1, words: 0 };
    /// One word.
    pub const WORD: Self = Width { floats: 0, words: 1 };

    /// Of so many floats and words.
    pub const fn new(floats: usize, words: usize) -> Self {
        Width { floats, words }
    }

    /// The width of several values in a row; none, where one has none.
    pub const fn of(all: &[Option<Self>]) -> Option<Self> {
        let (mut sum, mut at) = (Width::new(0, 0), 0);
        while at < all.len() {
            match all[at] {
                Some(one) => sum = sum.and(one),
                None => return None,
            }
            at += 1;
        }
        Some(sum)
    }

    /// The width of `n` values.
    pub const fn times(one: Option<Self>, n: usize) -> Option<Self> {
        match one {
            Some(one) => Some(Width::new(one.floats * n, one.words * n)),
            None => None,
        }
    }

    /// The width of two values.
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Width::new(self.floats + other.floats, self.words + other.words)
    }
}

/// A frame that is written from its front to its end.
#[derive(Debug)]
pub struct FrameWriter<'r, F> {
    floats: &'r mut [F],
    words: &'r mut [u64],
}

impl<'r, F: Copy> FrameWriter<'r, F> {
    /// Makes room on both stacks.
    #[inline]
    pub fn push(floats: &'r mut Stack<F>, words: &'r mut Stack<u64>, width: Width) -> Self {
        let floats = if width.floats > 0 { floats.block::<1>(width.floats).as_flattened_mut() } else { &mut [] };
        let words = if width.words > 0 { words.block::<1>(width.words).as_flattened_mut() } else { &mut [] };
        FrameWriter { floats, words }
    }

    /// Writes floats.
    #[inline]
    pub fn floats<const N: usize>(&mut self, values: [F; N]) {
        let (first, rest) = take(&mut self.floats).split_at_mut(N);
        first.copy_from_slice(&values);
        self.floats = rest;
    }

    /// Writes words.
    #[inline]
    pub fn words<const N: usize>(&mut self, values: [u64; N]) {
        let (first, rest) = take(&mut self.words).split_at_mut(N);
        first.copy_from_slice(&values);
        self.words = rest;
    }
}

/// A frame that is read from its front to its end.
#[derive(Clone, Copy, Debug)]
pub struct FrameReader<'r, F> {
    floats: &'r [F],
    words: &'r [u64],
}

impl<'r, F: Copy> FrameReader<'r, F> {
    /// The frame on top of both stacks.
    #[inline]
    pub fn pop(floats: &'r mut Stack<F>, words: &'r mut Stack<u64>, width: Width) -> Self {
        let floats = if width.floats > 0 { floats.unblock::<1>(width.floats).as_flattened() } else { &[] };
        let words = if width.words > 0 { words.unblock::<1>(width.words).as_flattened() } else { &[] };
        FrameReader { floats, words }
    }

    /// Reads floats.
    #[inline]
    pub fn floats<const N: usize>(&mut self) -> [F; N] {
        let (first, rest) = self.floats.split_first_chunk().expect("as many as were written");
        self.floats = rest;
        *first
    }

    /// Reads words.
    #[inline]
    pub fn words<const N: usize>(&mut self) -> [u64; N] {
        let (first, rest) = self.words.split_first_chunk().expect("as many as were written");
        self.words = rest;
        *first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::aggregates::Whole;

    /// What is written to a frame can be restored number by number, and the other way round.
    fn there_and_back<T: Whole<f64> + PartialEq + std::fmt::Debug>(value: &T, width: Width) {
        assert_eq!(T::WIDTH, Some(width));
        let (mut floats, mut words) = (Stack::new(0.0), Stack::new(0));
        value.write(&mut FrameWriter::push(&mut floats, &mut words, width));
        assert_eq!((floats.len(), words.len()), (width.floats, width.words));
        assert_eq!(T::read(&mut FrameReader::pop(&mut floats, &mut words, width)), *value);
        assert!(floats.is_empty() && words.is_empty());
    }

    #[test]
    fn values_of_fixed_width_come_back() {
        there_and_back(&1.5, Width::FLOAT);
        there_and_back(&true, Width::WORD);
        there_and_back(&[1.0, 2.0, 3.0], Width::new(3, 0));
        there_and_back(&(1.0, 7usize, [[0.5; 2]; 3]), Width::new(7, 1));
        there_and_back(&[(1.0f64, 2.0f32); 2], Width::new(2, 2));
        #[cfg(feature = "num-complex")]
        there_and_back(&num_complex::Complex { re: 1.0, im: -1.0 }, Width::new(2, 0));
    }

    #[test]
    fn other_values_have_no_width() {
        assert_eq!(<(f64, Vec<f64>) as Whole<f64>>::WIDTH, None);
        assert_eq!(<[Option<f64>; 2] as Whole<f64>>::WIDTH, None);
    }
}
