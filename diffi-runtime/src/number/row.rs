//! A row of numbers, which needs no memory of its own where there are few.

use std::ops::{Deref, DerefMut};

/// How many numbers of a row need no memory of their own.
pub const FEW: usize = 8;

/// A row of numbers. Functions of a few numbers are called often, and take no longer than an allocation does.
#[derive(Clone, Debug)]
pub struct Row<A> {
    few: [A; FEW],
    len: usize,
    /// All of them, if there are more.
    many: Vec<A>,
}

impl<A: Copy> Row<A> {
    /// So many times the same.
    #[inline(always)]
    pub fn of(v: A, len: usize) -> Self {
        Row { few: [v; FEW], len, many: if len > FEW { vec![v; len] } else { Vec::new() } }
    }

    /// Appends a number.
    #[inline(always)]
    pub fn push(&mut self, v: A) {
        match self.len < FEW {
            true => self.few[self.len] = v,
            false => self.spill(v),
        }
        self.len += 1;
    }

    #[cold]
    fn spill(&mut self, v: A) {
        if self.len == FEW {
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(v);
    }
}

impl<A> Deref for Row<A> {
    type Target = [A];
    #[inline(always)]
    fn deref(&self) -> &[A] {
        if self.len <= FEW { &self.few[..self.len] } else { &self.many }
    }
}

impl<A> DerefMut for Row<A> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [A] {
        if self.len <= FEW { &mut self.few[..self.len] } else { &mut self.many }
    }
}
