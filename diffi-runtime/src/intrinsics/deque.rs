//! The elements of a queue, where generated code asks a question of a `VecDeque`.

use std::fmt::{self, Debug, Formatter};
use std::ops::Deref;

/// A slice with the names that a `VecDeque` has for its ends.
#[derive(Clone, Copy)]
pub struct Queue<'a, T>(pub &'a [T]);

impl<'a, T> Queue<'a, T> {
    /// The first element.
    #[inline]
    pub fn front(&self) -> Option<&'a T> {
        self.0.first()
    }

    /// The last element.
    #[inline]
    pub fn back(&self) -> Option<&'a T> {
        self.0.last()
    }
}

impl<T> Deref for Queue<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.0
    }
}

/// As a `VecDeque` shows itself.
impl<T: Debug> Debug for Queue<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
