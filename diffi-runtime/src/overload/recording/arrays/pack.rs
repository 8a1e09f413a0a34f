//! From single operations to entries.

use super::order::groups;
use super::runs::{Run, runs};
use super::{Arrays, Entry, Operand, Part};
use crate::number::float::Base;
use crate::number::real::Real;
use crate::overload::recording::{Guard, Node, Op, Program, Step};

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

    /// The node of an operation of a loop's body in one of the iterations.
    fn node(&self, run: &Run, position: u32, iteration: usize) -> Node {
        self.operations[run.start + iteration * run.period + position as usize]
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
            for iteration in 0..run.iterations {
                let step = &self.from[self.node(run, position, iteration) as usize];
                for read in step.operands[..step.nodes()].iter().filter_map(|node| self.position(run, *node)) {
                    // What is read in one iteration is read in all of them but a few.
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
        let at = self.place(run.iterations);
        self.spread(run, position, at);
        let entry = self.entry(run, position, at, 0);
        self.arrays.parts.push(Part::Each { entry, iterations: run.iterations as u32 });
    }

    /// Gives the values of an operation places one after another.
    fn spread(&mut self, run: &Run, position: u32, at: Node) {
        for iteration in 0..run.iterations {
            let node = self.node(run, position, iteration);
            self.places[node as usize] = at + iteration as Node;
        }
    }

    /// An operation in all iterations from some iteration on.
    fn entry(&mut self, run: &Run, position: u32, at: Node, from: usize) -> Entry {
        let step = self.from[self.node(run, position, from) as usize];
        let mut operands = step.operands.map(Operand::Integer);
        for (k, operand) in operands.iter_mut().enumerate().take(step.nodes()) {
            *operand = self.operand(run, position, k, from..run.iterations);
        }
        Entry { op: step.op, at: at + from as Node, operands }
    }

    fn operand(&mut self, run: &Run, position: u32, k: usize, iterations: std::ops::Range<usize>) -> Operand {
        let place = |iteration: usize| {
            self.places[self.from[self.node(run, position, iteration) as usize].operands[k] as usize]
        };
        let first = place(iterations.start);
        let stride = iterations.clone().nth(1).map_or(0, |second| place(second).wrapping_sub(first) as i32);
        let in_row =
            |iteration: usize| first.wrapping_add_signed(stride.wrapping_mul((iteration - iterations.start) as i32));
        if iterations.clone().all(|iteration| place(iteration) == in_row(iteration)) {
            let node = self.from[self.node(run, position, iterations.start) as usize].operands[k];
            if stride == 0 && self.from[node as usize].op == Op::constant {
                return Operand::Constant(first);
            }
            return Operand::Row { first, stride };
        }
        let places: Vec<Node> = iterations.map(place).collect();
        let from = self.arrays.listed.len() as u32;
        self.arrays.listed.extend(places);
        Operand::Listed(from)
    }

    /// The iteration before which nothing else reads what an operation found, if it goes on from there.
    fn goes_on(&self, run: &Run, position: u32, iteration: usize) -> bool {
        let step = &self.from[self.node(run, position, iteration) as usize];
        iteration > 0 && {
            let before = self.node(run, position, iteration - 1);
            step.operands[0] == before && self.uses[before as usize] == 1
        }
    }

    /// Whether the operation does nothing but add up, in sums that are long enough.
    fn is_sum(&self, run: &Run, position: u32) -> bool {
        let mut sums = 0;
        let adds_up = (0..run.iterations).all(|iteration| {
            let step = &self.from[self.node(run, position, iteration) as usize];
            let goes_on = self.goes_on(run, position, iteration);
            sums += usize::from(!goes_on);
            let reads_sums = |node: Node| self.position(run, node) == Some(position);
            matches!(step.op, Op::add | Op::sub)
                && !reads_sums(step.operands[1])
                && (goes_on || !reads_sums(step.operands[0]))
        });
        adds_up && sums * 4 <= run.iterations
    }

    fn sums(&mut self, run: &Run, position: u32) {
        let mut from = 0;
        while from < run.iterations {
            let end = (from + 1..run.iterations)
                .find(|iteration| !self.goes_on(run, position, *iteration))
                .unwrap_or(run.iterations);
            let Step { op, operands: [start, ..] } = self.from[self.node(run, position, from) as usize];
            let start = self.places[start as usize];
            let terms = self.operand(run, position, 1, from..end);
            let at = self.place(1);
            let last = self.node(run, position, end - 1);
            self.places[last as usize] = at;
            self.arrays.parts.push(Part::Sum { op, at, start, terms, iterations: (end - from) as u32 });
            from = end;
        }
    }

    /// The first iteration often reads what was there before the loop: it stays outside.
    fn together(&mut self, run: &Run, group: &[u32]) {
        for position in group {
            let at = self.place(run.iterations);
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
        self.arrays.parts.push(Part::Together { entries, iterations: run.iterations as u32 - 1 });
    }
}

/// What has to be the same in all iterations: the operation, and integers.
fn key(step: &Step) -> u64 {
    let integer = if step.op.has_integer() { step.operands[1] } else { 0 };
    u64::from(integer) << 8 | step.op as u64
}

#[cfg(test)]
mod tests {
    use crate::overload::recording::pull::Plain;
    use crate::overload::recording::{Node, Op, Program, Step};

    /// Numbers that look random, from a linear congruential generator.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % n
        }
    }

    const LEAVES: usize = 40;
    const OPERATIONS: [Op; 7] = [Op::add, Op::add, Op::sub, Op::mul, Op::sin, Op::tanh, Op::midpoint];

    /// A loop or two, with single operations before, between and after: operands are leaves and constants by strides, what was found a
    /// few operations before, and anything.
    fn program(random: &mut Random) -> Program<f64> {
        let mut steps = vec![Step { op: Op::leaf, operands: [0; 3] }; LEAVES];
        let mut constants = Vec::new();
        for (k, value) in [0.5, -1.25].into_iter().enumerate() {
            constants.push(((LEAVES + k) as Node, value));
            steps.push(Step { op: Op::constant, operands: [0; 3] });
        }
        for _ in 0..1 + random.below(2) {
            let (period, iterations) = (1 + random.below(5), 1 + random.below(30));
            let body: Vec<(Op, [(usize, usize); 2])> = (0..period)
                .map(|_| {
                    (OPERATIONS[random.below(7)], [(); 2].map(|()| (random.below(6), 1 + random.below(2 * period))))
                })
                .collect();
            for iteration in 0..iterations {
                for (op, operands) in &body {
                    let now = steps.len();
                    let operands = operands.map(|(kind, k)| match kind {
                        0 => (k + iteration) % LEAVES,
                        1 => LEAVES + k % 2,
                        2 => random.below(now),
                        3 => (3 * iteration + k) % LEAVES,
                        _ => now - k.min(now),
                    });
                    steps.push(Step { op: *op, operands: [operands[0] as Node, operands[1] as Node, 0] });
                }
            }
            let last = (steps.len() - 1) as Node;
            (0..random.below(3)).for_each(|_| steps.push(Step { op: Op::tanh, operands: [last, 0, 0] }));
        }
        let outputs = vec![(steps.len() - 1) as Node, random.below(steps.len()) as Node];
        let inputs = (0..LEAVES as Node).collect();
        Program { steps, constants, leaves: LEAVES, inputs, outputs, ..Program::default() }
    }

    /// The values of outputs, and adjoints of inputs where all outputs have 1.
    fn run(program: &Program<f64>, at: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut values: Vec<f64> = Vec::new();
        program.start(&mut values);
        values[..LEAVES].copy_from_slice(at);
        program.run(&mut values);
        let mut adjoints = vec![Plain(0.0); values.len()];
        program.outputs.iter().for_each(|node| adjoints[*node as usize] += Plain(1.0));
        program.pull(&values, &mut adjoints);
        let outputs = program.outputs.iter().map(|node| values[*node as usize]);
        (outputs.collect(), adjoints[..LEAVES].iter().map(|adjoint| adjoint.0).collect())
    }

    /// A derivative is at most as far away as rounding leads.
    fn close(found: &[f64], expected: &[f64], program: &Program<f64>) -> bool {
        let size = expected.iter().fold(1.0, |size: f64, g| size.max(g.abs()));
        let comparable = size < 1e6 && expected.iter().all(|g| g.is_finite());
        for (a, b) in found.iter().zip(expected).filter(|_| comparable) {
            assert!((a - b).abs() <= 1e-9 * size, "{found:?}, expected {expected:?}: {program:?}");
        }
        comparable
    }

    fn bits(numbers: &[f64]) -> Vec<u64> {
        numbers.iter().map(|number| number.to_bits()).collect()
    }

    /// The same as machine code, of programs in which most operations have loops of their own or share one.
    #[cfg(feature = "compiled")]
    #[test]
    fn random_loops_as_code() {
        use crate::overload::recording::arrays::Code;
        use crate::overload::recording::simplify::Simplify;
        let mut random = Random(11);
        let (mut codes, mut compared) = (0, 0);
        for _ in 0..400 {
            let plain = program(&mut random);
            let at: Vec<f64> = (0..LEAVES).map(|_| random.below(1000) as f64 / 500.0 - 1.0).collect();
            let mut values = Vec::new();
            plain.start(&mut values);
            values[..LEAVES].copy_from_slice(&at);
            plain.run(&mut values);
            let (packed, values) = plain.clone().packed(values);
            if packed.arrays.is_empty() {
                continue;
            }
            let Some(mut code) = Code::new(&packed, &values, Simplify::Exactly, |_| usize::MAX) else { continue };
            codes += 1;
            for at in [at.clone(), at.iter().map(|x| 0.5 - x).collect()] {
                let (y, expected) = run(&plain, &at);
                assert!(code.forward(&at));
                code.backward(&[1.0, 1.0]);
                assert_eq!(bits(&y), bits(&[code.output(0), code.output(1)]), "{plain:?}");
                let found: Vec<f64> = (0..code.inputs()).map(|k| code.adjoint(k)).collect();
                compared += usize::from(close(&found, &expected, &plain));
            }
        }
        assert!(codes > 50 && compared > 50, "{codes} programs are code, {compared} points were compared");
    }

    #[test]
    fn random_loops() {
        let mut random = Random(7);
        let (mut arrays, mut compared) = (0, 0);
        for _ in 0..3000 {
            let plain = program(&mut random);
            let (packed, _) = plain.clone().packed(vec![0.0; plain.steps.len()]);
            arrays += usize::from(!packed.arrays.is_empty());
            let at: Vec<f64> = (0..LEAVES).map(|_| random.below(1000) as f64 / 500.0 - 1.0).collect();
            let ((y, expected), (found_y, found)) = (run(&plain, &at), run(&packed, &at));
            assert_eq!(bits(&y), bits(&found_y));
            compared += usize::from(close(&found, &expected, &plain));
        }
        assert!(arrays > 1500 && compared > 1500, "{arrays} programs have arrays, {compared} were compared");
    }
}
