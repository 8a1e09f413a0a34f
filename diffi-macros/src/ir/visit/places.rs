//! The places of a simple statement.

use crate::ir::visit::blocks;
use crate::ir::visit::parts::{Use, mutable, shared};
use crate::ir::*;

/// The places that a simple statement reads (false) or writes (true), the written one first.
pub fn each_place(stmt: &Stmt, f: &mut dyn FnMut(&Place, bool)) {
    if is_simple(stmt) {
        shared::head(stmt, &mut |part| {
            if let shared::Part::Place(place, used) = part {
                f(place, used == Use::Write);
            }
        });
    }
}

/// Those of all simple statements in a block.
pub fn each_place_in(block: &Block, f: &mut dyn FnMut(&Place, bool)) {
    for stmt in &block.stmts {
        each_place(stmt, f);
        blocks(stmt).into_iter().for_each(|inner| each_place_in(inner, f));
    }
}

/// Those of a simple statement, to be changed.
pub fn each_place_mut(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Place)) {
    if is_simple(stmt) {
        mutable::head(stmt, &mut |part| {
            if let mutable::Part::Place(place, _) = part {
                f(place);
            }
        });
    }
}

/// Whether a statement computes a number or a struct, or assigns one.
fn is_simple(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr, .. } => matches!(
            expr,
            Expr::Operand(_)
                | Expr::Struct(_)
                | Expr::Op { .. }
                | Expr::Array(_)
                | Expr::VecOf(_)
                | Expr::Tuple(_)
                | Expr::Fresh { .. }
        ),
        Stmt::Assign { .. } | Stmt::Derived(Derived::Clear { whole: false, .. }) => true,
        _ => false,
    }
}
