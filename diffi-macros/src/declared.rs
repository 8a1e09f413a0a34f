//! Variables that are declared without a value: which of them may be assigned twice, and so need `mut`, and which seem to be read
//! before they have one, now that jumps are flags.

use crate::ir::*;
use crate::walk::{Touch, Vars, Visit, blocks, touched};

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

/// Whether a declared variable seems to be read before it has a value: the user's code left a loop by a jump where it now goes on.
pub fn is_read_unset(stmts: &[Stmt], result: &Out, var: Var) -> bool {
    let mut walk = Unset { var, read: false };
    let set = walk.stmts(stmts, false);
    let mut returned = false;
    Visit(&mut |v, touch| returned |= v == var && touch == Touch::Read).out(result);
    walk.read || returned && !set
}

struct Unset {
    var: Var,
    read: bool,
}

impl Unset {
    /// Whether the variable has a value for sure after the statements.
    fn stmts(&mut self, stmts: &[Stmt], set: bool) -> bool {
        stmts.iter().fold(set, |set, stmt| self.stmt(stmt, set))
    }

    fn stmt(&mut self, stmt: &Stmt, set: bool) -> bool {
        match stmt {
            Stmt::If { cond, then, els } => {
                self.opaque(cond, set);
                let (then, els) = (self.stmts(&then.stmts, set), self.stmts(&els.stmts, set));
                then && els
            }
            Stmt::Switch { scrutinee, arms } => {
                self.opaque(scrutinee, set);
                let ends: Vec<bool> = arms.iter().map(|arm| self.stmts(&arm.body.stmts, set)).collect();
                ends.into_iter().all(|end| end)
            }
            Stmt::For(f) => {
                self.stmts(&f.body.stmts, set);
                set
            }
            Stmt::While { prelude, cond, body, .. } => {
                let set = self.stmts(&prelude.stmts, set);
                self.opaque(cond, set);
                self.stmts(&body.stmts, set);
                set
            }
            other => {
                let touches = |way| touched(std::slice::from_ref(other), &[way]).contains(&self.var);
                self.read |= !set && touches(Touch::Read);
                set || touches(Touch::Write)
            }
        }
    }

    fn opaque(&mut self, o: &Opaque, set: bool) {
        self.read |= !set && o.reads.contains(&self.var);
    }
}
