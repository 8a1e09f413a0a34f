//! One part as cranelift's instructions.

use crate::parts::{Plan, guards_within};
use crate::{Comparison, Float, Guard, Instruction, Node, Source};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlags, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use std::cmp::Ordering;

/// After how many instructions a number is read from memory again, rather than kept in a register.
const SHORT: usize = 24;

/// The signature of every part: inputs, seeds, outputs, what is kept; and whether all guards held.
pub(crate) fn signature(convention: CallConv, pointer: Type) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend([AbiParam::new(pointer); 4]);
    signature.returns.push(AbiParam::new(types::I8));
    signature
}

/// What stays the same for all parts of a source.
pub(crate) struct Emitter<'a, F> {
    source: &'a Source<F>,
    plan: &'a Plan,
    convention: CallConv,
    pointer: Type,
    /// Where each input stands among the inputs, and each seed among the seeds.
    places: Vec<u32>,
    /// The outputs that each node is, in the order of nodes.
    outputs: Vec<(Node, u32)>,
    /// The guards in the order of their places.
    guards: Vec<Guard>,
    /// The values that are at hand, and since which instruction: in this part, or no more.
    known: Vec<Option<(Value, usize)>>,
}

impl<'a, F: Float> Emitter<'a, F> {
    pub(crate) fn new(source: &'a Source<F>, plan: &'a Plan, convention: CallConv, pointer: Type) -> Self {
        let mut places = vec![0; source.instructions.len()];
        let mut number = |is: fn(&Instruction<F>) -> bool| {
            let of_kind = source.instructions.iter().zip(&mut places).filter(|(i, _)| is(i));
            of_kind.zip(0..).for_each(|((_, place), k)| *place = k);
        };
        number(|i| matches!(i, Instruction::Input));
        number(|i| matches!(i, Instruction::Seed));
        let mut outputs: Vec<_> = source.outputs.iter().zip(0..).map(|(node, k)| (*node, k)).collect();
        outputs.sort_unstable();
        let guards = plan.guards.clone();
        let known = vec![None; source.instructions.len()];
        Emitter { source, plan, convention, pointer, places, outputs, guards, known }
    }

    /// The body of the part `k`.
    pub(crate) fn part(&mut self, k: usize, mut builder: FunctionBuilder<'_>) {
        let range = self.plan.parts[k].clone();
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let [inputs, seeds, outputs, kept] = builder.block_params(block).try_into().expect("four pointers");
        let guards = guards_within(&self.guards, &range).to_vec();
        let mut guards = guards.into_iter().peekable();
        let mut body =
            Body { start: range.start, at: range.start, emitter: self, builder, inputs, seeds, outputs, kept };
        let mut held = None;
        for at in range {
            body.at = at;
            body.instruction(at as Node);
            while let Some(guard) = guards.next_if(|guard| guard.place() == at) {
                held = Some(body.guard(guard, held));
            }
        }
        let held = held.unwrap_or_else(|| body.builder.ins().iconst(types::I8, 1));
        body.builder.ins().return_(&[held]);
        body.builder.finalize();
    }
}

struct Body<'e, 'a, 'b, F> {
    emitter: &'e mut Emitter<'a, F>,
    builder: FunctionBuilder<'b>,
    inputs: Value,
    seeds: Value,
    outputs: Value,
    kept: Value,
    /// The part's first instruction, ..
    start: usize,
    /// .. and the one that is computed now.
    at: usize,
}

impl<F: Float> Body<'_, '_, '_, F> {
    /// Computes a number, and puts it where others read it.
    fn instruction(&mut self, node: Node) {
        let emitter = &*self.emitter;
        let instruction = emitter.source.instructions[node as usize];
        let first = emitter.outputs.partition_point(|(output, _)| *output < node);
        let outputs = emitter.outputs[first..].iter().take_while(|(output, _)| *output == node).count();
        if instruction.is_free() && outputs == 0 {
            return;
        }
        let value = if instruction.is_free() { self.value(node) } else { self.compute(instruction) };
        self.emitter.known[node as usize] = Some((value, self.at));
        if let Some(slot) = self.emitter.plan.slot(node) {
            self.store(value, self.kept, slot);
        }
        for k in first..first + outputs {
            let place = self.emitter.outputs[k].1;
            self.store(value, self.outputs, place);
        }
    }

    fn compute(&mut self, instruction: Instruction<F>) -> Value {
        match instruction {
            Instruction::Input | Instruction::Seed | Instruction::Constant(_) => unreachable!("they take no work"),
            Instruction::Add(a, b) => {
                let [a, b] = [a, b].map(|node| self.value(node));
                self.builder.ins().fadd(a, b)
            }
            Instruction::Sub(a, b) => {
                let [a, b] = [a, b].map(|node| self.value(node));
                self.builder.ins().fsub(a, b)
            }
            Instruction::Mul(a, b) => {
                let [a, b] = [a, b].map(|node| self.value(node));
                self.builder.ins().fmul(a, b)
            }
            Instruction::Div(a, b) => {
                let [a, b] = [a, b].map(|node| self.value(node));
                self.builder.ins().fdiv(a, b)
            }
            Instruction::Copysign(a, b) => {
                let [a, b] = [a, b].map(|node| self.value(node));
                self.builder.ins().fcopysign(a, b)
            }
            Instruction::Neg(a) => {
                let a = self.value(a);
                self.builder.ins().fneg(a)
            }
            Instruction::Abs(a) => {
                let a = self.value(a);
                self.builder.ins().fabs(a)
            }
            Instruction::Sqrt(a) => {
                let a = self.value(a);
                self.builder.ins().sqrt(a)
            }
            Instruction::Powi(a, n) => self.power(a, n),
            Instruction::Select(comparison, a, b, c, d) => {
                let [a, b, c, d] = [a, b, c, d].map(|node| self.value(node));
                let holds = self.builder.ins().fcmp(comparison.code(), a, b);
                self.builder.ins().select(holds, c, d)
            }
            Instruction::Call1(f, a) => self.call(f as usize, &[a]),
            Instruction::Call2(f, a, b) => self.call(f as usize, &[a, b]),
            Instruction::Call3(f, a, b, c) => self.call(f as usize, &[a, b, c]),
        }
    }

    /// As the standard library's `powi` multiplies.
    fn power(&mut self, x: Node, n: i32) -> Value {
        let (mut square, mut power, mut left) = (self.value(x), None, n.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power = Some(power.map_or(square, |power| self.builder.ins().fmul(power, square)));
            }
            left /= 2;
            if left > 0 {
                square = self.builder.ins().fmul(square, square);
            }
        }
        let one = if n <= 0 { Some(self.number(1.0)) } else { None };
        match (power, one) {
            (Some(power), Some(one)) => self.builder.ins().fdiv(one, power),
            (power, one) => power.or(one).expect("powers of zero are one"),
        }
    }

    /// Calls a function at an address.
    fn call(&mut self, address: usize, operands: &[Node]) -> Value {
        let values: Vec<Value> = operands.iter().map(|node| self.value(*node)).collect();
        let mut signature = Signature::new(self.emitter.convention);
        signature.params.extend(values.iter().map(|_| AbiParam::new(F::TYPE)));
        signature.returns.push(AbiParam::new(F::TYPE));
        let signature = self.builder.import_signature(signature);
        let address = self.builder.ins().iconst(self.emitter.pointer, address as i64);
        let call = self.builder.ins().call_indirect(signature, address, &values);
        self.builder.inst_results(call)[0]
    }

    /// Whether a guard holds, and those before.
    fn guard(&mut self, guard: Guard, before: Option<Value>) -> Value {
        let [a, b] = guard.nodes().map(|node| self.value(node));
        let held = match guard {
            Guard::Compare(comparison, _, _, outcome) => {
                let code = comparison.code();
                self.builder.ins().fcmp(if outcome { code } else { code.complement() }, a, b)
            }
            Guard::Order(_, _, order) => {
                let code = match order {
                    Some(Ordering::Less) => FloatCC::LessThan,
                    Some(Ordering::Equal) => FloatCC::Equal,
                    Some(Ordering::Greater) => FloatCC::GreaterThan,
                    None => FloatCC::Unordered,
                };
                self.builder.ins().fcmp(code, a, b)
            }
            Guard::Bits(_, bits) => {
                let wide = F::widened(a, &mut self.builder);
                let found = self.builder.ins().bitcast(types::I64, MemFlags::new(), wide);
                self.builder.ins().icmp_imm(IntCC::Equal, found, bits as i64)
            }
        };
        match before {
            Some(before) => self.builder.ins().band(before, held),
            None => held,
        }
    }

    /// A number: at hand, or from memory, where it is cheaper not to keep it.
    fn value(&mut self, node: Node) -> Value {
        let at = node as usize;
        let free = self.emitter.source.instructions[at].is_free();
        let slot = self.emitter.plan.slot(node);
        if let Some((value, since)) = self.emitter.known[at].filter(|(_, since)| *since >= self.start)
            && (self.at - since <= SHORT || !free && slot.is_none())
        {
            return value;
        }
        let value = match (self.emitter.source.instructions[at], slot) {
            (Instruction::Constant(value), _) => value.constant(&mut self.builder),
            (Instruction::Input, _) => self.load(self.inputs, self.emitter.places[at]),
            (Instruction::Seed, _) => self.load(self.seeds, self.emitter.places[at]),
            (_, Some(slot)) => self.load(self.kept, slot),
            (_, None) => unreachable!("what other parts read is kept"),
        };
        self.emitter.known[at] = Some((value, self.at));
        value
    }

    fn number(&mut self, value: f64) -> Value {
        F::of(value).constant(&mut self.builder)
    }

    fn load(&mut self, from: Value, place: u32) -> Value {
        self.builder.ins().load(F::TYPE, MemFlags::trusted(), from, offset::<F>(place))
    }

    fn store(&mut self, value: Value, to: Value, place: u32) {
        self.builder.ins().store(MemFlags::trusted(), value, to, offset::<F>(place));
    }
}

/// Sources are refused that are too long for this.
fn offset<F>(place: u32) -> i32 {
    place as i32 * size_of::<F>() as i32
}

impl Comparison {
    fn code(self) -> FloatCC {
        match self {
            Comparison::Less => FloatCC::LessThan,
            Comparison::LessOrEqual => FloatCC::LessThanOrEqual,
            Comparison::Equal => FloatCC::Equal,
        }
    }
}
