//! Simplification while a program is recorded: no operation twice, none with a known answer, none that nobody needs.

use super::{Guard, Node, Op, Program, Step};
use crate::number::float::Base;

/// What may be simplified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simplify {
    /// What is equal to the last bit, for all numbers.
    Exactly,
    /// What is equal wherever everything is finite: `0 * x` is 0.
    Finite,
}

/// What an operation is, some of its operands being constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Simpler {
    /// The operand in this place.
    Operand(usize),
    /// The operand in this place, with the other sign.
    Negated(usize),
    /// A constant.
    Constant(f64),
    /// Nothing simpler.
    No,
}

/// The operation with what is known of its operands; a passive integer stands in place of the second.
pub(crate) fn simpler(how: Simplify, op: Op, constants: [Option<f64>; 2], integer: Option<i32>) -> Simpler {
    use Simpler::{Constant, Negated, No, Operand};
    let finite = how == Simplify::Finite;
    match (op, constants, integer) {
        (Op::mul, [Some(1.0), _], _) => Operand(1),
        (Op::mul | Op::div | Op::powf, [_, Some(1.0)], _) => Operand(0),
        (Op::mul, [Some(-1.0), _], _) => Negated(1),
        (Op::mul | Op::div, [_, Some(-1.0)], _) => Negated(0),
        (Op::powf, [_, Some(0.0)], _) | (Op::powi, _, Some(0)) => Constant(1.0),
        (Op::powi, _, Some(1)) => Operand(0),
        (Op::add, [Some(0.0), _], _) if finite => Operand(1),
        (Op::add | Op::sub, [_, Some(0.0)], _) if finite => Operand(0),
        (Op::mul, [Some(0.0), _] | [_, Some(0.0)], _) | (Op::div, [Some(0.0), _], _) if finite => Constant(0.0),
        _ => No,
    }
}

/// The same step for the same operation: sums of what has the other sign are differences, and operands that may be exchanged are in
/// order. `Err` is a node that is there already.
pub(crate) fn canonical(op: Op, operands: [Node; 3], steps: &[Step]) -> Result<Step, Node> {
    let [a, b, _] = operands;
    let negated = |node: Node| Some(steps[node as usize]).filter(|s| s.op == Op::neg).map(|s| s.operands[0]);
    let (op, mut operands) = match (op, negated(a)) {
        (Op::neg, Some(x)) => return Err(x),
        (Op::add, Some(x)) => (Op::sub, [b, x, 0]),
        (Op::add, None) => negated(b).map_or((op, operands), |y| (Op::sub, [a, y, 0])),
        (Op::sub, _) => negated(b).map_or((op, operands), |y| (Op::add, [a, y, 0])),
        _ => (op, operands),
    };
    if matches!(op, Op::add | Op::mul | Op::hypot) && operands[0] > operands[1] {
        operands.swap(0, 1);
    }
    Ok(Step { op, operands })
}

impl<F: Base> Program<F> {
    /// Without the nodes that neither an output nor a decision needs. All leaves stay.
    pub(crate) fn pruned(self) -> Self {
        let decided = self.guards.iter().flat_map(|guard| [guard.a, guard.b]);
        let needed = self.needed(self.outputs.iter().copied().chain(decided));
        let mut places = vec![0; self.steps.len()];
        let mut steps = Vec::new();
        for (at, step) in self.steps.iter().enumerate().filter(|(at, _)| needed[*at]) {
            let mut operands = step.operands;
            operands.iter_mut().take(step.nodes()).for_each(|node| *node = places[*node as usize]);
            places[at] = steps.len() as Node;
            steps.push(Step { operands, ..*step });
        }
        let place = |node: Node| places[node as usize];
        Program {
            steps,
            constants: self
                .constants
                .into_iter()
                .filter(|(node, _)| needed[*node as usize])
                .map(|(node, value)| (place(node), value))
                .collect(),
            leaves: self.leaves,
            inputs: self.inputs.into_iter().map(place).collect(),
            outputs: self.outputs.into_iter().map(place).collect(),
            guards: self.guards.into_iter().map(|g| Guard { a: place(g.a), b: place(g.b), ..g }).collect(),
            linear: self.linear,
            ..Program::default()
        }
    }

    /// Which nodes are needed for some of them, and all leaves.
    pub(crate) fn needed(&self, of: impl Iterator<Item = Node>) -> Vec<bool> {
        let mut needed = self.needed_alone(of);
        needed[..self.leaves].fill(true);
        needed
    }

    /// Which nodes are needed for some of them.
    pub(crate) fn needed_alone(&self, of: impl Iterator<Item = Node>) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        of.for_each(|node| needed[node as usize] = true);
        for (at, step) in self.steps.iter().enumerate().rev() {
            if needed[at] {
                step.operands[..step.nodes()].iter().for_each(|node| needed[*node as usize] = true);
            }
        }
        needed
    }
}
