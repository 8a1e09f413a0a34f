//! Loops that were recorded and are found again: the same bits as the straight line, in code of the length of their bodies.

use diffi_jit::{Comparison, Guard, Instruction, Node, Source, compile};

extern "C" fn sin(x: f64) -> f64 {
    x.sin()
}

/// A source that is written as a program writes it.
#[derive(Default)]
struct Writer {
    instructions: Vec<Instruction<f64>>,
    outputs: Vec<Node>,
    guards: Vec<Guard>,
    second: Option<usize>,
}

impl Writer {
    fn new(inputs: usize) -> (Self, Vec<Node>) {
        let mut writer = Writer::default();
        let inputs = (0..inputs).map(|_| writer.push(Instruction::Input)).collect();
        (writer, inputs)
    }

    fn push(&mut self, instruction: Instruction<f64>) -> Node {
        self.instructions.push(instruction);
        self.instructions.len() as Node - 1
    }

    fn number(&mut self, value: f64) -> Node {
        self.push(Instruction::Constant(value))
    }

    fn add(&mut self, a: Node, b: Node) -> Node {
        self.push(Instruction::Add(a, b))
    }

    fn sub(&mut self, a: Node, b: Node) -> Node {
        self.push(Instruction::Sub(a, b))
    }

    fn mul(&mut self, a: Node, b: Node) -> Node {
        self.push(Instruction::Mul(a, b))
    }

    fn sin(&mut self, a: Node) -> Node {
        self.push(Instruction::Call1(sin, a))
    }

    fn source(self) -> Source<f64> {
        let second = self.second.unwrap_or(self.instructions.len());
        Source { instructions: self.instructions, outputs: self.outputs, guards: self.guards, second }
    }
}

/// One instruction after the other; and whether all guards hold.
fn interpreted(source: &Source<f64>, inputs: &[f64], seeds: &[f64]) -> (Vec<u64>, bool) {
    let (mut inputs, mut seeds, mut values) = (inputs.iter(), seeds.iter(), Vec::<f64>::new());
    let compare = |values: &[f64], comparison, a: Node, b: Node| match comparison {
        Comparison::Less => values[a as usize] < values[b as usize],
        Comparison::LessOrEqual => values[a as usize] <= values[b as usize],
        Comparison::Equal => values[a as usize] == values[b as usize],
    };
    for instruction in &source.instructions {
        let v = |node: Node| values[node as usize];
        let value = match *instruction {
            Instruction::Input => *inputs.next().unwrap(),
            Instruction::Seed => *seeds.next().unwrap(),
            Instruction::Constant(value) => value,
            Instruction::Add(a, b) => v(a) + v(b),
            Instruction::Sub(a, b) => v(a) - v(b),
            Instruction::Mul(a, b) => v(a) * v(b),
            Instruction::Div(a, b) => v(a) / v(b),
            Instruction::Neg(a) => -v(a),
            Instruction::Abs(a) => v(a).abs(),
            Instruction::Sqrt(a) => v(a).sqrt(),
            Instruction::Copysign(a, b) => v(a).copysign(v(b)),
            Instruction::Powi(a, n) => v(a).powi(n),
            Instruction::Select(comparison, a, b, c, d) => {
                if compare(&values, comparison, a, b) {
                    v(c)
                } else {
                    v(d)
                }
            }
            Instruction::Call1(f, a) => f(v(a)),
            _ => unreachable!("these tests do without"),
        };
        values.push(value);
    }
    let held = source.guards.iter().all(|guard| match *guard {
        Guard::Compare(comparison, a, b, outcome) => compare(&values, comparison, a, b) == outcome,
        Guard::Order(a, b, order) => values[a as usize].partial_cmp(&values[b as usize]) == order,
        Guard::Bits(a, bits) => values[a as usize].to_bits() == bits,
    });
    (source.outputs.iter().map(|node| values[*node as usize].to_bits()).collect(), held)
}

/// Code and instructions agree at some points; how long the code is.
fn agree(source: &Source<f64>, name: &str) -> usize {
    let mut function = compile(source).unwrap();
    for point in 0..3 {
        let inputs: Vec<f64> = (0..source.inputs()).map(|i| 0.5 + ((i * 7 + point) as f64).sin()).collect();
        let seeds: Vec<f64> = (0..source.seeds()).map(|i| 1.0 - ((i * 5 + point) as f64).cos()).collect();
        let (expected, held) = interpreted(source, &inputs, &seeds);
        let mut found = vec![f64::NAN; expected.len()];
        let first = function.first(&inputs, &mut found);
        let second = function.second(&inputs, &seeds, &mut found);
        assert_eq!(first && second, held, "{name}");
        let found: Vec<u64> = found.into_iter().map(f64::to_bits).collect();
        assert_eq!(found, expected, "{name}, point {point}");
    }
    function.length()
}

fn sums(n: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(n);
    let mut sum = w.number(0.0);
    for x in x {
        sum = w.add(sum, x);
    }
    w.outputs = vec![sum];
    w.source()
}

fn windows(n: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(n);
    let (mut sum, hundred, one) = (w.number(0.0), w.number(100.0), w.number(1.0));
    for x in x.windows(2) {
        let square = w.mul(x[0], x[0]);
        let valley = w.sub(x[1], square);
        let slope = w.sub(one, x[0]);
        let (valley, slope) = (w.mul(valley, valley), w.mul(slope, slope));
        let valley = w.mul(hundred, valley);
        let both = w.add(valley, slope);
        sum = w.add(sum, both);
        w.outputs.push(valley);
    }
    w.outputs.push(sum);
    w.source()
}

/// Each number of the two before.
fn two_ago(n: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(2);
    let (mut a, mut b) = (x[0], x[1]);
    for _ in 0..n {
        let c = w.mul(a, x[1]);
        (a, b) = (b, w.sub(c, b));
    }
    w.outputs = vec![b, a, x[0]];
    w.source()
}

/// A product of values forwards, and the second phase back through them.
fn there_and_back(n: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(n);
    let mut products = vec![x[0]];
    for x in &x[1..] {
        let sine = w.sin(products[products.len() - 1]);
        let product = w.mul(sine, *x);
        products.push(product);
    }
    w.second = Some(w.instructions.len());
    let mut bar = w.push(Instruction::Seed);
    for k in (1..n).rev() {
        let of_x = w.mul(bar, products[k - 1]);
        bar = w.mul(bar, x[k]);
        w.outputs.push(of_x);
    }
    w.outputs.push(bar);
    w.source()
}

/// Constants that differ from iteration to iteration.
fn tables(n: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(n);
    let mut sum = x[0];
    for (k, x) in x.iter().enumerate() {
        let weight = w.number(1.0 / (k + 1) as f64);
        let term = w.mul(weight, *x);
        sum = w.add(sum, term);
    }
    w.outputs = vec![sum];
    w.source()
}

/// What comes before and after each row is another thing than what comes again within it.
fn nested(rows: usize, columns: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(rows * columns);
    let start = w.number(0.0);
    let mut total = start;
    for row in x.chunks(columns) {
        let mut sum = start;
        for x in row {
            let square = w.mul(*x, *x);
            sum = w.add(sum, square);
        }
        let sine = w.sin(sum);
        total = w.sub(total, sine);
        w.outputs.push(sum);
    }
    w.outputs.push(total);
    w.source()
}

/// Rows of different lengths.
fn triangle(n: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(n);
    for i in 0..n {
        let mut sum = x[i];
        for j in 0..i {
            let product = w.mul(x[i], x[j]);
            sum = w.add(sum, product);
        }
        w.outputs.push(sum);
    }
    w.source()
}

/// Every iteration decides; the last decision is for the other side.
fn decisions(n: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(n);
    let low = w.number(-0.4);
    let mut sum = x[0];
    for (k, x) in x.iter().enumerate() {
        w.guards.push(Guard::Compare(Comparison::Less, low, *x, true));
        let square = w.mul(*x, *x);
        w.guards.push(Guard::Compare(Comparison::LessOrEqual, low, square, k + 1 < n));
        let chosen = w.push(Instruction::Select(Comparison::Less, *x, square, *x, square));
        sum = w.add(sum, chosen);
    }
    w.outputs = vec![sum];
    w.source()
}

/// Sweeps over a grid, each of which reads what the last one has written.
fn grid(n: usize, sweeps: usize) -> Source<f64> {
    let (mut w, mut u) = Writer::new(n);
    let half = w.number(0.5);
    for _ in 0..sweeps {
        let mut next = u.clone();
        for i in 1..n - 1 {
            let sides = w.add(u[i - 1], u[i + 1]);
            let mean = w.mul(half, sides);
            next[i] = w.sub(mean, u[i]);
        }
        u = next;
    }
    w.outputs = u;
    w.source()
}

/// Name, source, and how long its code may be at most.
/// The gradient of a chain: what an iteration computes is read in the next one, and written backwards or apart.
fn gradient(n: usize, backwards: bool) -> Source<f64> {
    let (mut w, x) = Writer::new(n);
    let (hundred, one, mut carried) = (w.number(100.0), w.number(1.0), w.number(0.0));
    for x in x.windows(2) {
        let square = w.mul(x[0], x[0]);
        let valley = w.sub(x[1], square);
        let valley = w.mul(hundred, valley);
        let opposite = w.push(Instruction::Neg(valley));
        let through = w.mul(x[0], opposite);
        let slope = w.sub(one, x[0]);
        let all = w.sub(through, slope);
        let all = w.add(all, carried);
        w.outputs.push(all);
        carried = valley;
    }
    w.outputs.push(carried);
    if backwards {
        w.outputs.reverse();
    }
    w.source()
}

/// All that vectors can do, beside what they cannot, what depends on itself, and what was computed two iterations ago.
fn mixture(n: usize) -> Source<f64> {
    let (mut w, x) = Writer::new(2 * n);
    let (mut product, mut before, mut long_before) = (w.number(1.0), x[0], x[1]);
    for i in 0..n {
        let (a, b) = (x[i], x[2 * n - 1 - i]);
        let apart = w.add(x[2 * i], long_before);
        let quotient = w.push(Instruction::Div(apart, b));
        let size = w.push(Instruction::Abs(quotient));
        let root = w.push(Instruction::Sqrt(size));
        let power = w.push(Instruction::Powi(root, [3, -2][usize::from(n.is_multiple_of(2))]));
        let signed = w.push(Instruction::Copysign(power, a));
        let decided = w.push(Instruction::Select(Comparison::Less, a, b, signed, quotient));
        product = w.mul(product, decided);
        let sum = w.add(product, before);
        w.outputs.extend([sum, root]);
        (long_before, before) = (before, root);
    }
    w.outputs.extend([product, before, long_before]);
    w.source()
}

/// However many iterations there are: turns of two or four leave some over.
#[test]
fn iterations_in_pairs_have_the_bits_of_single_ones() {
    for n in 5..30 {
        for (name, source, longest) in [
            ("gradient", gradient(n, false), 40),
            ("gradient, backwards", gradient(n, true), 40),
            ("mixture", mixture(n), 60),
            ("windows", windows(n), 32),
            ("there and back", there_and_back(n), 40),
        ] {
            let length = agree(&source, &format!("{name}, {n}"));
            assert!(n < 12 || length <= longest, "{name}, {n}: {length} items");
        }
    }
}

#[test]
fn loops_have_the_bits_of_the_straight_line() {
    for (name, source, longest) in [
        ("sums", sums(1000), 4),
        ("few sums", sums(5), 6),
        ("windows", windows(500), 24),
        ("two ago", two_ago(400), 12),
        ("there and back", there_and_back(300), 24),
        ("tables", tables(300), 8),
        ("nested", nested(40, 12), 60),
        ("long rows", nested(6, 700), 120),
        ("triangle", triangle(40), 400),
        ("decisions", decisions(200), 40),
        ("grid", grid(60, 30), 300),
    ] {
        let length = agree(&source, name);
        assert!(length <= longest, "{name}: {length} items");
    }
}

#[test]
fn failing_guards_of_loops_are_noticed() {
    let n = 50;
    let mut source = decisions(n);
    source.guards.truncate(2 * n - 2);
    let mut function = compile(&source).unwrap();
    assert!(function.length() < 30);
    let mut x = vec![0.5; n];
    assert!(function.first(&x, &mut [0.0]));
    for i in [0, 1, 7, n - 2] {
        x[i] = -0.4;
        assert!(!function.first(&x, &mut [0.0]), "{i}");
        x[i] = 0.5;
    }
}

/// Loops around loops around random statements, in two phases.
#[test]
fn random_programs() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    let mut rolled = 0;
    for case in 0..120 {
        let n = 8 + random(40);
        let (mut w, x) = Writer::new(n);
        let mut live: Vec<Node> = x.clone();
        for phase in 0..2 {
            if phase == 1 {
                w.second = Some(w.instructions.len());
                live.push(w.push(Instruction::Seed));
            }
            for _ in 0..1 + random(3) {
                // What a statement reads: an input along the loop, a number of an earlier loop from the front or the back, the last
                // results, anything that stays the same, or a constant.
                let body: Vec<[usize; 5]> =
                    (0..1 + random(5)).map(|_| [random(4), random(7), random(7), random(3), random(3)]).collect();
                let (iterations, earlier, inner) = (3 + random(30), live.clone(), 1 + random(4));
                let fixed = earlier[random(earlier.len())];
                for iteration in 0..iterations {
                    for turn in 0..inner {
                        for [op, a, b, far, written] in &body {
                            let mut operand = |kind: usize| match kind {
                                0 => x[(iteration + far) % n],
                                1 => earlier[(iteration * inner + turn) % earlier.len()],
                                2 => earlier[earlier.len() - 1 - iteration % earlier.len()],
                                3 => fixed,
                                4 => w.push(Instruction::Constant(if *far == 0 { iteration as f64 } else { 0.25 })),
                                5 => live[live.len() - 1],
                                _ => live[live.len() - 1 - (*far).min(live.len() - 1)],
                            };
                            let (a, b) = (operand(*a), operand(*b));
                            let node = match op {
                                0 => w.add(a, b),
                                1 => w.sub(a, b),
                                2 => w.mul(a, b),
                                _ => w.sin(a),
                            };
                            if *written == 0 {
                                w.outputs.push(node);
                            }
                            if *written == 1 && *far == 1 && phase == 0 {
                                w.guards.push(Guard::Compare(Comparison::Less, a, node, iteration % 7 == 0));
                            }
                            live.push(node);
                        }
                    }
                }
            }
        }
        w.outputs.extend(live.iter().rev().take(3));
        let source = w.source();
        let all =
            source.instructions.iter().filter(|i| !matches!(i, Instruction::Input | Instruction::Constant(_))).count();
        rolled += usize::from(agree(&source, &format!("case {case}")) < all / 2);
    }
    assert!(rolled > 60, "loops were found in {rolled} of 120 programs");
}
