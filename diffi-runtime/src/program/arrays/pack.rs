//! From single operations to entries.

use super::order::groups;
use super::runs::{Run, runs};
use super::{Arrays, Entry, Operand, Part};
use crate::base::Base;
use crate::program::{Guard, Node, Op, Program, Step};
use crate::real::Real;

/// A node that is no value any more: a sum on its way.
const NOWHERE: Node = Node::MAX;

impl<F: Base> Program<F> {
    /// The same program with whole arrays as entries, and its values; as it is, if it has no loops.
    ///
    /// Every operation has the operands that it had, in an order in which they come before it: values are the same to the last bit.
    pub(crate) fn packed(self, values: Vec<F::Number>) -> (Program<F>, Vec<F::Number>) {
        let mut packing = Packing::of(&self);
        if !packing.pack() {
            return (self, values);
        }
        let Packing { places, steps, arrays, .. } = packing;
        let mut moved = vec![F::Number::from_base(F::lit(0.0)); arrays.nodes];
        for (place, value) in places.iter().zip(&values).filter(|(place, _)| **place != NOWHERE) {
            moved[*place as usize] = *value;
        }
        let place = |node: Node| places[node as usize];
        let packed = Program {
            steps,
            arrays,
            constants: self.constants.into_iter().map(|(node, value)| (place(node), value)).collect(),
            leaves: self.leaves,
            inputs: self.inputs,
            outputs: self.outputs.into_iter().map(place).collect(),
            guards: self.guards.into_iter().map(|g| Guard { a: place(g.a), b: place(g.b), ..g }).collect(),
            linear: self.linear,
        };
        (packed, moved)
    }
}

/// Entries that are being written.
struct Packing<'a> {
    from: &'a [Step],
    /// The nodes that are operations, and how many of these come before a node.
    operations: Vec<Node>,
    ranks: Vec<u32>,
    /// How often each node is read, as an operand or at the end.
    uses: Vec<u32>,
    places: Vec<Node>,
    steps: Vec<Step>,
    arrays: Arrays,
}

impl<'a> Packing<'a> {
    fn of<F: Base>(program: &'a Program<F>) -> Self {
        let from = &program.steps[..];
        let (mut operations, mut ranks, mut uses) = (Vec::new(), Vec::with_capacity(from.len()), vec![0; from.len()]);
        for (step, node) in from.iter().zip(0..) {
            ranks.push(operations.len() as u32);
            step.operands[..step.nodes()].iter().for_each(|operand| uses[*operand as usize] += 1);
            if step.nodes() > 0 {
                operations.push(node);
            }
        }
        let kept = program.guards.iter().flat_map(|guard| [guard.a, guard.b]).chain(program.outputs.iter().copied());
        kept.for_each(|node| uses[node as usize] += 1);
        let arrays = Arrays::default();
        Packing { from, operations, ranks, uses, places: vec![NOWHERE; from.len()], steps: Vec::new(), arrays }
    }

    /// Whether there are loops.
    fn pack(&mut self) -> bool {
        let keys: Vec<u64> = self.operations.iter().map(|node| key(&self.from[*node as usize])).collect();
        let runs = runs(&keys);
        if runs.is_empty() {
            return false;
        }
        for node in 0..self.from.len() {
            if self.from[node].nodes() == 0 {
                self.places[node] = self.place(1);
            }
        }
        let mut done = 0;
        for run in runs {
            (done..run.start).for_each(|k| self.single(self.operations[k]));
            self.run(&run);
            done = run.range().end;
        }
        (done..self.operations.len()).for_each(|k| self.single(self.operations[k]));
        let Arrays { parts, together, listed, .. } = &mut self.arrays;
        parts.shrink_to_fit();
        together.shrink_to_fit();
        listed.shrink_to_fit();
        self.steps.shrink_to_fit();
        true
    }

    /// Room for so many values.
    fn place(&mut self, count: usize) -> Node {
        let place = self.arrays.nodes as Node;
        self.arrays.nodes += count;
        place
    }

    fn single(&mut self, node: Node) {
        self.places[node as usize] = self.place(1);
        self.step(node);
    }

    /// An operation that has its place.
    fn step(&mut self, node: Node) {
        let mut step = self.from[node as usize];
        let nodes = step.nodes();
        step.operands.iter_mut().take(nodes).for_each(|operand| *operand = self.places[*operand as usize]);
        let (place, next) = (self.places[node as usize], self.steps.len() as u32);
        self.steps.push(step);
        match self.arrays.parts.last_mut() {
            Some(Part::Single { steps, at }) if steps.end == next && *at + steps.len() as u32 == place => {
                steps.end += 1
            }
            _ => self.arrays.parts.push(Part::Single { steps: next..next + 1, at: place }),
        }
    }

    /// The node of an operation of a loop's body in one of the trips.
    fn node(&self, run: &Run, position: u32, trip: usize) -> Node {
        self.operations[run.start + trip * run.period + position as usize]
    }

    /// The position in the body of a node that the loop computes.
    fn position(&self, run: &Run, node: Node) -> Option<u32> {
        let rank = self.ranks[node as usize] as usize;
        let is_within = self.from[node as usize].nodes() > 0 && run.range().contains(&rank);
        is_within.then(|| ((rank - run.start) % run.period) as u32)
    }

    fn run(&mut self, run: &Run) {
        let mut reads = vec![Vec::new(); run.period];
        for (position, reads) in (0..).zip(&mut reads) {
            for trip in 0..run.trips {
                let step = &self.from[self.node(run, position, trip) as usize];
                for read in step.operands[..step.nodes()].iter().filter_map(|node| self.position(run, *node)) {
                    // What is read in one trip is read in all of them but a few.
                    if !reads.contains(&read) {
                        reads.push(read);
                    }
                }
            }
        }
        for group in groups(&reads) {
            match group[..] {
                [position] if !reads[position as usize].contains(&position) => self.each(run, position),
                [position] if self.is_sum(run, position) => self.sums(run, position),
                _ => self.together(run, &group),
            }
        }
    }

    fn each(&mut self, run: &Run, position: u32) {
        let at = self.place(run.trips);
        self.spread(run, position, at);
        let entry = self.entry(run, position, at, 0);
        self.arrays.parts.push(Part::Each { entry, trips: run.trips as u32 });
    }

    /// Gives the values of an operation places one after another.
    fn spread(&mut self, run: &Run, position: u32, at: Node) {
        for trip in 0..run.trips {
            let node = self.node(run, position, trip);
            self.places[node as usize] = at + trip as Node;
        }
    }

    /// An operation in all trips from some trip on.
    fn entry(&mut self, run: &Run, position: u32, at: Node, from: usize) -> Entry {
        let step = self.from[self.node(run, position, from) as usize];
        let mut operands = step.operands.map(Operand::Integer);
        for (k, operand) in operands.iter_mut().enumerate().take(step.nodes()) {
            *operand = self.operand(run, position, k, from..run.trips);
        }
        Entry { op: step.op, at: at + from as Node, operands }
    }

    fn operand(&mut self, run: &Run, position: u32, k: usize, trips: std::ops::Range<usize>) -> Operand {
        let place = |trip: usize| self.places[self.from[self.node(run, position, trip) as usize].operands[k] as usize];
        let first = place(trips.start);
        let stride = trips.clone().nth(1).map_or(0, |second| place(second).wrapping_sub(first) as i32);
        let in_row = |trip: usize| first.wrapping_add_signed(stride.wrapping_mul((trip - trips.start) as i32));
        if trips.clone().all(|trip| place(trip) == in_row(trip)) {
            let node = self.from[self.node(run, position, trips.start) as usize].operands[k];
            if stride == 0 && self.from[node as usize].op == Op::constant {
                return Operand::Constant(first);
            }
            return Operand::Row { first, stride };
        }
        let places: Vec<Node> = trips.map(place).collect();
        let from = self.arrays.listed.len() as u32;
        self.arrays.listed.extend(places);
        Operand::Listed(from)
    }

    /// The trip before which nothing else reads what an operation found, if it goes on from there.
    fn goes_on(&self, run: &Run, position: u32, trip: usize) -> bool {
        let step = &self.from[self.node(run, position, trip) as usize];
        trip > 0 && {
            let before = self.node(run, position, trip - 1);
            step.operands[0] == before && self.uses[before as usize] == 1
        }
    }

    /// Whether the operation does nothing but add up, in sums that are long enough.
    fn is_sum(&self, run: &Run, position: u32) -> bool {
        let mut sums = 0;
        let adds_up = (0..run.trips).all(|trip| {
            let step = &self.from[self.node(run, position, trip) as usize];
            let goes_on = self.goes_on(run, position, trip);
            sums += usize::from(!goes_on);
            let reads_sums = |node: Node| self.position(run, node) == Some(position);
            matches!(step.op, Op::add | Op::sub)
                && !reads_sums(step.operands[1])
                && (goes_on || !reads_sums(step.operands[0]))
        });
        adds_up && sums * 4 <= run.trips
    }

    fn sums(&mut self, run: &Run, position: u32) {
        let mut from = 0;
        while from < run.trips {
            let end = (from + 1..run.trips).find(|trip| !self.goes_on(run, position, *trip)).unwrap_or(run.trips);
            let Step { op, operands: [start, ..] } = self.from[self.node(run, position, from) as usize];
            let start = self.places[start as usize];
            let terms = self.operand(run, position, 1, from..end);
            let at = self.place(1);
            let last = self.node(run, position, end - 1);
            self.places[last as usize] = at;
            self.arrays.parts.push(Part::Sum { op, at, start, terms, trips: (end - from) as u32 });
            from = end;
        }
    }

    /// The first trip often reads what was there before the loop: it stays outside.
    fn together(&mut self, run: &Run, group: &[u32]) {
        for position in group {
            let at = self.place(run.trips);
            self.spread(run, *position, at);
        }
        for position in group {
            self.step(self.node(run, *position, 0));
        }
        let first = self.arrays.together.len() as u32;
        for position in group {
            let at = self.places[self.node(run, *position, 0) as usize];
            let entry = self.entry(run, *position, at, 1);
            self.arrays.together.push(entry);
        }
        let entries = first..self.arrays.together.len() as u32;
        self.arrays.parts.push(Part::Together { entries, trips: run.trips as u32 - 1 });
    }
}

/// What has to be the same in all trips: the operation, and integers.
fn key(step: &Step) -> u64 {
    let integer = if step.op == Op::powi { step.operands[1] } else { 0 };
    u64::from(integer) << 8 | step.op as u64
}
