//! Definite assignment (Java Language Specification 16): variables that are declared without a value.
//!
//! The analysis answers two questions. May the variable be assigned twice, so that it needs `mut`? Does a read seem to come before its
//! value, now that jumps are flags? The declaration of a variable that lives in one branch alone moves into that branch.

use crate::ir::var_bits::VarBits;
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, Vars, Visit, blocks, blocks_mut, touched, touches};
use crate::ir::*;

/// Moves declarations into the one branch that the variable lives in: what the reverse sweep keeps of it is kept there, where it has a value.
pub fn into_branches(block: &mut Block, result: &Output) {
    let mut returned = VarBits::default();
    Visit(&mut |v, _| _ = returned.insert(v)).out(result);
    into_branches_of(block, &returned);
}

fn into_branches_of(block: &mut Block, returned: &VarBits) {
    if block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Declare { .. })) {
        move_declarations(block, returned);
    }
    for stmt in &mut block.stmts {
        blocks_mut(stmt).into_iter().for_each(|inner| into_branches_of(inner, returned));
    }
}

fn move_declarations(block: &mut Block, returned: &VarBits) {
    let users = Positions::of(&block.stmts);
    let mut moved = Vec::new();
    for k in (0..block.stmts.len()).rev() {
        if let Stmt::Declare { var } = block.stmts[k]
            && let [at] = *users.after(var, k)
            && let Some(arm) = only_branch(&block.stmts[at], var).filter(|_| !returned.contains(var))
        {
            blocks_mut(&mut block.stmts[at])[arm].stmts.insert(0, Stmt::Declare { var });
            moved.push(k);
        }
    }
    block.remove(&moved);
}

/// The branch of a statement outside of which nobody in it mentions the variable.
fn only_branch(stmt: &Stmt, var: Var) -> Option<usize> {
    let own = Vars::from_iter([var]);
    let asked = match stmt {
        Stmt::If { cond, .. } => cond.depends_on(&own),
        Stmt::Switch { scrutinee, arms } => {
            scrutinee.depends_on(&own) || arms.iter().filter_map(|arm| arm.guard.as_ref()).any(|g| g.depends_on(&own))
        }
        _ => return None,
    };
    let inner = blocks(stmt);
    let mut living = (0..inner.len()).filter(|arm| inner[*arm].stmts.iter().any(|s| touches(s, var)));
    living.next().filter(|_| living.next().is_none() && !asked)
}

/// The declared variables that are written again after their first value.
pub fn reassigned(block: &Block) -> Vars {
    let mut walk = Reassigned::default();
    walk.block(block);
    walk.again
}

/// One walk for all variables.
#[derive(Default)]
struct Reassigned {
    /// Those that a statement before, or one around, declares.
    declared: VarBits,
    /// Those of them that may have a value.
    valued: VarBits,
    /// Those that got one since the branch began that is being walked through.
    new: Vec<Var>,
    again: Vars,
}

impl Reassigned {
    fn block(&mut self, block: &Block) {
        let mut own = Vec::new();
        for stmt in &block.stmts {
            if let Stmt::Declare { var } = stmt {
                self.valued.remove(*var);
                own.extend(self.declared.insert(*var).then_some(*var));
            }
            self.stmt(stmt);
        }
        own.into_iter().for_each(|var| _ = self.declared.remove(var));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign { place, op: Assign::Set, .. } if place.path.is_empty() => self.set(place.root),
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Derived(Derived::Guard { .. }) => {
                self.branches(&blocks(stmt))
            }
            _ => {
                for var in touched(std::slice::from_ref(stmt), &[Access::Write]) {
                    if self.declared.contains(var) {
                        self.again.insert(var);
                    }
                }
                blocks(stmt).into_iter().for_each(|inner| self.block(inner));
            }
        }
    }

    fn set(&mut self, var: Var) {
        if self.valued.insert(var) {
            self.new.push(var);
        } else if self.declared.contains(var) {
            self.again.insert(var);
        }
    }

    /// Each branch begins with the values that there are before all of them.
    fn branches(&mut self, branches: &[&Block]) {
        let (mut before, mut inside) = (std::mem::take(&mut self.new), Vec::new());
        for branch in branches {
            self.block(branch);
            self.new.iter().for_each(|v| _ = self.valued.remove(*v));
            inside.append(&mut self.new);
        }
        self.valued.extend(&inside);
        before.append(&mut inside);
        self.new = before;
    }
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
        stmts.iter().fold(set, |set, stmt| set || self.stmt(stmt, set))
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
