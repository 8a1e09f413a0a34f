//! What a function divides by. The derivative of a root among these takes the quotient's reciprocal, `0.5 * (1 / r)` for `0.5 / r`:
//! the same number, as a half is a power of two and no root is near the ends of the range, and one division less.

use crate::ir::visit::{Vars, blocks};
use crate::ir::*;

/// The variables that something is divided by.
pub fn divisors(block: &Block) -> Vars {
    let mut found = Vars::new();
    add(block, &mut found);
    found
}

fn add(block: &Block, found: &mut Vars) {
    for stmt in &block.stmts {
        if let Stmt::Let { expr: Expr::Op { op, args, .. }, .. } = stmt {
            found.extend(divisor(op, args).and_then(Operand::as_var));
        }
        blocks(stmt).into_iter().for_each(|inner| add(inner, found));
    }
}

fn divisor<'o>(op: &Op, args: &'o [Operand]) -> Option<&'o Operand> {
    match op {
        Op::Div => args.get(1),
        Op::PseudoInverse | Op::Fn("recip") => args.first(),
        _ => None,
    }
}
