//! Passive values that nobody reads any more: what read them is left out, and with it may be what told their types.

use super::*;
use crate::ir::purity::{is_blank, repeatable};
use crate::ir::visit::{Access, Visit, blocks_mut};

/// The body without what is never read, the result being read last.
pub fn without_unread(mut body: Block, result: &Output) -> Block {
    loop {
        let mut read = Vars::new();
        let mut note = |var, touch| {
            if touch != Access::Define {
                read.insert(var);
            }
        };
        let mut visit = Visit(&mut note);
        visit.block(&body);
        visit.out(result);
        if !leave_out(&mut body, &read) {
            return body;
        }
    }
}

fn leave_out(block: &mut Block, read: &Vars) -> bool {
    let before = block.stmts.len();
    block.stmts.retain(|stmt| match stmt {
        Stmt::Let { var, expr: Expr::Passive(o) } if repeatable(o) || is_blank(&o.tokens) => read.contains(var),
        Stmt::Declare { var } => read.contains(var),
        _ => true,
    });
    let mut found = block.stmts.len() < before;
    for stmt in &mut block.stmts {
        for inner in blocks_mut(stmt) {
            found |= leave_out(inner, read);
        }
    }
    found
}
