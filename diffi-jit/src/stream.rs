//! What the code of a source does, item by item, in an order in which everything is there when it is needed.

use crate::few::Few;
use crate::{Float, Guard, Instruction, Node, Source};
use std::ops::Range;

/// One thing that is done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item {
    /// A number is computed.
    Compute(Node),
    /// A guard is checked.
    Check(Guard),
    /// A number becomes an output.
    Write(Node, u32),
}

/// In which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// That of the source.
    Given,
    /// That in which outputs ask for what they need, first output first. What only neighbouring outputs have in common is then computed
    /// shortly before it is read, whereas a reverse sweep finds it where the forward sweep left it.
    Asked,
}

/// All items of both phases.
pub(crate) struct Stream {
    pub(crate) items: Vec<Item>,
    /// Where the second phase starts.
    pub(crate) second: usize,
    /// The item that computes each node; [`FREE`] for those that take no work.
    pub(crate) computed: Vec<u32>,
}

/// No item.
pub(crate) const FREE: u32 = u32::MAX;

impl Stream {
    pub(crate) fn new<F: Float>(source: &Source<F>, order: Order) -> Self {
        let mut writer = Writer {
            source,
            outputs: outputs_by_node(source),
            stream: Stream { items: Vec::new(), second: 0, computed: vec![FREE; source.instructions.len()] },
        };
        let mut guards = source.guards.clone();
        guards.sort_by_key(|guard| guard.place());
        let (first, second) = guards.split_at(guards.partition_point(|guard| guard.place() < source.second));
        for (range, guards) in [(0..source.second, first), (source.second..source.instructions.len(), second)] {
            writer.stream.second = writer.stream.items.len();
            match order {
                Order::Given => writer.given(range, guards),
                Order::Asked => writer.asked(range, guards),
            }
        }
        writer.stream
    }
}

/// Pairs of a node and which output it is, in the order of nodes.
fn outputs_by_node<F>(source: &Source<F>) -> Vec<(Node, u32)> {
    let mut outputs: Vec<_> = source.outputs.iter().zip(0..).map(|(node, k)| (*node, k)).collect();
    outputs.sort_unstable();
    outputs
}

struct Writer<'a, F> {
    source: &'a Source<F>,
    outputs: Vec<(Node, u32)>,
    stream: Stream,
}

impl<F: Float> Writer<'_, F> {
    fn given(&mut self, range: Range<usize>, guards: &[Guard]) {
        let mut guards = guards.iter().peekable();
        for at in range {
            self.compute(at as Node);
            while let Some(guard) = guards.next_if(|guard| guard.place() == at) {
                self.stream.items.push(Item::Check(*guard));
            }
            if self.source.instructions[at].is_free() {
                self.write(at as Node);
            }
        }
    }

    fn asked(&mut self, range: Range<usize>, guards: &[Guard]) {
        for guard in guards {
            guard.nodes().into_iter().for_each(|node| self.ask(node));
            self.stream.items.push(Item::Check(*guard));
        }
        let here = |node: Node| range.contains(&(node as usize));
        for k in 0..self.source.outputs.len() {
            let node = self.source.outputs[k];
            if here(node) {
                self.ask(node);
                if self.source.instructions[node as usize].is_free() {
                    self.stream.items.push(Item::Write(node, k as u32));
                }
            }
        }
        range.for_each(|at| self.ask(at as Node));
    }

    /// Computes a node after everything that it needs and that is not there yet.
    fn ask(&mut self, node: Node) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if self.is_there(node) {
                continue;
            }
            let operands = self.source.instructions[node as usize].operands();
            let missing: Vec<Node> = operands.iter().rev().copied().filter(|node| !self.is_there(*node)).collect();
            if missing.is_empty() {
                self.compute(node);
            } else {
                waiting.push(node);
                waiting.extend(missing);
            }
        }
    }

    fn is_there(&self, node: Node) -> bool {
        self.source.instructions[node as usize].is_free() || self.stream.computed[node as usize] != FREE
    }

    fn compute(&mut self, node: Node) {
        if !self.source.instructions[node as usize].is_free() {
            self.stream.computed[node as usize] = self.stream.items.len() as u32;
            self.stream.items.push(Item::Compute(node));
            self.write(node);
        }
    }

    /// Writes a node wherever it is an output.
    fn write(&mut self, node: Node) {
        let first = self.outputs.partition_point(|(output, _)| *output < node);
        let outputs = self.outputs[first..].iter().take_while(|(output, _)| *output == node);
        self.stream.items.extend(outputs.map(|(node, k)| Item::Write(*node, *k)));
    }
}

impl Item {
    /// The nodes that are read.
    pub(crate) fn nodes<F: Float>(&self, instructions: &[Instruction<F>]) -> Few<Node, 4> {
        match *self {
            Item::Compute(node) => instructions[node as usize].operands(),
            Item::Check(guard) => Few::of(&guard.nodes()),
            Item::Write(node, _) => Few::of(&[node]),
        }
    }
}
