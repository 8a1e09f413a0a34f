//! The variables that calls may change, and through which no derivative flows.

use crate::ir::visit::{Vars, blocks};
use crate::ir::{CallArg, Derived, Expr, Stmt};

/// The variables that calls, or sweeps of calls, are lent.
pub fn lent_variables(stmts: &[Stmt]) -> Vars {
    let mut found = Vars::new();
    for stmt in stmts {
        let call = match stmt {
            Stmt::Let { expr: Expr::Call(call), .. } => Some(call),
            Stmt::Derived(Derived::Sweep(sweep)) => Some(&sweep.call),
            _ => None,
        };
        let lent = call.into_iter().flat_map(|call| &call.args).filter_map(|arg| match arg {
            CallArg::Lent(o) => Some(&o.reads),
            _ => None,
        });
        found.extend(lent.flatten().copied());
        blocks(stmt).into_iter().for_each(|block| found.extend(lent_variables(&block.stmts)));
    }
    found
}
