//! Which sum each entry is read from.
//!
//! Every number of the compressed matrices is an equation: a sum of unknown entries. An unknown stands in one equation (of a column
//! coloring) or in two (of a symmetric or bidirectional one). An equation with one unknown gives it away; by substitution, what is
//! known is subtracted from the other equation that it stands in, which may leave one unknown there.
//!
//! This takes no account of how the colors were found: it recovers from whatever colors permit it, those of star and acyclic
//! colorings among them (Gebremedhin, Tarafdar, Manne, Pothen, *New acyclic and star coloring algorithms with application to
//! computing Hessians*, SIAM J. Sci. Comput. 29 (2007), theorems on direct recovery and on substitution), and tells of an unknown
//! that none of its equations gives away. Equations are used in the order in which they can be: the fewer subtractions before,
//! the earlier.

use super::Recover;
use crate::stack::memory_report;

/// No equation: the color is neutral, or there is no second one.
pub(super) const NONE: u32 = u32::MAX;

/// The equations of each unknown.
pub(super) struct Equations {
    pub(super) count: usize,
    /// Two for each unknown.
    pub(super) of: Vec<[u32; 2]>,
}

/// Gives equations their numbers: one for each place and color, place by place.
pub(super) struct Numbers {
    /// For each color, the last place that it was seen at, and the number of that equation.
    seen: Vec<(u32, u32)>,
    pub(super) count: u32,
}

impl Numbers {
    pub(super) fn new(colors: &[u32]) -> Numbers {
        let most = colors.iter().copied().max().unwrap_or(0) as usize;
        Numbers { seen: vec![(NONE, 0); most + 1], count: 0 }
    }

    #[inline]
    pub(super) fn equation(&mut self, place: u32, color: u32) -> u32 {
        if color == 0 {
            return NONE;
        }
        let (at, number) = &mut self.seen[color as usize];
        if *at != place {
            (*at, *number) = (place, self.count);
            self.count += 1;
        }
        *number
    }
}

/// How each unknown is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recovery {
    /// Whether an unknown is read from its second equation.
    pub(super) second: Vec<bool>,
    /// What is subtracted from whom after reading, in this order: (unknown, known).
    pub(super) subtractions: Vec<(u32, u32)>,
}

impl Recovery {
    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        memory_report::vector(&self.second) + memory_report::vector(&self.subtractions)
    }
}

impl Equations {
    /// How many unknowns each equation has.
    pub(super) fn lengths(&self) -> Vec<u32> {
        let mut lengths = vec![0; self.count];
        for &e in self.of.iter().flatten().filter(|e| **e != NONE) {
            lengths[e as usize] += 1;
        }
        lengths
    }

    /// How each unknown is found, or the first that cannot be.
    pub(super) fn solve(&self, recover: Recover) -> Result<Recovery, usize> {
        let lengths = self.lengths();
        let alone = |e: u32| e != NONE && lengths[e as usize] == 1;
        let direct =
            |&[first, second]: &[u32; 2]| if alone(first) { Some(false) } else { alone(second).then_some(true) };
        match recover {
            Recover::Directly => {
                let found = |(u, of)| direct(of).ok_or(u);
                let second = self.of.iter().enumerate().map(found).collect::<Result<_, _>>()?;
                Ok(Recovery { second, subtractions: Vec::new() })
            }
            Recover::BySubstitution => {
                let direct = self.of.iter().map(direct).collect();
                self.substitute(lengths, direct)
            }
        }
    }

    /// Leaf by leaf: what is found leaves the other equation that it stands in.
    fn substitute(&self, mut lengths: Vec<u32>, direct: Vec<Option<bool>>) -> Result<Recovery, usize> {
        let mut unknown_of = vec![0; self.count]; // the sum, in bits, of the unknowns that are left
        for (u, of) in self.of.iter().enumerate() {
            of.iter().filter(|e| **e != NONE).for_each(|&e| unknown_of[e as usize] ^= u as u32);
        }
        let mut found: Vec<(u32, bool)> =
            direct.iter().enumerate().filter_map(|(u, side)| side.map(|side| (u as u32, side))).collect();
        let mut side_of = direct;
        let mut known = Known::new(self.count, self.of.len());
        let mut subtractions = Vec::new();
        let mut next = 0;
        while next < found.len() {
            let (u, second) = found[next];
            next += 1;
            let [read, other] = in_order(self.of[u as usize], second);
            subtractions.extend(known.of(read).map(|k| (u, k)));
            if other == NONE {
                continue;
            }
            known.add(other, u);
            let other = other as usize;
            lengths[other] -= 1;
            unknown_of[other] ^= u;
            let last = unknown_of[other];
            if lengths[other] == 1 && side_of[last as usize].is_none() {
                let second = self.of[last as usize][1] == other as u32;
                side_of[last as usize] = Some(second);
                found.push((last, second));
            }
        }
        let second = side_of.into_iter().enumerate().map(|(u, side)| side.ok_or(u)).collect::<Result<_, _>>()?;
        Ok(Recovery { second, subtractions })
    }
}

fn in_order([first, second]: [u32; 2], swap: bool) -> [u32; 2] {
    if swap { [second, first] } else { [first, second] }
}

/// What is known in each equation, as linked lists: an unknown is known in one equation at most, besides that which it is read from.
struct Known {
    last: Vec<u32>,
    before: Vec<u32>,
}

impl Known {
    fn new(equations: usize, unknowns: usize) -> Known {
        Known { last: vec![NONE; equations], before: vec![NONE; unknowns] }
    }

    fn add(&mut self, equation: u32, unknown: u32) {
        let last = &mut self.last[equation as usize];
        self.before[unknown as usize] = std::mem::replace(last, unknown);
    }

    fn of(&self, equation: u32) -> impl Iterator<Item = u32> + '_ {
        let link = |u: u32| (u != NONE).then_some(u);
        std::iter::successors(link(self.last[equation as usize]), move |&u| link(self.before[u as usize]))
    }
}
