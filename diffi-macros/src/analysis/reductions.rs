//! Reductions (Allen & Kennedy 5; LLVM's RecurrenceDescriptor): numbers to which the iterations of a loop only add.

use crate::ir::symbols::Table;
use crate::ir::visit::operands::touches_operand;
use crate::ir::visit::{Access, Vars, touched, touches};
use crate::ir::*;

/// The numbers from outside that the iterations of a loop write to.
pub struct Reductions {
    /// Those that they add to, and do nothing else with.
    pub sums: Vars,
    /// All others.
    pub others: Vars,
}

impl Reductions {
    /// Those of the statements of an iteration.
    pub fn of(table: &Table, stmts: &[Stmt]) -> Self {
        let own = touched(stmts, &[Access::Define]);
        let written = touched(stmts, &[Access::Write]);
        let numbers = written.into_iter().filter(|v| *table.ty(*v) == Ty::Float && !own.contains(v));
        let is_sum = |v: &Var| !table.is_ref(*v) && !table.is_cell(*v) && stmts.iter().all(|s| adds(s, *v));
        let (sums, others): (Vec<Var>, Vec<Var>) = numbers.partition(is_sum);
        Reductions { sums: sums.into_iter().collect(), others: others.into_iter().collect() }
    }
}

/// Whether a statement leaves `var` alone, or adds to it what does not depend on it.
fn adds(stmt: &Stmt, var: Var) -> bool {
    match stmt {
        Stmt::Derived(Derived::Guard { body, .. }) => body.stmts.iter().all(|s| adds(s, var)),
        Stmt::Assign { place, op: Assign::Add | Assign::Sub, value, .. } if place.root == var => {
            place.path.is_empty() && !touches_operand(value, var)
        }
        other => !touches(other, var),
    }
}
