//! Statements that only add to cotangents: they commute with each other.

use crate::ir::visit::{Vars, Visit, blocks};
use crate::ir::*;

/// Whether all that a statement does with these variables is to add to them, a call to one of them at most.
pub fn only_adds(stmt: &Stmt, to: &Vars) -> bool {
    let (mut touches, mut touched) = (0, Vars::new());
    Visit(&mut |var, _| {
        if to.contains(&var) {
            touches += 1;
            touched.insert(var);
        }
    })
    .head(stmt);
    let additions = match stmt {
        Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } => usize::from(to.contains(&place.root)),
        Stmt::Derived(Derived::Acc { place, .. }) => usize::from(to.contains(&place.root)),
        Stmt::Derived(Derived::Sweep(sweep)) if touched.len() == 1 => {
            let given = sweep.bars.iter().zip(&sweep.call.args).filter(|(_, arg)| !matches!(arg, CallArg::Mut(_)));
            let bars = given.filter_map(|(bar, _)| bar.as_ref()).filter(|(place, _)| to.contains(&place.root));
            // which it reads and writes; that of an argument which the function changes is not only added to
            2 * bars.filter(|(place, _)| !sweep.fresh.contains(&place.root)).count()
        }
        _ => 0,
    };
    touches == additions && blocks(stmt).into_iter().flat_map(|block| &block.stmts).all(|inner| only_adds(inner, to))
}
