//! Recording: which operations a function carries out on [`Recorded`](crate::scalar::Recorded) numbers.

use super::simplify::canonical;
use super::{Check, Guard, Node, Op, Program, Step};
use crate::base::Base;
use crate::real::Real;
use std::cell::RefCell;
use std::collections::HashMap;

/// A program that is being recorded.
#[derive(Debug)]
pub struct Recording<F> {
    program: Program<F>,
    /// Where constants stand, by their bits.
    known: HashMap<u64, Node>,
    /// Where operations stand, if they are simplified.
    memo: Option<HashMap<Step, Node>>,
}

impl<F> Default for Recording<F> {
    fn default() -> Self {
        Recording { program: Program::default(), known: HashMap::new(), memo: None }
    }
}

impl<F: Base> Recording<F> {
    /// A number among the arguments. All of them come before the first operation.
    pub(crate) fn leaf(&mut self) -> Node {
        self.program.leaves += 1;
        self.push(Op::leaf, [0; 3])
    }

    /// An operation.
    #[inline]
    pub(crate) fn push(&mut self, op: Op, operands: [Node; 3]) -> Node {
        let node = Node::try_from(self.program.steps.len()).expect("a recorded program has fewer than 2^32 operations");
        self.program.steps.push(Step { op, operands });
        node
    }

    /// Whether operations are simplified.
    #[inline]
    pub(crate) fn simplifies(&self) -> bool {
        self.memo.is_some()
    }

    /// An operation, or the node of an equal one.
    pub(crate) fn shared(&mut self, op: Op, operands: [Node; 3]) -> Node {
        let step = canonical(op, operands);
        if let Some(node) = self.memo.as_ref().and_then(|memo| memo.get(&step)) {
            return *node;
        }
        let node = self.push(step.op, step.operands);
        self.memo.as_mut().map(|memo| memo.insert(step, node));
        node
    }

    /// The node of a constant.
    pub(crate) fn constant(&mut self, value: F) -> Node {
        let bits = value.as_f64().to_bits();
        if let Some(node) = self.known.get(&bits) {
            return *node;
        }
        let node = self.push(Op::constant, [0; 3]);
        self.program.constants.push((node, value));
        self.known.insert(bits, node);
        node
    }

    /// A decision.
    pub(crate) fn guard(&mut self, check: Check, a: Node, b: Node) {
        self.program.guards.push(Guard { check, a, b });
    }

    /// Everything so far.
    fn finish(self, inputs: Vec<Node>, outputs: Vec<Node>) -> Program<F> {
        Program { inputs, outputs, ..self.program }
    }
}

/// A float whose operations can be recorded: `f32` or `f64`.
pub trait Recordable: Real {
    /// Passes on what this thread records.
    #[doc(hidden)]
    fn with<T>(f: impl FnOnce(&mut Option<Recording<Self::Base>>) -> T) -> T;
}

macro_rules! recordable {
    ($($F:ident)+) => { $(
        impl Recordable for $F {
            #[inline]
            fn with<T>(f: impl FnOnce(&mut Option<Recording<$F>>) -> T) -> T {
                thread_local! {
                    static RECORDING: RefCell<Option<Recording<$F>>> = const { RefCell::new(None) };
                }
                RECORDING.with_borrow_mut(f)
            }
        }
    )+ };
}
recordable!(f32 f64);

/// What this thread recorded before, to be gone on with when this is dropped: also when the function panics.
struct Before<F: Recordable>(Option<Recording<F::Base>>);

impl<F: Recordable> Drop for Before<F> {
    fn drop(&mut self) {
        let before = self.0.take();
        F::with(|now| *now = before);
    }
}

/// Records what `function` does. It gives the nodes of inputs and outputs, and whatever else is wanted.
pub(crate) fn record<F: Recordable, T>(function: impl FnOnce() -> (Vec<Node>, Vec<Node>, T)) -> (Program<F::Base>, T) {
    recorded::<F, T>(Recording::default(), function)
}

/// The same, with as few operations as are known to suffice.
pub(crate) fn simplified<F: Recordable, T>(
    function: impl FnOnce() -> (Vec<Node>, Vec<Node>, T),
) -> (Program<F::Base>, T) {
    let recording = Recording { memo: Some(HashMap::new()), ..Recording::default() };
    let (program, rest) = recorded::<F, T>(recording, function);
    (program.pruned(), rest)
}

fn recorded<F: Recordable, T>(
    recording: Recording<F::Base>,
    function: impl FnOnce() -> (Vec<Node>, Vec<Node>, T),
) -> (Program<F::Base>, T) {
    let before = Before::<F>(F::with(|now| now.replace(recording)));
    let (inputs, outputs, rest) = function();
    let recording = F::with(Option::take).expect("this thread records");
    drop(before);
    (recording.finish(inputs, outputs), rest)
}

/// Passes on what this thread records now.
#[inline]
pub(crate) fn recording<F: Recordable, T>(f: impl FnOnce(&mut Recording<F::Base>) -> T) -> T {
    F::with(|now| f(now.as_mut().expect("a recorded number is used where nothing is recorded")))
}
