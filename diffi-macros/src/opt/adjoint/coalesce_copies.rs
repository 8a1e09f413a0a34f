//! Copy coalescing (Chaitin 1982): the cotangent of a copy is that of its original.
//!
//! The adjoint of `old = u`, a copy of an array, adds the copy's cotangent to that of `u`. Where nothing else has happened to the latter
//! in the meantime than additions, what is meant for the copy is added to it at once: neither are zeros written, nor is a sum made.
//!
//! The rule by which it is legal: both cotangents are vectors of one type, with the same guards; from where that of the copy begins with
//! zeros to where it is added to the other, statements only add to either, and later nothing knows it. A call adds to one of them alone.

use crate::analysis::activity::Activity;
use crate::analysis::additions::only_adds;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::parts::mutable::{self, Part};
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Vars, blocks_mut};
use crate::ir::*;

/// Rewrites every list of statements of an adjoint.
pub fn coalesce_copies(table: &Table, activity: &Activity, block: &mut Block) {
    for stmt in &mut block.stmts {
        blocks_mut(stmt).into_iter().for_each(|inner| coalesce_copies(table, activity, inner));
    }
    if !block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Derived(Derived::Zero { .. }))) {
        return;
    }
    let positions = Positions::of(&block.stmts);
    let stmts = std::mem::take(&mut block.stmts).into_iter().map(Some).collect();
    let mut list = List { table, activity, positions, stmts };
    (0..list.stmts.len()).for_each(|at| list.zeros(at));
    block.stmts = list.stmts.into_iter().flatten().collect();
}

/// A list of statements with its index. Statements that redirect an addition to another cotangent only add to that, too.
struct List<'a> {
    table: &'a Table,
    activity: &'a Activity,
    positions: Positions,
    stmts: Vec<Option<Stmt>>,
}

impl List<'_> {
    /// Makes the cotangent that begins here that of the original, if it is one of a copy.
    fn zeros(&mut self, at: usize) {
        let Some(Stmt::Derived(Derived::Zero { var: copy, .. })) = &self.stmts[at] else { return };
        let copy = *copy;
        let Some((original, end)) = self.original(copy, at) else { return };
        self.stmts[at] = None;
        self.stmts[at..end].iter_mut().flatten().for_each(|stmt| redirect(stmt, copy, original));
        self.positions.after(copy, end - 1).iter().for_each(|last| self.stmts[*last] = None);
    }

    /// The cotangent of the original, and where that of the copy is added to it.
    fn original(&self, copy: Var, at: usize) -> Option<(Var, usize)> {
        let is_release = |k: &&usize| matches!(self.stmts[**k], Some(Stmt::Derived(Derived::Release { .. })));
        let end = *self.positions.after(copy, at).iter().rfind(|k| !is_release(k))?;
        let original = added_to(self.stmts[end].as_ref()?, copy)?;
        let ty = self.table.ty(original);
        let alike = self.table.ty(copy) == ty && matches!(ty, Ty::Vec(_));
        let own = [copy, original].iter().all(|v| self.table.role(*v) == Role::Bar && !self.table.is_ref(*v));
        let guards = self.activity.varied(copy) == self.activity.varied(original);
        let touching = [copy, original].into_iter().flat_map(|v| self.positions.after(v, at));
        let mut between = touching.filter(|k| **k < end).filter_map(|k| self.stmts[*k].as_ref());
        (alike && own && guards && between.all(|stmt| only_adds(stmt, &Vars::from([copy, original]))))
            .then_some((original, end))
    }
}

/// What a statement adds the whole of a cotangent to, if it does nothing else.
fn added_to(stmt: &Stmt, copy: Var) -> Option<Var> {
    match stmt {
        Stmt::Derived(Derived::Acc { place, value, how: AddKind::Whole | AddKind::Elementwise }) => {
            let whole = place.path.is_empty() && value.path.is_empty();
            (whole && value.root == copy && place.root != copy).then_some(place.root)
        }
        Stmt::Derived(Derived::Guard { body, .. }) => match &body.stmts[..] {
            [one] => added_to(one, copy),
            _ => None,
        },
        _ => None,
    }
}

/// Adds to the original what was meant for the copy.
fn redirect(stmt: &mut Stmt, copy: Var, original: Var) {
    mutable::head(stmt, &mut |part| match part {
        Part::Place(place, _) if place.root == copy => place.root = original,
        _ => {}
    });
    blocks_mut(stmt).into_iter().flat_map(|b| &mut b.stmts).for_each(|inner| redirect(inner, copy, original));
}

#[cfg(test)]
mod tests;
