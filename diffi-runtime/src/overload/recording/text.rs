//! Programs as text: Rust source, a line for every operation.

use super::{Node, Op, Program};
use crate::number::float::Base;
use std::fmt::{self, Display, Formatter, Write};

/// A program to be read. As text it is the source of a block: `let` for what is used more than once, then all outputs in an
/// array. The inputs are `x[0]`, `x[1]`, .., other numbers among the arguments `c[0]`, `c[1]`, .., seeds `dy[0]`, `dy[1]`, ..
#[derive(Clone, Debug)]
pub struct Expressions<F> {
    program: Program<F>,
    /// How many leaves are arguments; the others are seeds.
    arguments: usize,
}

impl<F: Base> Expressions<F> {
    pub(crate) fn new(program: Program<F>, arguments: usize) -> Self {
        Expressions { program, arguments }
    }

    /// How many operations there are.
    pub fn operations(&self) -> usize {
        self.program.steps.iter().filter(|step| step.op.arity() > 0).count()
    }

    /// Which outputs are zero wherever the inputs are.
    pub fn zeros(&self) -> Vec<bool> {
        let zero =
            |node: &Node| self.program.constants.iter().any(|(at, value)| at == node && *value == <F as Base>::ZERO);
        self.program.outputs.iter().map(zero).collect()
    }
}

impl<F: Base> Display for Expressions<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = Text::of(self);
        f.write_str("{\n")?;
        for (at, step) in self.program.steps.iter().enumerate() {
            if step.op.arity() > 0 && text.is_named(at as Node) {
                writeln!(f, "    let t{at} = {};", text.operation(at as Node, 0))?;
            }
        }
        let outputs: Vec<String> = self.program.outputs.iter().map(|node| text.node(*node, 0)).collect();
        write!(f, "    [{}]\n}}", outputs.join(", "))
    }
}

struct Text<'p, F> {
    program: &'p Program<F>,
    arguments: usize,
    uses: Vec<usize>,
}

/// How tightly sums, products and everything else bind.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const TIGHT: u8 = 3;

impl<'p, F: Base> Text<'p, F> {
    fn of(Expressions { program, arguments }: &'p Expressions<F>) -> Self {
        let mut uses = vec![0; program.steps.len()];
        let operands = program.steps.iter().flat_map(|step| &step.operands[..step.nodes()]);
        operands.chain(&program.outputs).for_each(|node| uses[*node as usize] += 1);
        Text { program, arguments: *arguments, uses }
    }

    fn is_named(&self, node: Node) -> bool {
        self.uses[node as usize] > 1
    }

    /// A node where something binds as tightly as `outer`.
    fn node(&self, node: Node, outer: u8) -> String {
        match self.program.steps[node as usize].op {
            Op::leaf => self.leaf(node),
            Op::constant => self.constant(node, outer),
            _ if self.is_named(node) => format!("t{node}"),
            _ => self.operation(node, outer),
        }
    }

    fn leaf(&self, node: Node) -> String {
        let program = self.program;
        if let Some(at) = program.inputs.iter().position(|input| *input == node) {
            return format!("x[{at}]");
        }
        match (node as usize).checked_sub(self.arguments) {
            Some(at) => format!("dy[{at}]"),
            None => format!("c[{}]", (0..node).filter(|n| !program.inputs.contains(n)).count()),
        }
    }

    fn constant(&self, node: Node, outer: u8) -> String {
        let value = self.program.constants.iter().find(|(at, _)| *at == node).map_or(f64::NAN, |(_, v)| v.as_f64());
        if value < 0.0 && outer > 0 { format!("({value:?})") } else { format!("{value:?}") }
    }

    fn operation(&self, node: Node, outer: u8) -> String {
        let step = &self.program.steps[node as usize];
        let [a, b, c] = step.operands;
        let infix = |sign: &str, own: u8| {
            let text = format!("{} {sign} {}", self.node(a, own), self.node(b, own + 1));
            if own < outer { format!("({text})") } else { text }
        };
        match step.op {
            Op::add => infix("+", SUM),
            Op::sub => infix("-", SUM),
            Op::mul => infix("*", PRODUCT),
            Op::div => infix("/", PRODUCT),
            Op::rem => infix("%", PRODUCT),
            Op::neg if outer > 0 => format!("(-{})", self.node(a, TIGHT)),
            Op::neg => format!("-{}", self.node(a, TIGHT)),
            op => {
                let mut text = format!("{}.{}(", self.node(a, TIGHT), op.name());
                let rest = match op {
                    op if op.has_integer() => format!("{}", b as i32),
                    _ => [b, c][..op.arity() - 1].iter().map(|n| self.node(*n, 0)).collect::<Vec<_>>().join(", "),
                };
                let _ = write!(text, "{rest})");
                text
            }
        }
    }
}
