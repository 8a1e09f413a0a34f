//! Arrays that each iteration of a loop sets anew, declared once: bodies over any number type have no pool of memory to take them from.

use super::*;
use crate::analysis::tbr::{is_loop, reshaped};
use crate::ir::purity::cannot_fail;
use crate::ir::visit::blocks_mut;

/// Moves declarations of scratch arrays out of loops that do not determine their lengths, as far as they go.
pub fn declared_outside(block: &mut Block) {
    block.surround(|stmt| {
        blocks_mut(stmt).into_iter().for_each(declared_outside);
        let mut inside = touched(std::slice::from_ref(stmt), &[Access::Define, Access::Write]);
        let (mut before, changing) = (Vec::new(), reshaped(std::slice::from_ref(stmt)));
        if let Stmt::For(on) = stmt {
            inside.insert(on.var);
        }
        if is_loop(stmt) {
            for body in blocks_mut(stmt) {
                before.extend(body.stmts.extract_if(.., |s| is_same_in_every_iteration(s, &inside, &changing)));
            }
        }
        (before, Vec::new())
    });
}

/// Whether a statement declares an array of a length that no iteration decides, and that is there if no iteration comes.
fn is_same_in_every_iteration(stmt: &Stmt, inside: &Vars, changing: &Vars) -> bool {
    let Stmt::Let { var, expr: Expr::Scratch { len } } = stmt else { return false };
    !len.depends_on(inside) && !changing.contains(var) && cannot_fail(len)
}
