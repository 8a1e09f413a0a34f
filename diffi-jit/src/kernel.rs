//! Loops over arrays: what is done in every iteration is listed once, with the places where each iteration finds its numbers.
//!
//! A caller who knows the loops of a program, and keeps what they compute in arrays, has shorter code than what [`compile`](crate::compile)
//! finds in a recording: places may be listed, and adjoints are added up in memory. Two iterations go together, in the halves of vectors.

use crate::emit::SHORT;
use crate::operation::Functions;
use crate::{Error, Float, Instruction, Node};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlags, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use std::collections::HashMap;

/// Which memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Written once, before it is read.
    Values,
    /// Added to.
    Adjoints,
}

/// Where an iteration finds a number, or puts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// From one place on at a stride from iteration to iteration, which may be 0.
    Along(u32, i32),
    /// At places that are listed from here on.
    Listed(u32),
}

/// What an iteration does. Nodes are the numbers of earlier actions of the same iteration.
#[derive(Clone, Copy, Debug)]
pub enum Action<F> {
    /// Reads a number.
    Load(Memory, Place),
    /// Computes one; inputs and seeds are read instead.
    Compute(Instruction<F>),
    /// Puts a value into memory.
    Store(Node, Place),
    /// Adds to an adjoint.
    Add(Node, Place),
    /// Adds to the adjoint at one place in every iteration, at the latest when the loop ends.
    Sum(Node, u32),
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Kernel<F> {
    /// How often its actions are done.
    pub iterations: u32,
    /// From the last iteration to the first.
    pub backwards: bool,
    /// Whether iterations may go together: each action in both before the next.
    pub together: bool,
    /// What every iteration does, in this order.
    pub actions: Vec<Action<F>>,
}

impl<F: Float> Kernel<F> {
    /// How many of the places are sums.
    pub(crate) fn sums(&self) -> usize {
        self.actions.iter().filter(|action| matches!(action, Action::Sum(..))).count()
    }

    /// Whether all that is read and written is there.
    pub(crate) fn check(&self, lists: &[u32], values: usize, adjoints: usize) -> Result<(), Error> {
        let iterations = self.iterations as usize;
        let is_within = |place: Place, length: usize| match place {
            Place::Along(first, stride) => {
                let last = i64::from(first) + i64::from(stride) * (iterations as i64 - 1);
                iterations > 0 && (first as usize) < length && (0..length as i64).contains(&last)
            }
            Place::Listed(from) => {
                let places = lists.get(from as usize..from as usize + iterations);
                places.is_some_and(|places| places.iter().all(|place| (*place as usize) < length))
            }
        };
        let of = |memory: Memory| if memory == Memory::Values { values } else { adjoints };
        let is_sound = |(at, action): (usize, &Action<F>)| match *action {
            Action::Load(memory, place) => is_within(place, of(memory)),
            Action::Compute(instruction) => {
                !matches!(instruction, Instruction::Input | Instruction::Seed)
                    && instruction.operands().iter().all(|node| self.gives(*node, at))
            }
            Action::Store(node, place) => self.gives(node, at) && is_within(place, values),
            Action::Add(node, place) => self.gives(node, at) && is_within(place, adjoints),
            Action::Sum(node, place) => self.gives(node, at) && (place as usize) < adjoints,
        };
        let sound = self.actions.iter().enumerate().all(is_sound);
        if sound { Ok(()) } else { Err(Error::new("a loop reads what is not there")) }
    }

    /// Whether an action comes before, and finds a number.
    fn gives(&self, node: Node, before: usize) -> bool {
        let action = self.actions[..before].get(node as usize);
        action.is_some_and(|action| matches!(action, Action::Load(..) | Action::Compute(_)))
    }

    /// The constants that it reads.
    pub(crate) fn constants(&self) -> impl Iterator<Item = F> {
        self.actions.iter().filter_map(|action| match action {
            Action::Compute(Instruction::Constant(value)) => Some(*value),
            _ => None,
        })
    }

    /// All strides along which its iterations go.
    fn strides(&self) -> Vec<i64> {
        let mut strides: Vec<i64> =
            self.actions.iter().filter_map(|action| action.place().map(Place::stride)).collect();
        strides.push(1);
        strides.retain(|stride| *stride != 0);
        strides.sort_unstable();
        strides.dedup();
        strides
    }
}

impl<F> Action<F> {
    fn place(&self) -> Option<Place> {
        match self {
            Action::Load(_, place) | Action::Store(_, place) | Action::Add(_, place) => Some(*place),
            Action::Compute(_) | Action::Sum(..) => None,
        }
    }
}

impl Place {
    /// Lists go on by one.
    fn stride(self) -> i64 {
        match self {
            Place::Along(_, stride) => i64::from(stride),
            Place::Listed(_) => 1,
        }
    }
}

/// Sums that are as few as this stay in registers.
const FEW_SUMS: usize = 4;

/// The memory that the code of a loop gets.
#[derive(Clone, Copy)]
pub(crate) struct Pointers {
    values: Value,
    adjoints: Value,
    /// Offsets in bytes.
    lists: Value,
    tables: Value,
    /// Two halves of each sum, zero to begin with.
    sums: Value,
}

/// A loop that is being written.
pub(crate) struct Writer<'k, 'b, F> {
    kernel: &'k Kernel<F>,
    builder: FunctionBuilder<'b>,
    functions: Functions,
    pointers: Pointers,
    /// Where constants stand, by their bits.
    pool: &'k HashMap<u64, u32>,
}

/// Some iterations at once, one or two.
struct Iterations {
    /// How far these are, in numbers, along each stride.
    along: Vec<(i64, Value)>,
    vectors: bool,
    /// What was found, and by which action last.
    found: Vec<Option<(Value, usize)>>,
    /// What was read, by which action.
    read: HashMap<(Memory, Place), (Value, usize)>,
    /// Sums that stay in registers.
    sums: Vec<Value>,
}

impl<'k, 'b, F: Float> Writer<'k, 'b, F> {
    pub(crate) fn new(
        kernel: &'k Kernel<F>,
        mut builder: FunctionBuilder<'b>,
        convention: CallConv,
        pointer: Type,
        pool: &'k HashMap<u64, u32>,
    ) -> Self {
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let [values, adjoints, lists, tables, sums] = builder.block_params(block).try_into().expect("five pointers");
        let pointers = Pointers { values, adjoints, lists, tables, sums };
        Writer { kernel, builder, functions: Functions { convention, pointer }, pointers, pool }
    }

    /// The whole loop: pairs of iterations, and the last iteration if there is one more.
    pub(crate) fn write(mut self) {
        let iterations = i64::from(self.kernel.iterations);
        let pairs = if self.kernel.together && F::PAIR.is_some() { iterations / 2 } else { 0 };
        let (single, backwards) = (2 * pairs..iterations, self.kernel.backwards);
        if backwards {
            self.some(single.start, single.end - single.start, 1);
        }
        self.some(0, pairs, 2);
        if !backwards {
            self.some(single.start, single.end - single.start, 1);
        }
        let held = self.builder.ins().iconst(types::I8, 1);
        self.builder.ins().return_(&[held]);
        self.builder.finalize();
    }

    /// So many turns from an iteration on, of one iteration or two.
    fn some(&mut self, first: i64, turns: i64, step: i64) {
        if turns == 0 {
            return;
        }
        let (vectors, size) = (step == 2, size_of::<F>() as i64);
        let last = first + (turns - 1) * step;
        let (start, by, end) =
            if self.kernel.backwards { (last, -step, first - step) } else { (first, step, last + step) };
        let strides = self.kernel.strides();
        let in_registers = vectors && self.kernel.sums() <= FEW_SUMS;
        let mut params: Vec<Value> =
            strides.iter().map(|stride| self.builder.ins().iconst(types::I64, stride * start * size)).collect();
        if in_registers {
            params.extend((0..self.kernel.sums()).map(|_| self.zeros()));
        }
        let head = (turns > 1).then(|| {
            let block = self.builder.create_block();
            let kinds: Vec<Type> = params.iter().map(|value| self.builder.func.dfg.value_type(*value)).collect();
            let own: Vec<Value> = kinds.into_iter().map(|kind| self.builder.append_block_param(block, kind)).collect();
            self.builder.ins().jump(block, &arguments(&params));
            self.builder.switch_to_block(block);
            params = own;
            block
        });
        let sums = params.split_off(strides.len());
        let mut iterations = Iterations {
            along: strides.iter().copied().zip(params).collect(),
            vectors,
            found: vec![None; self.kernel.actions.len()],
            read: HashMap::new(),
            sums,
        };
        self.iterations(&mut iterations);
        if let Some(head) = head {
            let mut next: Vec<Value> = Vec::new();
            for (stride, far) in &iterations.along {
                next.push(self.builder.ins().iadd_imm(*far, stride * by * size));
            }
            let more = self.builder.ins().icmp_imm(IntCC::NotEqual, next[0], strides[0] * end * size);
            next.extend(&iterations.sums);
            let after = self.builder.create_block();
            self.builder.ins().brif(more, head, &arguments(&next), after, &[]);
            self.builder.seal_block(head);
            self.builder.seal_block(after);
            self.builder.switch_to_block(after);
        }
        if vectors {
            self.flush(&iterations, in_registers);
        }
    }

    /// Adds both halves of all sums to adjoints.
    fn flush(&mut self, iterations: &Iterations, in_registers: bool) {
        let sums = self.kernel.actions.iter().filter_map(|action| match action {
            Action::Sum(_, place) => Some(*place),
            _ => None,
        });
        for (k, place) in sums.enumerate() {
            let both = if in_registers {
                iterations.sums[k]
            } else {
                self.builder.ins().load(pair::<F>(), unaligned(), self.pointers.sums, offset::<F>(2 * k as u32))
            };
            let [a, b] = [0, 1].map(|lane| self.builder.ins().extractlane(both, lane));
            let both = self.builder.ins().fadd(a, b);
            self.add_at(both, self.pointers.adjoints, offset::<F>(place));
        }
    }

    /// All actions of some iterations.
    fn iterations(&mut self, iterations: &mut Iterations) {
        let mut sum = 0;
        for (at, action) in self.kernel.actions.iter().enumerate() {
            match *action {
                Action::Load(Memory::Values, _) | Action::Compute(Instruction::Constant(_)) => {}
                // They may change.
                Action::Load(Memory::Adjoints, place) => {
                    let value = self.read(Memory::Adjoints, place, iterations);
                    iterations.found[at] = Some((value, at));
                }
                Action::Compute(instruction) => {
                    let operands = instruction.operands().map(|node| self.found(node, at, iterations));
                    let value = self.compute(instruction, &operands, iterations.vectors);
                    iterations.found[at] = Some((value, at));
                }
                Action::Store(node, place) => {
                    let value = self.found(node, at, iterations);
                    self.store(value, place, iterations);
                }
                Action::Add(node, place) => {
                    let value = self.found(node, at, iterations);
                    self.add(value, place, iterations);
                }
                Action::Sum(node, place) => {
                    let value = self.found(node, at, iterations);
                    self.sum(value, sum, place, iterations);
                    sum += 1;
                }
            }
        }
    }

    /// What an action has found. Numbers in memory are read again where they were found long ago.
    fn found(&mut self, node: Node, at: usize, iterations: &mut Iterations) -> Value {
        let action = self.kernel.actions[node as usize];
        let is_read = matches!(action, Action::Load(Memory::Values, _) | Action::Compute(Instruction::Constant(_)));
        if let Some((value, since)) = iterations.found[node as usize]
            && (!is_read || at - since <= SHORT)
        {
            return value;
        }
        let value = match action {
            Action::Load(memory, place) => match iterations.read.get(&(memory, place)) {
                Some((value, since)) if at - since <= SHORT => *value,
                _ => {
                    let value = self.read(memory, place, iterations);
                    iterations.read.insert((memory, place), (value, at));
                    value
                }
            },
            Action::Compute(Instruction::Constant(value)) => {
                let place = offset::<F>(self.pool[&value.bits()]);
                let one = self.builder.ins().load(F::TYPE, MemFlags::trusted(), self.pointers.tables, place);
                self.spread(one, iterations.vectors)
            }
            _ => unreachable!("actions find what later ones read"),
        };
        iterations.found[node as usize] = Some((value, at));
        value
    }

    fn compute(&mut self, instruction: Instruction<F>, x: &[Value], vectors: bool) -> Value {
        if !vectors || instruction.is_pairable() {
            return self.functions.compute(&mut self.builder, instruction, x);
        }
        let each = [0, 1].map(|lane| {
            let x: Vec<Value> = x.iter().map(|x| self.builder.ins().extractlane(*x, lane)).collect();
            self.functions.compute(&mut self.builder, instruction, &x)
        });
        self.both(each)
    }

    fn read(&mut self, memory: Memory, place: Place, iterations: &Iterations) -> Value {
        match place {
            Place::Along(first, 0) => {
                let start = self.start(memory);
                let one = self.builder.ins().load(F::TYPE, MemFlags::trusted(), start, offset::<F>(first));
                self.spread(one, iterations.vectors)
            }
            Place::Along(first, 1) if iterations.vectors => {
                let pointer = self.along(memory, 1, iterations);
                self.builder.ins().load(pair::<F>(), unaligned(), pointer, offset::<F>(first))
            }
            _ if iterations.vectors => {
                let each = [0, 1].map(|lane| self.read_one(memory, place, iterations, lane));
                self.both(each)
            }
            _ => self.read_one(memory, place, iterations, 0),
        }
    }

    fn read_one(&mut self, memory: Memory, place: Place, iterations: &Iterations, lane: i32) -> Value {
        let (pointer, offset) = self.address(memory, place, iterations, lane);
        self.builder.ins().load(F::TYPE, MemFlags::trusted(), pointer, offset)
    }

    fn store(&mut self, value: Value, place: Place, iterations: &Iterations) {
        if iterations.vectors
            && let Place::Along(first, 1) = place
        {
            let pointer = self.along(Memory::Values, 1, iterations);
            self.builder.ins().store(unaligned(), value, pointer, offset::<F>(first));
            return;
        }
        for (value, lane) in self.lanes(value, iterations.vectors).into_iter().zip(0..) {
            let (pointer, offset) = self.address(Memory::Values, place, iterations, lane);
            self.builder.ins().store(MemFlags::trusted(), value, pointer, offset);
        }
    }

    fn add(&mut self, value: Value, place: Place, iterations: &Iterations) {
        if iterations.vectors
            && let Place::Along(first, 1) = place
        {
            let (pointer, offset) = (self.along(Memory::Adjoints, 1, iterations), offset::<F>(first));
            return self.add_both(value, pointer, offset);
        }
        // Both may be at one place.
        for (value, lane) in self.lanes(value, iterations.vectors).into_iter().zip(0..) {
            let (pointer, offset) = self.address(Memory::Adjoints, place, iterations, lane);
            self.add_at(value, pointer, offset);
        }
    }

    fn sum(&mut self, value: Value, k: usize, place: u32, iterations: &mut Iterations) {
        if let Some(sum) = iterations.sums.get_mut(k) {
            *sum = self.builder.ins().fadd(*sum, value);
        } else if iterations.vectors {
            self.add_both(value, self.pointers.sums, offset::<F>(2 * k as u32));
        } else {
            self.add_at(value, self.pointers.adjoints, offset::<F>(place));
        }
    }

    fn add_at(&mut self, value: Value, pointer: Value, offset: i32) {
        let before = self.builder.ins().load(F::TYPE, MemFlags::trusted(), pointer, offset);
        let sum = self.builder.ins().fadd(before, value);
        self.builder.ins().store(MemFlags::trusted(), sum, pointer, offset);
    }

    fn add_both(&mut self, value: Value, pointer: Value, offset: i32) {
        let before = self.builder.ins().load(pair::<F>(), unaligned(), pointer, offset);
        let sum = self.builder.ins().fadd(before, value);
        self.builder.ins().store(unaligned(), sum, pointer, offset);
    }

    fn start(&self, memory: Memory) -> Value {
        match memory {
            Memory::Values => self.pointers.values,
            Memory::Adjoints => self.pointers.adjoints,
        }
    }

    /// So far along a stride.
    fn along(&mut self, memory: Memory, stride: i64, iterations: &Iterations) -> Value {
        let start = self.start(memory);
        self.far(start, stride, iterations)
    }

    fn far(&mut self, start: Value, stride: i64, iterations: &Iterations) -> Value {
        if stride == 0 {
            return start;
        }
        let far = iterations.along.iter().find(|(own, _)| *own == stride).expect("every stride is followed").1;
        self.builder.ins().iadd(start, far)
    }

    fn address(&mut self, memory: Memory, place: Place, iterations: &Iterations, lane: i32) -> (Value, i32) {
        match place {
            Place::Along(first, stride) => {
                let pointer = self.along(memory, i64::from(stride), iterations);
                (pointer, offset::<F>(first) + lane * stride * size_of::<F>() as i32)
            }
            // Lists hold offsets, as long as the longest numbers are.
            Place::Listed(from) => {
                let mut list = self.far(self.pointers.lists, 1, iterations);
                if size_of::<F>() < size_of::<u64>() {
                    list = self.far(list, 1, iterations);
                }
                let at = (from as i32 + lane) * size_of::<u64>() as i32;
                let far = self.builder.ins().load(types::I64, MemFlags::trusted(), list, at);
                let start = self.start(memory);
                (self.builder.ins().iadd(start, far), 0)
            }
        }
    }

    fn spread(&mut self, one: Value, vectors: bool) -> Value {
        if vectors { self.builder.ins().splat(pair::<F>(), one) } else { one }
    }

    fn both(&mut self, [a, b]: [Value; 2]) -> Value {
        let vector = self.builder.ins().scalar_to_vector(pair::<F>(), a);
        self.builder.ins().insertlane(vector, b, 1)
    }

    fn lanes(&mut self, value: Value, vectors: bool) -> Vec<Value> {
        match vectors {
            true => [0, 1].map(|lane| self.builder.ins().extractlane(value, lane)).to_vec(),
            false => vec![value],
        }
    }

    fn zeros(&mut self) -> Value {
        let zero = F::of(-0.0).constant(&mut self.builder);
        self.builder.ins().splat(pair::<F>(), zero)
    }
}

fn arguments(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|value| BlockArg::from(*value)).collect()
}

fn pair<F: Float>() -> Type {
    F::PAIR.expect("iterations are paired where there are vectors")
}

/// Vectors stand where their first number does.
fn unaligned() -> MemFlags {
    MemFlags::new().with_notrap()
}

fn offset<F>(place: u32) -> i32 {
    crate::emit::offset::<F>(place)
}

#[cfg(test)]
mod tests {
    use super::{Action, Kernel, Memory, Place};
    use crate::{Float, Instruction, compile_loops};
    use std::ops::{Add, Mul};

    /// `values[10 + k] = values[k] * values[list[k]]`, and backwards from adjoints of 1.
    fn kernels<F: Float>(iterations: u32) -> [Kernel<F>; 2] {
        let (row, listed) = (Place::Along(0, 1), Place::Listed(0));
        let operands = [Action::Load(Memory::Values, row), Action::Load(Memory::Values, listed)];
        let forwards = [Action::Compute(Instruction::Mul(0, 1)), Action::Store(2, Place::Along(10, 1))];
        let backwards = [
            Action::Load(Memory::Adjoints, Place::Along(10, 1)),
            Action::Compute(Instruction::Mul(2, 1)),
            Action::Add(3, row),
            Action::Compute(Instruction::Mul(2, 0)),
            Action::Add(5, listed),
            Action::Sum(2, 20),
        ];
        let kernel = |backwards: bool, rest: &[Action<F>]| Kernel {
            iterations,
            backwards,
            together: true,
            actions: operands.iter().chain(rest).copied().collect(),
        };
        [kernel(false, &forwards), kernel(true, &backwards)]
    }

    const LIST: [u32; 9] = [3, 3, 0, 8, 1, 1, 1, 2, 4];

    fn products<F: Float + From<i8> + Add<Output = F> + Mul<Output = F> + PartialEq>(iterations: u32) {
        let mut loops = compile_loops(&kernels::<F>(iterations), &LIST, 20, 21).unwrap();
        let x: Vec<F> = (1..=9).map(F::from).collect();
        let (mut values, mut adjoints) = (vec![F::default(); 20], vec![F::default(); 21]);
        values[..9].copy_from_slice(&x);
        adjoints[10..20].fill(F::from(1));
        loops.run(0, &mut values, &mut adjoints);
        loops.run(1, &mut values, &mut adjoints);
        let mut expected = vec![F::default(); 9];
        for (k, place) in LIST.iter().map(|place| *place as usize).enumerate().take(iterations as usize) {
            assert!(values[10 + k] == x[k] * x[place]);
            expected[k] = expected[k] + x[place];
            expected[place] = expected[place] + x[k];
        }
        assert!(adjoints[..9] == expected && adjoints[20] == F::from(iterations as i8), "{adjoints:?}");
    }

    #[test]
    fn numbers_that_stand_in_lists() {
        for iterations in [1, 2, 3, 8, 9] {
            products::<f64>(iterations);
            products::<f32>(iterations);
        }
    }

    #[test]
    fn places_that_are_not_there() {
        let kernels = kernels::<f64>(9);
        assert!(compile_loops(&kernels, &LIST, 20, 21).is_ok());
        assert!(compile_loops(&kernels, &LIST, 18, 21).is_err());
        assert!(compile_loops(&kernels, &LIST, 20, 20).is_err());
        assert!(compile_loops(&kernels, &LIST[..8], 20, 21).is_err());
        let unknown = |action| Kernel { iterations: 1, backwards: false, together: true, actions: vec![action] };
        assert!(compile_loops(&[unknown(Action::<f64>::Store(0, Place::Along(0, 1)))], &[], 1, 1).is_err());
        assert!(compile_loops(&[unknown(Action::<f64>::Load(Memory::Values, Place::Along(0, -1)))], &[], 1, 1).is_ok());
    }
}
