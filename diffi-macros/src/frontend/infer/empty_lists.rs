//! What empty lists hold: what is stored beside them says it, or what the list holds that they become a part of, or the variable that they are
//! stored in.
//!
//! `vec![Vec::new(), Vec::new()]` says nothing of its rows. What is pushed to them later does, and generated code that copies a row needs its
//! type where it stands.

use crate::frontend::syntax::types::{element, join};
use crate::ir::visit::parts::shared::blocks;
use crate::ir::*;

/// Gives parts of lists the types that the lists have, the outer lists first: they stand after their parts.
pub fn settle(vars: &mut [VarInfo], body: &Block) {
    for stmt in body.stmts.iter().rev() {
        blocks(stmt).into_iter().rev().for_each(|inner| settle(vars, inner));
        match stmt {
            Stmt::Let { var, expr: Expr::VecOf(all) | Expr::Array(all) } => {
                let held = element(&vars[var.0 as usize].ty);
                all.iter().for_each(|part| settle_part(vars, part, &held));
            }
            Stmt::Let { var, expr: Expr::VecRepeat { value, .. } | Expr::Repeat { value, .. } } => {
                let held = element(&vars[var.0 as usize].ty);
                settle_part(vars, value, &held);
            }
            Stmt::Assign { place, op: Assign::Set, value, .. } if place.path.is_empty() => {
                let whole = vars[place.root.0 as usize].ty.clone();
                settle_part(vars, value, &whole);
            }
            Stmt::Push { place, value, .. } if place.path.is_empty() => {
                let held = element(&vars[place.root.0 as usize].ty);
                settle_part(vars, value, &held);
            }
            _ => {}
        }
    }
}

/// What becomes something of this type has it.
fn settle_part(vars: &mut [VarInfo], part: &Operand, held: &Ty) {
    if let Operand::Place(p) = part
        && p.path.is_empty()
        && let ty = &mut vars[p.root.0 as usize].ty
        && matches!(ty, Ty::Vec(_) | Ty::Array(_))
    {
        *ty = join(std::mem::replace(ty, Ty::Unknown), held.clone());
    }
}
