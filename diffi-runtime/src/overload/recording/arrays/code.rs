//! Programs of arrays as machine code: a loop for each stretch of entries that can go through their iterations together.
//!
//! What an iteration does is recorded once, forwards and backwards, as if it were a program of its own: numbers that it finds elsewhere are
//! leaves, and what later code reads is stored. Adjoints of what only the same iteration reads never reach memory.

use super::draft::{Draft, Draw, backward, forward};
use super::{Arrays, Entry, Operand, Part};
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::overload::recording::simplify::Simplify;
use crate::overload::recording::{Guard, Node, Op, Program};
use crate::stack::memory_report;
use diffi_jit::{Kernel, Memory, Place, compile_loops};
use std::collections::HashMap;

/// A loop has no more entries than this: compiling takes more than twice the time for twice the length.
const LONGEST: usize = 1024;

/// Entries that go through their iterations together, or a sum.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Loop(Body),
    Sum { op: Op, at: Node, start: Node, terms: Operand, iterations: usize },
}

/// What a loop does in each iteration.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) entries: Vec<Entry>,
    pub(super) iterations: usize,
    /// Whether no entry needs what it found one iteration before.
    pub(super) apart: bool,
    /// Which entry's values start at a node.
    pub(super) own: HashMap<Node, usize>,
}

impl Body {
    fn new(entries: Vec<Entry>, iterations: usize, apart: bool) -> Self {
        let own = entries.iter().zip(0..).map(|(entry, k)| (entry.at, k)).collect();
        Body { entries, iterations, apart, own }
    }

    /// The entry and its iteration that found the value of a node, if it is one of these.
    pub(super) fn found(&self, node: Node) -> Option<(usize, usize)> {
        let entry = self.entries.partition_point(|entry| entry.at <= node).checked_sub(1)?;
        let iteration = (node - self.entries[entry].at) as usize;
        (iteration < self.iterations).then_some((entry, iteration))
    }

    /// The entry that has found the operand in the same iteration.
    pub(super) fn same_iteration(&self, operand: Operand) -> Option<usize> {
        match operand {
            Operand::Row { first, stride } if stride == 1 || self.iterations == 1 => self.own.get(&first).copied(),
            _ => None,
        }
    }

    /// The nodes of an operand, if it has any.
    pub(super) fn places<'a>(&self, operand: Operand, listed: &'a [Node]) -> impl Iterator<Item = Node> + 'a {
        let none = matches!(operand, Operand::Integer(_));
        (0..if none { 0 } else { self.iterations }).map(move |iteration| operand.place(iteration, listed))
    }

    /// Takes an operation in as many iterations, if all that it reads of these is found by then.
    fn takes(&mut self, entry: Entry, listed: &[Node]) -> bool {
        let in_time = |(iteration, node): (usize, Node)| self.found(node).is_none_or(|(_, found)| found <= iteration);
        let fits = self.entries.last().is_none_or(|last| last.at < entry.at)
            && entry.operands[..entry.op.arity()].iter().all(|operand| {
                self.same_iteration(*operand).is_some() || self.places(*operand, listed).enumerate().all(in_time)
            });
        if fits {
            self.own.insert(entry.at, self.entries.len());
            self.entries.push(entry);
        }
        fits
    }

    /// Whether an iteration reads numbers at places that are listed.
    fn has_lists(&self) -> bool {
        let operands = |entry: &Entry| entry.operands.into_iter().take(entry.op.arity());
        self.entries.iter().flat_map(operands).any(|operand| matches!(operand, Operand::Listed(_)))
    }
}

/// The pieces of a program, each after those that it reads.
fn pieces<F: Base>(program: &Program<F>) -> Vec<Piece> {
    let Arrays { parts, together, listed, .. } = &program.arrays;
    let mut pieces: Vec<Piece> = Vec::new();
    for part in parts {
        match part {
            Part::Single { steps, at } => {
                let steps = &program.steps[steps.start as usize..steps.end as usize];
                for (step, at) in steps.iter().zip(*at..) {
                    let mut operands = step.operands.map(Operand::Integer);
                    for operand in &mut operands[..step.nodes()] {
                        if let Operand::Integer(first) = *operand {
                            *operand = Operand::Row { first, stride: 0 };
                        }
                    }
                    each(&mut pieces, Entry { op: step.op, at, operands }, 1, listed);
                }
            }
            Part::Each { entry, iterations } => each(&mut pieces, *entry, *iterations as usize, listed),
            Part::Sum { op, at, start, terms, iterations } => {
                pieces.push(Piece::Sum {
                    op: *op,
                    at: *at,
                    start: *start,
                    terms: *terms,
                    iterations: *iterations as usize,
                });
            }
            Part::Together { entries, iterations } => {
                let entries = &together[entries.start as usize..entries.end as usize];
                pieces.push(Piece::Loop(Body::new(entries.to_vec(), *iterations as usize, false)));
            }
        }
    }
    pieces
}

/// An operation for all elements: in the last loop, if it fits.
fn each(pieces: &mut Vec<Piece>, entry: Entry, iterations: usize, listed: &[Node]) {
    if let Some(Piece::Loop(body)) = pieces.last_mut()
        && body.apart
        && body.iterations == iterations
        && body.entries.len() < LONGEST
        && body.takes(entry, listed)
    {
        return;
    }
    pieces.push(Piece::Loop(Body::new(vec![entry], iterations, true)));
}

/// What is known of all nodes before code is written.
pub(super) struct Facts<'a, F> {
    pub(super) program: &'a Program<F>,
    pub(super) constants: HashMap<Node, F>,
    /// Which depend on inputs, and on which outputs depend.
    pub(super) active: Vec<bool>,
    pub(super) reached: Vec<bool>,
    /// Whose adjoints are added to in memory, and whose values are read from there.
    pub(super) added: Vec<bool>,
    pub(super) read: Vec<bool>,
}

impl<'a, F: Base> Facts<'a, F> {
    fn new(program: &'a Program<F>, pieces: &[Piece]) -> Self {
        let none = || vec![false; program.nodes()];
        let constants = program.constants.iter().copied().collect();
        let mut facts = Facts { program, constants, active: none(), reached: none(), added: none(), read: none() };
        facts.spread(pieces);
        facts
    }

    pub(super) fn listed(&self) -> &'a [Node] {
        &self.program.arrays.listed
    }

    /// Whether the adjoint of a node is wanted.
    pub(super) fn is_live(&self, node: Node) -> bool {
        self.active[node as usize] && self.reached[node as usize]
    }

    fn spread(&mut self, pieces: &[Piece]) {
        let program = self.program;
        let listed = self.listed();
        program.inputs.iter().for_each(|node| self.active[*node as usize] = true);
        for piece in pieces {
            each_step(piece, listed, false, &mut |at, operands| {
                self.active[at as usize] |= operands.iter().any(|node| self.active[*node as usize]);
            });
        }
        for node in &program.outputs {
            self.reached[*node as usize] = true;
            self.added[*node as usize] = true;
            self.read[*node as usize] = true;
        }
        for piece in pieces.iter().rev() {
            each_step(piece, listed, true, &mut |at, operands| {
                if self.reached[at as usize] {
                    operands.iter().for_each(|node| self.reached[*node as usize] = true);
                }
            });
        }
        program.guards.iter().flat_map(|guard| [guard.a, guard.b]).for_each(|node| self.read[node as usize] = true);
    }
}

/// Every operation of a piece: its node and those that it reads, in an order in which operands come before, or after.
fn each_step(piece: &Piece, listed: &[Node], backwards: bool, see: &mut dyn FnMut(Node, &[Node])) {
    match piece {
        Piece::Sum { at, start, terms, iterations, .. } => {
            let nodes = (0..*iterations).map(|iteration| terms.place(iteration, listed)).chain([*start]);
            see(*at, &nodes.collect::<Vec<Node>>());
        }
        Piece::Loop(body) => {
            let all = body.iterations * body.entries.len();
            for k in 0..all {
                let k = if backwards { all - 1 - k } else { k };
                let (iteration, entry) = (k / body.entries.len(), &body.entries[k % body.entries.len()]);
                let step = entry.step(iteration, listed);
                see(entry.at + iteration as Node, &step.operands[..step.nodes()]);
            }
        }
    }
}

/// What is run before the next is.
#[derive(Clone, Debug)]
enum Turn {
    Loop(usize),
    Sum { op: Op, at: Node, start: Node, terms: Operand, iterations: usize },
}

/// A program as machine code, with its values and adjoints.
#[derive(Clone, Debug)]
pub(crate) struct Code<F> {
    loops: diffi_jit::Loops<F>,
    forward: Vec<Turn>,
    backward: Vec<Turn>,
    listed: Vec<Node>,
    guards: Vec<Guard>,
    leaves: usize,
    /// Where outputs have their values and their adjoints, and inputs their adjoints.
    outputs: Vec<[Node; 2]>,
    inputs: Vec<Node>,
    values: Vec<F>,
    adjoints: Vec<F>,
}

impl<F: Base> Code<F> {
    /// The code of a program of arrays with these values; `None` where there would be more of it than of so many operations, or what is
    /// the derivative depends on the point. The most is asked for with how many operations belong to loops that read what is listed.
    pub(crate) fn new(
        program: &Program<F>,
        values: &[F::Number],
        how: Simplify,
        most: impl FnOnce(usize) -> usize,
    ) -> Option<Self> {
        let mut pieces = pieces(program);
        let (mut entries, mut listed) = (0, 0);
        for piece in &pieces {
            match piece {
                Piece::Loop(body) => {
                    entries += body.entries.len();
                    listed += if body.has_lists() { body.entries.len() * body.iterations } else { 0 };
                }
                Piece::Sum { .. } => entries += 1,
            }
        }
        if entries > most(listed) {
            return None;
        }
        let mut facts = Facts::new(program, &pieces);
        let back: Vec<Option<Draft<F>>> = pieces
            .iter()
            .rev()
            .map(|piece| drafted(piece, &mut facts, values, how, backward))
            .collect::<Option<_>>()?;
        for piece in &pieces {
            if let Piece::Sum { start, terms, iterations, .. } = piece {
                facts.read[*start as usize] = true;
                let listed = facts.listed();
                (0..*iterations).for_each(|iteration| facts.read[terms.place(iteration, listed) as usize] = true);
            }
        }
        let forth: Vec<Option<Draft<F>>> =
            pieces.iter().rev().map(|piece| drafted(piece, &mut facts, values, how, forward)).collect::<Option<_>>()?;
        facts.read[..program.leaves].fill(true);
        program.inputs.iter().for_each(|node| facts.added[*node as usize] = true);
        let mut places = Places {
            lists: Vec::new(),
            values: numbered(&facts.read),
            adjoints: numbered(&facts.added),
            listed: facts.listed(),
        };
        let mut kernels = Vec::new();
        let forward = turns(pieces.iter().zip(forth.iter().rev()), false, &facts, &mut places, &mut kernels);
        pieces.reverse();
        let backward = turns(pieces.iter().zip(&back), true, &facts, &mut places, &mut kernels);
        let count = |found: &[bool]| found.iter().filter(|is| **is).count();
        let (values, adjoints) = (count(&facts.read), count(&facts.added));
        let loops = compile_loops(&kernels, &places.lists, values, adjoints).ok()?;
        let value = |node: Node| places.values[node as usize];
        let adjoint = |node: Node| places.adjoints[node as usize];
        let mut start = vec![F::default(); values];
        for (node, constant) in program.constants.iter().filter(|(node, _)| facts.read[*node as usize]) {
            start[value(*node) as usize] = *constant;
        }
        Some(Code {
            loops,
            forward,
            backward,
            guards: program.guards.iter().map(|g| Guard { a: value(g.a), b: value(g.b), ..*g }).collect(),
            leaves: program.leaves,
            outputs: program.outputs.iter().map(|node| [value(*node), adjoint(*node)]).collect(),
            inputs: program.inputs.iter().map(|node| adjoint(*node)).collect(),
            listed: places.lists,
            values: start,
            adjoints: vec![F::default(); adjoints],
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = memory_report::vector(&self.listed)
            + memory_report::vector(&self.guards)
            + memory_report::vector(&self.inputs);
        self.loops.bytes() + lists + memory_report::vector(&self.values) + memory_report::vector(&self.adjoints)
    }

    /// Finds all values at a point. Whether the program holds there.
    pub(crate) fn forward(&mut self, leaves: &[F]) -> bool {
        self.values[..self.leaves].copy_from_slice(leaves);
        for turn in &self.forward {
            match turn {
                Turn::Loop(k) => self.loops.run(*k, &mut self.values, &mut self.adjoints),
                Turn::Sum { op, at, start, terms, iterations } => {
                    let values = &mut self.values;
                    values[*at as usize] = terms.sum(*op, values[*start as usize], *iterations, &self.listed, values);
                }
            }
        }
        let value = |node: Node| self.values[node as usize];
        self.guards.iter().all(|guard| guard.check.holds(value(guard.a), value(guard.b)))
    }

    /// Finds all adjoints from those of outputs.
    pub(crate) fn backward(&mut self, seeds: &[F]) {
        self.adjoints.fill(<F as LinearSpace<F>>::ZERO);
        for ([_, place], seed) in self.outputs.iter().zip(seeds) {
            self.adjoints[*place as usize] += *seed;
        }
        for turn in &self.backward {
            match turn {
                Turn::Loop(k) => self.loops.run(*k, &mut self.values, &mut self.adjoints),
                Turn::Sum { op, at, start, terms, iterations } => {
                    let adjoint = self.adjoints[*at as usize];
                    let share = if *op == Op::sub { -adjoint } else { adjoint };
                    if *start != Node::MAX {
                        self.adjoints[*start as usize] += adjoint;
                    }
                    terms.add_each(*iterations, share, &self.listed, &mut self.adjoints);
                }
            }
        }
    }

    /// The same, and writes those of inputs.
    #[inline(never)]
    pub(crate) fn backward_into(&mut self, seeds: &[F], adjoints: &mut [F]) {
        self.backward(seeds);
        adjoints.iter_mut().zip(&self.inputs).for_each(|(a, place)| *a = self.adjoints[*place as usize]);
    }

    pub(crate) fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// The value of an output.
    pub(crate) fn output(&self, k: usize) -> F {
        self.values[self.outputs[k][0] as usize]
    }

    pub(crate) fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The adjoint of an input.
    pub(crate) fn adjoint(&self, k: usize) -> F {
        self.adjoints[self.inputs[k] as usize]
    }
}

/// What a loop does in one sweep, `Some(None)` for sums and for what does nothing.
fn drafted<F: Base>(
    piece: &Piece,
    facts: &mut Facts<'_, F>,
    values: &[F::Number],
    how: Simplify,
    draw: Draw<F>,
) -> Option<Option<Draft<F>>> {
    match piece {
        Piece::Loop(body) => draw(body, facts, values, how).map(|draft| Some(draft).filter(|draft| !draft.is_empty())),
        Piece::Sum { at, start, terms, iterations, .. } => {
            if facts.is_live(*at) {
                facts.added[*at as usize] = true;
                facts.added[*start as usize] |= facts.active[*start as usize];
                let terms: Vec<Node> =
                    (0..*iterations).map(|iteration| terms.place(iteration, facts.listed())).collect();
                if terms.iter().any(|node| facts.active[*node as usize]) {
                    terms.iter().for_each(|node| facts.added[*node as usize] = true);
                }
            }
            Some(None)
        }
    }
}

/// Nodes that are there, one after another.
fn numbered(found: &[bool]) -> Vec<Node> {
    let mut count = 0;
    let number = |is: &bool| {
        let own = if *is { count } else { Node::MAX };
        count += Node::from(*is);
        own
    };
    found.iter().map(number).collect()
}

/// Where nodes stand in memory, and the lists of places.
struct Places<'a> {
    values: Vec<Node>,
    adjoints: Vec<Node>,
    lists: Vec<u32>,
    listed: &'a [Node],
}

impl Places<'_> {
    fn place(&mut self, memory: Memory, operand: Operand, iterations: usize) -> Place {
        let places = if memory == Memory::Values { &self.values } else { &self.adjoints };
        let place = |iteration: usize| places[operand.place(iteration, self.listed) as usize];
        let first = place(0);
        let stride = if iterations > 1 { place(1).wrapping_sub(first) as i32 } else { 0 };
        if (1..iterations)
            .all(|iteration| place(iteration) == first.wrapping_add_signed(stride.wrapping_mul(iteration as i32)))
        {
            return Place::Along(first, stride);
        }
        let all: Vec<Node> = (0..iterations).map(place).collect();
        let from = self.lists.len() as u32;
        self.lists.extend(all);
        Place::Listed(from)
    }

    fn operand(&mut self, memory: Memory, operand: Operand, iterations: usize) -> Operand {
        match self.place(memory, operand, iterations) {
            Place::Along(first, stride) => Operand::Row { first, stride },
            Place::Listed(from) => Operand::Listed(from),
        }
    }
}

/// The turns of a sweep, and their loops.
fn turns<'p, F: Base + 'p>(
    pieces: impl Iterator<Item = (&'p Piece, &'p Option<Draft<F>>)>,
    backwards: bool,
    facts: &Facts<'_, F>,
    places: &mut Places<'_>,
    kernels: &mut Vec<Kernel<F>>,
) -> Vec<Turn> {
    let mut turns = Vec::new();
    for (piece, draft) in pieces {
        match (piece, draft) {
            (Piece::Loop(body), Some(draft)) => {
                let actions = draft.actions(|memory, operand| places.place(memory, operand, body.iterations));
                turns.push(Turn::Loop(kernels.len()));
                kernels.push(Kernel { iterations: body.iterations as u32, backwards, together: body.apart, actions });
            }
            (Piece::Loop(_), None) => {}
            (Piece::Sum { op, at, start, terms, iterations }, _) if !backwards => {
                let [at, start] = [at, start].map(|node| places.values[*node as usize]);
                let terms = places.operand(Memory::Values, *terms, *iterations);
                turns.push(Turn::Sum { op: *op, at, start, terms, iterations: *iterations });
            }
            (Piece::Sum { op, at, start, terms, iterations }, _) => {
                if facts.is_live(*at) {
                    let [at, start] = [at, start].map(|node| places.adjoints[*node as usize]);
                    let known = |iteration: usize| facts.added[terms.place(iteration, facts.listed()) as usize];
                    let terms = match (0..*iterations).all(known) {
                        true => places.operand(Memory::Adjoints, *terms, *iterations),
                        false => Operand::Integer(0),
                    };
                    turns.push(Turn::Sum { op: *op, at, start, terms, iterations: *iterations });
                }
            }
        }
    }
    turns
}
