//! Which variables that are declared without a value need `mut`: the ones that may be assigned twice.

use crate::ir::*;
use crate::walk::{Touch, Vars, blocks, touched};

/// The declared variables that are written again after their first value.
pub fn reassigned(block: &Block) -> Vars {
    let mut found = Vars::new();
    for (k, stmt) in block.stmts.iter().enumerate() {
        if let Stmt::Declare { var } = stmt {
            let mut again = false;
            assigned(&block.stmts[k + 1..], *var, false, &mut again);
            found.extend(again.then_some(*var));
        }
        found.extend(blocks(stmt).into_iter().flat_map(reassigned));
    }
    found
}

/// Whether the variable may have a value after the statements; notes whether one of them replaces a value.
fn assigned(stmts: &[Stmt], var: Var, before: bool, again: &mut bool) -> bool {
    stmts.iter().fold(before, |before, stmt| match stmt {
        Stmt::Assign { place, op: Assign::Set, .. } if place.root == var && place.path.is_empty() => {
            *again |= before;
            true
        }
        Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Derived(Derived::Guard { .. }) => {
            blocks(stmt).into_iter().fold(before, |all, b| assigned(&b.stmts, var, before, again) || all)
        }
        _ => {
            let written = touched(std::slice::from_ref(stmt), &[Touch::Write]).contains(&var);
            *again |= written;
            before || written
        }
    })
}
