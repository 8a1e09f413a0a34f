//! Rematerialization of tangents (Briggs, Cooper & Torczon 1992): a tangent that is a multiple of one on the tape is computed again.
//!
//! A value on the tape comes with its tangent, and a tangent may be many numbers. Of `y = 1 / v` both values are on the tape, since a
//! division costs more than a load. But the tangent of `y` is that of `v` times `-(y * y)`: one product for each tangent, where a
//! store and a load were. The operands of the factor have to be in the tape frame as well.

use crate::analysis::cost_model::REMATERIALIZED_STATEMENTS;
use crate::ir::frames::{each_frame, popped, pushed};
use crate::ir::purity::repeatable;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, Vars, blocks, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;

/// The statements that make floats of a frame again, in order; none where its ends differ.
type Regained = HashMap<FrameId, Option<Again>>;

struct Again {
    /// All that the frame holds.
    floats: Vec<Var>,
    stmts: Vec<Stmt>,
}

/// Rewrites the bodies of one derivative: where both sweeps are apart, that of each.
pub fn rematerialize(table: &Table, bodies: &mut [&mut Block]) {
    let mut found = Regained::default();
    bodies.iter().for_each(|body| find(table, body, &mut found));
    bodies.iter().for_each(|body| compare(body, &mut found));
    found.retain(|_, again| again.as_ref().is_some_and(|again| !again.stmts.is_empty()));
    if !found.is_empty() {
        bodies.iter_mut().for_each(|body| rewrite(table, body, &found));
    }
}

/// Looks where frames are pushed. A frame that is pushed in two places stays as it is.
fn find(table: &Table, block: &Block, found: &mut Regained) {
    let mut sets = None;
    for stmt in &block.stmts {
        if let Some(frame) = pushed(stmt) {
            let sets = sets.get_or_insert_with(|| Positions::of_sets(&block.stmts));
            let stmts = Written { table, stmts: &block.stmts, sets, frame }.multiples();
            let again = Again { floats: frame.floats.clone(), stmts };
            found.entry(frame.id).and_modify(|other| *other = None).or_insert(Some(again));
        }
        blocks(stmt).into_iter().for_each(|inner| find(table, inner, found));
    }
}

/// Looks where frames are popped: into the variables that are pushed, or else the frame stays as it is.
fn compare(block: &Block, found: &mut Regained) {
    for stmt in &block.stmts {
        if let Some(frame) = popped(stmt)
            && let Some(pushed) = found.get_mut(&frame.id)
            && pushed.as_ref().is_some_and(|again| again.floats != frame.floats)
        {
            *pushed = None;
        }
        blocks(stmt).into_iter().for_each(|inner| compare(inner, found));
    }
}

/// A frame, and the statements among which it is written.
struct Written<'w> {
    table: &'w Table,
    stmts: &'w [Stmt],
    /// Which of them set each variable.
    sets: &'w Positions,
    frame: &'w TapeFrame,
}

impl Written<'_> {
    fn is_tangent(&self, var: Var) -> bool {
        self.table.role(var) == Role::Dot
    }

    /// The statements that make tangents of the frame from the rest of it.
    fn multiples(&self) -> Vec<Stmt> {
        if !self.frame.carried.is_empty() {
            return Vec::new(); // names of the frame before this one
        }
        let (mut left, mut again) = (self.frame.floats.iter().copied().collect::<Vars>(), Vec::new());
        let tangents = self.frame.floats.iter().copied().filter(|v| self.is_tangent(*v));
        let mut latest_first: Vec<(usize, Var)> = tangents.filter_map(|v| Some((self.definition(v)?, v))).collect();
        latest_first.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        for (_, var) in latest_first {
            left.remove(&var);
            let mut chain = Vec::new();
            match self.chain(var, &left, &mut chain) {
                Some(()) => again.extend(chain),
                None => _ = left.insert(var),
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

    /// Collects the statements that make a variable from what is left in the frame; none if others would be needed.
    fn chain(&self, var: Var, left: &Vars, chain: &mut Vec<usize>) -> Option<()> {
        let at = self.definition(var)?;
        if chain.contains(&at) {
            return Some(());
        }
        chain.push(at);
        (chain.len() <= REMATERIALIZED_STATEMENTS).then_some(())?;
        for arg in self.factors(var, at)? {
            match arg {
                Operand::Passive(o) if o.reads.is_empty() && o.shapes.is_empty() && repeatable(o) => {}
                Operand::Place(place) if place.path.is_empty() => {
                    if !(left.contains(&place.root) && self.stays(place.root, at)) {
                        self.chain(place.root, left, chain)?;
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The operands of a statement that may be run again.
    fn factors(&self, var: Var, at: usize) -> Option<&[Operand]> {
        let Stmt::Let { expr, .. } = &self.stmts[at] else { return None };
        match expr {
            Expr::Operand(from) => Some(std::slice::from_ref(from)),
            Expr::Op { op: Op::Neg | Op::Mul | Op::StrongMul(_), args, .. } => Some(args),
            Expr::Op { op: Op::Add | Op::Sub, args, .. } if !self.is_tangent(var) => Some(args),
            _ => None,
        }
    }
}

fn rewrite(table: &Table, block: &mut Block, found: &Regained) {
    each_popped(block, found);
    each_frame(table, block, &mut |frame| {
        if let Some(Some(again)) = found.get(&frame.id) {
            let made = touched(&again.stmts, &[Access::Define]);
            frame.floats.retain(|v| !made.contains(v));
        }
    });
}

/// Computes again what frames will not hold. What the reverse sweep computes again by itself is there by then.
fn each_popped(block: &mut Block, found: &Regained) {
    let mut there = Vars::new();
    block.replace(|stmt| {
        blocks_mut(stmt).into_iter().for_each(|inner| each_popped(inner, found));
        if matches!(stmt, Stmt::Let { var, .. } if there.contains(var)) {
            return Some(Vec::new());
        }
        let again = found.get(&popped(stmt)?.id)?.as_ref()?;
        there.extend(&touched(&again.stmts, &[Access::Define]));
        Some([stmt.clone()].into_iter().chain(again.stmts.iter().cloned()).collect())
    });
}

#[cfg(test)]
mod tests;
