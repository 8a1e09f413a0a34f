//! What a loop does in each iteration, recorded once.

use super::code::{Body, Facts};
use super::{Entry, Operand};
use crate::number::float::Base;
use crate::number::real::Real;
use crate::overload::recorded::Recorded;
use crate::overload::recording::machine::instruction;
use crate::overload::recording::pull::{Full, pass_on};
use crate::overload::recording::record::{recording, traced};
use crate::overload::recording::simplify::Simplify;
use crate::overload::recording::{Node, Op, Program, Step, apply};
use diffi_jit::{Action, Instruction, Memory, Place};
use std::collections::HashMap;

/// Writes down what a loop does in one sweep; `None` where that depends on the point.
pub(super) type Draw<F> = fn(&Body, &mut Facts<'_, F>, &[<F as Base>::Number], Simplify) -> Option<Draft<F>>;

type Number<F> = Recorded<<F as Base>::Number>;

/// The operations of an iteration, what it reads and what it writes.
#[derive(Debug)]
pub(super) struct Draft<F> {
    program: Program<F>,
    leaves: HashMap<Node, (Memory, Operand)>,
    /// After how many operations each is due.
    effects: Vec<(usize, Effect)>,
    needed: Vec<bool>,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
enum Effect {
    Store(Node, Operand),
    Add(Node, Operand),
    Sum(Node, Node),
}

impl Effect {
    fn node(self) -> Node {
        match self {
            Effect::Store(node, _) | Effect::Add(node, _) | Effect::Sum(node, _) => node,
        }
    }
}

impl<F: Base> Draft<F> {
    /// Leaves out what is not written.
    fn new(
        program: Program<F>,
        leaves: HashMap<Node, (Memory, Operand)>,
        effects: Vec<(usize, Effect)>,
    ) -> Option<Self> {
        let needed = program.needed_alone(effects.iter().map(|(_, effect)| effect.node()));
        // Bounds in order are a decision, too.
        let decides = program.steps.iter().any(|step| step.op == Op::clamp) || !program.guards.is_empty();
        (!decides).then_some(Draft { program, leaves, effects, needed })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }

    /// What is read of some memory.
    fn reads(&self, memory: Memory) -> impl Iterator<Item = Operand> {
        let of_memory =
            self.leaves.iter().filter(move |(node, (own, _))| *own == memory && self.needed[**node as usize]);
        of_memory.map(|(_, (_, operand))| *operand)
    }

    /// All of it as actions, with the places where operands stand.
    pub(super) fn actions(&self, mut place: impl FnMut(Memory, Operand) -> Place) -> Vec<Action<F>> {
        let constants: HashMap<Node, F> = self.program.constants.iter().copied().collect();
        let (mut actions, mut numbers) = (Vec::new(), vec![0; self.program.steps.len()]);
        let mut effects = self.effects.iter().peekable();
        for (at, step) in self.program.steps.iter().enumerate() {
            while let Some((_, effect)) = effects.next_if(|(due, _)| *due <= at) {
                actions.push(effect.action(&numbers, &mut place));
            }
            if !self.needed[at] {
                continue;
            }
            numbers[at] = actions.len() as Node;
            let node = at as Node;
            actions.push(match (self.leaves.get(&node), constants.get(&node)) {
                (Some((memory, operand)), _) => Action::Load(*memory, place(*memory, *operand)),
                (_, Some(constant)) => Action::Compute(Instruction::Constant(*constant)),
                _ => {
                    let mut operands = step.operands;
                    let nodes = step.nodes();
                    operands.iter_mut().take(nodes).for_each(|node| *node = numbers[*node as usize]);
                    Action::Compute(instruction(step.op, operands))
                }
            });
        }
        actions.extend(effects.map(|(_, effect)| effect.action(&numbers, &mut place)));
        actions
    }
}

impl Effect {
    fn action<F>(self, numbers: &[Node], place: &mut impl FnMut(Memory, Operand) -> Place) -> Action<F> {
        let number = numbers[self.node() as usize];
        match self {
            Effect::Store(_, operand) => Action::Store(number, place(Memory::Values, operand)),
            Effect::Add(_, operand) => Action::Add(number, place(Memory::Adjoints, operand)),
            Effect::Sum(_, node) => match place(Memory::Adjoints, Operand::Row { first: node, stride: 0 }) {
                Place::Along(place, _) => Action::Sum(number, place),
                Place::Listed(_) => unreachable!("one node has one place"),
            },
        }
    }
}

/// An iteration that is being recorded.
struct Iteration<'a, 'f, F: Base> {
    facts: &'a Facts<'f, F>,
    values: &'a [F::Number],
    leaves: HashMap<Node, (Memory, Operand)>,
    read: HashMap<Operand, Number<F>>,
    effects: Vec<(usize, Effect)>,
}

impl<'a, 'f, F: Base> Iteration<'a, 'f, F> {
    fn new(facts: &'a Facts<'f, F>, values: &'a [F::Number]) -> Self {
        Iteration { facts, values, leaves: HashMap::new(), read: HashMap::new(), effects: Vec::new() }
    }

    /// A number of memory.
    fn leaf(&mut self, memory: Memory, operand: Operand, value: F::Number) -> Number<F> {
        let leaf = Recorded::leaf(value);
        self.leaves.insert(leaf.node(), (memory, operand));
        leaf
    }

    /// An operand's value from memory, or a constant.
    fn value(&mut self, operand: Operand) -> Number<F> {
        let first = operand.place(0, self.facts.listed());
        if let Operand::Constant(node) | Operand::Row { first: node, stride: 0 } = operand
            && let Some(constant) = self.facts.constants.get(&node)
        {
            return Recorded::from_base(*constant);
        }
        if let Some(value) = self.read.get(&operand) {
            return *value;
        }
        let value = self.leaf(Memory::Values, operand, self.values[first as usize]);
        self.read.insert(operand, value);
        value
    }

    /// The values of an entry's operands; those that are none are the first again.
    fn operands(&mut self, entry: &Entry, mut value: impl FnMut(&mut Self, Operand) -> Number<F>) -> [Number<F>; 3] {
        let first = value(self, entry.operands[0]);
        let mut all = [first; 3];
        for (one, operand) in all.iter_mut().zip(entry.operands).take(entry.op.arity()).skip(1) {
            *one = value(self, operand);
        }
        all
    }

    fn effect(&mut self, effect: Effect) {
        let due = recording::<F::Number, _>(|r| r.len());
        self.effects.push((due, effect));
    }
}

/// An entry's operation on numbers that stand one after another.
fn step(entry: &Entry) -> Step {
    let second = if let Operand::Integer(integer) = entry.operands[1] { integer } else { 1 };
    Step { op: entry.op, operands: [0, second, 2] }
}

/// Where an entry's own values stand.
fn row(entry: &Entry) -> Operand {
    Operand::Row { first: entry.at, stride: 1 }
}

pub(super) fn forward<F: Base>(
    body: &Body,
    facts: &mut Facts<'_, F>,
    values: &[F::Number],
    how: Simplify,
) -> Option<Draft<F>> {
    let nodes = |operand: Operand| body.places(operand, &facts.program.arrays.listed);
    // What another iteration finds is read from memory.
    for operand in body.entries.iter().flat_map(|entry| &entry.operands[..entry.op.arity()]) {
        if body.same_iteration(*operand).is_none() {
            nodes(*operand)
                .filter(|node| body.found(*node).is_some())
                .for_each(|node| facts.read[node as usize] = true);
        }
    }
    let stored: Vec<bool> = body.entries.iter().map(|e| nodes(row(e)).any(|node| facts.read[node as usize])).collect();
    for (entry, _) in body.entries.iter().zip(&stored).filter(|(_, stored)| **stored) {
        nodes(row(entry)).for_each(|node| facts.read[node as usize] = true);
    }
    let (program, (leaves, effects)) = traced::<F::Number, _>(how, || {
        let mut iteration = Iteration::new(facts, values);
        let mut computed: Vec<Number<F>> = Vec::new();
        for (entry, stored) in body.entries.iter().zip(stored) {
            let operands = iteration.operands(entry, |iteration, operand| match body.same_iteration(operand) {
                Some(k) => computed[k],
                None => iteration.value(operand),
            });
            let value = apply(&step(entry), &operands).expect("entries are operations");
            if stored {
                let node = value.node();
                iteration.effect(Effect::Store(node, row(entry)));
            }
            computed.push(value);
        }
        (iteration.leaves, iteration.effects)
    });
    let draft = Draft::new(program, leaves, effects)?;
    for operand in draft.reads(Memory::Values) {
        body.places(operand, facts.listed()).for_each(|node| facts.read[node as usize] = true);
    }
    Some(draft)
}

pub(super) fn backward<F: Base>(
    body: &Body,
    facts: &mut Facts<'_, F>,
    values: &[F::Number],
    how: Simplify,
) -> Option<Draft<F>> {
    let nodes = |operand: Operand| body.places(operand, &facts.program.arrays.listed);
    let live: Vec<bool> = body.entries.iter().map(|e| nodes(row(e)).any(|node| facts.is_live(node))).collect();
    for (entry, live) in body.entries.iter().zip(&live) {
        // An adjoint of 0 passes on nothing, whatever the partial derivative is.
        let linear = matches!(entry.op, Op::add | Op::sub | Op::neg);
        if *live && !linear && !nodes(row(entry)).all(|node| facts.reached[node as usize]) {
            return None;
        }
    }
    let wanted = |facts: &Facts<'_, F>, operand: Operand| {
        !matches!(operand, Operand::Constant(_)) && nodes(operand).any(|node| facts.active[node as usize])
    };
    for (entry, _) in body.entries.iter().zip(&live).filter(|(_, live)| **live) {
        for operand in &entry.operands[..entry.op.arity()] {
            if body.same_iteration(*operand).is_none() && wanted(facts, *operand) {
                nodes(*operand).for_each(|node| facts.added[node as usize] = true);
            }
        }
    }
    let added: Vec<bool> = body.entries.iter().map(|e| nodes(row(e)).any(|node| facts.added[node as usize])).collect();
    for (entry, _) in body.entries.iter().zip(&added).filter(|(_, added)| **added) {
        nodes(row(entry)).for_each(|node| facts.added[node as usize] = true);
    }
    let (program, (leaves, effects)) = traced::<F::Number, _>(how, || {
        let mut iteration = Iteration::new(facts, values);
        let mut adjoints: Vec<Full<Number<F>>> = vec![Full(None); body.entries.len()];
        let mut sums: Vec<(Node, Full<Number<F>>)> = Vec::new();
        for (k, entry) in body.entries.iter().enumerate().rev().filter(|(k, _)| live[*k]) {
            if added[k] {
                adjoints[k] += Full(Some(iteration.leaf(Memory::Adjoints, row(entry), Real::lit(1.0))));
            }
            if adjoints[k].0.is_none() {
                continue;
            }
            let operands = iteration.operands(entry, Iteration::value);
            let own = iteration.value(row(entry));
            let mut shares = [Full(None); 3];
            pass_on(&step(entry), adjoints[k], own, &operands, &mut shares);
            for (operand, share) in entry.operands[..entry.op.arity()].iter().zip(shares) {
                let Some(amount) = share.0 else { continue };
                match (body.same_iteration(*operand), *operand) {
                    _ if !wanted(iteration.facts, *operand) => {}
                    (Some(k), _) => adjoints[k] += share,
                    (None, Operand::Row { first, stride: 0 }) if body.found(first).is_none() => {
                        match sums.iter_mut().find(|(node, _)| *node == first) {
                            Some((_, sum)) => *sum += share,
                            None => sums.push((first, share)),
                        }
                    }
                    _ => iteration.effect(Effect::Add(amount.node(), *operand)),
                }
            }
        }
        for (node, sum) in sums {
            if let Some(sum) = sum.0 {
                iteration.effect(Effect::Sum(sum.node(), node));
            }
        }
        (iteration.leaves, iteration.effects)
    });
    let draft = Draft::new(program, leaves, effects)?;
    for operand in draft.reads(Memory::Values) {
        body.places(operand, facts.listed()).for_each(|node| facts.read[node as usize] = true);
    }
    Some(draft)
}
