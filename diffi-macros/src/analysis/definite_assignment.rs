//! Definite assignment (Java Language Specification 16): variables that are declared without a value.
//!
//! The analysis answers two questions. May the variable be assigned twice, so that it needs `mut`? Does a read seem to come before its
//! value, now that jumps are flags? The declaration of a variable that lives in one branch alone moves into that branch.

use crate::ir::visit::{Access, Vars, Visit, blocks, blocks_mut, touched, touches};
use crate::ir::*;

/// Moves declarations into the one branch that the variable lives in: what the reverse sweep keeps of it is kept there, where it has a value.
pub fn into_branches(block: &mut Block, result: &Output) {
    for k in (0..block.stmts.len()).rev() {
        if let Stmt::Declare { var } = block.stmts[k]
            && let Some((at, arm)) = only_branch(&block.stmts, k, var).filter(|_| !is_returned(result, var))
        {
            blocks_mut(&mut block.stmts[at])[arm].stmts.insert(0, Stmt::Declare { var });
            block.stmts.remove(k);
        }
    }
    for stmt in &mut block.stmts {
        blocks_mut(stmt).into_iter().for_each(|inner| into_branches(inner, result));
    }
}

/// The statement after the declaration, and its branch, outside of which nobody mentions the variable.
fn only_branch(stmts: &[Stmt], declared: usize, var: Var) -> Option<(usize, usize)> {
    let mut users = (declared + 1..stmts.len()).filter(|at| touches(&stmts[*at], var));
    let at = users.next().filter(|_| users.next().is_none())?;
    let own = Vars::from_iter([var]);
    let asked = match &stmts[at] {
        Stmt::If { cond, .. } => cond.depends_on(&own),
        Stmt::Switch { scrutinee, arms } => {
            scrutinee.depends_on(&own) || arms.iter().filter_map(|arm| arm.guard.as_ref()).any(|g| g.depends_on(&own))
        }
        _ => return None,
    };
    let inner = blocks(&stmts[at]);
    let mut living = (0..inner.len()).filter(|arm| inner[*arm].stmts.iter().any(|s| touches(s, var)));
    let arm = living.next().filter(|_| living.next().is_none() && !asked)?;
    Some((at, arm))
}

fn is_returned(result: &Output, var: Var) -> bool {
    let mut returned = false;
    Visit(&mut |v, _| returned |= v == var).out(result);
    returned
}

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
            let written = touched(std::slice::from_ref(stmt), &[Access::Write]).contains(&var);
            *again |= written;
            before || written
        }
    })
}

/// Whether a declared variable seems to be read before it has a value: the user's code left a loop by a jump where it now goes on.
pub fn is_read_unset(stmts: &[Stmt], result: &Output, var: Var) -> bool {
    let mut walk = Unset { var, read: false };
    let set = walk.stmts(stmts, false);
    let mut returned = false;
    Visit(&mut |v, touch| returned |= v == var && touch == Access::Read).out(result);
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
                self.passive_code(cond, set);
                let (then, els) = (self.stmts(&then.stmts, set), self.stmts(&els.stmts, set));
                then && els
            }
            Stmt::Switch { scrutinee, arms } => {
                self.passive_code(scrutinee, set);
                let ends: Vec<bool> = arms.iter().map(|arm| self.stmts(&arm.body.stmts, set)).collect();
                ends.into_iter().all(|end| end)
            }
            Stmt::For(f) => {
                self.stmts(&f.body.stmts, set);
                set
            }
            Stmt::While { prelude, cond, body, .. } => {
                let set = self.stmts(&prelude.stmts, set);
                self.passive_code(cond, set);
                self.stmts(&body.stmts, set);
                set
            }
            other => {
                let touches = |way| touched(std::slice::from_ref(other), &[way]).contains(&self.var);
                self.read |= !set && touches(Access::Read);
                set || touches(Access::Write)
            }
        }
    }

    fn passive_code(&mut self, o: &PassiveCode, set: bool) {
        self.read |= !set && o.reads.contains(&self.var);
    }
}
