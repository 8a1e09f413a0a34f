//! Where the largest or the smallest number of a slice is: what a fold by `f64::max` or `f64::min` selects.
//!
//! Blocks are compared in several lanes at once, and only one in which a better number was found is searched. The number is the same as
//! one after the other, and so is its place: the first that is as large. Fewer numbers than lanes are compared one after the other.

use crate::number::float::Base;
use std::slice::Iter;

/// Numbers that are compared together.
const BLOCK: usize = 256;
const LANES: usize = 16;

/// An iterator that may be one over a slice.
#[derive(Clone, Copy, Debug)]
pub struct Run<I>(pub I);

/// The slice that is left of an iterator over one.
pub trait OverSlice<F> {
    /// The slice.
    fn slice(&self) -> Option<&[F]>;
}

impl<F: Base> OverSlice<F> for Run<Iter<'_, F>> {
    #[inline]
    fn slice(&self) -> Option<&[F]> {
        Some(self.0.as_slice())
    }
}

/// The same of another iterator: none.
pub trait OverOther<F> {
    /// No slice.
    fn slice(&self) -> Option<&[F]>;
}

impl<F, I> OverOther<F> for &Run<I> {
    #[inline]
    fn slice(&self) -> Option<&[F]> {
        None
    }
}

/// Where the first of the largest numbers is that are larger than `start`; if that is NaN, of all. `usize::MAX` if there is none.
#[inline]
pub fn largest<F: Base>(all: &[F], start: F) -> usize {
    extreme(all, start, |v, best| v > best)
}

/// The same of the smallest.
#[inline]
pub fn smallest<F: Base>(all: &[F], start: F) -> usize {
    extreme(all, start, |v, best| v < best)
}

#[inline(always)]
fn extreme<F: Base>(all: &[F], start: F, better: impl Fn(F, F) -> bool + Copy) -> usize {
    let (mut best, mut block, mut from) = (start, None, 0);
    if is_nan(start) {
        // any number takes its place
        let Some(first) = all.iter().position(|v| !is_nan(*v)) else { return usize::MAX };
        (best, block, from) = (all[first], Some(first), first);
    }
    if all.len() < LANES {
        return extreme_of_few(all, best, block, better);
    }
    for (k, numbers) in all[from..].chunks(BLOCK).enumerate() {
        let here = extreme_of_block(numbers, best, better);
        if better(here, best) {
            (best, block) = (here, Some(from + k * BLOCK));
        }
    }
    let found = block.and_then(|block| Some(block + all[block..].iter().position(|v| *v == best)?));
    found.unwrap_or(usize::MAX)
}

/// Where the best number of a few is, if it is better than `best`, and else where that is.
#[inline(always)]
fn extreme_of_few<F: Base>(all: &[F], mut best: F, at: Option<usize>, better: impl Fn(F, F) -> bool) -> usize {
    let mut place = at.unwrap_or(usize::MAX);
    for (k, v) in all.iter().enumerate() {
        (best, place) = if better(*v, best) { (*v, k) } else { (best, place) };
    }
    place
}

fn is_nan<F: Base>(v: F) -> bool {
    v.partial_cmp(&v).is_none()
}

#[inline(always)]
fn extreme_of_block<F: Base>(numbers: &[F], best: F, better: impl Fn(F, F) -> bool) -> F {
    let mut lanes = [best; LANES];
    let (rows, rest) = numbers.as_chunks::<LANES>();
    for row in rows {
        for (lane, v) in lanes.iter_mut().zip(row) {
            *lane = if better(*v, *lane) { *v } else { *lane };
        }
    }
    rest.iter().chain(&lanes).fold(best, |best, v| if better(*v, best) { *v } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a fold finds it, one number after the other.
    fn one_by_one(all: &[f64], start: f64, f: fn(f64, f64) -> f64, better: fn(&f64, &f64) -> bool) -> usize {
        let best = all.iter().copied().fold(start, f);
        let better = better(&best, &start) || start.is_nan();
        all.iter().position(|v| better && *v == best).unwrap_or(usize::MAX)
    }

    #[test]
    fn as_one_after_the_other() {
        // multiples of the golden ratio, which fill an interval evenly
        let mut part = 0.0_f64;
        let mut random = || {
            part = (part + 0.618_033_988_749_894_9) % 1.0;
            part
        };
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 3.0, 3.0];
        for n in (0..300).chain([1000, 4097]) {
            for kind in 0..5 {
                let mut number = || match kind {
                    0 => random(),
                    1 => (4.0 * random()).floor() - 2.0,
                    2 => f64::NAN,
                    3 => f64::NEG_INFINITY,
                    _ => odd.get((20.0 * random()) as usize).copied().unwrap_or_else(&mut random),
                };
                let all: Vec<f64> = (0..n).map(|_| number()).collect();
                for start in odd.into_iter().chain([0.5, -2.0]) {
                    assert_eq!(
                        largest(&all, start),
                        one_by_one(&all, start, f64::max, |a, b| a > b),
                        "{all:?} {start}"
                    );
                    assert_eq!(
                        smallest(&all, start),
                        one_by_one(&all, start, f64::min, |a, b| a < b),
                        "{all:?} {start}"
                    );
                }
            }
        }
    }
}
