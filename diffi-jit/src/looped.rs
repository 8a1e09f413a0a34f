//! A run as a loop: a block that jumps to itself, with a count, a pointer for every stride, and what one trip hands to the next.

use crate::Float;
use crate::emit::{Body, SHORT, offset};
use crate::few::Few;
use crate::parts::{Array, Loop, Pattern};
use crate::stream::Item;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlags, Value, types};
use std::collections::HashMap;

/// Where a trip finds something, or puts it: in an array, at a stride from trip to trip, so far from where the array starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Address {
    array: Array,
    stride: i64,
    first: u32,
}

/// The address of what a pattern reads or writes.
fn address(pattern: Pattern, loops: &[Loop]) -> Option<Address> {
    match pattern {
        Pattern::Along { array, first, stride } => Some(Address { array, stride, first }),
        Pattern::Kept { run, position, trip, stride } => {
            let of = &loops[run];
            let first = of.slot(trip, position).expect("what other loops read is kept");
            Some(Address { array: Array::Kept, stride: stride * i64::from(of.width()), first })
        }
        Pattern::Same(_) | Pattern::Own(_) | Pattern::Carried(_) => None,
    }
}

/// Where the number at a position is kept.
fn kept(of: &Loop, position: usize) -> Option<Address> {
    let stride = i64::from(of.width());
    of.slot(0, position).map(|first| Address { array: Array::Kept, stride, first })
}

/// What one trip has so far.
struct Trip {
    /// Where each array and stride is at.
    pointers: Vec<((Array, i64), Value)>,
    /// What the trips before have handed on: first what is read.
    carried: Vec<Vec<Value>>,
    /// What each position has computed.
    values: Vec<Option<Value>>,
    /// What is at hand, and since which item.
    loaded: HashMap<Address, (Value, usize)>,
}

impl Trip {
    fn pointer(&self, Address { array, stride, .. }: Address) -> Value {
        let found = self.pointers.iter().find(|(key, _)| *key == (array, stride));
        found.expect("there is a pointer for every stride").1
    }
}

impl<F: Float> Body<'_, '_, '_, '_, F> {
    pub(crate) fn looped(&mut self, of: &Loop) {
        let plan = self.emitter.plan;
        let item = |position: usize| plan.rolled.stream.items[of.run.start + position];
        let checks = (0..of.run.period).any(|position| matches!(item(position), Item::Check(_)));
        let mut keys: Vec<(Array, i64)> = Vec::new();
        let addresses = of.patterns.iter().flat_map(Few::iter).filter_map(|pattern| address(*pattern, &plan.loops));
        for Address { array, stride, .. } in addresses.chain((0..of.run.period).filter_map(|p| kept(of, p))) {
            if !keys.contains(&(array, stride)) {
                keys.push((array, stride));
            }
        }

        let mut start = vec![self.builder.ins().iconst(types::I64, of.run.trips as i64)];
        start.extend(keys.iter().map(|(array, _)| self.array(*array)));
        for carried in &of.carried {
            start.extend(carried.initial.map(|node| self.value(node)));
        }
        if checks {
            start.push(self.held.unwrap_or_else(|| self.builder.ins().iconst(types::I8, 1)));
        }
        let block = self.builder.create_block();
        let mut params = start.iter().map(|value| {
            let kind = self.builder.func.dfg.value_type(*value);
            self.builder.append_block_param(block, kind)
        });
        let mut param = || params.next().expect("a parameter for everything");
        let count = param();
        let pointers = keys.iter().map(|key| (*key, param())).collect();
        let carried = of.carried.iter().map(|carried| carried.initial.map(|_| param())).collect();
        let mut trip = Trip { pointers, carried, values: Vec::new(), loaded: HashMap::new() };
        if checks {
            self.held = Some(param());
        }
        drop(params);
        self.jump(block, &start);
        self.builder.switch_to_block(block);
        (0..of.run.period).for_each(|position| self.step(of, position, item(position), &mut trip));

        let mut next = vec![self.builder.ins().iadd_imm(count, -1)];
        for ((_, stride), pointer) in &trip.pointers {
            next.push(self.builder.ins().iadd_imm(*pointer, stride * size_of::<F>() as i64));
        }
        for (carried, values) in of.carried.iter().zip(&trip.carried) {
            next.extend(&values[1..]);
            next.push(trip.values[carried.position as usize].expect("it was computed"));
        }
        next.extend(self.held.filter(|_| checks));
        let after = self.builder.create_block();
        let again: Vec<BlockArg> = next.iter().map(|value| BlockArg::from(*value)).collect();
        self.builder.ins().brif(next[0], block, &again, after, &[]);
        self.builder.seal_block(block);
        self.builder.seal_block(after);
        self.builder.switch_to_block(after);
        self.leave(of, &trip);
    }

    fn jump(&mut self, block: cranelift_codegen::ir::Block, with: &[Value]) {
        let with: Vec<BlockArg> = with.iter().map(|value| BlockArg::from(*value)).collect();
        self.builder.ins().jump(block, &with);
    }

    /// One item of a trip.
    fn step(&mut self, of: &Loop, position: usize, item: Item, trip: &mut Trip) {
        self.emitter.at += 1;
        let loops = &self.emitter.plan.loops;
        let mut patterns = of.patterns[position].iter();
        if let Item::Write(..) = item {
            let [from, to] = [patterns.next(), patterns.next()].map(|pattern| *pattern.expect("there are two"));
            let value = self.operand(from, trip);
            self.put(value, address(to, loops).expect("outputs are an array"), trip);
            trip.values.push(None);
            return;
        }
        let operands: Vec<Value> = patterns.map(|pattern| self.operand(*pattern, trip)).collect();
        let value = self.perform(item, &operands);
        trip.values.push(value);
        if let (Some(value), Some(address)) = (value, kept(of, position)) {
            self.put(value, address, trip);
        }
    }

    fn operand(&mut self, pattern: Pattern, trip: &mut Trip) -> Value {
        match pattern {
            Pattern::Same(node) => return self.value(node),
            Pattern::Own(position) => return trip.values[position as usize].expect("it was computed"),
            Pattern::Carried(k) => return trip.carried[k][0],
            Pattern::Along { .. } | Pattern::Kept { .. } => {}
        }
        let address = address(pattern, &self.emitter.plan.loops).expect("it is in an array");
        if let Some((value, since)) = trip.loaded.get(&address)
            && self.emitter.at - since <= SHORT
        {
            return *value;
        }
        let flags = MemFlags::trusted();
        let value = self.builder.ins().load(F::TYPE, flags, trip.pointer(address), offset::<F>(address.first));
        trip.loaded.insert(address, (value, self.emitter.at));
        value
    }

    fn put(&mut self, value: Value, to: Address, trip: &Trip) {
        self.builder.ins().store(MemFlags::trusted(), value, trip.pointer(to), offset::<F>(to.first));
    }

    /// What the last trip has computed is at hand.
    fn leave(&mut self, of: &Loop, trip: &Trip) {
        let last = of.run.end() - of.run.period;
        for (position, value) in trip.values.iter().enumerate() {
            if let (Item::Compute(node), Some(value)) = (self.emitter.plan.rolled.stream.items[last + position], value)
            {
                self.emitter.known[node as usize] = Some((*value, self.emitter.at));
            }
        }
    }
}
