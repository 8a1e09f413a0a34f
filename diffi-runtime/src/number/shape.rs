//! The sizes of arguments and results, compared without allocation.

use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use std::cell::Cell;
use std::fmt::{self, Debug, Display};
use std::mem;

/// Separates the members of a list.
const NEXT: usize = usize::MAX;

thread_local! {
    /// Memory for the lengths that do not fit into a shape, so that prepared calls ask for none.
    static SPARE: Cell<Vec<usize>> = const { Cell::new(Vec::new()) };
}

/// The elements of a container that tell their lengths: one where their type fixes them.
#[inline(always)]
pub(crate) fn told<I: IntoIterator>(fixed: bool, elements: I) -> std::iter::Take<I::IntoIter> {
    elements.into_iter().take(if fixed { 1 } else { usize::MAX })
}

/// The lengths of all containers in a list of values, outermost first; those in elements whose type fixes them are told once.
///
/// Everything that is compared at every call is inlined, so that a comparison of two slices' shapes compares their lengths.
#[derive(Clone, PartialEq, Eq)]
pub struct Shape {
    /// The first lengths.
    inline: [usize; Shape::INLINE],
    len: usize,
    /// The others.
    spilled: Vec<usize>,
}

impl Recorder for Shape {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::SIZES, memory_report::vector(&self.spilled));
    }
}

impl Shape {
    const INLINE: usize = 8;

    /// What `walk` passes on.
    #[inline(always)]
    pub fn of(walk: impl FnOnce(&mut dyn FnMut(usize))) -> Self {
        let mut shape = Shape { inline: [0; Self::INLINE], len: 0, spilled: Vec::new() };
        walk(&mut |n| shape.push(n));
        shape
    }

    /// Whether `walk` passes on the same.
    #[inline(always)]
    pub fn matches(&self, walk: impl FnOnce(&mut dyn FnMut(usize))) -> bool {
        let (mut seen, mut same) = (0, true);
        walk(&mut |n| {
            same &= if seen < Self::INLINE { self.inline[seen] == n } else { self.is_spilled(seen, n) };
            seen += 1;
        });
        same & (seen == self.len)
    }

    /// This shape and another one in words, for a message.
    ///
    /// Out of line and with nothing left to be dropped, so that calls that fit do not pay for it; and no
    /// [`Error`](crate::error::Error), so that rustc sees which one is made of the words.
    #[cold]
    #[inline(never)]
    pub(crate) fn beside(self, other: Shape) -> [String; 2] {
        [self, other].map(|shape| shape.to_string())
    }

    /// The first member that differs from another shape's.
    #[cold]
    #[inline(never)]
    pub(crate) fn differs_in(&self, other: &Shape) -> usize {
        let (one, other) = (self.dims(), other.dims());
        let differs = one.iter().zip(&other).position(|(one, other)| one != other).unwrap_or(0);
        one[..differs].iter().filter(|n| **n == NEXT).count()
    }

    fn dims(&self) -> Vec<usize> {
        [&self.inline[..self.len.min(Self::INLINE)], &self.spilled].concat()
    }

    /// Ends a member of a list.
    #[inline(always)]
    pub(crate) fn next(dim: &mut dyn FnMut(usize)) {
        dim(NEXT);
    }

    #[inline(always)]
    fn push(&mut self, n: usize) {
        if self.len < Self::INLINE {
            self.inline[self.len] = n;
        } else {
            self.spill(n);
        }
        self.len += 1;
    }

    #[cold]
    fn spill(&mut self, n: usize) {
        if self.spilled.capacity() == 0 {
            self.spilled = SPARE.try_with(Cell::take).unwrap_or_default();
        }
        self.spilled.push(n);
    }

    /// Keeps the memory for the next shape.
    #[cold]
    fn give_back(&mut self) {
        let mut spilled = mem::take(&mut self.spilled);
        spilled.clear();
        // A thread that ends has no spare memory any more.
        let _ = SPARE.try_with(|spare| spare.set(spilled));
    }

    #[cold]
    fn is_spilled(&self, at: usize, n: usize) -> bool {
        self.spilled.get(at - Self::INLINE) == Some(&n)
    }
}

impl Drop for Shape {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.spilled.is_empty() {
            self.give_back();
        }
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims = self.dims();
        let members = dims.split(|n| *n == NEXT);
        let members: Vec<String> = members
            .map(|dims| match dims {
                [] => "a number".to_owned(),
                dims => dims.iter().map(usize::to_string).collect::<Vec<_>>().join("x"),
            })
            .collect();
        match &members[..members.len() - 1] {
            [one] => f.write_str(one),
            several => write!(f, "({})", several.join(", ")),
        }
    }
}

impl Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(dims: &[usize]) -> impl FnOnce(&mut dyn FnMut(usize)) {
        move |dim| dims.iter().for_each(|n| dim(*n))
    }

    #[test]
    fn shown_as_a_tuple_of_sizes() {
        assert_eq!(Shape::of(walk(&[3, NEXT])).to_string(), "3");
        assert_eq!(Shape::of(walk(&[NEXT])).to_string(), "a number");
        assert_eq!(Shape::of(walk(&[3, NEXT, 2, 5, NEXT])).to_string(), "(3, 2x5)");
        assert_eq!(Shape::of(walk(&[])).to_string(), "()");
    }

    #[test]
    fn the_member_that_differs_is_found() {
        let shape = Shape::of(walk(&[3, NEXT, 2, 5, NEXT, NEXT]));
        assert_eq!(shape.differs_in(&Shape::of(walk(&[4, NEXT, 2, 6, NEXT, NEXT]))), 0);
        assert_eq!(shape.differs_in(&Shape::of(walk(&[3, NEXT, 2, 6, NEXT, NEXT]))), 1);
        assert_eq!(shape.differs_in(&Shape::of(walk(&[3, NEXT, 2, 5, NEXT, 1, NEXT]))), 2);
        assert_eq!(shape.differs_in(&Shape::of(walk(&[3, NEXT, 2, NEXT, NEXT]))), 1);
    }

    #[test]
    fn compared_in_full() {
        let many: Vec<usize> = (0..20).collect();
        let shape = Shape::of(walk(&many));
        assert!(shape.matches(walk(&many)));
        assert!(!shape.matches(walk(&many[..19])));
        assert!(!Shape::of(walk(&many[..19])).matches(walk(&many)));
        assert!(!Shape::of(walk(&[3])).matches(walk(&[4])));
        let pairs = [[3, NEXT, NEXT], [NEXT, 3, NEXT]];
        for (k, shape) in pairs.iter().enumerate() {
            assert!((0..2).all(|other| Shape::of(walk(shape)).matches(walk(&pairs[other])) == (k == other)));
        }
        assert!(!Shape::of(walk(&[3, NEXT, NEXT])).matches(walk(&[NEXT, NEXT])));
    }
}
