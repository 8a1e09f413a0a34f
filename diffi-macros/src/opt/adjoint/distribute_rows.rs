//! Loop distribution (Allen & Kennedy 6): two rows of a library's array that a loop adds to get a loop each.
//!
//! The adjoint of `s -= l[[i, k]] * l[[j, k]]` adds to two rows of one cotangent. Two parts of a library's array are not had as slices at a
//! time, and its elements are found by all of their indices. The few products that both rows need are found twice.
//!
//! The rule by which it is legal: the loop does nothing but find numbers and add to elements of this cotangent.

use crate::analysis::activity::Activity;
use crate::ir::clone::Twins;
use crate::ir::purity::repeatable;
use crate::ir::symbols::Table;
use crate::ir::visit::{Access, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use std::collections::BTreeSet;

/// The loop that takes these additions from the loop at hand, if that does nothing but find numbers in a cheap way and add.
pub fn taken(table: &mut Table, activity: &mut Activity, on: &mut For, additions: &BTreeSet<usize>) -> Option<For> {
    let is_addition = |stmt: &Stmt| matches!(stmt, Stmt::Assign { op: Assign::Add | Assign::Sub, .. });
    on.body.stmts.iter().all(|stmt| is_addition(stmt) || is_cheap(stmt)).then_some(())?;
    let with = |taken: bool| {
        let stmts = on.body.stmts.iter().enumerate();
        needed(
            stmts
                .filter(|(at, s)| !is_addition(s) || additions.contains(at) == taken)
                .map(|(_, s)| s.clone())
                .collect(),
        )
    };
    let (taken, rest) = (with(true), with(false));
    let other = over_own_variables(table, activity, For { body: Block { stmts: taken }, down: false, ..on.clone() });
    on.body.stmts = rest;
    Some(other)
}

/// A copy, a sum or a product.
fn is_cheap(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr: Expr::Op { op, .. }, .. } => {
            matches!(op, Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::StrongMul(_))
        }
        Stmt::Let { expr: Expr::Passive(o), .. } => repeatable(o),
        Stmt::Let { expr: Expr::Operand(_), .. } => true,
        _ => false,
    }
}

/// Statements without the names that none of them reads.
fn needed(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut read = BTreeSet::new();
    let mut kept = Vec::new();
    for stmt in stmts.into_iter().rev() {
        let is_needed = match &stmt {
            Stmt::Let { var, .. } => read.contains(var),
            _ => true,
        };
        if is_needed {
            read.extend(touched(std::slice::from_ref(&stmt), &[Access::Read, Access::Shape]).iter().copied());
            kept.push(stmt);
        }
    }
    kept.reverse();
    kept
}

/// The loop over variables of its own.
pub fn over_own_variables(table: &mut Table, activity: &mut Activity, mut on: For) -> For {
    let own = touched(&on.body.stmts, &[Access::Define]);
    let mut map = HashMap::default();
    for var in own.iter().copied().chain([on.var]) {
        let hint = table.info(var).hint.clone();
        let twin = table.twin(var, hint.trim_start_matches('_'));
        activity.note(twin, activity.varied(var));
        map.insert(var, twin);
    }
    let twins = Twins { map: &map, vars: table.vars() };
    on.body.stmts = twins.stmts(&on.body.stmts);
    on.var = map[&on.var];
    on
}
