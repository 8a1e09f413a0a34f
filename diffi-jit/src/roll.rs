//! Straight-line code rolled up again: a loop that was recorded is found in the recording.
//!
//! A recording of a loop repeats itself: a *iteration* of `period` items, again and again. Let item `i` and its counterparts `i + period`,
//! `i + 2 period`, .. do the same thing, to what they read at the places `p(0), p(1), p(2), ..`. They are one item of a loop's body if these
//! places can be told from the number of the iteration:
//!
//! - places at a constant stride: inputs, seeds, outputs, or what one item of an earlier loop computed in its iterations, forwards or backwards;
//!   a stride of zero is a number that stays the same. Constants are rows of a table, and so any of them will do. A few iterations that an
//!   earlier loop lacks, because they stayed outside, count as its iterations: else each sweep over a grid would be shorter than the last.
//! - what the same iteration has computed before, always at the same position of the body;
//! - what this loop computed one or two iterations ago, always at the same position. Then the first one or two iterations, which have nothing before
//!   them, may read whatever they like: that is what the loop starts with.
//!
//! A run is as many iterations as can be told so. Items are looked at from the first to the last, so all that a run reads was cut into runs
//! before it. Where a run may start is known from where the same few items come again: each distance between two occurrences may be a period,
//! and the one that leaves the least code wins. Iterations that differ stay outside as straight line: a prologue, an epilogue.
//!
//! Every operation has the operands that it had, so that every bit comes out as it did. Time is linear: there is a budget of comparisons for each item, and without
//! budget the rest remains straight.

use crate::few::Few;
use crate::stream::{FREE, Item, Stream};
use crate::{Float, Guard, Instruction, Node, Source};
use std::collections::HashMap;
use std::ops::Range;

/// Fewer iterations than this are not worth a loop: it needs three to tell its strides.
const FEWEST: usize = 4;
/// Loops have no more items in their body than this, which compiles in one piece ..
const LONGEST: usize = 1024;
/// .. and save no fewer than this.
const SAVED: usize = 12;
/// How many items in a row have to come again for a period to be tried.
const ALIKE: usize = 4;
/// How many periods are tried at a place, and how many occurrences are passed by on the way to them.
const PERIODS: usize = 12;
const OCCURRENCES: usize = 256;
/// How many comparisons there may be for each item.
const BUDGET: usize = 96;
/// How many iterations beside a run are kept with those of the run.
pub(crate) const BESIDE: usize = 3;

/// Items that are done again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: usize,
    pub(crate) period: usize,
    pub(crate) iterations: usize,
}

impl Run {
    pub(crate) fn end(&self) -> usize {
        self.start + self.period * self.iterations
    }

    /// The iteration of an item, counted from the run's first, and the position in it; if the item is in the run or shortly beside it.
    pub(crate) fn iteration_of(&self, item: u32) -> Option<(i64, usize)> {
        let (from, period) = (i64::from(item) - self.start as i64, self.period as i64);
        let (iteration, beside) = (from.div_euclid(period), BESIDE as i64);
        let near = iteration >= -beside && iteration < self.iterations as i64 + beside;
        near.then(|| (iteration, from.rem_euclid(period) as usize))
    }

    /// How much less code there is.
    pub(crate) fn saved(&self) -> usize {
        self.period * (self.iterations - 1)
    }
}

/// Where something stands that an item reads or writes, as far as a loop can tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Constant,
    Input(u32),
    Seed(u32),
    Output(u32),
    /// Computed by an earlier item.
    Computed(u32),
    /// Computed by this run so many iterations ago.
    Own {
        position: u32,
        ago: u32,
    },
}

/// How far it is from one place to another; `None` where no stride leads there.
fn stride(from: Place, to: Place) -> Option<i64> {
    let between = |a: u32, b: u32| i64::from(b) - i64::from(a);
    match (from, to) {
        (Place::Constant, Place::Constant) => Some(0),
        (Place::Input(a), Place::Input(b)) | (Place::Seed(a), Place::Seed(b)) => Some(between(a, b)),
        (Place::Output(a), Place::Output(b)) => Some(between(a, b)),
        (Place::Computed(a), Place::Computed(b)) => Some(between(a, b)),
        _ => None,
    }
}

/// What one item reads or writes.
pub(crate) type Places = Few<Place, 5>;

/// A stream, cut into runs and what is between them.
pub(crate) struct Rolled<'a, F> {
    source: &'a Source<F>,
    pub(crate) stream: Stream,
    /// Which of the inputs, or of the seeds, a node is.
    pub(crate) numbers: Vec<u32>,
    pub(crate) runs: Vec<Run>,
    /// The run of each item that is in one.
    run_of: Vec<u32>,
    /// What all items read and write, and where that of each begins.
    reads: Vec<Place>,
    first: Vec<u32>,
}

impl<'a, F: Float> Rolled<'a, F> {
    pub(crate) fn new(source: &'a Source<F>, stream: Stream) -> Self {
        let run_of = vec![FREE; stream.items.len()];
        let (numbers, reads, first) = (numbers(source), Vec::new(), vec![0]);
        let mut rolled = Rolled { source, stream, numbers, runs: Vec::new(), run_of, reads, first };
        for at in 0..rolled.stream.items.len() {
            // No run starts so late that this would be its own.
            let places = rolled.places(at, usize::MAX, 1);
            rolled.reads.extend(places.iter());
            rolled.first.push(rolled.reads.len() as u32);
        }
        let alike = Alike::of(source, &rolled.stream.items);
        let mut left = BUDGET * rolled.stream.items.len();
        let second = rolled.stream.second;
        for phase in [0..second, second..rolled.stream.items.len()] {
            let mut at = phase.start;
            while at < phase.end {
                at = match rolled.run_at(at, phase.end, &alike, &mut left) {
                    Some(run) => {
                        rolled.run_of[run.start..run.end()].fill(rolled.runs.len() as u32);
                        rolled.runs.push(run);
                        run.end()
                    }
                    None => at + 1,
                };
            }
        }
        rolled
    }

    /// The run that saves most of those that start at an item.
    fn run_at(&self, at: usize, end: usize, alike: &Alike, left: &mut usize) -> Option<Run> {
        let (mut best, mut again, mut tried) = (None::<Run>, at, 0);
        for _ in 0..OCCURRENCES {
            again = alike.next[again] as usize;
            let period = again.wrapping_sub(at);
            if again >= end || period > LONGEST || tried == PERIODS || *left == 0 {
                break;
            }
            // Where a run reaches, multiples of its period do the same.
            if best.is_some_and(|best| again + period <= best.end()) {
                continue;
            }
            tried += 1;
            let run =
                self.in_line(Run { start: at, period, iterations: self.iterations(at, period, end, alike, left) });
            if run.iterations >= FEWEST && best.is_none_or(|best| run.saved() > best.saved()) {
                best = Some(run);
            }
        }
        best.filter(|run| run.saved() >= SAVED)
    }

    /// How many iterations there are.
    fn iterations(&self, start: usize, period: usize, end: usize, alike: &Alike, left: &mut usize) -> usize {
        let (mut at, mut iteration, mut next) = (start + period, 1, start + 2 * period);
        while at < end
            && *left > 0
            && alike.kinds[at] == alike.kinds[at - period]
            && self.goes_on(at, Iteration { start, period, iteration })
        {
            at += 1;
            *left -= 1;
            if at == next {
                (iteration, next) = (iteration + 1, next + period);
            }
        }
        *left = left.saturating_sub(1);
        (at - start) / period
    }

    /// Whether an item's places can be told from those of its counterparts.
    fn goes_on(&self, at: usize, of: Iteration) -> bool {
        let (now, before) = (self.reads(at), self.reads(at - of.period));
        let long_before = if of.iteration > 1 { Some(self.reads(at - 2 * of.period)) } else { None };
        (0..now.len()).all(|k| match of.own(now[k]) {
            Some(item) => of.goes_on(item, before[k]),
            None => of.own(before[k]).is_none() && self.strides_on(now[k], before[k], long_before.map(|l| l[k]), of),
        })
    }

    /// Whether places outside of the run are at a stride, in what one run computes if they are computed.
    fn strides_on(&self, now: Place, before: Place, long_before: Option<Place>, of: Iteration) -> bool {
        // Two places are at some stride, or what a loop starts with.
        let Some(long_before) = long_before else { return true };
        let by = stride(before, now);
        if by.is_none() || of.own(long_before).is_some() || by != stride(long_before, before) {
            return false;
        }
        match (now, before, long_before) {
            (Place::Computed(c), Place::Computed(b), Place::Computed(a)) => a == b || self.line([a, b, c]).is_some(),
            _ => true,
        }
    }

    /// What an item reads and writes, as far as that does not depend on a run.
    fn reads(&self, at: usize) -> &[Place] {
        &self.reads[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// The run where items are the same position of several iterations.
    pub(crate) fn line(&self, items: [u32; 3]) -> Option<usize> {
        let k = items.iter().find_map(|item| self.run_of(*item as usize))?;
        let [a, b, c] = items.map(|item| self.in_run(k, item));
        let (_, position) = a?;
        (b?.1 == position && c?.1 == position).then_some(k)
    }

    /// The iteration and the position of an item that belongs to a run, or to none and stands beside this one.
    fn in_run(&self, k: usize, item: u32) -> Option<(i64, usize)> {
        self.run_of(item as usize).is_none_or(|own| own == k).then(|| self.runs[k].iteration_of(item)).flatten()
    }

    /// With only as many iterations as read one run each.
    fn in_line(&self, run: Run) -> Run {
        let mut iterations = run.iterations;
        for position in 0..if run.iterations >= FEWEST { run.period } else { 0 } {
            let places =
                |iteration: usize| self.places(run.start + iteration * run.period + position, run.start, run.period);
            let [first, second, third] = [0, 1, 2].map(places);
            for (k, ((first, second), third)) in first.iter().zip(second.iter()).zip(third.iter()).enumerate() {
                if let (Place::Computed(a), Place::Computed(b), Place::Computed(c)) = (*first, *second, *third)
                    && a != b
                {
                    let line = self.line([a, b, c]).expect("it was looked at");
                    let is_in_line = |iteration: &usize| match places(*iteration).iter().nth(k) {
                        Some(Place::Computed(item)) => self.in_run(line, *item).is_some(),
                        _ => false,
                    };
                    iterations = (0..iterations).take_while(is_in_line).count();
                }
            }
        }
        Run { iterations, ..run }
    }

    /// What an item reads or writes, seen from a run with a start and a period.
    pub(crate) fn places(&self, at: usize, start: usize, period: usize) -> Places {
        let item = self.stream.items[at];
        let mut places = Places::new(Place::Constant);
        for node in item.nodes(&self.source.instructions).iter() {
            places.push(self.place(*node, at, start, period));
        }
        if let Item::Write(_, output) = item {
            places.push(Place::Output(output));
        }
        places
    }

    fn place(&self, node: Node, reader: usize, start: usize, period: usize) -> Place {
        match self.source.instructions[node as usize] {
            Instruction::Constant(_) => return Place::Constant,
            Instruction::Input => return Place::Input(self.numbers[node as usize]),
            Instruction::Seed => return Place::Seed(self.numbers[node as usize]),
            _ => {}
        }
        let at = self.stream.computed[node as usize] as usize;
        if at >= start {
            let ago = (reader - start) / period - (at - start) / period;
            return Place::Own { position: ((at - start) % period) as u32, ago: ago as u32 };
        }
        Place::Computed(at as u32)
    }

    pub(crate) fn instructions(&self) -> &'a [Instruction<F>] {
        &self.source.instructions
    }

    /// The run that an item is in.
    pub(crate) fn run_of(&self, at: usize) -> Option<usize> {
        Some(self.run_of[at] as usize).filter(|run| *run != FREE as usize)
    }

    /// What comes one after the other: runs, and items between them.
    pub(crate) fn sections(&self, phase: Range<usize>) -> Vec<Section> {
        let (mut sections, mut at) = (Vec::new(), phase.start);
        for (k, run) in self.runs.iter().enumerate().filter(|(_, run)| phase.contains(&run.start)) {
            sections.push(Section::Straight(at..run.start));
            sections.push(Section::Loop(k));
            at = run.end();
        }
        sections.push(Section::Straight(at..phase.end));
        sections.retain(|section| !matches!(section, Section::Straight(range) if range.is_empty()));
        sections
    }
}

/// Some of the stream.
#[derive(Clone, Debug)]
pub(crate) enum Section {
    Straight(Range<usize>),
    /// The run of a number.
    Loop(usize),
}

/// An iteration of what may be a run.
#[derive(Clone, Copy)]
struct Iteration {
    start: usize,
    period: usize,
    iteration: usize,
}

impl Iteration {
    /// The item of the run that has computed it.
    fn own(self, place: Place) -> Option<usize> {
        match place {
            Place::Computed(item) if item as usize >= self.start => Some(item as usize),
            _ => None,
        }
    }

    /// Whether what the run has computed is read one iteration after a counterpart of it was, or for the first time.
    fn goes_on(self, item: usize, before: Place) -> bool {
        let Iteration { start, period, iteration } = self;
        let ago = match (start + iteration * period).saturating_sub(item) {
            0 => 0,
            back if back <= period => 1,
            back if back <= 2 * period => 2,
            _ => return false,
        };
        if ago == iteration { self.own(before).is_none() } else { self.own(before) == item.checked_sub(period) }
    }
}

fn numbers<F>(source: &Source<F>) -> Vec<u32> {
    let mut numbers = vec![0; source.instructions.len()];
    let mut number = |is: fn(&Instruction<F>) -> bool| {
        let of_kind = source.instructions.iter().zip(&mut numbers).filter(|(i, _)| is(i));
        of_kind.zip(0..).for_each(|((_, number), k)| *number = k);
    };
    number(|i| matches!(i, Instruction::Input));
    number(|i| matches!(i, Instruction::Seed));
    numbers
}

/// Which items do the same thing, whatever they do it to; and where the same few items come next.
struct Alike {
    kinds: Vec<u32>,
    next: Vec<u32>,
}

impl Alike {
    fn of<F: Float>(source: &Source<F>, items: &[Item]) -> Self {
        let mut known = HashMap::new();
        let mut number = |kind: Kind| {
            let new = known.len() as u32;
            *known.entry(kind).or_insert(new)
        };
        let kinds: Vec<u32> = items.iter().map(|item| number(item.kind(source))).collect();
        let (mut next, mut seen) = (vec![u32::MAX; items.len()], HashMap::new());
        for at in (0..items.len()).rev() {
            let few = &kinds[at..items.len().min(at + ALIKE)];
            next[at] = seen.insert(few, at as u32).unwrap_or(u32::MAX);
        }
        Alike { kinds, next }
    }
}

/// What is done, without operands.
type Kind = (u64, u64);

impl Item {
    fn kind<F: Float>(&self, source: &Source<F>) -> Kind {
        match *self {
            Item::Write(..) => (0, 0),
            Item::Check(Guard::Compare(comparison, _, _, outcome)) => (1, comparison as u64 * 2 + u64::from(outcome)),
            Item::Check(Guard::Order(_, _, order)) => (2, order.map_or(9, |order| (order as i8 + 1) as u64)),
            Item::Check(Guard::Bits(_, bits)) => (3, bits),
            Item::Compute(node) => match source.instructions[node as usize] {
                Instruction::Input | Instruction::Seed | Instruction::Constant(_) => unreachable!("they take no work"),
                Instruction::Add(..) => (4, 0),
                Instruction::Sub(..) => (5, 0),
                Instruction::Mul(..) => (6, 0),
                Instruction::Div(..) => (7, 0),
                Instruction::Neg(_) => (8, 0),
                Instruction::Abs(_) => (9, 0),
                Instruction::Sqrt(_) => (10, 0),
                Instruction::Copysign(..) => (11, 0),
                Instruction::Powi(_, n) => (12, n as u64),
                Instruction::Select(comparison, ..) => (13, comparison as u64),
                Instruction::Call1(f, _) => (14, f as usize as u64),
                Instruction::Call2(f, ..) => (15, f as usize as u64),
                Instruction::Call3(f, ..) => (16, f as usize as u64),
                Instruction::CallWhole(f, _, n) => (17 + u64::from(n as u32) * 256, f as usize as u64),
            },
        }
    }
}
