//! The memory of derivative code, kept between calls.

use crate::base::Base;
use crate::kept::{self, Note, names};
use crate::linear::Lin;
use crate::others::Others;
use crate::tape::{Recorder, Stack};

/// Vectors that wait to be used again.
#[derive(Clone, Debug)]
pub struct Pool<T> {
    free: Vec<Vec<T>>,
}

impl<T> Pool<T> {
    /// An empty pool.
    #[inline]
    pub const fn new() -> Self {
        Pool { free: Vec::new() }
    }

    /// Puts a vector back.
    #[inline]
    pub fn give(&mut self, vector: Vec<T>) {
        if vector.capacity() > 0 {
            self.free.push(vector);
        }
    }

    /// How much memory is held.
    pub fn bytes(&self) -> usize {
        kept::vector(&self.free) + self.free.iter().map(kept::vector).sum::<usize>()
    }

    /// An empty vector that has room for `n` elements: the last one given back that is large enough.
    #[inline]
    fn find(&mut self, n: usize) -> Vec<T> {
        let found = self.free.iter().rposition(|v| v.capacity() >= n);
        let mut vector = found.or(self.free.len().checked_sub(1)).map_or_else(Vec::new, |i| self.free.remove(i));
        vector.clear();
        vector
    }
}

impl<T: Copy> Pool<T> {
    /// A vector of `n` times `fill`.
    #[inline]
    pub fn take(&mut self, n: usize, fill: T) -> Vec<T> {
        let mut vector = self.find(n);
        vector.resize(n, fill);
        vector
    }

    /// A copy of `values`.
    #[inline]
    pub fn take_copy(&mut self, values: &[T]) -> Vec<T> {
        let mut vector = self.find(values.len());
        vector.extend_from_slice(values);
        vector
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool::new()
    }
}

/// What derivative code over the float `F` with shadows in `A` stores, and where its local arrays come from.
#[derive(Clone, Debug)]
pub struct Workspace<F, A> {
    /// Saved floats.
    pub floats: Stack<F>,
    /// Saved passive values: integers, bools.
    pub words: Stack<u64>,
    /// Saved tangents (second order).
    pub tangents: Stack<A>,
    /// Saved passive values of other types.
    pub others: Others,
    /// Local arrays of floats.
    pub base: Pool<F>,
    /// Local arrays of shadows.
    pub shadows: Pool<A>,
}

/// How much the stacks of a workspace hold.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    floats: usize,
    words: usize,
    tangents: usize,
    others: usize,
}

impl<F: Base, A: Lin<F>> Workspace<F, A> {
    /// Without memory yet.
    #[inline]
    pub fn new() -> Self {
        Workspace {
            floats: Stack::new(<F as Base>::ZERO),
            words: Stack::new(0),
            tangents: Stack::new(A::ZERO),
            others: Others::new(),
            base: Pool::new(),
            shadows: Pool::new(),
        }
    }

    /// Runs code that finds the stacks empty and leaves them empty. They are emptied if it panics, and keep their memory.
    #[inline(always)]
    pub fn run<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let unfinished = self.begin();
        let result = code(unfinished.0);
        unfinished.end();
        result
    }

    /// The same for code that stands between this and [`Unfinished::end`], where rustc should not have to make a closure of it.
    #[inline(always)]
    pub fn begin(&mut self) -> Unfinished<'_, F, A> {
        Unfinished(self)
    }

    /// Forgets what the stacks hold, and keeps the memory.
    #[inline]
    pub fn reset(&mut self) {
        self.floats.truncate(0);
        self.words.truncate(0);
        self.tangents.truncate(0);
        self.others.truncate(0);
    }

    fn is_empty(&self) -> bool {
        self.floats.is_empty() && self.words.is_empty() && self.tangents.is_empty() && self.others.is_empty()
    }

    /// How much the stacks hold.
    #[inline]
    pub fn marks(&self) -> Marks {
        Marks {
            floats: self.floats.len(),
            words: self.words.len(),
            tangents: self.tangents.len(),
            others: self.others.len(),
        }
    }

    /// Puts back what was popped since then, if nothing has been pushed.
    #[inline]
    pub fn rewind(&mut self, to: Marks) {
        self.floats.rewind(to.floats);
        self.words.rewind(to.words);
        self.tangents.rewind(to.tangents);
        self.others.rewind(to.others);
    }

    /// Makes the stacks copies of `other`'s.
    pub fn restore(&mut self, other: &Self) {
        self.floats.restore(&other.floats);
        self.words.restore(&other.words);
        self.tangents.restore(&other.tangents);
        self.others.restore(&other.others);
    }
}

impl<F: Copy, A: Copy> Workspace<F, A> {
    /// How much memory is held.
    pub fn bytes(&self) -> usize {
        let stacks = self.floats.bytes() + self.words.bytes() + self.tangents.bytes() + self.others.bytes();
        stacks + self.base.bytes() + self.shadows.bytes()
    }
}

/// The stacks when they were highest, and the local arrays of values, which the reverse sweep reads, between calls.
impl<F, A> Recorder for Workspace<F, A>
where
    F: Copy,
    A: Copy,
{
    fn kept(&self, note: &mut Note<'_>) {
        note(names::TAPE, self.bytes() - self.shadows.bytes());
        note(names::WORKSPACE, self.shadows.bytes());
    }
    fn tape_bytes(&self) -> usize {
        let arrays = self.base.free.iter().map(kept::vector).sum::<usize>();
        let stacks = self.floats.peak_bytes() + self.words.peak_bytes() + self.tangents.peak_bytes();
        stacks + self.others.bytes() + arrays
    }
}

impl<F: Base, A: Lin<F>> Default for Workspace<F, A> {
    fn default() -> Self {
        Workspace::new()
    }
}

/// Code that has not come to its end: dropped only if it panics.
pub struct Unfinished<'w, F: Base, A: Lin<F>>(pub &'w mut Workspace<F, A>);

impl<F: Base, A: Lin<F>> Unfinished<'_, F, A> {
    /// The code has come to its end.
    #[inline]
    pub fn end(self) {
        debug_assert!(self.0.is_empty(), "what was pushed is popped");
        std::mem::forget(self);
    }
}

impl<F: Base, A: Lin<F>> Drop for Unfinished<'_, F, A> {
    #[cold]
    fn drop(&mut self) {
        self.0.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn local_arrays_of_values_count_as_kept() {
        let mut ws = Workspace::<f64, f64>::new();
        let (a, b) = (ws.base.take(10, 0.0), ws.base.take_copy(&[1.0; 20]));
        ws.base.give(a);
        ws.base.give(b);
        let bar = ws.shadows.take(10, 0.0);
        ws.shadows.give(bar);
        ws.floats.push_slice(&[0.0; 5]);
        ws.words.push([1, 2]);
        ws.reset();
        assert_eq!(ws.tape_bytes(), (10 + 20 + 5 + 2) * 8);
        let again = ws.base.take(15, 0.0);
        ws.base.give(again);
        assert_eq!(ws.tape_bytes(), (10 + 20 + 5 + 2) * 8);
    }

    #[test]
    fn a_panic_empties_the_stacks() {
        let mut ws = Workspace::<f64, f64>::new();
        let panics = catch_unwind(AssertUnwindSafe(|| {
            ws.run(|ws| {
                ws.floats.push([1.0, 2.0]);
                ws.words.push([3]);
                panic!("as user code may")
            })
        }));
        assert!(panics.is_err());
        assert!(ws.is_empty());
        assert!(ws.run(|ws| ws.bytes()) > 0);
    }
}
