//! Simplification while a program is recorded: no operation twice, none with a known answer, none that nobody needs.
//!
//! What is simplified is equal wherever everything is finite: `0 * x` is 0.

use super::{Guard, Node, Op, Program, Step};
use crate::base::Base;

/// What an operation is, some of its operands being constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Simpler {
    /// The operand in this place.
    Operand(usize),
    /// A constant.
    Constant(f64),
    /// Nothing simpler.
    No,
}

/// The operation with what is known of its operands; a passive integer stands in place of the second.
pub(crate) fn simpler(op: Op, constants: [Option<f64>; 2], integer: Option<i32>) -> Simpler {
    use Simpler::{Constant, No, Operand};
    match (op, constants, integer) {
        (Op::add, [Some(0.0), _], _) => Operand(1),
        (Op::add | Op::sub, [_, Some(0.0)], _) => Operand(0),
        (Op::mul, [Some(0.0), _] | [_, Some(0.0)], _) => Constant(0.0),
        (Op::mul, [Some(1.0), _], _) => Operand(1),
        (Op::mul | Op::div | Op::powf, [_, Some(1.0)], _) => Operand(0),
        (Op::div, [Some(0.0), _], _) => Constant(0.0),
        (Op::powf, [_, Some(0.0)], _) | (Op::powi, _, Some(0)) => Constant(1.0),
        (Op::powi, _, Some(1)) => Operand(0),
        _ => No,
    }
}

/// The same step for the same operation: operands that may be exchanged are in order.
pub(crate) fn canonical(op: Op, mut operands: [Node; 3]) -> Step {
    if matches!(op, Op::add | Op::mul | Op::hypot) && operands[0] > operands[1] {
        operands.swap(0, 1);
    }
    Step { op, operands }
}

impl<F: Base> Program<F> {
    /// Without the nodes that neither an output nor a decision needs. All leaves stay.
    pub(crate) fn pruned(self) -> Self {
        let needed = self.needed();
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
        }
    }

    fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        needed[..self.leaves].fill(true);
        let decided = self.guards.iter().flat_map(|g| [g.a, g.b]);
        self.outputs.iter().copied().chain(decided).for_each(|node| needed[node as usize] = true);
        for (at, step) in self.steps.iter().enumerate().rev() {
            if needed[at] {
                step.operands[..step.nodes()].iter().for_each(|node| needed[*node as usize] = true);
            }
        }
        needed
    }
}
