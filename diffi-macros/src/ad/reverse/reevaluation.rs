//! Whether callers evaluate a function again, in the place of a forward sweep.

use crate::ad::reverse::SplitAdjoint;
use crate::frontend::arrays::user_elements::is_element;
use crate::ir::purity::repeatable;
use crate::ir::visit::blocks;
use crate::ir::*;

/// Whether to evaluate the function again costs no more than to keep what its reverse sweep needs: it writes to nothing but
/// variables, and its forward sweep is the function itself, without tape frames and without sweeps of other functions; or it is a
/// formula.
pub fn is_evaluated_again(function: &Function, split: &SplitAdjoint) -> bool {
    let read_only = |p: &Param| matches!(p.passing, Passing::Value | Passing::Ref);
    let element = function.owner.is_some() && is_element(&function.name);
    if element || function.params.iter().any(|p| p.function.is_some()) {
        return false;
    }
    let number = matches!(function.result, Output::Float(_));
    let formula = || function.body.stmts.iter().all(|s| matches!(s, Stmt::Let { .. }) && is_repeatable(s));
    let bare = || split.forward.stmts.iter().all(keeps_nothing);
    number && function.params.iter().all(read_only) && (formula() || bare())
}

fn keeps_nothing(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { .. } | Stmt::Declare { .. } | Stmt::Assign { .. } => is_repeatable(stmt),
        Stmt::If { .. } | Stmt::For(_) => blocks(stmt).iter().all(|b| b.stmts.iter().all(keeps_nothing)),
        Stmt::Derived(Derived::Loop(l)) => l.frame.is_none() && l.on.body.stmts.iter().all(keeps_nothing),
        _ => false,
    }
}

/// Neither memory is taken nor another function called.
fn is_repeatable(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Op { .. } | Expr::Operand(_) | Expr::Array(_) | Expr::Tuple(_) | Expr::Struct(_) | Expr::Zero => true,
            Expr::Passive(o) => repeatable(o),
            _ => false,
        },
        _ => true,
    }
}
