//! What repeats itself in a sequence of operations.

use std::ops::Range;

/// Fewer iterations than this are as fast one by one.
const FEWEST: usize = 8;
/// A loop's body has no more operations than this.
const LONGEST: usize = 2048;
/// A period is looked for where so many operations in a row come again: few for short bodies, many for what holds loops itself.
const ALIKE: [usize; 5] = [4, 16, 64, 256, 1024];
/// How many comparisons there may be for each operation.
const BUDGET: usize = 64;

/// Operations that come again and again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) start: usize,
    pub(super) period: usize,
    pub(super) iterations: usize,
}

impl Run {
    fn saved(&self) -> usize {
        self.period * (self.iterations - 1)
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.period * self.iterations
    }
}

/// The runs among operations that are told apart by numbers, from the first to the last.
pub(super) fn runs(keys: &[u64]) -> Vec<Run> {
    let distances = distances(keys);
    let mut budget = BUDGET * keys.len();
    let (mut runs, mut at) = (Vec::new(), 0);
    while at < keys.len() {
        let mut best: Option<Run> = None;
        for level in &distances {
            let period = level.get(at).map_or(0, |d| *d as usize);
            if period == 0 || period > LONGEST || best.as_ref().is_some_and(|best| best.period == period) {
                continue;
            }
            let alike = keys[at..].iter().zip(&keys[at + period..]).take(budget).take_while(|(a, b)| a == b).count();
            budget -= alike;
            let run = Run { start: at, period, iterations: 1 + alike / period };
            if run.iterations >= FEWEST && best.as_ref().is_none_or(|best| run.saved() > best.saved()) {
                best = Some(run);
            }
        }
        at = best.as_ref().map_or(at + 1, |best| best.range().end);
        runs.extend(best);
    }
    runs
}

/// For each of [`ALIKE`] how far it is from an operation to where the same so many come next; 0 where they do not.
fn distances(keys: &[u64]) -> Vec<Vec<u32>> {
    let mut levels = Vec::new();
    let (mut hashes, mut alike) = (keys.to_vec(), 1);
    let mut last = vec![u32::MAX; keys.len().next_power_of_two()];
    for level in ALIKE.into_iter().take_while(|level| *level <= keys.len()) {
        while alike < level {
            let count = hashes.len() - alike;
            for at in 0..count {
                hashes[at] = mixed(hashes[at], hashes[at + alike]);
            }
            hashes.truncate(count);
            alike *= 2;
        }
        last.fill(u32::MAX);
        let mut next = vec![0; hashes.len()];
        for (at, hash) in hashes.iter().enumerate().rev() {
            let slot = (hash >> 7) as usize & (last.len() - 1);
            let other = last[slot] as usize;
            if hashes.get(other) == Some(hash) {
                next[at] = (other - at) as u32;
            }
            last[slot] = at as u32;
        }
        levels.push(next);
    }
    levels
}

fn mixed(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

#[cfg(test)]
mod tests {
    use super::{Run, runs};

    fn found(text: &str) -> Vec<(usize, usize, usize)> {
        let keys: Vec<u64> = text.bytes().map(u64::from).collect();
        runs(&keys).into_iter().map(|Run { start, period, iterations }| (start, period, iterations)).collect()
    }

    #[test]
    fn loops_are_found() {
        assert_eq!(found("xabcabcabcabcabcabcabcabcaby"), [(1, 3, 8)]);
        assert_eq!(found("aaaaaaaaaab"), [(0, 1, 10)]);
        assert_eq!(found("abcdefghijklmn"), []);
        assert_eq!(found("abababababab"), []);
        assert_eq!(found(""), []);
    }

    #[test]
    fn loops_of_loops_are_one() {
        let iteration = "abababababababababcddd";
        assert_eq!(found(&iteration.repeat(20)), [(0, 22, 20)]);
    }

    #[test]
    fn loops_one_after_another_are_two() {
        assert_eq!(found(&("ab".repeat(9) + &"cd".repeat(8))), [(0, 2, 9), (18, 2, 8)]);
    }
}
