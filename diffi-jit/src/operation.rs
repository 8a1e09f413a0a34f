//! One operation as cranelift's instructions, on a number or on two of them in a vector.

use crate::{Comparison, Float, Instruction};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

/// How functions are called.
#[derive(Clone, Copy)]
pub(crate) struct Functions {
    pub(crate) convention: CallConv,
    pub(crate) pointer: Type,
}

impl Functions {
    /// What an instruction gives. Only where it [is pairable](Instruction::is_pairable) operands may be vectors.
    pub(crate) fn compute<F: Float>(
        self,
        builder: &mut FunctionBuilder<'_>,
        instruction: Instruction<F>,
        x: &[Value],
    ) -> Value {
        match instruction {
            Instruction::Input | Instruction::Seed | Instruction::Constant(_) => unreachable!("they take no work"),
            Instruction::Add(..) => builder.ins().fadd(x[0], x[1]),
            Instruction::Sub(..) => builder.ins().fsub(x[0], x[1]),
            Instruction::Mul(..) => builder.ins().fmul(x[0], x[1]),
            Instruction::Div(..) => builder.ins().fdiv(x[0], x[1]),
            Instruction::Copysign(..) => builder.ins().fcopysign(x[0], x[1]),
            Instruction::Neg(_) => negated::<F>(builder, x[0]),
            Instruction::Abs(_) => builder.ins().fabs(x[0]),
            Instruction::Sqrt(_) => builder.ins().sqrt(x[0]),
            Instruction::Powi(_, n) => power::<F>(builder, x[0], n),
            Instruction::Select(comparison, ..) => {
                let holds = builder.ins().fcmp(comparison.code(), x[0], x[1]);
                builder.ins().select(holds, x[2], x[3])
            }
            Instruction::Call1(f, _) => self.call::<F>(builder, f as usize, x),
            Instruction::Call2(f, ..) => self.call::<F>(builder, f as usize, x),
            Instruction::Call3(f, ..) => self.call::<F>(builder, f as usize, x),
            Instruction::CallWhole(f, _, n) => self.call_whole::<F>(builder, f as usize, x[0], n),
        }
    }

    /// Calls a function at an address.
    fn call<F: Float>(self, builder: &mut FunctionBuilder<'_>, address: usize, operands: &[Value]) -> Value {
        self.indirect::<F>(builder, address, operands)
    }

    /// The same of a number and an integer.
    fn call_whole<F: Float>(self, builder: &mut FunctionBuilder<'_>, address: usize, x: Value, n: i32) -> Value {
        let n = builder.ins().iconst(types::I32, i64::from(n));
        self.indirect::<F>(builder, address, &[x, n])
    }

    fn indirect<F: Float>(self, builder: &mut FunctionBuilder<'_>, address: usize, operands: &[Value]) -> Value {
        let mut signature = Signature::new(self.convention);
        signature.params.extend(operands.iter().map(|x| AbiParam::new(builder.func.dfg.value_type(*x))));
        signature.returns.push(AbiParam::new(F::TYPE));
        let signature = builder.import_signature(signature);
        let address = builder.ins().iconst(self.pointer, address as i64);
        let call = builder.ins().call_indirect(signature, address, operands);
        builder.inst_results(call)[0]
    }
}

/// With the other sign. On x86 by a constant that stands beside the code: cranelift's own `fneg` makes one in three instructions.
fn negated<F: Float>(builder: &mut FunctionBuilder<'_>, x: Value) -> Value {
    if cfg!(target_arch = "x86_64") && builder.func.dfg.value_type(x) == F::TYPE {
        let sign = F::of(-0.0).constant(builder);
        return builder.ins().bxor(x, sign);
    }
    builder.ins().fneg(x)
}

/// As the standard library's `powi` multiplies.
fn power<F: Float>(builder: &mut FunctionBuilder<'_>, x: Value, n: i32) -> Value {
    let (mut square, mut power, mut left) = (x, None, n.unsigned_abs());
    while left > 0 {
        if left % 2 == 1 {
            power = Some(power.map_or(square, |power| builder.ins().fmul(power, square)));
        }
        left /= 2;
        if left > 0 {
            square = builder.ins().fmul(square, square);
        }
    }
    let one = if n <= 0 { Some(one_like::<F>(builder, x)) } else { None };
    match (power, one) {
        (Some(power), Some(one)) => builder.ins().fdiv(one, power),
        (power, one) => power.or(one).expect("powers of zero are one"),
    }
}

/// One, or two of them if there are two of the other.
fn one_like<F: Float>(builder: &mut FunctionBuilder<'_>, x: Value) -> Value {
    let one = F::of(1.0).constant(builder);
    let kind = builder.func.dfg.value_type(x);
    if kind == F::TYPE { one } else { builder.ins().splat(kind, one) }
}

impl<F> Instruction<F> {
    pub(crate) fn is_call(&self) -> bool {
        matches!(
            self,
            Instruction::Call1(..) | Instruction::Call2(..) | Instruction::Call3(..) | Instruction::CallWhole(..)
        )
    }

    /// Whether vectors can do it.
    pub(crate) fn is_pairable(&self) -> bool {
        use Instruction::{Abs, Add, Div, Mul, Neg, Powi, Sqrt, Sub};
        matches!(self, Add(..) | Sub(..) | Mul(..) | Div(..) | Neg(_) | Abs(_) | Sqrt(_) | Powi(..))
    }
}

impl Comparison {
    pub(crate) fn code(self) -> FloatCC {
        match self {
            Comparison::Less => FloatCC::LessThan,
            Comparison::LessOrEqual => FloatCC::LessThanOrEqual,
            Comparison::Equal => FloatCC::Equal,
        }
    }
}
