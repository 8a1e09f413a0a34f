//! Which items are compiled together, what the bodies of loops read, and which numbers go through memory.

use crate::few::Few;
use crate::paired::Schedule;
use crate::roll::{BESIDE, Place, Rolled, Run, Section};
use crate::stream::FREE;
use crate::{Float, Instruction, Node, Source};
use std::collections::HashMap;

/// How many items a part has at most, if it is no loop alone: compiling takes the same time for each, whatever the source's length.
const LONGEST: usize = 512;

/// How dear an item of the code is, and a number that is kept.
pub(crate) const ITEM: usize = 5;
const KEPT: usize = 6;

/// Where an item of a loop finds a number, or puts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pattern {
    /// It is the same number in every iteration.
    Same(Node),
    /// In an array, from one place on at a stride.
    Along { array: Array, first: u32, stride: i64 },
    /// Among what is kept of another loop, from one iteration on at a stride.
    Kept { run: usize, position: usize, iteration: i64, stride: i64 },
    /// The iteration has computed it.
    Own(u32),
    /// It is what one of the loop's carried numbers holds.
    Carried(usize),
}

/// The memory that code reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Array {
    Inputs,
    Seeds,
    Outputs,
    Kept,
    Tables,
}

/// What an iteration hands to the next one, or to the one after that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Carried {
    pub(crate) position: u32,
    /// What is there in the first iterations: one number, or one for each of two iterations.
    pub(crate) initial: Few<Node, 2>,
}

/// A run as a loop.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) run: Run,
    /// For each item of the body what it reads, and then what it writes.
    pub(crate) patterns: Vec<Few<Pattern, 5>>,
    pub(crate) carried: Vec<Carried>,
    /// How two iterations are made at once, where they are.
    pub(crate) paired: Option<Schedule>,
    /// Which positions are kept, numbered, and where the first of their numbers stands.
    ranks: Vec<u32>,
    base: u32,
}

impl Loop {
    /// Where the number at a position is kept in an iteration. Those of the next iteration stand beside it; those beside the run have room, too.
    pub(crate) fn slot(&self, iteration: i64, position: usize) -> Option<u32> {
        let rank = Some(self.ranks[position]).filter(|rank| *rank != FREE)?;
        Some(self.base + rank * self.room() as u32 + (iteration + BESIDE as i64) as u32)
    }

    /// How many iterations there is room for.
    fn room(&self) -> usize {
        self.run.iterations + 2 * BESIDE
    }

    /// How many of the last iterations are at hand after the loop.
    fn at_hand(&self) -> usize {
        if self.paired.is_some() { 2 } else { 1 }
    }
}

/// The parts of a source.
pub(crate) struct Plan<'a, F> {
    pub(crate) rolled: Rolled<'a, F>,
    pub(crate) loops: Vec<Loop>,
    /// The sections of each part, in their order.
    pub(crate) parts: Vec<Vec<Section>>,
    /// How many of the parts belong to the first phase.
    pub(crate) first: usize,
    /// The part of each item.
    part_of: Vec<u32>,
    /// Where numbers are kept that straight code computes and others read.
    slots: Vec<u32>,
    /// Items of straight code that loops read as iterations of other loops, and which ones these are.
    beside: HashMap<u32, Vec<usize>>,
    /// How many numbers are kept.
    pub(crate) kept: usize,
    /// The constants that differ from iteration to iteration, and then all others.
    pub(crate) tables: Vec<F>,
    /// Where the constants stand that are nodes of their own, by their bits.
    pool: HashMap<u64, u32>,
}

impl<'a, F: Float> Plan<'a, F> {
    pub(crate) fn new(source: &'a Source<F>, rolled: Rolled<'a, F>) -> Self {
        let (n, second) = (rolled.stream.items.len(), rolled.stream.second);
        let mut parts = cut(&rolled, rolled.sections(0..second));
        let first = parts.len();
        parts.extend(cut(&rolled, rolled.sections(second..n)));
        let mut part_of = vec![0; n];
        for (section, part) in
            parts.iter().zip(0..).flat_map(|(sections, part)| sections.iter().map(move |s| (s, part)))
        {
            part_of[range(&rolled, section)].fill(part);
        }
        let mut tables = Vec::new();
        let loops = rolled.runs.iter().map(|run| looped(source, &rolled, *run, &mut tables)).collect();
        let slots = vec![FREE; n];
        let mut pool = HashMap::new();
        let constant = |instruction: &Instruction<F>| match instruction {
            Instruction::Constant(value) => Some(*value),
            _ => None,
        };
        for value in source.instructions.iter().filter_map(constant).chain([F::of(-0.0)]) {
            pool.entry(value.bits()).or_insert_with(|| {
                tables.push(value);
                tables.len() as u32 - 1
            });
        }
        let mut plan =
            Plan { rolled, loops, parts, first, part_of, slots, beside: HashMap::new(), kept: 0, tables, pool };
        plan.keep();
        plan
    }

    /// How many items the code has, a loop's body counted once.
    pub(crate) fn length(&self) -> usize {
        let saved: usize = self.loops.iter().map(|of| of.run.saved()).sum();
        self.rolled.stream.items.len() - saved
    }

    /// How dear it is: code has to be fetched, and numbers that are kept are written and read.
    pub(crate) fn cost(&self) -> usize {
        self.length() * ITEM + self.kept * KEPT
    }

    /// Where a number is kept, if it is.
    pub(crate) fn slot(&self, node: Node) -> Option<u32> {
        if self.rolled.stream.computed[node as usize] == FREE {
            return None;
        }
        let item = self.rolled.stream.computed[node as usize];
        match self.rolled.run_of(item as usize) {
            Some(run) => {
                let of = &self.loops[run];
                of.run.iteration_of(item).and_then(|(iteration, position)| of.slot(iteration, position))
            }
            None => Some(self.slots[item as usize]).filter(|slot| *slot != FREE),
        }
    }

    /// Where a constant stands among the tables.
    pub(crate) fn constant(&self, value: F) -> u32 {
        self.pool[&value.bits()]
    }

    /// Where a number of straight code is kept with those of loops.
    pub(crate) fn beside(&self, node: Node) -> impl Iterator<Item = u32> {
        let item = self.rolled.stream.computed[node as usize];
        let near = self.beside.get(&item).into_iter().flatten();
        near.filter_map(move |run| {
            let of = &self.loops[*run];
            of.run.iteration_of(item).and_then(|(iteration, position)| of.slot(iteration, position))
        })
    }

    /// Finds what is read elsewhere than in the code that computes it, and gives it a place.
    fn keep(&mut self) {
        for at in 0..self.rolled.stream.items.len() {
            if self.rolled.run_of(at).is_none() {
                let item = self.rolled.stream.items[at];
                let nodes = item.nodes(self.rolled.instructions());
                nodes.iter().for_each(|node| self.read(*node, self.part_of[at]));
            }
        }
        for k in 0..self.loops.len() {
            let part = self.part_of[self.loops[k].run.start];
            for patterns in self.loops[k].patterns.clone() {
                for pattern in patterns.iter() {
                    match *pattern {
                        Pattern::Same(node) => self.read(node, part),
                        Pattern::Kept { run, position, iteration, stride } => {
                            self.loops[run].ranks[position] = 0;
                            self.read_beside(
                                run,
                                position,
                                (0..self.loops[k].run.iterations as i64).map(|t| iteration + t * stride),
                            );
                        }
                        _ => {}
                    }
                }
            }
            for carried in self.loops[k].carried.clone() {
                carried.initial.iter().for_each(|node| self.read(*node, part));
            }
        }
        let number = |slots: &mut [u32]| {
            let mut count = 0;
            for slot in slots.iter_mut().filter(|slot| **slot != FREE) {
                *slot = count;
                count += 1;
            }
            count
        };
        self.kept = number(&mut self.slots) as usize;
        for of in &mut self.loops {
            let positions = number(&mut of.ranks) as usize;
            of.base = self.kept as u32;
            self.kept += positions * of.room();
        }
    }

    /// A number is read in a part, outside of what computes it again and again.
    fn read(&mut self, node: Node, part: u32) {
        let at = self.rolled.stream.computed[node as usize];
        if at == FREE {
            return;
        }
        let elsewhere = self.part_of[at as usize] != part;
        match self.rolled.run_of(at as usize) {
            Some(run) => {
                let of = &mut self.loops[run];
                let (iteration, position) = of.run.iteration_of(at).expect("it is in this run");
                if elsewhere || iteration as usize + of.at_hand() < of.run.iterations {
                    of.ranks[position] = 0;
                }
            }
            None if elsewhere => self.slots[at as usize] = 0,
            None => {}
        }
    }

    /// Iterations of a run are read, some of them perhaps beside it.
    fn read_beside(&mut self, k: usize, position: usize, iterations: impl Iterator<Item = i64>) {
        let Run { start, period, iterations: own, .. } = self.loops[k].run;
        for iteration in iterations.filter(|iteration| !(0..own as i64).contains(iteration)) {
            let item = (start as i64 + iteration * period as i64 + position as i64) as u32;
            let near = self.beside.entry(item).or_default();
            if !near.contains(&k) {
                near.push(k);
            }
        }
    }
}

fn range<F: Float>(rolled: &Rolled<'_, F>, section: &Section) -> std::ops::Range<usize> {
    match section {
        Section::Straight(range) => range.clone(),
        Section::Loop(k) => rolled.runs[*k].start..rolled.runs[*k].end(),
    }
}

/// Parts that are not too long.
fn cut<F: Float>(rolled: &Rolled<'_, F>, sections: Vec<Section>) -> Vec<Vec<Section>> {
    let mut pieces = Vec::new();
    for section in sections {
        match section {
            Section::Straight(all) => {
                let n = all.len().div_ceil(LONGEST);
                let piece = |k| all.start + all.len() * k / n..all.start + all.len() * (k + 1) / n;
                pieces.extend((0..n).map(|k| Section::Straight(piece(k))));
            }
            of_run => pieces.push(of_run),
        }
    }
    let (mut parts, mut length) = (vec![Vec::new()], 0);
    for piece in pieces {
        let more = match &piece {
            Section::Straight(range) => range.len(),
            Section::Loop(k) => rolled.runs[*k].period,
        };
        if length > 0 && length + more > LONGEST {
            parts.push(Vec::new());
            length = 0;
        }
        length += more;
        parts.last_mut().expect("there is one").push(piece);
    }
    parts.retain(|sections| !sections.is_empty());
    parts
}

fn looped<F: Float>(source: &Source<F>, rolled: &Rolled<'_, F>, run: Run, tables: &mut Vec<F>) -> Loop {
    let mut of = Looped { source, rolled, run, tables, carried: Vec::new() };
    let patterns: Vec<_> = (0..run.period).map(|position| of.patterns(position)).collect();
    let carried = of.carried;
    let items = &rolled.stream.items[run.start..run.start + run.period];
    let paired = Schedule::new(source, items, &patterns, &carried);
    Loop { run, patterns, carried, paired, ranks: vec![FREE; run.period], base: 0 }
}

struct Looped<'l, 'a, F> {
    source: &'l Source<F>,
    rolled: &'l Rolled<'a, F>,
    run: Run,
    tables: &'l mut Vec<F>,
    carried: Vec<Carried>,
}

impl<F: Float> Looped<'_, '_, F> {
    /// What an item reads and writes, as the third iteration shows: the first ones may read what the loop starts with.
    fn patterns(&mut self, position: usize) -> Few<Pattern, 5> {
        let Run { start, period, .. } = self.run;
        let at = |iteration: usize| start + iteration * period + position;
        let places = |iteration| self.rolled.places(at(iteration), start, period);
        let [first, second, third] = [0, 1, 2].map(places);
        let mut patterns = Few::new(Pattern::Own(0));
        for (k, place) in third.iter().enumerate() {
            let [first, second] = [&first, &second].map(|places| *places.iter().nth(k).expect("items are alike"));
            let pattern = match (*place, first, second) {
                (Place::Own { position, ago: 0 }, ..) => Pattern::Own(position),
                (Place::Own { position, ago }, ..) => {
                    let nodes: Vec<Node> = (0..ago as usize).map(|iteration| self.node(at(iteration), k)).collect();
                    Pattern::Carried(self.carry(Carried { position, initial: Few::of(&nodes) }))
                }
                (Place::Constant, ..) => self.constants(position, k),
                (_, Place::Input(a), Place::Input(b)) if a != b => along(Array::Inputs, a, b),
                (_, Place::Seed(a), Place::Seed(b)) if a != b => along(Array::Seeds, a, b),
                (_, Place::Output(a), Place::Output(b)) => along(Array::Outputs, a, b),
                (Place::Computed(c), Place::Computed(a), Place::Computed(b)) if a != b => {
                    let run = self.rolled.line([a, b, c]).expect("it was looked at");
                    let iteration = |item| self.rolled.runs[run].iteration_of(item).expect("it was looked at");
                    let ((iteration, position), (next, _)) = (iteration(a), iteration(b));
                    Pattern::Kept { run, position, iteration, stride: next - iteration }
                }
                _ => Pattern::Same(self.node(at(0), k)),
            };
            patterns.push(pattern);
        }
        patterns
    }

    fn node(&self, at: usize, k: usize) -> Node {
        let nodes = self.rolled.stream.items[at].nodes(&self.source.instructions);
        *nodes.iter().nth(k).expect("items are alike")
    }

    fn carry(&mut self, carried: Carried) -> usize {
        self.carried.iter().position(|other| *other == carried).unwrap_or_else(|| {
            self.carried.push(carried);
            self.carried.len() - 1
        })
    }

    /// One constant, or a table.
    fn constants(&mut self, position: usize, k: usize) -> Pattern {
        let Run { start, period, iterations } = self.run;
        let nodes = (0..iterations).map(|iteration| self.node(start + iteration * period + position, k));
        let value = |node: Node| match self.source.instructions[node as usize] {
            Instruction::Constant(value) => value,
            _ => unreachable!("it is a constant in every iteration"),
        };
        let all: Vec<F> = nodes.map(value).collect();
        if all.iter().all(|value| value.bits() == all[0].bits()) {
            return Pattern::Same(self.node(start + position, k));
        }
        let first = self.tables.len() as u32;
        self.tables.extend(all);
        Pattern::Along { array: Array::Tables, first, stride: 1 }
    }
}

fn along(array: Array, first: u32, second: u32) -> Pattern {
    Pattern::Along { array, first, stride: i64::from(second) - i64::from(first) }
}
