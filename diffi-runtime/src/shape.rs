//! The sizes of arguments and results, compared without allocation.

use std::fmt::{self, Debug, Display};

/// Separates the members of a list.
const NEXT: usize = usize::MAX;

/// The lengths of all containers in a list of values, outermost first.
#[derive(Clone, PartialEq, Eq)]
pub struct Shape {
    inline: [usize; Shape::INLINE],
    len: usize,
    /// All lengths, where they are too many.
    spilled: Vec<usize>,
}

impl Shape {
    const INLINE: usize = 8;

    /// What `walk` passes on.
    #[inline]
    pub fn of(walk: impl FnOnce(&mut dyn FnMut(usize))) -> Self {
        let mut shape = Shape { inline: [0; Self::INLINE], len: 0, spilled: Vec::new() };
        walk(&mut |n| shape.push(n));
        shape
    }

    /// Whether `walk` passes on the same.
    #[inline]
    pub fn matches(&self, walk: impl FnOnce(&mut dyn FnMut(usize))) -> bool {
        let (dims, mut seen, mut same) = (self.dims(), 0, true);
        walk(&mut |n| {
            same &= dims.get(seen) == Some(&n);
            seen += 1;
        });
        same && seen == dims.len()
    }

    /// Ends a member of a list.
    #[inline]
    pub(crate) fn next(dim: &mut dyn FnMut(usize)) {
        dim(NEXT);
    }

    #[inline]
    fn dims(&self) -> &[usize] {
        if self.spilled.is_empty() { &self.inline[..self.len] } else { &self.spilled }
    }

    #[inline]
    fn push(&mut self, n: usize) {
        if self.len < Self::INLINE {
            self.inline[self.len] = n;
            self.len += 1;
        } else {
            self.spill(n);
        }
    }

    #[cold]
    fn spill(&mut self, n: usize) {
        if self.spilled.is_empty() {
            self.spilled.extend_from_slice(&self.inline);
        }
        self.spilled.push(n);
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members = self.dims().split(|n| *n == NEXT);
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
    fn compared_in_full() {
        let many: Vec<usize> = (0..20).collect();
        let shape = Shape::of(walk(&many));
        assert!(shape.matches(walk(&many)));
        assert!(!shape.matches(walk(&many[..19])));
        assert!(!Shape::of(walk(&many[..19])).matches(walk(&many)));
        assert!(!Shape::of(walk(&[3])).matches(walk(&[4])));
    }
}
