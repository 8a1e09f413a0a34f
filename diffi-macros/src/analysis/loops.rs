//! Loop analysis (LLVM's LoopInfo): nesting, plain counted loops, and the variables that vary with an iteration.

use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;

/// Whether a block has no loops.
pub fn is_innermost(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| match stmt {
        Stmt::For(_)
        | Stmt::While { .. }
        | Stmt::Derived(Derived::Loop(_) | Derived::Times { .. } | Derived::Sweep(_)) => false,
        Stmt::Let { expr: Expr::Call(_), .. } => true,
        other => blocks(other).into_iter().all(is_innermost),
    })
}

/// Whether a loop of derivative code runs all its iterations, and its frames lie in their order.
pub fn is_simple(l: &Loop) -> bool {
    let upwards = l.on.down == (l.sweep == LoopSweep::AdjointReversed);
    l.iterations.is_none()
        && l.first.is_empty()
        && l.lanes.is_empty()
        && l.walks.is_empty()
        && (upwards || l.frame.is_none())
}

/// Adds what depends on varying variables; whether there was any.
pub fn vary(block: &Block, own: &Vars, varying: &mut Vars) -> bool {
    let before = varying.len();
    for stmt in &block.stmts {
        let inner = blocks(stmt);
        if let Stmt::Derived(Derived::View { var, place, .. }) = stmt {
            // what is written to a part is written to the whole
            if [var, &place.root].into_iter().any(|v| varying.contains(v)) {
                varying.extend([*var, place.root]);
            }
        }
        if inner.is_empty() && depends_on(stmt, varying) {
            let made = touched(std::slice::from_ref(stmt), &[Access::Define, Access::Write]);
            varying.extend(made.intersection(own).copied());
        }
        inner.into_iter().for_each(|inner| _ = vary(inner, own, varying));
    }
    varying.len() > before
}

fn depends_on(stmt: &Stmt, varying: &Vars) -> bool {
    let sweep = matches!(stmt, Stmt::Derived(Derived::Sweep(_)));
    sweep || !touched(std::slice::from_ref(stmt), &[Access::Read]).is_disjoint(varying)
}

pub fn is_array(ty: &Ty) -> bool {
    matches!(ty, Ty::Vec(e) | Ty::Slice(e) if **e == Ty::Float)
}
