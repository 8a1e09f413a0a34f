//! Machine code for recorded programs: straight-line arithmetic on `f32` or `f64`, compiled by cranelift while a program runs.
//!
//! A [`Source`] lists instructions; each makes one number of earlier ones. [`compile`] turns it into a [`Function`] from a slice of
//! inputs to a slice of outputs, in two phases: the second reads seeds that the first does not need, and may be run again and again.
//!
//! ```
//! use diffi_jit::{Instruction, Source, compile};
//!
//! // x * y + 1
//! let source = Source {
//!     instructions: vec![Instruction::Input, Instruction::Input, Instruction::Mul(0, 1), Instruction::Constant(1.0), Instruction::Add(2, 3)],
//!     outputs: vec![4],
//!     guards: vec![],
//!     second: 5,
//! };
//! let mut function = compile(&source)?;
//! let mut y = [0.0];
//! assert!(function.first(&[3.0, 4.0], &mut y));
//! assert_eq!(y, [13.0]);
//! # Ok::<(), diffi_jit::Error>(())
//! ```
//!
//! Arithmetic is IEEE 754's, operation by operation, as in Rust: nothing is fused or reordered. Functions are called where the caller says
//! that they are.
//!
//! What repeats itself in a source is compiled as a loop: code that is short enough to stay where the machine finds it quickly. The rest
//! is cut into parts, each a function of the machine: compilers take more than twice the time for twice the length.
//!
//! All `unsafe` code stands in `code.rs`: calls of what cranelift has put into memory.
#![deny(unsafe_code)]

#[allow(unsafe_code, reason = "machine code is called")]
mod code;
mod emit;
mod few;
mod kernel;
mod looped;
mod operation;
mod paired;
mod parts;
mod roll;
mod stream;

pub use code::{Function, Loops, compile, compile_loops, length};
pub use kernel::{Action, Kernel, Memory, Place};

use few::Few;
use std::cmp::Ordering;
use std::fmt::{self, Debug, Display};

/// The number of an instruction in its source.
pub type Node = u32;

/// What one instruction computes. Operands are the numbers of earlier instructions.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Instruction<F> {
    /// The next of the inputs.
    Input,
    /// The next of the seeds, which the second phase has beside the inputs.
    Seed,
    /// A number that is known.
    Constant(F),
    /// `a + b`.
    Add(Node, Node),
    /// `a - b`.
    Sub(Node, Node),
    /// `a * b`.
    Mul(Node, Node),
    /// `a / b`.
    Div(Node, Node),
    /// `-a`.
    Neg(Node),
    /// The absolute value.
    Abs(Node),
    /// The square root.
    Sqrt(Node),
    /// `a.copysign(b)`.
    Copysign(Node, Node),
    /// `x` to a whole power, by repeated squaring.
    Powi(Node, i32),
    /// `c` where the comparison of `a` and `b` holds, and otherwise `d`.
    Select(Comparison, Node, Node, Node, Node),
    /// A function of one number.
    Call1(extern "C" fn(F) -> F, Node),
    /// A function of two numbers.
    Call2(extern "C" fn(F, F) -> F, Node, Node),
    /// A function of three numbers.
    Call3(extern "C" fn(F, F, F) -> F, Node, Node, Node),
    /// A function of a number and an integer that is known.
    CallWhole(extern "C" fn(F, i32) -> F, Node, i32),
}

/// A comparison. All are false where one of the numbers is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `a < b`.
    Less,
    /// `a <= b`.
    LessOrEqual,
    /// `a == b`.
    Equal,
}

/// What has to come out as it did, or else the outputs do not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guard {
    /// A comparison of two numbers, and how it came out.
    Compare(Comparison, Node, Node, bool),
    /// How two numbers compare; `None` if one is NaN.
    Order(Node, Node, Option<Ordering>),
    /// The bits of a number, as a `f64`.
    Bits(Node, u64),
}

impl Guard {
    /// The instruction after which it can be checked.
    fn place(self) -> usize {
        let [a, b] = self.nodes();
        a.max(b) as usize
    }

    /// The nodes that are looked at.
    fn nodes(self) -> [Node; 2] {
        match self {
            Guard::Compare(_, a, b, _) | Guard::Order(a, b, _) => [a, b],
            Guard::Bits(a, _) => [a, a],
        }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Source<F> {
    /// All instructions, in their order.
    pub instructions: Vec<Instruction<F>>,
    /// Which of them the outputs are.
    pub outputs: Vec<Node>,
    /// What is checked on the way, in any order.
    pub guards: Vec<Guard>,
    /// Where the second phase starts. All seeds come after.
    pub second: usize,
}

impl<F: Float> Source<F> {
    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.instructions.iter().filter(|i| matches!(i, Instruction::Input)).count()
    }

    /// How many seeds there are.
    pub fn seeds(&self) -> usize {
        self.instructions.iter().filter(|i| matches!(i, Instruction::Seed)).count()
    }
}

impl<F> Instruction<F> {
    fn operands(&self) -> Few<Node, 4> {
        match *self {
            Instruction::Input | Instruction::Seed | Instruction::Constant(_) => Few::of(&[]),
            Instruction::Neg(a) | Instruction::Abs(a) | Instruction::Sqrt(a) => Few::of(&[a]),
            Instruction::Powi(a, _) | Instruction::Call1(_, a) | Instruction::CallWhole(_, a, _) => Few::of(&[a]),
            Instruction::Add(a, b) | Instruction::Sub(a, b) => Few::of(&[a, b]),
            Instruction::Mul(a, b) | Instruction::Div(a, b) => Few::of(&[a, b]),
            Instruction::Copysign(a, b) | Instruction::Call2(_, a, b) => Few::of(&[a, b]),
            Instruction::Call3(_, a, b, c) => Few::of(&[a, b, c]),
            Instruction::Select(_, a, b, c, d) => Few::of(&[a, b, c, d]),
        }
    }

    /// Whether it takes no work: it is read where it is needed.
    fn is_free(&self) -> bool {
        matches!(self, Instruction::Input | Instruction::Seed | Instruction::Constant(_))
    }
}

/// `f32` or `f64`.
pub trait Float: sealed::Sealed + Copy + Debug + Default + Send + Sync + 'static {}

impl Float for f32 {}
impl Float for f64 {}

mod sealed {
    use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
    use cranelift_frontend::FunctionBuilder;

    pub trait Sealed: Sized {
        const TYPE: Type;
        /// Two of them in a register.
        const PAIR: Option<Type>;
        fn of(value: f64) -> Self;
        fn bits(self) -> u64;
        fn constant(self, builder: &mut FunctionBuilder<'_>) -> Value;
        /// The number as a `f64`.
        fn widened(value: Value, builder: &mut FunctionBuilder<'_>) -> Value;
    }

    impl Sealed for f32 {
        const TYPE: Type = types::F32;
        const PAIR: Option<Type> = None;
        fn of(value: f64) -> Self {
            value as f32
        }
        fn bits(self) -> u64 {
            u64::from(self.to_bits())
        }
        fn constant(self, builder: &mut FunctionBuilder<'_>) -> Value {
            builder.ins().f32const(self)
        }
        fn widened(value: Value, builder: &mut FunctionBuilder<'_>) -> Value {
            builder.ins().fpromote(types::F64, value)
        }
    }

    impl Sealed for f64 {
        const TYPE: Type = types::F64;
        // Where the first lane is the one with the lower address.
        const PAIR: Option<Type> =
            if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) { Some(types::F64X2) } else { None };
        fn of(value: f64) -> Self {
            value
        }
        fn bits(self) -> u64 {
            self.to_bits()
        }
        fn constant(self, builder: &mut FunctionBuilder<'_>) -> Value {
            builder.ins().f64const(self)
        }
        fn widened(value: Value, _: &mut FunctionBuilder<'_>) -> Value {
            value
        }
    }
}

/// Why there is no machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    fn new(why: impl Display) -> Self {
        Error(why.to_string())
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no machine code: {}", self.0)
    }
}

impl std::error::Error for Error {}
