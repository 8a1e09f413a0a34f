//! One part as cranelift's instructions.

use crate::operation::Functions;
use crate::parts::{Array, Plan};
use crate::roll::Section;
use crate::stream::{FREE, Item};
use crate::{Float, Guard, Instruction, Node};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlags, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use std::cmp::Ordering;
use std::collections::HashMap;

/// After how many items a number is read from memory again, rather than kept in a register.
pub(crate) const SHORT: usize = 24;

/// The signature of every part: inputs, seeds, outputs, what is kept, tables; and whether all guards held.
pub(crate) fn signature(convention: CallConv, pointer: Type) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend([AbiParam::new(pointer); 5]);
    signature.returns.push(AbiParam::new(types::I8));
    signature
}

/// What stays the same for all parts of a source.
pub(crate) struct Emitter<'p, 'a, F> {
    pub(crate) plan: &'p Plan<'a, F>,
    convention: CallConv,
    pub(crate) pointer: Type,
    /// The values that are at hand, and since which item: in this part, or no more.
    pub(crate) known: Vec<Option<(Value, usize)>>,
    /// How many items there are so far.
    pub(crate) at: usize,
}

impl<'p, 'a, F: Float> Emitter<'p, 'a, F> {
    pub(crate) fn new(plan: &'p Plan<'a, F>, convention: CallConv, pointer: Type) -> Self {
        let known = vec![None; plan.rolled.instructions().len()];
        Emitter { plan, convention, pointer, known, at: 0 }
    }

    /// The body of the part `k`.
    pub(crate) fn part(&mut self, k: usize, mut builder: FunctionBuilder<'_>) {
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let arrays = builder.block_params(block).try_into().expect("five pointers");
        let plan = self.plan;
        self.at += 1;
        let (start, splats) = (self.at - 1, HashMap::new());
        let mut body = Body { start, emitter: self, builder, arrays, held: None, minus: None, splats };
        for section in &plan.parts[k] {
            match section {
                Section::Straight(items) => items.clone().for_each(|at| body.item(plan.rolled.stream.items[at])),
                Section::Loop(k) => body.looped(&plan.loops[*k]),
            }
        }
        let held = body.held.unwrap_or_else(|| body.builder.ins().iconst(types::I8, 1));
        body.builder.ins().return_(&[held]);
        body.builder.finalize();
    }
}

pub(crate) struct Body<'e, 'p, 'a, 'b, F> {
    pub(crate) emitter: &'e mut Emitter<'p, 'a, F>,
    pub(crate) builder: FunctionBuilder<'b>,
    /// Where each array starts.
    arrays: [Value; 5],
    /// How many items there were before this part.
    start: usize,
    /// Whether all guards held so far.
    pub(crate) held: Option<Value>,
    /// The bits of signs, in a loop that negates vectors.
    pub(crate) minus: Option<Value>,
    /// What stays the same, as vectors, in a loop that is short.
    pub(crate) splats: HashMap<Node, Value>,
}

impl<F: Float> Body<'_, '_, '_, '_, F> {
    /// An item of straight code.
    fn item(&mut self, item: Item) {
        let plan = self.emitter.plan;
        self.emitter.at += 1;
        let operands = item.nodes(plan.rolled.instructions()).map(|node| self.value(node));
        let value = self.perform(item, &operands);
        if let (Item::Compute(node), Some(value)) = (item, value) {
            self.emitter.known[node as usize] = Some((value, self.emitter.at));
            for slot in plan.slot(node).into_iter().chain(plan.beside(node)) {
                self.store(value, self.array(Array::Kept), slot);
            }
        }
        if let Item::Write(_, output) = item {
            self.store(operands[0], self.array(Array::Outputs), output);
        }
    }

    /// What a computation gives.
    pub(crate) fn perform(&mut self, item: Item, operands: &[Value]) -> Option<Value> {
        match item {
            Item::Compute(node) => {
                let instruction = self.emitter.plan.rolled.instructions()[node as usize];
                let functions = Functions { convention: self.emitter.convention, pointer: self.emitter.pointer };
                return Some(functions.compute(&mut self.builder, instruction, operands));
            }
            Item::Check(guard) => self.held = Some(self.guard(guard, operands)),
            Item::Write(..) => {}
        }
        None
    }

    /// Whether a guard holds, and those before.
    fn guard(&mut self, guard: Guard, operands: &[Value]) -> Value {
        let (a, b) = (operands[0], operands[1]);
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
        match self.held {
            Some(before) => self.builder.ins().band(before, held),
            None => held,
        }
    }

    /// A number: at hand, or from memory, where it is cheaper not to keep it.
    pub(crate) fn value(&mut self, node: Node) -> Value {
        let plan = self.emitter.plan;
        let free = plan.rolled.stream.computed[node as usize] == FREE;
        let slot = plan.slot(node);
        if let Some((value, since)) = self.emitter.known[node as usize].filter(|(_, since)| *since > self.start)
            && (self.emitter.at - since <= SHORT || !free && slot.is_none())
        {
            return value;
        }
        let value = self.fetch(node, slot);
        self.emitter.known[node as usize] = Some((value, self.emitter.at));
        value
    }

    /// A number from memory, or a constant.
    fn fetch(&mut self, node: Node, slot: Option<u32>) -> Value {
        let rolled = &self.emitter.plan.rolled;
        match (rolled.instructions()[node as usize], slot) {
            (Instruction::Constant(value), _) => {
                self.load(self.array(Array::Tables), self.emitter.plan.constant(value))
            }
            (Instruction::Input, _) => self.load(self.array(Array::Inputs), rolled.numbers[node as usize]),
            (Instruction::Seed, _) => self.load(self.array(Array::Seeds), rolled.numbers[node as usize]),
            (_, Some(slot)) => self.load(self.array(Array::Kept), slot),
            (_, None) => unreachable!("what other parts read is kept"),
        }
    }

    /// -0.0 from memory.
    pub(crate) fn negative_zero(&mut self) -> Value {
        self.load(self.array(Array::Tables), self.emitter.plan.constant(F::of(-0.0)))
    }

    pub(crate) fn array(&self, array: Array) -> Value {
        self.arrays[array as usize]
    }

    fn load(&mut self, from: Value, place: u32) -> Value {
        self.builder.ins().load(F::TYPE, MemFlags::trusted(), from, offset::<F>(place))
    }

    fn store(&mut self, value: Value, to: Value, place: u32) {
        self.builder.ins().store(MemFlags::trusted(), value, to, offset::<F>(place));
    }
}

/// Sources are refused that are too long for this.
pub(crate) fn offset<F>(place: u32) -> i32 {
    place as i32 * size_of::<F>() as i32
}
