//! Recorded programs: the operations of a function at one point, in their order, to be run again at other points.
//!
//! [`record`] watches a function that is evaluated on [`Recorded`](crate::overload::recorded::Recorded) numbers; [`replay`] runs the program
//! forwards, [`pull`] backwards.

pub(crate) mod arrays;
pub(crate) mod derivative;
pub(crate) mod derive;
#[cfg(feature = "compiled")]
pub mod machine;
pub(crate) mod phases;
pub mod pull;
pub mod record;
pub mod replay;
pub(crate) mod simplify;
pub mod text;

use crate::error::{Error, Result};
use crate::number::float::Base;
use crate::number::real::Real;
use crate::stack::memory_report;
use arrays::Arrays;

/// The number of a node: where its value stands.
pub(crate) type Node = u32;

/// One node: an operation and the nodes of its operands. A passive integer stands in place of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) op: Op,
    pub(crate) operands: [Node; 3],
}

impl Step {
    /// How many of the operands are nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.op.arity()
    }
}

/// A decision that was taken while the program was recorded. The program holds where it comes out the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    pub(crate) check: Check,
    pub(crate) a: Node,
    pub(crate) b: Node,
}

/// What was decided about two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Check {
    /// Whether the first is less.
    Less(bool),
    /// Whether it is less or equal.
    LessOrEqual(bool),
    /// Whether they are equal.
    Equal(bool),
    /// How they compare.
    Order(Option<std::cmp::Ordering>),
    /// The first, whose bits these are, was looked at.
    Same(u64),
}

/// The operations of a function, without their values.
#[derive(Clone, Debug)]
pub struct Program<F> {
    /// All nodes: first the numbers among the arguments, then operations and constants.
    pub(crate) steps: Vec<Step>,
    /// What `steps` are not, in programs of arrays: then these are the operations that are left, and say nothing of places.
    pub(crate) arrays: Arrays,
    /// The values of the constants among the nodes.
    pub(crate) constants: Vec<(Node, F)>,
    /// How many numbers there are among the arguments.
    pub(crate) leaves: usize,
    /// The inputs' nodes, in flattened order.
    pub(crate) inputs: Vec<Node>,
    /// The outputs' nodes, in flattened order.
    pub(crate) outputs: Vec<Node>,
    pub(crate) guards: Vec<Guard>,
    /// Whether a part stands for its linear part at the point, so that second derivatives would be wrong.
    pub(crate) linear: bool,
}

impl<F> Default for Program<F> {
    fn default() -> Self {
        Program {
            steps: Vec::new(),
            arrays: Arrays::default(),
            constants: Vec::new(),
            leaves: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            guards: Vec::new(),
            linear: false,
        }
    }
}

impl<F: Base> Program<F> {
    /// Whether derivatives of higher order can be found from it.
    pub(crate) fn has_curvature(&self) -> Result<()> {
        if self.linear { Err(Error::OnlyLinear) } else { Ok(()) }
    }

    /// How many values there are.
    pub(crate) fn nodes(&self) -> usize {
        if self.arrays.is_empty() { self.steps.len() } else { self.arrays.nodes() }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let Program { steps, arrays, constants, inputs, outputs, guards, .. } = self;
        let nodes = memory_report::vector(inputs) + memory_report::vector(outputs);
        memory_report::vector(steps)
            + arrays.bytes()
            + memory_report::vector(constants)
            + nodes
            + memory_report::vector(guards)
    }
}

/// `let` for the operands of a step, under the names of its line.
macro_rules! operands {
    ($step:ident $values:ident $($x:ident)+) => { operands!(@ $step $values 0 $($x)+) };
    ($step:ident $values:ident $x:ident; $n:ident) => {
        let $x = $values[$step.operands[0] as usize];
        let $n = $step.operands[1] as i32;
    };
    (@ $step:ident $values:ident $at:tt $x:ident $($rest:ident)*) => {
        let $x = $values[$step.operands[$at] as usize];
        operands!(@next $step $values $at $($rest)*);
    };
    (@next $step:ident $values:ident $at:tt) => {};
    (@next $step:ident $values:ident 0 $($rest:ident)+) => { operands!(@ $step $values 1 $($rest)+) };
    (@next $step:ident $values:ident 1 $($rest:ident)+) => { operands!(@ $step $values 2 $($rest)+) };
}
pub(crate) use operands;

macro_rules! has_integer {
    () => {
        false
    };
    ($n:ident) => {
        true
    };
}

macro_rules! operations {
    ($($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        /// What a node is: a number among the arguments, a constant, or a line of the derivative table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(non_camel_case_types, reason = "operations are named like the lines of the table")]
        #[repr(u8)]
        pub(crate) enum Op {
            leaf,
            constant,
            $($name),+
        }

        impl Op {
            /// The name of the method.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    Op::leaf => "leaf",
                    Op::constant => "constant",
                    $(Op::$name => stringify!($name)),+
                }
            }

            /// How many operands there are.
            #[inline]
            pub(crate) const fn arity(self) -> usize {
                match self {
                    Op::leaf | Op::constant => 0,
                    $(Op::$name => [stringify!($x) $(, stringify!($rest))*].len()),+
                }
            }
        }

        impl Op {
            /// Whether an integer stands where the second operand would.
            #[inline]
            pub(crate) const fn has_integer(self) -> bool {
                match self {
                    Op::leaf | Op::constant => false,
                    $(Op::$name => has_integer!($($n)?)),+
                }
            }
        }

        /// The value of an operation; `None` for leaves and constants, which have theirs.
        #[inline(always)]
        pub(crate) fn apply<S: Real>(step: &Step, values: &[S]) -> Option<S> {
            Some(match step.op {
                Op::leaf | Op::constant => return None,
                $(Op::$name => {
                    operands!(step values $x $($rest)* $(; $n)?);
                    $x.$name($($rest),* $($n)?)
                })+
            })
        }
    };
}

/// Hands the lines of operators and functions to a macro together.
macro_rules! with_functions {
    ($($operators:tt)*) => { diffi_rules::functions!(operations { $($operators)* }); };
}
diffi_rules::operators!(with_functions);
