//! Recording: which operations a function carries out on [`Recorded`](crate::overload::recorded::Recorded) numbers.

use super::simplify::{Simplify, canonical};
use super::{Check, Guard, Node, Op, Program, Step};
use crate::number::float::Base;
use crate::number::real::Recordable;
use std::collections::HashMap;

/// A program that is being recorded, with the values at the point.
#[derive(Debug)]
pub struct Recording<F> {
    program: Program<F>,
    values: Vec<F>,
    /// Where constants stand, by their bits.
    known: HashMap<u64, Node>,
    /// How operations are simplified, and where they stand.
    memo: Option<(Simplify, HashMap<Step, Node>)>,
}

impl<F> Default for Recording<F> {
    fn default() -> Self {
        Recording { program: Program::default(), values: Vec::new(), known: HashMap::new(), memo: None }
    }
}

impl<F: Base> Recording<F> {
    /// A number among the arguments. All of them come before the first operation.
    pub(crate) fn leaf(&mut self, value: F) -> Node {
        self.program.leaves += 1;
        self.push(Op::leaf, [0; 3], value)
    }

    /// An operation.
    #[inline]
    fn push(&mut self, op: Op, operands: [Node; 3], value: F) -> Node {
        let node = Node::try_from(self.values.len()).expect("a recorded program has fewer than 2^32 operations");
        self.program.steps.push(Step { op, operands });
        self.values.push(value);
        node
    }

    /// How operations are simplified, if they are.
    #[inline]
    pub(crate) fn simplifies(&self) -> Option<Simplify> {
        self.memo.as_ref().map(|(how, _)| *how)
    }

    /// An operation; where operations are simplified the node of an equal one, if there is one.
    #[inline]
    pub(crate) fn operation(&mut self, op: Op, operands: [Node; 3], value: F) -> Node {
        match &self.memo {
            Some(_) => self.shared(op, operands, value),
            None => self.push(op, operands, value),
        }
    }

    fn shared(&mut self, op: Op, operands: [Node; 3], value: F) -> Node {
        let step = match canonical(op, operands, &self.program.steps) {
            Ok(step) => step,
            Err(node) => return node,
        };
        if let Some(node) = self.memo.as_ref().and_then(|(_, memo)| memo.get(&step)) {
            return *node;
        }
        let node = self.push(step.op, step.operands, value);
        self.memo.as_mut().map(|(_, memo)| memo.insert(step, node));
        node
    }

    /// The node of a constant.
    pub(crate) fn constant(&mut self, value: F) -> Node {
        let bits = value.as_f64().to_bits();
        if let Some(node) = self.known.get(&bits) {
            return *node;
        }
        let node = self.push(Op::constant, [0; 3], value);
        self.program.constants.push((node, value));
        self.known.insert(bits, node);
        node
    }

    /// How many nodes there are so far.
    #[cfg(feature = "compiled")]
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// A decision.
    pub(crate) fn guard(&mut self, check: Check, a: Node, b: Node) {
        self.program.guards.push(Guard { check, a, b });
    }

    /// From here on the program is good for first derivatives alone.
    pub(crate) fn linearize(&mut self) {
        self.program.linear = true;
    }
}

/// Passes on what this thread records of the float `F`.
fn with<F: Recordable, T>(f: impl FnOnce(&mut Option<Recording<F::Base>>) -> T) -> T {
    F::slot(|slot| {
        let held = slot.get_or_insert_with(|| Box::new(None::<Recording<F::Base>>));
        f(held.downcast_mut().expect("recordings alone are held there"))
    })
}

/// What this thread recorded before, to be gone on with when this is dropped: also when the function panics.
struct Before<F: Recordable>(Option<Recording<F::Base>>);

impl<F: Recordable> Drop for Before<F> {
    fn drop(&mut self) {
        let before = self.0.take();
        with::<F, _>(|now| *now = before);
    }
}

/// Records what `function` does. It gives the nodes of inputs and outputs, and whatever else is wanted. Gives the values of all
/// nodes, too.
pub(crate) fn record<F: Recordable, T>(
    function: impl FnOnce() -> (Vec<Node>, Vec<Node>, T),
) -> (Program<F::Base>, Vec<F::Base>, T) {
    recorded::<F, T>(Recording::default(), function)
}

/// The program alone, with as few operations as are known to suffice.
pub(crate) fn simplified<F: Recordable>(
    how: Simplify,
    function: impl FnOnce() -> (Vec<Node>, Vec<Node>),
) -> Program<F::Base> {
    let recording = Recording { memo: Some((how, HashMap::new())), ..Recording::default() };
    let (program, ..) = recorded::<F, ()>(recording, || {
        let (inputs, outputs) = function();
        (inputs, outputs, ())
    });
    program.pruned()
}

/// What a function does with numbers that it makes leaves of as it goes along, with as few operations; whatever it gives.
#[cfg(feature = "compiled")]
pub(crate) fn traced<F: Recordable, T>(how: Simplify, function: impl FnOnce() -> T) -> (Program<F::Base>, T) {
    let recording = Recording { memo: Some((how, HashMap::new())), ..Recording::default() };
    let (program, _, rest) = recorded::<F, T>(recording, || (Vec::new(), Vec::new(), function()));
    (program, rest)
}

fn recorded<F: Recordable, T>(
    recording: Recording<F::Base>,
    function: impl FnOnce() -> (Vec<Node>, Vec<Node>, T),
) -> (Program<F::Base>, Vec<F::Base>, T) {
    let before = Before::<F>(with::<F, _>(|now| now.replace(recording)));
    let (inputs, outputs, rest) = function();
    let Recording { program, values, .. } = with::<F, _>(Option::take).expect("this thread records");
    drop(before);
    (Program { inputs, outputs, ..program }, values, rest)
}

/// Passes on what this thread records now.
#[inline]
pub(crate) fn recording<F: Recordable, T>(f: impl FnOnce(&mut Recording<F::Base>) -> T) -> T {
    with::<F, _>(|now| f(now.as_mut().expect("a recorded number is used where nothing is recorded")))
}
