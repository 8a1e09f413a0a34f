//! Which instructions are compiled together, and which numbers go from one part to another through memory.

use crate::{Float, Guard, Node, Source};
use std::ops::Range;

/// How many instructions a part has at most: compiling takes the same time for each, whatever the source's length.
pub(crate) const LONGEST: usize = 512;

/// Where no number is kept.
const NOWHERE: u32 = u32::MAX;

/// The parts of a source.
pub(crate) struct Plan {
    /// The instructions of each part, in their order.
    pub(crate) parts: Vec<Range<usize>>,
    /// How many of the parts belong to the first phase.
    pub(crate) first: usize,
    /// Where numbers are kept that other parts read.
    slots: Vec<u32>,
    /// How many numbers are kept.
    pub(crate) kept: usize,
    /// The guards, in the order in which they can be checked.
    pub(crate) guards: Vec<Guard>,
}

impl Plan {
    pub(crate) fn new<F: Float>(source: &Source<F>) -> Self {
        let (n, second) = (source.instructions.len(), source.second);
        let mut parts = cut(0..second);
        let first = parts.len();
        parts.extend(cut(second..n));
        let mut guards = source.guards.clone();
        guards.sort_by_key(|guard| guard.place());
        let mut plan = Plan { parts, first, slots: vec![NOWHERE; n], kept: 0, guards };
        plan.keep(source);
        plan
    }

    /// Where a number is kept, if it is.
    pub(crate) fn slot(&self, node: Node) -> Option<u32> {
        Some(self.slots[node as usize]).filter(|slot| *slot != NOWHERE)
    }

    fn keep<F: Float>(&mut self, source: &Source<F>) {
        for part in self.parts.clone() {
            let mut read = |node: Node| {
                if (node as usize) < part.start && !source.instructions[node as usize].is_free() {
                    self.slots[node as usize] = 0;
                }
            };
            source.instructions[part.clone()].iter().for_each(|instruction| instruction.each_operand(&mut read));
            guards_within(&self.guards, &part).iter().for_each(|guard| guard.nodes().into_iter().for_each(&mut read));
        }
        for slot in self.slots.iter_mut().filter(|slot| **slot != NOWHERE) {
            *slot = self.kept as u32;
            self.kept += 1;
        }
    }
}

impl Guard {
    /// The instruction after which it can be checked.
    pub(crate) fn place(self) -> usize {
        let [a, b] = self.nodes();
        a.max(b) as usize
    }
}

/// The guards that are checked in a part.
pub(crate) fn guards_within<'a>(guards: &'a [Guard], part: &Range<usize>) -> &'a [Guard] {
    let before = |end: usize| guards.partition_point(|guard| guard.place() < end);
    &guards[before(part.start)..before(part.end)]
}

/// Nearly equal parts.
fn cut(all: Range<usize>) -> Vec<Range<usize>> {
    let parts = all.len().div_ceil(LONGEST).max(1);
    (0..parts).map(|k| all.start + all.len() * k / parts..all.start + all.len() * (k + 1) / parts).collect()
}
