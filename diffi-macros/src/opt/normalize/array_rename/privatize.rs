//! Array privatization (Allen & Kennedy 6): a scratch array moves into the loop that overwrites it.
//!
//! A buffer that is declared before a loop, only to be allocated once, is filled anew by each iteration. Declared inside, it is private to
//! the iteration. No iteration then depends on the one before, and nothing of the buffer outlives the iteration. (The memory is another
//! matter: derivative code takes it from a pool.)

use crate::analysis::fills::Fills;
use crate::ir::visit::{Vars, blocks_mut, touches};
use crate::ir::*;

/// Moves what can be moved.
pub fn privatize(fills: &Fills, block: &mut Block, kept: &Vars) {
    while let Some((from, into)) = candidate(fills, block, kept) {
        let declaration = scratch(block.stmts.remove(from));
        if let Stmt::For(on) = &mut block.stmts[into - 1] {
            on.body.stmts.insert(0, declaration);
        }
    }
    for stmt in &mut block.stmts {
        for inner in blocks_mut(stmt) {
            privatize(fills, inner, kept);
        }
    }
}

/// A declaration and the only statement that mentions it, a loop that fills it first.
fn candidate(fills: &Fills, block: &Block, kept: &Vars) -> Option<(usize, usize)> {
    block.stmts.iter().enumerate().find_map(|(from, stmt)| {
        let (Stmt::Let { var, expr: Expr::VecRepeat { value: Operand::Passive(_), len } }
        | Stmt::Let { var, expr: Expr::Scratch { len } }) = stmt
        else {
            return None;
        };
        if kept.contains(var) {
            return None;
        }
        let mut users = (from + 1..block.stmts.len()).filter(|k| touches(&block.stmts[*k], *var));
        let into = users.next()?;
        let alone = users.next().is_none();
        let filled = matches!(&block.stmts[into], Stmt::For(on) if fills.fills(&on.body, *var, len));
        (alone && filled).then_some((from, into))
    })
}

/// The loop sets every element first.
fn scratch(stmt: Stmt) -> Stmt {
    match stmt {
        Stmt::Let { var, expr: Expr::VecRepeat { len, .. } } => Stmt::Let { var, expr: Expr::Scratch { len } },
        other => other,
    }
}
