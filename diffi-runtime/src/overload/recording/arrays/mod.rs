//! Programs whose entries are operations on whole arrays.
//!
//! A loop that was recorded comes as the same operations again and again. [`packed`](Program::packed) takes them together: what one
//! operation of the loop's body did in all iterations is one entry, with a rule of its own for arrays, and a sum is one entry with one value.
//! An entry says for each operand where its numbers stand: in a row, or at places that are listed.
//!
//! [`runs`] finds what repeats itself, [`order`] says which operations may do all iterations at once and which have to wait for each other,
//! [`pack`] writes the entries, [`walk`] runs them forwards and backwards; `code` makes
//! machine code of them, of what `draft` has written down.

#[cfg(feature = "compiled")]
mod code;
#[cfg(feature = "compiled")]
mod draft;
mod order;
mod pack;
mod runs;
mod walk;

#[cfg(feature = "compiled")]
pub(crate) use code::Code;

use super::{Node, Op, Step};
use crate::stack::memory_report;
use std::ops::Range;

/// The entries of a program, in the order in which they are run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrays {
    parts: Vec<Part>,
    /// Those that are run iteration by iteration.
    together: Vec<Entry>,
    /// Places of operands that do not stand in a row.
    listed: Vec<Node>,
    /// How many values there are.
    nodes: usize,
}

/// What is run before the next is.
#[derive(Clone, Debug)]
enum Part {
    /// Single operations, whose values stand one after another.
    Single { steps: Range<u32>, at: Node },
    /// One operation for all elements of an array, of which none needs another.
    Each { entry: Entry, iterations: u32 },
    /// A number plus or minus the elements of an array, one after another.
    Sum { op: Op, at: Node, start: Node, terms: Operand, iterations: u32 },
    /// Operations that need what they found one iteration before.
    Together { entries: Range<u32>, iterations: u32 },
}

/// One operation in many iterations. Its values stand one after another.
#[derive(Clone, Copy, Debug)]
struct Entry {
    op: Op,
    at: Node,
    operands: [Operand; 3],
}

/// Where the numbers stand that an operation reads, iteration by iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operand {
    /// One that is known, for all iterations: nobody asks for its adjoint.
    Constant(Node),
    /// At a constant distance; 0 is one number for all iterations.
    Row { first: Node, stride: i32 },
    /// At places that are listed from here on.
    Listed(u32),
    /// Nowhere: a passive integer, or no operand.
    Integer(Node),
}

impl Operand {
    /// In one of the iterations.
    #[inline]
    fn place(self, iteration: usize, listed: &[Node]) -> Node {
        match self {
            Operand::Row { first, stride } => first.wrapping_add_signed(stride * iteration as i32),
            Operand::Listed(from) => listed[from as usize + iteration],
            Operand::Constant(node) | Operand::Integer(node) => node,
        }
    }
}

impl Entry {
    /// The operation in one of the iterations.
    #[inline]
    fn step(&self, iteration: usize, listed: &[Node]) -> Step {
        Step { op: self.op, operands: self.operands.map(|operand| operand.place(iteration, listed)) }
    }
}

impl Arrays {
    /// Whether there are any: programs as they were recorded have none.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// How many values there are.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }

    pub(crate) fn bytes(&self) -> usize {
        memory_report::vector(&self.parts) + memory_report::vector(&self.together) + memory_report::vector(&self.listed)
    }
}
