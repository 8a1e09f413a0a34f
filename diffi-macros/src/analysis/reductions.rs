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

/// The statements that add to one number, or to one element, in every iteration of a loop.
pub struct RunningSums {
    /// Which they are.
    pub at: Vec<usize>,
    /// What they add to. It lives longer than an iteration, and the loop does nothing else with it.
    pub totals: Vars,
}

impl RunningSums {
    /// Those of a loop.
    pub fn of(on: &For) -> Self {
        let stmts = &on.body.stmts[..];
        let (own, written) = (touched(stmts, &[Access::Define]), touched(stmts, &[Access::Write]));
        let stays = |at: &PassiveCode| !at.reads.contains(&on.var) && !at.depends_on(&own) && !at.depends_on(&written);
        let total = |at: usize| total(&stmts[at], &stays).filter(|to| !own.contains(to)).map(|to| (at, to));
        let all: Vec<(usize, Var)> = (0..stmts.len()).filter_map(total).collect();
        let alone = |to: Var| stmts.iter().enumerate().all(|(at, stmt)| all.contains(&(at, to)) || !touches(stmt, to));
        let (at, totals) = all.iter().copied().filter(|(_, to)| alone(*to)).unzip();
        RunningSums { at, totals }
    }
}

/// The variable to which, or to one element of which, a statement adds.
fn total(stmt: &Stmt, stays: &dyn Fn(&PassiveCode) -> bool) -> Option<Var> {
    match stmt {
        Stmt::Derived(Derived::Guard { body, .. }) => match &body.stmts[..] {
            [only @ Stmt::Assign { .. }] => total(only, stays),
            _ => None,
        },
        Stmt::Assign { place, op: Assign::Add | Assign::Sub, value, .. } => {
            let one = |step: &Proj| match step {
                Proj::Index(at) => stays(at),
                Proj::Range(..) => false,
                _ => true,
            };
            (value.as_var().is_some() && place.path.iter().all(one)).then_some(place.root)
        }
        _ => None,
    }
}
