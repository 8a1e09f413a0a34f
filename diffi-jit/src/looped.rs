//! A run as a loop: a block that jumps to itself, with how far it is along every stride, and what one iteration hands to the next.

use crate::Float;
use crate::emit::{Body, SHORT, offset};
use crate::few::Few;
use crate::parts::{Array, Loop, Pattern};
use crate::stream::Item;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlags, Value, types};
use std::collections::HashMap;

/// Where an iteration finds something, or puts it: in an array, at a stride from iteration to iteration, so far from where the array starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Address {
    array: Array,
    pub(crate) stride: i64,
    pub(crate) first: u32,
}

/// The address of what a pattern reads or writes.
pub(crate) fn address(pattern: Pattern, loops: &[Loop]) -> Option<Address> {
    match pattern {
        Pattern::Along { array, first, stride } => Some(Address { array, stride, first }),
        Pattern::Kept { run, position, iteration, stride } => {
            let first = loops[run].slot(iteration, position).expect("what other loops read is kept");
            Some(Address { array: Array::Kept, stride, first })
        }
        Pattern::Same(_) | Pattern::Own(_) | Pattern::Carried(_) => None,
    }
}

/// Where the number at a position is kept.
pub(crate) fn kept(of: &Loop, position: usize) -> Option<Address> {
    of.slot(0, position).map(|first| Address { array: Array::Kept, stride: 1, first })
}

/// How far a loop is, in bytes along each of its strides.
pub(crate) struct Along(Vec<(i64, Value)>);

/// What one iteration has so far.
pub(crate) struct Iteration {
    along: Along,
    /// What the iterations before have handed on: first what is read.
    carried: Vec<Vec<Value>>,
    /// What each position has computed.
    values: Vec<Option<Value>>,
    /// What is at hand, and since which item.
    loaded: HashMap<Address, (Value, usize)>,
}

impl Iteration {
    pub(crate) fn new(along: Along, carried: Vec<Vec<Value>>) -> Self {
        Iteration { along, carried, values: Vec::new(), loaded: HashMap::new() }
    }

    /// What a position has computed.
    pub(crate) fn value(&self, position: usize) -> Option<Value> {
        self.values[position]
    }
}

impl<F: Float> Body<'_, '_, '_, '_, F> {
    pub(crate) fn looped(&mut self, of: &Loop) {
        // What stays the same is fetched once.
        for pattern in of.patterns.iter().flat_map(Few::iter) {
            if let Pattern::Same(node) = pattern {
                self.value(*node);
            }
        }
        match &of.paired {
            Some(schedule) => self.paired(of, schedule),
            None => self.single(of),
        }
    }

    /// One iteration after the other.
    fn single(&mut self, of: &Loop) {
        let mut start = Vec::new();
        for carried in &of.carried {
            start.extend(carried.initial.map(|node| self.value(node)));
        }
        let (head, params) = self.enter(of, start);
        let mut params = params.into_iter();
        let carried =
            of.carried.iter().map(|carried| carried.initial.map(|_| params.next().expect("one for each"))).collect();
        let mut iteration = Iteration::new(head.along(), carried);
        self.iteration(of, &mut iteration);
        let mut next = Vec::new();
        for (carried, values) in of.carried.iter().zip(&iteration.carried) {
            next.extend(&values[1..]);
            next.push(iteration.values[carried.position as usize].expect("it was computed"));
        }
        self.again(&head, next, of.run.iterations, 1);
        self.at_hand(of, of.run.iterations - 1, |_, position| iteration.values[position]);
    }

    /// The item at a position.
    pub(crate) fn item_of(&self, of: &Loop, position: usize) -> Item {
        self.emitter.plan.rolled.stream.items[of.run.start + position]
    }

    /// All items of an iteration.
    pub(crate) fn iteration(&mut self, of: &Loop, iteration: &mut Iteration) {
        (0..of.run.period).for_each(|position| self.step(of, position, iteration));
    }

    /// One item of an iteration.
    fn step(&mut self, of: &Loop, position: usize, iteration: &mut Iteration) {
        self.emitter.at += 1;
        let item = self.item_of(of, position);
        let loops = &self.emitter.plan.loops;
        let mut patterns = of.patterns[position].iter();
        if let Item::Write(..) = item {
            let [from, to] = [patterns.next(), patterns.next()].map(|pattern| *pattern.expect("there are two"));
            let value = self.operand(from, iteration);
            self.put(value, address(to, loops).expect("outputs are an array"), &iteration.along, 0);
            iteration.values.push(None);
            return;
        }
        let operands: Vec<Value> = patterns.map(|pattern| self.operand(*pattern, iteration)).collect();
        let value = self.perform(item, &operands);
        iteration.values.push(value);
        if let (Some(value), Some(address)) = (value, kept(of, position)) {
            self.put(value, address, &iteration.along, 0);
        }
    }

    fn operand(&mut self, pattern: Pattern, iteration: &mut Iteration) -> Value {
        match pattern {
            Pattern::Same(node) => return self.value(node),
            Pattern::Own(position) => return iteration.values[position as usize].expect("it was computed"),
            Pattern::Carried(k) => return iteration.carried[k][0],
            Pattern::Along { .. } | Pattern::Kept { .. } => {}
        }
        let address = address(pattern, &self.emitter.plan.loops).expect("it is in an array");
        if let Some((value, since)) = iteration.loaded.get(&address)
            && self.emitter.at - since <= SHORT
        {
            return *value;
        }
        let value = self.get(address, &iteration.along, 0);
        iteration.loaded.insert(address, (value, self.emitter.at));
        value
    }

    /// A number at an address, so many iterations further.
    pub(crate) fn get(&mut self, from: Address, along: &Along, iterations: i64) -> Value {
        let pointer = self.pointer(from, along);
        self.builder.ins().load(F::TYPE, MemFlags::trusted(), pointer, from.offset::<F>(iterations))
    }

    /// Stores a number at an address, so many iterations further.
    pub(crate) fn put(&mut self, value: Value, to: Address, along: &Along, iterations: i64) {
        let pointer = self.pointer(to, along);
        self.builder.ins().store(MemFlags::trusted(), value, pointer, to.offset::<F>(iterations));
    }

    pub(crate) fn pointer(&mut self, Address { array, stride, .. }: Address, Along(along): &Along) -> Value {
        let far = along.iter().find(|(own, _)| *own == stride).expect("every stride is followed").1;
        let array = self.array(array);
        self.builder.ins().iadd(array, far)
    }

    /// After a number of iterations, from the start on.
    pub(crate) fn after(&mut self, of: &Loop, iterations: usize) -> Along {
        let strides = strides(of, &self.emitter.plan.loops);
        let mut far = |stride: i64| self.builder.ins().iconst(types::I64, bytes::<F>(stride, iterations));
        Along(strides.into_iter().map(|stride| (stride, far(stride))).collect())
    }

    /// Jumps into a loop, with what the first iterations are handed on. Gives what each iteration is.
    pub(crate) fn enter(&mut self, of: &Loop, mut start: Vec<Value>) -> (Head, Vec<Value>) {
        let checks = (0..of.run.period).any(|position| matches!(self.item_of(of, position), Item::Check(_)));
        let carried = start.len();
        let Along(along) = self.after(of, 0);
        start.extend(along.iter().map(|(_, far)| *far));
        if checks {
            start.push(self.held.unwrap_or_else(|| self.builder.ins().iconst(types::I8, 1)));
        }
        let block = self.builder.create_block();
        let kinds: Vec<_> = start.iter().map(|value| self.builder.func.dfg.value_type(*value)).collect();
        let mut params: Vec<Value> =
            kinds.into_iter().map(|kind| self.builder.append_block_param(block, kind)).collect();
        let start: Vec<BlockArg> = start.iter().map(|value| BlockArg::from(*value)).collect();
        self.builder.ins().jump(block, &start);
        self.builder.switch_to_block(block);
        let mut rest = params.split_off(carried).into_iter();
        let along = along.iter().map(|(stride, _)| (*stride, rest.next().expect("one for each"))).collect();
        if checks {
            self.held = rest.next();
        }
        (Head { block, along, checks }, params)
    }

    /// Jumps back, with what the next iterations are handed on, until there were so many iterations, `step` at once.
    pub(crate) fn again(&mut self, head: &Head, mut next: Vec<Value>, iterations: usize, step: usize) {
        let first = next.len();
        for (stride, far) in &head.along {
            next.push(self.builder.ins().iadd_imm(*far, bytes::<F>(*stride, step)));
        }
        let more = self.builder.ins().icmp_imm(IntCC::NotEqual, next[first], bytes::<F>(head.along[0].0, iterations));
        next.extend(self.held.filter(|_| head.checks));
        let after = self.builder.create_block();
        let next: Vec<BlockArg> = next.iter().map(|value| BlockArg::from(*value)).collect();
        self.builder.ins().brif(more, head.block, &next, after, &[]);
        self.builder.seal_block(head.block);
        self.builder.seal_block(after);
        self.builder.switch_to_block(after);
    }

    /// What an iteration has computed is at hand from here on.
    pub(crate) fn at_hand(&mut self, of: &Loop, iteration: usize, value: impl Fn(&mut Self, usize) -> Option<Value>) {
        let first = of.run.start + iteration * of.run.period;
        for position in 0..of.run.period {
            if let Item::Compute(node) = self.emitter.plan.rolled.stream.items[first + position]
                && let Some(value) = value(self, position)
            {
                self.emitter.known[node as usize] = Some((value, self.emitter.at));
            }
        }
    }
}

/// What each iteration of a loop starts with.
pub(crate) struct Head {
    block: Block,
    along: Vec<(i64, Value)>,
    checks: bool,
}

impl Head {
    pub(crate) fn along(&self) -> Along {
        Along(self.along.clone())
    }
}

impl Address {
    /// From where the iteration is along its stride to the number, so many iterations further.
    pub(crate) fn offset<F>(&self, iterations: i64) -> i32 {
        offset::<F>(self.first) + (iterations * self.stride) as i32 * size_of::<F>() as i32
    }
}

/// All strides of what a loop reads and writes. There is always one, to count by.
fn strides(of: &Loop, loops: &[Loop]) -> Vec<i64> {
    let read = of.patterns.iter().flat_map(Few::iter).filter_map(|pattern| address(*pattern, loops));
    let written = (0..of.run.period).filter_map(|position| kept(of, position));
    let mut strides: Vec<i64> = read.chain(written).map(|address| address.stride).collect();
    strides.sort_unstable();
    strides.dedup();
    if strides.is_empty() { vec![1] } else { strides }
}

fn bytes<F>(stride: i64, iterations: usize) -> i64 {
    stride * (iterations * size_of::<F>()) as i64
}
