//! Ranges with their last number, walked from either end like those without it.

use std::ops::RangeInclusive;

/// `lo..=hi`, of which the length is known: so that a loop which ended early, or takes steps, can be walked back.
#[derive(Clone, Debug)]
pub struct Through<I>(pub RangeInclusive<I>);

impl<I> Iterator for Through<I>
where
    RangeInclusive<I>: Iterator<Item = I>,
{
    type Item = I;

    #[inline(always)]
    fn next(&mut self) -> Option<I> {
        self.0.next()
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<I> {
        self.0.nth(n)
    }
}

impl<I> DoubleEndedIterator for Through<I>
where
    RangeInclusive<I>: DoubleEndedIterator<Item = I>,
{
    #[inline(always)]
    fn next_back(&mut self) -> Option<I> {
        self.0.next_back()
    }

    #[inline(always)]
    fn nth_back(&mut self, n: usize) -> Option<I> {
        self.0.nth_back(n)
    }
}

/// A loop of more iterations than a `usize` counts does not end.
impl<I> ExactSizeIterator for Through<I> where RangeInclusive<I>: Iterator<Item = I> {}

#[cfg(test)]
mod tests {
    use super::Through;

    #[test]
    fn walks_back_over_the_first_iterations() {
        let back: Vec<usize> = Through(2..=5).take(3).rev().collect();
        assert_eq!(back, [4, 3, 2]);
        let steps: Vec<i32> = Through(0..=7).step_by(3).rev().collect();
        assert_eq!(steps, [6, 3, 0]);
    }
}
