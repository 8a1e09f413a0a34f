//! The operands of assignments and operations.

use crate::ir::visit::{Visit, blocks_mut};
use crate::ir::*;

/// The operands of an assignment or an operation.
pub fn operands(stmt: &mut Stmt) -> &mut [Operand] {
    match stmt {
        Stmt::Let { expr: Expr::Op { args, .. }, .. } => args,
        Stmt::Let { expr: Expr::Operand(value), .. } | Stmt::Assign { value, .. } => std::slice::from_mut(value),
        _ => &mut [],
    }
}

/// The operands of assignments and of operations, nested blocks included.
pub fn each_operand(block: &mut Block, f: &mut dyn FnMut(&mut Operand)) {
    for stmt in &mut block.stmts {
        operands(stmt).iter_mut().for_each(&mut *f);
        blocks_mut(stmt).into_iter().for_each(|inner| each_operand(inner, f));
    }
}

/// Whether the operand reads the variable.
pub fn touches_operand(operand: &Operand, var: Var) -> bool {
    let mut found = false;
    Visit(&mut |v, _| found |= v == var).operand(operand);
    found
}
