//! Array privatization (Allen & Kennedy 6): a scratch array moves into the loop that overwrites it.
//!
//! A buffer that is declared before a loop, only to be allocated once, is filled anew by each iteration. Declared inside, it is private to
//! the iteration. No iteration then depends on the one before, and nothing of the buffer outlives the iteration. (The memory is another
//! matter: derivative code takes it from a pool.)

use crate::analysis::fills::Fills;
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Vars, blocks_mut};
use crate::ir::*;

/// Moves what can be moved.
pub fn privatize(fills: &Fills, block: &mut Block, kept: &Vars) {
    while move_some(fills, block, kept) {}
    for stmt in &mut block.stmts {
        for inner in blocks_mut(stmt) {
            privatize(fills, inner, kept);
        }
    }
}

/// Whether any declarations have moved: others, whose lengths these read, may be next.
fn move_some(fills: &Fills, block: &mut Block, kept: &Vars) -> bool {
    if !block.stmts.iter().any(|stmt| scratch(stmt).is_some()) {
        return false;
    }
    let users = Positions::of(&block.stmts);
    let mut moved = Vec::new();
    for from in 0..block.stmts.len() {
        let Some((var, len)) = scratch(&block.stmts[from]).filter(|(var, _)| !kept.contains(var)) else { continue };
        if let [into] = *users.after(var, from)
            && let Stmt::For(on) = &mut block.stmts[into]
            && fills.fills(&on.body, var, &len)
        {
            on.body.stmts.insert(0, Stmt::Let { var, expr: Expr::Scratch { len } });
            moved.push(from);
        }
    }
    moved.reverse();
    block.remove(&moved);
    !moved.is_empty()
}

/// An array that is declared with one number in all elements, or none, and its length.
fn scratch(stmt: &Stmt) -> Option<(Var, PassiveCode)> {
    match stmt {
        Stmt::Let { var, expr: Expr::VecRepeat { value: Operand::Passive(_), len } | Expr::Scratch { len } } => {
            Some((*var, len.clone()))
        }
        _ => None,
    }
}
