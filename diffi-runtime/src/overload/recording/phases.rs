//! Programs in two phases: all seeds come into the second.

use super::{Guard, Node, Program};
use crate::number::float::Base;

/// What the first phase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// What does not depend on seeds: it is run once for many of them.
    Unseeded,
    /// What decisions need: everything else is found where it is needed, and nothing is carried over from one phase to the other.
    Decisions,
}

/// A program whose last leaves are seeds, in two phases.
#[derive(Clone, Debug)]
pub(crate) struct Phases<F> {
    pub(crate) program: Program<F>,
    /// How many leaves are no seeds.
    pub(crate) arguments: usize,
    /// Where the second phase starts, after the leaves.
    pub(crate) second: usize,
}

impl<F> Default for Phases<F> {
    fn default() -> Self {
        Phases { program: Program::default(), arguments: 0, second: 0 }
    }
}

impl<F: Base> Phases<F> {
    /// Orders a program.
    pub(crate) fn of(program: Program<F>, arguments: usize, first: First) -> Self {
        let comes_first = match first {
            First::Unseeded => program.unseeded(arguments),
            First::Decisions => program.needed(program.guards.iter().flat_map(|guard| [guard.a, guard.b])),
        };
        let (first, second): (Vec<usize>, Vec<usize>) =
            (program.leaves..program.steps.len()).partition(|at| comes_first[*at]);
        let start = program.leaves + first.len();
        let order: Vec<usize> = (0..program.leaves).chain(first).chain(second).collect();
        Phases { program: program.reordered(&order), arguments, second: start }
    }
}

impl<F: Base> Program<F> {
    /// Which nodes do not depend on seeds, the leaves after the arguments.
    fn unseeded(&self, arguments: usize) -> Vec<bool> {
        let mut unseeded = vec![true; self.steps.len()];
        unseeded[arguments..self.leaves].fill(false);
        for (at, step) in self.steps.iter().enumerate().skip(self.leaves) {
            unseeded[at] = step.operands[..step.nodes()].iter().all(|node| unseeded[*node as usize]);
        }
        unseeded
    }

    /// With the nodes in another order.
    fn reordered(self, order: &[usize]) -> Self {
        let mut places = vec![0 as Node; order.len()];
        order.iter().zip(0..).for_each(|(at, place)| places[*at] = place);
        let place = |node: Node| places[node as usize];
        let steps = order.iter().map(|at| {
            let mut step = self.steps[*at];
            let nodes = step.nodes();
            step.operands.iter_mut().take(nodes).for_each(|node| *node = place(*node));
            step
        });
        Program {
            steps: steps.collect(),
            constants: self.constants.into_iter().map(|(node, value)| (place(node), value)).collect(),
            leaves: self.leaves,
            inputs: self.inputs.into_iter().map(place).collect(),
            outputs: self.outputs.into_iter().map(place).collect(),
            guards: self.guards.into_iter().map(|g| Guard { a: place(g.a), b: place(g.b), ..g }).collect(),
            linear: self.linear,
            ..Program::default()
        }
    }
}
