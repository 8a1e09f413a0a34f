//! Programs in two phases: the second depends on seeds, the first does not, and may be run once for many of them.

use super::{Guard, Node, Program};
use crate::base::Base;

/// A program whose last leaves are seeds. First comes what does not depend on them.
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
    pub(crate) fn of(program: Program<F>, arguments: usize) -> Self {
        let mut seeded = vec![false; program.steps.len()];
        seeded[arguments..program.leaves].fill(true);
        for (at, step) in program.steps.iter().enumerate().skip(program.leaves) {
            seeded[at] = step.operands[..step.nodes()].iter().any(|node| seeded[*node as usize]);
        }
        let (second, first): (Vec<usize>, Vec<usize>) =
            (program.leaves..program.steps.len()).partition(|at| seeded[*at]);
        let start = program.leaves + first.len();
        let order: Vec<usize> = (0..program.leaves).chain(first).chain(second).collect();
        Phases { program: program.reordered(&order), arguments, second: start }
    }
}

impl<F: Base> Program<F> {
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
        }
    }
}
