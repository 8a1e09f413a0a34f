//! Programs as machine code, by `diffi-jit`.

use super::arrays::Code;
use super::phases::Phases;
use super::simplify::Simplify;
use super::{Check, Guard, Node, Op, Program, Step};
use crate::error::{Error, Result};
use crate::number::float::Base;
use crate::number::native::Native;
use crate::number::real::Recordable;
use crate::stack::memory_report;
use diffi_jit::{Comparison, Function, Instruction, Source, compile, length};

/// A derivative as code.
#[derive(Clone, Debug)]
pub(crate) enum Machine<F> {
    /// What was recorded, loops found again; the seeds, and all outputs.
    Recording { function: Function<F>, seeds: Vec<F>, outputs: Vec<F> },
    /// The arrays of a program; whether its outputs come before the adjoints of its inputs.
    Arrays { code: Box<Code<F>>, seeds: Vec<F>, values: bool },
}

/// A program whose code is shorter than this is compiled as it was recorded, whatever its arrays are ..
const SHORT: usize = 2000;
/// .. and so it is if arrays make it no shorter than to this part ..
const SHORTER: usize = 4;
/// .. or, of what cannot repeat itself exactly, to this part of all operations.
const MUCH_SHORTER: usize = 16;

impl<F: Base> Machine<F> {
    pub(crate) fn new(phases: &Phases<F>) -> Result<Self> {
        let source = source(phases);
        let function = compile(&source).map_err(|e| Error::NoMachineCode { reason: e.to_string() })?;
        let seeds = vec![F::ONE; source.seeds()];
        Ok(Machine::Recording { function, seeds, outputs: vec![F::default(); source.outputs.len()] })
    }

    /// The first derivative of a program with these values by its arrays, if that makes much shorter code.
    pub(crate) fn of_arrays(program: &Program<F>, values: &[F::Number], how: Simplify) -> Option<Self> {
        let operations = program.steps.len() - program.leaves;
        if operations < SHORT {
            return None;
        }
        let (packed, values) = program.clone().packed(values.to_vec());
        if packed.arrays.is_empty() {
            return None;
        }
        let most = |listed: usize| match listed * 2 > operations {
            true => operations / MUCH_SHORTER,
            false => {
                let phases =
                    Phases { program: program.clone(), arguments: program.leaves, second: program.steps.len() };
                length(&source(&phases)).ok().filter(|length| *length >= SHORT).unwrap_or_default() / SHORTER
            }
        };
        let code = Box::new(Code::new(&packed, &values, how, most)?);
        let seeds = vec![F::ONE; code.outputs()];
        Some(Machine::Arrays { code, seeds, values: false })
    }

    /// The same with the program's outputs, if it has them not and can have them.
    pub(crate) fn with_outputs(&self) -> Option<Self> {
        match self {
            Machine::Arrays { code, seeds, .. } => {
                Some(Machine::Arrays { code: code.clone(), seeds: seeds.clone(), values: true })
            }
            Machine::Recording { .. } => None,
        }
    }

    /// Whether it is run from the first operation to the last, without a phase before.
    pub(crate) fn is_straight(&self) -> bool {
        matches!(self, Machine::Recording { .. })
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Machine::Recording { function, seeds, outputs } => {
                function.bytes() + memory_report::vector(seeds) + size_of_val(&outputs[..])
            }
            Machine::Arrays { code, seeds, .. } => code.bytes() + memory_report::vector(seeds),
        }
    }

    pub(crate) fn first(&mut self, leaves: &[F::Number]) -> bool {
        match self {
            Machine::Recording { function, outputs, .. } => function.first(F::Number::floats(leaves), outputs),
            Machine::Arrays { code, .. } => code.forward(F::Number::floats(leaves)),
        }
    }

    /// The first phase, with its outputs in the caller's memory.
    #[inline]
    pub(crate) fn first_into(&mut self, leaves: &[F], out: &mut [F]) -> bool {
        match self {
            Machine::Recording { function, outputs, .. } => out.len() == outputs.len() && function.first(leaves, out),
            Machine::Arrays { code, values, .. } => !*values && out.len() == code.inputs() && code.forward(leaves),
        }
    }

    /// Takes other seeds.
    pub(crate) fn seed(&mut self, new: impl Iterator<Item = F>) {
        let (Machine::Recording { seeds, .. } | Machine::Arrays { seeds, .. }) = self;
        seeds.iter_mut().zip(new).for_each(|(own, seed)| *own = seed);
    }

    pub(crate) fn second(&mut self, leaves: &[F::Number], seeds: impl Iterator<Item = F>) {
        self.seed(seeds);
        match self {
            Machine::Recording { function, seeds, outputs } => {
                let held = function.second(F::Number::floats(leaves), seeds, outputs);
                debug_assert!(held, "decisions do not depend on seeds");
            }
            Machine::Arrays { code, seeds, .. } => code.backward(seeds),
        }
    }

    /// The second phase with seeds of 1 or those of the last time, and its outputs in the caller's memory.
    #[inline(always)]
    pub(crate) fn second_into(&mut self, leaves: &[F], out: &mut [F]) {
        match self {
            Machine::Recording { function, seeds, .. } => {
                let held = function.second(leaves, seeds, out);
                debug_assert!(held, "decisions do not depend on seeds");
            }
            Machine::Arrays { code, seeds, .. } => code.backward_into(seeds, out),
        }
    }

    #[inline]
    pub(crate) fn output(&self, k: usize) -> F {
        match self {
            Machine::Recording { outputs, .. } => outputs[k],
            Machine::Arrays { code, values: true, .. } if k < code.outputs() => code.output(k),
            Machine::Arrays { code, values: true, .. } => code.adjoint(k - code.outputs()),
            Machine::Arrays { code, .. } => code.adjoint(k),
        }
    }
}

/// Arguments, the first phase, seeds, the second phase.
fn source<F: Base>(Phases { program, arguments, second }: &Phases<F>) -> Source<F> {
    let first = *second - (program.leaves - arguments);
    let place = |node: Node| match node as usize {
        at if at < *arguments => node,
        at if at < program.leaves => (at - arguments + first) as Node,
        at if at < *second => (at - (program.leaves - arguments)) as Node,
        _ => node,
    };
    let mut constants = vec![None; program.steps.len()];
    program.constants.iter().for_each(|(node, value)| constants[*node as usize] = Some(*value));
    let mut guards: Vec<diffi_jit::Guard> = program.guards.iter().map(|guard| lowered(*guard, place)).collect();
    let order = (0..*arguments).chain(program.leaves..*second).chain(*arguments..program.leaves);
    let instructions = order.chain(*second..program.steps.len()).map(|at| match (program.steps[at], constants[at]) {
        (Step { op: Op::leaf, .. }, _) if at < *arguments => Instruction::Input,
        (Step { op: Op::leaf, .. }, _) => Instruction::Seed,
        (_, Some(value)) => Instruction::Constant(value),
        (step, None) => {
            let mut operands = step.operands;
            operands.iter_mut().take(step.nodes()).for_each(|node| *node = place(*node));
            if step.op == Op::clamp {
                guards.push(diffi_jit::Guard::Compare(Comparison::LessOrEqual, operands[1], operands[2], true));
            }
            instruction(step.op, operands)
        }
    });
    let instructions = instructions.collect();
    Source { instructions, outputs: program.outputs.iter().map(|node| place(*node)).collect(), guards, second: first }
}

fn lowered(Guard { check, a, b }: Guard, place: impl Fn(Node) -> Node) -> diffi_jit::Guard {
    let (a, b) = (place(a), place(b));
    match check {
        Check::Less(outcome) => diffi_jit::Guard::Compare(Comparison::Less, a, b, outcome),
        Check::LessOrEqual(outcome) => diffi_jit::Guard::Compare(Comparison::LessOrEqual, a, b, outcome),
        Check::Equal(outcome) => diffi_jit::Guard::Compare(Comparison::Equal, a, b, outcome),
        Check::Order(outcome) => diffi_jit::Guard::Order(a, b, outcome),
        Check::Same(bits) => diffi_jit::Guard::Bits(a, bits),
    }
}

pub(super) fn instruction<F: Native>(op: Op, operands: [Node; 3]) -> Instruction<F> {
    let [a, b, _] = operands;
    match op {
        Op::add => Instruction::Add(a, b),
        Op::sub => Instruction::Sub(a, b),
        Op::mul => Instruction::Mul(a, b),
        Op::div => Instruction::Div(a, b),
        Op::neg => Instruction::Neg(a),
        Op::abs => Instruction::Abs(a),
        Op::sqrt => Instruction::Sqrt(a),
        Op::copysign => Instruction::Copysign(a, b),
        Op::powi => Instruction::Powi(a, b as i32),
        Op::recip => Instruction::Powi(a, -1),
        _ => F::call(op.name(), operands),
    }
}
