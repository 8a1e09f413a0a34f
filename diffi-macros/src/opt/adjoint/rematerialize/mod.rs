//! Rematerialization of tangents (Briggs, Cooper & Torczon 1992): a tangent that is a multiple of one on the tape is computed again.
//!
//! A value on the tape comes with its tangent, and a tangent may be many numbers. Of `y = 1 / v` both values are on the tape, since a
//! division costs more than a load. But the tangent of `y` is that of `v` times `-(y * y)`: one product for each tangent, where a
//! store and a load were. The operands of the factor have to be in the tape frame as well.

use crate::analysis::cost_model::REMATERIALIZED_STATEMENTS;
use crate::ir::purity::repeatable;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, Vars, blocks, blocks_mut, touched};
use crate::ir::*;
use crate::opt::adjoint::dead_tape::recount;
use crate::support::hash::HashMap;

/// What a list of kept floats loses, and the statements that make it again, in order.
type Regained = HashMap<Vec<Var>, Vec<Stmt>>;

/// Rewrites the bodies of one derivative: where both sweeps are apart, that of each.
pub fn rematerialize(table: &Table, bodies: &mut [&mut Block]) {
    let mut found = Regained::default();
    let mut ambiguous = Vec::new();
    bodies.iter().for_each(|body| find(table, body, &mut found, &mut ambiguous));
    found.retain(|list, again| !again.is_empty() && !ambiguous.contains(list));
    if !found.is_empty() {
        bodies.iter_mut().for_each(|body| rewrite(table, body, &found));
    }
}

/// Looks where records are written: both ends have the same list of variables. A list that is written in two places stays as it is.
fn find(table: &Table, block: &Block, found: &mut Regained, ambiguous: &mut Vec<Vec<Var>>) {
    let mut sets = None;
    for stmt in &block.stmts {
        if let Stmt::Derived(Derived::PushFrame(record) | Derived::StoreFrame(record)) = stmt {
            let sets = sets.get_or_insert_with(|| Positions::of_sets(&block.stmts));
            let again = Written { table, stmts: &block.stmts, sets, record }.multiples();
            if found.insert(record.floats.clone(), again).is_some() {
                ambiguous.push(record.floats.clone());
            }
        }
        blocks(stmt).into_iter().for_each(|inner| find(table, inner, found, ambiguous));
    }
}

/// A record, and the statements among which it is written.
struct Written<'w> {
    table: &'w Table,
    stmts: &'w [Stmt],
    /// Which of them set each variable.
    sets: &'w Positions,
    record: &'w TapeFrame,
}

impl Written<'_> {
    fn is_tangent(&self, var: Var) -> bool {
        self.table.role(var) == Role::Dot
    }

    /// The statements that make tangents of the record from the rest of it.
    fn multiples(&self) -> Vec<Stmt> {
        if !self.record.carried.is_empty() {
            return Vec::new(); // names of the record before this one
        }
        let mut left: Vars = self.record.floats.iter().copied().collect();
        let mut again: Vec<usize> = Vec::new();
        let tangents = self.record.floats.iter().copied().filter(|v| self.is_tangent(*v));
        let mut latest_first: Vec<(usize, Var)> = tangents.filter_map(|v| Some((self.definition(v)?, v))).collect();
        latest_first.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        for (_, var) in latest_first {
            left.remove(&var);
            let mut chain = Vec::new();
            if self.chain(var, &left, &mut chain).is_some() {
                again.extend(chain);
            } else {
                left.insert(var);
            }
        }
        again.sort_unstable();
        again.dedup();
        again.into_iter().map(|at| self.stmts[at].clone()).collect()
    }

    /// Where a variable gets the only value that it has here.
    fn definition(&self, var: Var) -> Option<usize> {
        let [at] = *self.sets.all(var) else { return None };
        matches!(self.stmts[at], Stmt::Let { .. }).then_some(at)
    }

    /// Whether a variable that is read there has the same value from then on.
    fn stays(&self, var: Var, from: usize) -> bool {
        self.sets.last(var).is_none_or(|at| at < from)
    }

    /// Collects the statements that make a variable from what is left in the record; none if others would be needed.
    fn chain(&self, var: Var, left: &Vars, chain: &mut Vec<usize>) -> Option<()> {
        let at = self.definition(var)?;
        if chain.contains(&at) {
            return Some(());
        }
        chain.push(at);
        if chain.len() > REMATERIALIZED_STATEMENTS {
            return None;
        }
        let Stmt::Let { expr, .. } = &self.stmts[at] else { return None };
        let args = match expr {
            Expr::Operand(from) => std::slice::from_ref(from),
            Expr::Op { op: Op::Neg | Op::Mul, args, .. } => args,
            Expr::Op { op: Op::Add | Op::Sub, args, .. } if !self.is_tangent(var) => args,
            _ => return None,
        };
        for arg in args {
            match arg {
                Operand::Passive(o) if o.reads.is_empty() && o.shapes.is_empty() && repeatable(o) => {}
                Operand::Place(place) if place.path.is_empty() => {
                    let read = place.root;
                    let is_there = left.contains(&read) && self.stays(read, at);
                    if !is_there {
                        self.chain(read, left, chain)?;
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }
}

fn rewrite(table: &Table, block: &mut Block, found: &Regained) {
    let mut at = 0;
    while at < block.stmts.len() {
        let stmt = &mut block.stmts[at];
        blocks_mut(stmt).into_iter().for_each(|inner| rewrite(table, inner, found));
        at += 1;
        let (record, is_read) = match stmt {
            Stmt::Derived(Derived::PushFrame(r) | Derived::StoreFrame(r)) => (r, false),
            Stmt::Derived(Derived::PopFrame(r) | Derived::LoadFrame(r)) => (r, true),
            Stmt::Derived(Derived::Loop(l)) => {
                recount(table, l);
                continue;
            }
            _ => continue,
        };
        let Some(again) = found.get(&record.floats) else { continue };
        let made = touched(again, &[Access::Define]);
        record.floats.retain(|v| !made.contains(v));
        if is_read {
            // what the reverse sweep computes again by itself is there by now
            let mut rest = block.stmts.split_off(at);
            rest.retain(|s| !matches!(s, Stmt::Let { var, .. } if made.contains(var)));
            block.stmts.extend(again.iter().cloned());
            at = block.stmts.len();
            block.stmts.extend(rest);
        }
    }
}

#[cfg(test)]
mod tests;
