//! Sums in several parts.

use crate::number::linear_space::LinearSpace;
use std::array;
use std::ops::AddAssign;
use std::ops::Range;

/// How many parts there are.
const LANES: usize = 8;

/// Calls `iteration` for every index in order, with sums to add to. What it has added up comes back.
///
/// Eight iterations in a row add to eight sums, so that no addition waits for the one before it.
#[inline(always)]
pub fn in_lanes<F, A: LinearSpace<F>, const S: usize>(
    range: Range<usize>,
    mut iteration: impl FnMut(usize, [A; S]) -> [A; S],
) -> [A; S] {
    let Range { start: mut k, end } = range;
    let mut rest = [A::ZERO; S];
    if size_of::<A>() <= size_of::<f64>() && k < end {
        let mut lanes = [[A::ZERO; S]; LANES];
        while end - k >= LANES {
            for (j, lane) in lanes.iter_mut().enumerate() {
                *lane = iteration(k + j, *lane);
            }
            k += LANES;
        }
        rest = array::from_fn(|s| {
            let [a, b, c, d, e, f, g, h] = lanes.map(|lane| lane[s]);
            ((a + b) + (c + d)) + ((e + f) + (g + h))
        });
    }
    while k < end {
        rest = iteration(k, rest);
        k += 1;
    }
    rest
}

/// Where the last whole block of iterations ends.
#[inline(always)]
pub fn end_of_blocks(start: usize, end: usize) -> usize {
    end - end.saturating_sub(start) % LANES
}

/// The same for sums in the space `A`: elements of large ones are several sums already, and no iteration is part of a block.
#[inline(always)]
pub fn end_of_blocks_of<A>(start: usize, end: usize) -> usize {
    if size_of::<A>() <= size_of::<f64>() { end_of_blocks(start, end) } else { start }
}

/// Exchanges the sums that two iterations in a row add to, if they are small: large ones are several sums already.
#[inline(always)]
pub fn take_turns<A: Copy>(one: &mut A, other: &mut A) {
    if size_of::<A>() <= size_of::<f64>() {
        std::mem::swap(one, other);
    }
}

/// Adds the numbers `parts[lo..hi]` to a total, small ones in eight sums; nothing, if the range is empty.
#[inline]
pub fn add_up<A: Copy + AddAssign>(total: &mut A, parts: &[A], lo: usize, hi: usize) {
    let mut parts = parts.get(lo..hi).unwrap_or_default();
    if size_of::<A>() <= size_of::<f64>()
        && let (blocks, rest) = parts.as_chunks::<LANES>()
        && let Some((first, blocks)) = blocks.split_first()
    {
        let mut lanes = *first;
        for block in blocks {
            lanes.iter_mut().zip(block).for_each(|(lane, part)| *lane += *part);
        }
        lanes.into_iter().for_each(|lane| *total += lane);
        parts = rest;
    }
    parts.iter().for_each(|part| *total += *part);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::linear_space::batch::Batch;

    #[test]
    fn blocks_are_whole() {
        for (start, end, last) in [(0, 0, 0), (0, 7, 0), (0, 8, 8), (3, 20, 19), (5, 4, 4)] {
            assert_eq!(end_of_blocks(start, end), last, "{start}..{end}");
            assert_eq!(end_of_blocks_of::<f32>(start, end), last, "{start}..{end}");
            assert_eq!(end_of_blocks_of::<[f64; 2]>(start, end), start, "{start}..{end}");
        }
    }

    #[test]
    fn every_part_is_added_once() {
        let parts: Vec<f64> = (0..40).map(|k| f64::from(k * k)).collect();
        for (lo, hi) in [(0, 0), (3, 2), (0, 7), (2, 10), (1, 40)] {
            let expected = parts.iter().take(hi).skip(lo).sum::<f64>();
            let (mut one, mut two) = (0.5, [0.5, 1.5]);
            add_up(&mut one, &parts, lo, hi);
            assert_eq!(one, 0.5 + expected, "{lo}..{hi}");
            let pairs: Vec<Batch<f64, 2>> = parts.iter().map(|part| Batch([*part, -part])).collect();
            let mut total = Batch([0.5, 1.5]);
            add_up(&mut total, &pairs, lo, hi);
            two[0] += expected;
            two[1] -= expected;
            assert_eq!(total.0, two, "{lo}..{hi}");
        }
    }

    #[test]
    fn every_iteration_is_made_once_and_in_order() {
        for (start, end) in [(0, 0), (3, 2), (0, 7), (2, 10), (1, 40)] {
            let mut seen = Vec::new();
            let [sum, squares] = in_lanes(start..end, |k, [sum, squares]: [f64; 2]| {
                seen.push(k);
                [sum + k as f64, squares - (k * k) as f64]
            });
            assert_eq!(seen, (start..end).collect::<Vec<_>>());
            assert_eq!(sum, (start..end).sum::<usize>() as f64);
            assert_eq!(squares, -((start..end).map(|k| k * k).sum::<usize>() as f64));
        }
    }
}
