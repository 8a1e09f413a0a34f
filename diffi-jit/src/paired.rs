//! Two iterations of a loop at once, in the halves of a vector: the same operations, on every number the same.
//!
//! What an iteration computes from what it reads alone, and from what earlier iterations have computed so, is computed for both iterations together. What
//! depends on itself in an earlier iteration, as sums do, comes one iteration after the other; so do guards and what vectors cannot do. Functions are
//! called one number at a time, and take so much longer than everything else that loops with calls stay as they are.

use crate::emit::{Body, SHORT};
use crate::few::Few;
use crate::looped::{Address, Along, Iteration, address, kept};
use crate::parts::{Carried, Loop, Pattern};
use crate::stream::Item;
use crate::{Float, Instruction, Node, Source};
use cranelift_codegen::ir::ConstantData;
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlags, Type, Value, types};
use std::collections::{BTreeSet, HashMap};

/// In which order a pair of iterations is made.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    steps: Vec<Step>,
    /// Whether a position is computed for both iterations together.
    together: Vec<bool>,
    /// Whether vectors are negated.
    negates: bool,
}

/// One of its steps.
#[derive(Clone, Debug)]
enum Step {
    /// A position, in both iterations.
    Both(usize),
    /// Positions in the first iteration, then in the second.
    Each(Vec<usize>),
}

impl Schedule {
    /// The schedule for the items of an iteration, if two iterations at once take less.
    pub(crate) fn new<F: Float>(
        source: &Source<F>,
        items: &[Item],
        patterns: &[Few<Pattern, 5>],
        carried: &[Carried],
    ) -> Option<Self> {
        F::PAIR?;
        let instruction = |at: usize| match items[at] {
            Item::Compute(node) => Some(source.instructions[node as usize]),
            _ => None,
        };
        if (0..items.len()).any(|at| instruction(at).is_some_and(|i| i.is_call())) {
            return None;
        }
        let reads: Vec<Vec<usize>> = patterns.iter().map(|patterns| read_by(patterns, carried)).collect();
        let is_pairable = |at: usize| match items[at] {
            Item::Compute(_) => instruction(at).is_some_and(|i| i.is_pairable()),
            Item::Write(..) => true,
            Item::Check(_) => false,
        };
        let mut together = vec![false; items.len()];
        let steps = circles(&reads).into_iter().map(|mut circle| {
            circle.sort_unstable();
            match circle[..] {
                [at] if is_pairable(at) && !reads[at].contains(&at) => {
                    together[at] = true;
                    Step::Both(at)
                }
                _ => Step::Each(circle),
            }
        });
        let steps: Vec<Step> = steps.collect();
        // Numbers that go from one kind to the other have to be put together or taken apart.
        let crossed = |at: usize| reads[at].iter().filter(|read| together[**read] != together[at]).count();
        let apart = patterns.iter().flat_map(Few::iter).filter(|pattern| is_apart(pattern)).count();
        let crossing: usize = apart + (0..items.len()).map(crossed).sum::<usize>();
        let both = together.iter().filter(|together| **together).count();
        let negates = (0..items.len()).any(|at| together[at] && matches!(instruction(at), Some(Instruction::Neg(_))));
        (both > items.len() / 4 + crossing).then_some(Schedule { steps, together, negates })
    }
}

/// The positions of which an item reads what they computed, in its own iteration or an earlier one.
fn read_by(patterns: &Few<Pattern, 5>, carried: &[Carried]) -> Vec<usize> {
    let position = |pattern: &Pattern| match *pattern {
        Pattern::Own(position) => Some(position as usize),
        Pattern::Carried(k) => Some(carried[k].position as usize),
        _ => None,
    };
    patterns.iter().filter_map(position).collect()
}

/// Whether what two iterations read or write stands in places that are no neighbours.
fn is_apart(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Along { stride, .. } | Pattern::Kept { stride, .. } if stride.abs() != 1)
}

/// Positions that depend on each other, circle by circle, each after all that it reads: the strongly connected components as Tarjan's
/// algorithm finds them.
fn circles(reads: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let n = reads.len();
    let (mut number, mut low, mut open) = (vec![UNSEEN; n], vec![0; n], vec![false; n]);
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        // Positions on the way, and which of their reads comes next.
        let mut way: Vec<(usize, usize)> = if number[root] == UNSEEN { vec![(root, 0)] } else { Vec::new() };
        while let Some((at, next)) = way.pop() {
            if next == 0 {
                (number[at], low[at], open[at]) = (count, count, true);
                count += 1;
                stack.push(at);
            } else {
                low[at] = low[at].min(low[reads[at][next - 1]]);
            }
            let unseen = (next..reads[at].len()).find(|k| number[reads[at][*k]] == UNSEEN);
            let seen = &reads[at][next..unseen.unwrap_or(reads[at].len())];
            low[at] = seen.iter().filter(|read| open[**read]).fold(low[at], |low, read| low.min(number[*read]));
            if let Some(k) = unseen {
                way.extend([(at, k + 1), (reads[at][k], 0)]);
            } else if low[at] == number[at] {
                let start = stack.iter().rposition(|other| *other == at).expect("it is open");
                let circle = stack.split_off(start);
                circle.iter().for_each(|other| open[*other] = false);
                found.push(circle);
            }
        }
    }
    found
}

/// What two iterations have so far.
struct Pair {
    along: Along,
    /// How many iterations further these are.
    further: i64,
    /// What the iterations before have handed on: both numbers at once, or those that are read.
    carried: Vec<Vec<Value>>,
    both: Vec<Option<Value>>,
    each: [Vec<Option<Value>>; 2],
    /// What is at hand for both iterations, and since which item.
    loaded: HashMap<Address, (Value, usize)>,
}

impl Pair {
    fn new(of: &Loop, along: Along, further: i64, carried: Vec<Vec<Value>>) -> Self {
        let none = || vec![None; of.run.period];
        Pair { along, further, carried, both: none(), each: [none(), none()], loaded: HashMap::new() }
    }

    /// What the iterations after these are handed on.
    fn handed_on(&self, of: &Loop) -> Vec<Vec<Value>> {
        let of_one = |carried: &Carried| {
            let position = carried.position as usize;
            match self.both[position] {
                Some(value) => vec![value],
                None => {
                    let first = 2 - carried.initial.iter().count();
                    self.each[first..].iter().map(|each| each[position].expect("it was computed")).collect()
                }
            }
        };
        of.carried.iter().map(of_one).collect()
    }
}

/// How many pairs there are in one turn of a loop that turns often.
fn pairs_at_once(of: &Loop) -> usize {
    if of.run.period <= SHORT { 2 } else { 1 }
}

/// Whether there are so few short iterations that they come one after the other, without a loop.
fn is_straight(of: &Loop) -> bool {
    of.run.period <= SHORT && of.run.iterations < 16
}

impl<F: Float> Body<'_, '_, '_, '_, F> {
    pub(crate) fn paired(&mut self, of: &Loop, schedule: &Schedule) {
        self.minus = schedule.negates.then(|| self.minus());
        if of.run.period <= SHORT {
            self.splats(of);
        }
        let start = of.carried.iter().map(|carried| self.start(carried, schedule)).collect();
        let pairs = of.run.iterations / 2 * 2;
        let (mut pair, made) = match is_straight(of) {
            true => (self.first(of, schedule, start), 2),
            false => self.around(of, schedule, start),
        };
        for first in (made..pairs).step_by(2) {
            pair = Pair::new(of, self.after(of, first), 0, pair.handed_on(of));
            self.pair(of, schedule, &mut pair);
        }
        self.splats.clear();
        for lane in 0..2 {
            self.at_hand(of, pairs - 2 + lane, |body, position| {
                let computed = pair.both[position].or(pair.each[lane][position])?;
                let kind = body.builder.func.dfg.value_type(computed);
                Some(if kind == F::TYPE { computed } else { body.builder.ins().extractlane(computed, lane as u8) })
            });
        }
        if pairs < of.run.iterations {
            self.last(of, &pair);
        }
    }

    /// What stays the same, twice in a vector.
    fn splats(&mut self, of: &Loop) {
        let same = |pattern: &Pattern| if let Pattern::Same(node) = *pattern { Some(node) } else { None };
        let nodes: BTreeSet<Node> = of.patterns.iter().flat_map(Few::iter).filter_map(same).collect();
        for node in nodes {
            let value = self.value(node);
            let splat = self.builder.ins().splat(pair_of::<F>(), value);
            self.splats.insert(node, splat);
        }
    }

    /// What the first iterations read of what iterations hand on.
    fn start(&mut self, carried: &Carried, schedule: &Schedule) -> Vec<Value> {
        let initial: Vec<Value> = carried.initial.map(|node| self.value(node));
        match (schedule.together[carried.position as usize], &initial[..]) {
            (true, [alone]) => vec![self.builder.ins().splat(pair_of::<F>(), *alone)],
            (true, [first, second, ..]) => vec![self.together([*first, *second])],
            (true, []) => unreachable!("there is one"),
            (false, _) => initial,
        }
    }

    /// The first two iterations.
    fn first(&mut self, of: &Loop, schedule: &Schedule, start: Vec<Vec<Value>>) -> Pair {
        let mut pair = Pair::new(of, self.after(of, 0), 0, start);
        self.pair(of, schedule, &mut pair);
        pair
    }

    /// As many iterations as a loop makes: the last two of them, and how many there are.
    fn around(&mut self, of: &Loop, schedule: &Schedule, start: Vec<Vec<Value>>) -> (Pair, usize) {
        let step = 2 * pairs_at_once(of);
        let iterations = of.run.iterations / step * step;
        let handed: Vec<usize> = start.iter().map(Vec::len).collect();
        let (head, params) = self.enter(of, start.concat());
        let mut params = params.into_iter();
        let carried = handed.into_iter().map(|handed| params.by_ref().take(handed).collect()).collect();
        let mut pair = Pair::new(of, head.along(), 0, carried);
        self.pair(of, schedule, &mut pair);
        for further in (2..step as i64).step_by(2) {
            pair = Pair::new(of, head.along(), further, pair.handed_on(of));
            self.pair(of, schedule, &mut pair);
        }
        self.again(&head, pair.handed_on(of).concat(), iterations, step);
        (pair, iterations)
    }

    /// All items of two iterations.
    fn pair(&mut self, of: &Loop, schedule: &Schedule, pair: &mut Pair) {
        for step in &schedule.steps {
            match step {
                Step::Both(position) => self.both(of, *position, pair),
                Step::Each(circle) => {
                    for lane in 0..2 {
                        circle.iter().for_each(|position| self.each(of, *position, pair, lane));
                    }
                }
            }
        }
    }

    /// The last iteration, which is alone.
    fn last(&mut self, of: &Loop, pair: &Pair) {
        let along = self.after(of, of.run.iterations - 1);
        let read =
            |carried: &Carried| vec![self.lane(pair, carried.position as usize, 2 - carried.initial.iter().count())];
        let carried = of.carried.iter().map(read).collect();
        let mut iteration = Iteration::new(along, carried);
        self.iteration(of, &mut iteration);
        self.at_hand(of, of.run.iterations - 1, |_, position| iteration.value(position));
    }

    /// An item, for both iterations.
    fn both(&mut self, of: &Loop, position: usize, pair: &mut Pair) {
        self.emitter.at += 1;
        let item = self.item_of(of, position);
        let reads = if matches!(item, Item::Write(..)) { 1 } else { usize::MAX };
        let patterns = of.patterns[position].iter().take(reads);
        let operands: Vec<Value> = patterns.map(|pattern| self.operand_of_both(of, *pattern, pair)).collect();
        if let Item::Write(..) = item {
            let to = *of.patterns[position].iter().nth(1).expect("outputs have a place");
            let to = address(to, &self.emitter.plan.loops).expect("outputs are an array");
            self.put_both(operands[0], to, pair);
            return;
        }
        let value = match (item, self.minus) {
            (Item::Compute(node), Some(minus)) if self.is_negation(node) => Some(self.negated(operands[0], minus)),
            _ => self.perform(item, &operands),
        };
        pair.both[position] = value;
        if let (Some(value), Some(address)) = (value, kept(of, position)) {
            self.put_both(value, address, pair);
        }
    }

    fn is_negation(&self, node: Node) -> bool {
        matches!(self.emitter.plan.rolled.instructions()[node as usize], Instruction::Neg(_))
    }

    /// The bits of signs. They come from memory, so that a loop keeps them in a register: cranelift makes constants anew where they are used.
    fn minus(&mut self) -> Value {
        let zero = self.negative_zero();
        let zeros = self.builder.ins().splat(pair_of::<F>(), zero);
        self.as_bytes(zeros)
    }

    fn negated(&mut self, value: Value, minus: Value) -> Value {
        let bytes = self.as_bytes(value);
        let negated = self.builder.ins().bxor(bytes, minus);
        self.builder.ins().bitcast(pair_of::<F>(), little(), negated)
    }

    fn as_bytes(&mut self, value: Value) -> Value {
        self.builder.ins().bitcast(types::I8X16, little(), value)
    }

    /// An item, for one of the iterations.
    fn each(&mut self, of: &Loop, position: usize, pair: &mut Pair, lane: usize) {
        self.emitter.at += 1;
        let item = self.item_of(of, position);
        let patterns = of.patterns[position].iter();
        let operands: Vec<Value> = patterns.map(|pattern| self.operand_of_each(of, *pattern, pair, lane)).collect();
        let value = self.perform(item, &operands);
        pair.each[lane][position] = value;
        if let (Some(value), Some(address)) = (value, kept(of, position)) {
            self.put(value, address, &pair.along, pair.further + lane as i64);
        }
    }

    fn operand_of_both(&mut self, of: &Loop, pattern: Pattern, pair: &mut Pair) -> Value {
        match pattern {
            Pattern::Same(node) => {
                return self.splats.get(&node).copied().unwrap_or_else(|| {
                    let value = self.value(node);
                    self.builder.ins().splat(pair_of::<F>(), value)
                });
            }
            Pattern::Own(position) => {
                if let Some(value) = pair.both[position as usize] {
                    return value;
                }
            }
            Pattern::Carried(k) => {
                let Carried { position, initial } = of.carried[k];
                if let Some(value) = pair.both[position as usize] {
                    let before = pair.carried[k][0];
                    return if initial.iter().count() == 2 { before } else { self.shuffled(before, value, 1) };
                }
            }
            Pattern::Along { .. } | Pattern::Kept { .. } => {
                let address = address(pattern, &self.emitter.plan.loops).expect("it is in an array");
                return self.get_both(address, pair);
            }
        }
        let each = [0, 1].map(|lane| self.operand_of_each(of, pattern, pair, lane));
        self.together(each)
    }

    fn operand_of_each(&mut self, of: &Loop, pattern: Pattern, pair: &Pair, lane: usize) -> Value {
        match pattern {
            Pattern::Same(node) => self.value(node),
            Pattern::Own(position) => self.lane(pair, position as usize, lane),
            Pattern::Carried(k) => {
                let (position, ago) = (of.carried[k].position as usize, of.carried[k].initial.iter().count());
                match lane.checked_sub(ago) {
                    Some(lane) => self.lane(pair, position, lane),
                    None if pair.both[position].is_some() => {
                        self.builder.ins().extractlane(pair.carried[k][0], (2 + lane - ago) as u8)
                    }
                    None => pair.carried[k][lane],
                }
            }
            Pattern::Along { .. } | Pattern::Kept { .. } => {
                let address = address(pattern, &self.emitter.plan.loops).expect("it is in an array");
                self.get(address, &pair.along, pair.further + lane as i64)
            }
        }
    }

    /// What a position has computed in one of the iterations.
    fn lane(&mut self, pair: &Pair, position: usize, lane: usize) -> Value {
        match pair.both[position] {
            Some(value) => self.builder.ins().extractlane(value, lane as u8),
            None => pair.each[lane][position].expect("it was computed"),
        }
    }

    fn get_both(&mut self, from: Address, pair: &mut Pair) -> Value {
        if let Some((value, since)) = pair.loaded.get(&from)
            && self.emitter.at - since <= SHORT
        {
            return *value;
        }
        let value = match from.stride {
            1 => self.load_both(from, pair, 0),
            -1 => {
                let value = self.load_both(from, pair, 1);
                self.shuffled(value, value, 1)
            }
            _ => {
                let each = [0, 1].map(|lane| self.get(from, &pair.along, pair.further + lane));
                self.together(each)
            }
        };
        pair.loaded.insert(from, (value, self.emitter.at));
        value
    }

    fn load_both(&mut self, from: Address, pair: &Pair, iterations: i64) -> Value {
        let pointer = self.pointer(from, &pair.along);
        self.builder.ins().load(pair_of::<F>(), unaligned(), pointer, from.offset::<F>(pair.further + iterations))
    }

    fn put_both(&mut self, value: Value, to: Address, pair: &Pair) {
        let (value, iterations) = match to.stride {
            1 => (value, 0),
            -1 => (self.shuffled(value, value, 1), 1),
            _ => {
                for lane in 0..2 {
                    let value = self.builder.ins().extractlane(value, lane);
                    self.put(value, to, &pair.along, pair.further + i64::from(lane));
                }
                return;
            }
        };
        let pointer = self.pointer(to, &pair.along);
        self.builder.ins().store(unaligned(), value, pointer, to.offset::<F>(pair.further + iterations));
    }

    /// Two numbers as one vector.
    fn together(&mut self, [a, b]: [Value; 2]) -> Value {
        let vector = self.builder.ins().splat(pair_of::<F>(), a);
        self.builder.ins().insertlane(vector, b, 1)
    }

    /// Two neighbours of the four numbers in two vectors, from one on.
    fn shuffled(&mut self, a: Value, b: Value, first: u8) -> Value {
        let size = size_of::<F>() as u8;
        let mask: Vec<u8> = (first * size..(first + 2) * size).collect();
        let mask = self.builder.func.dfg.immediates.push(ConstantData::from(&mask[..]));
        let [a, b] = [a, b].map(|value| self.as_bytes(value));
        let bytes = self.builder.ins().shuffle(a, b, mask);
        self.builder.ins().bitcast(pair_of::<F>(), little(), bytes)
    }
}

fn little() -> MemFlags {
    MemFlags::new().with_endianness(Endianness::Little)
}

fn pair_of<F: Float>() -> Type {
    F::PAIR.expect("loops are paired where there are vectors")
}

/// Vectors stand where their first number does.
fn unaligned() -> MemFlags {
    MemFlags::new().with_notrap()
}
