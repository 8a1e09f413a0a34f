//! Copy propagation (Aho, Lam, Sethi & Ullman 9.1): an array that is a copy of another one is read there, and the copy is not made.
//!
//! Array SSA gives the arrays names that a reverse sweep reads again. Code that keeps nothing has the names, too, for values and for
//! tangents, where a copy of the latter is as many times longer as tangents are taken at once.
//!
//! The rule by which it is legal: both are owned vectors of one type, with the same guards; neither changes from the copy to the last
//! statement that touches it; none of these puts it on the tape, gives its memory back, or returns it.

use crate::analysis::activity::Activity;
use crate::ir::clone::NO_PARAMETERS;
use crate::ir::symbols::{Table, is_list_of_tuples, is_nested};
use crate::ir::visit::parts::mutable::{self, Part};
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Rename, Vars, Visit, blocks, blocks_mut, touches};
use crate::ir::*;
use crate::support::hash::HashMap;

/// Rewrites all lists of statements of a body.
pub fn propagate_copies(table: &Table, activity: &Activity, block: &mut Block, results: &[&Output]) {
    let mut kept = Vars::new();
    results.iter().for_each(|result| Visit(&mut |v, _| _ = kept.insert(v)).out(result));
    Copies { table, activity, kept }.block(block);
}

struct Copies<'a> {
    table: &'a Table,
    activity: &'a Activity,
    /// What leaves the function.
    kept: Vars,
}

impl Copies<'_> {
    fn block(&self, block: &mut Block) {
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
        if block.stmts.iter().any(|stmt| self.copied(stmt).is_some()) {
            let stmts = std::mem::take(&mut block.stmts);
            let (touches, sets) = (Positions::of(&stmts), Positions::of_sets(&stmts));
            let mut list = List { copies: self, touches, sets, stmts: stmts.into_iter().map(Some).collect() };
            (0..list.stmts.len()).for_each(|at| list.copy(at));
            block.stmts = list.stmts.into_iter().flatten().collect();
        }
    }

    /// The copy that a statement makes, and of what.
    fn copied(&self, stmt: &Stmt) -> Option<(Var, Var)> {
        let Stmt::Let { var, expr: Expr::Operand(Operand::Place(of)) | Expr::ToVec(of) } = stmt else { return None };
        let ty = self.table.ty(*var);
        let vector = *ty == Ty::Vec(Box::new(Ty::Float)) || is_nested(ty) || is_list_of_tuples(ty);
        let alike = vector && of.path.is_empty() && self.table.ty(of.root) == ty;
        let owned = !self.table.is_ref(*var) && !self.table.is_ref(of.root) && !self.kept.contains(var);
        let guards = self.activity.varied(*var) == self.activity.varied(of.root);
        (alike && owned && guards).then_some((*var, of.root))
    }
}

/// A list of statements with its index. What is read in the place of a copy is not touched more often by its reckoning, but set as often:
/// copies are taken out from the first on, so that none that is still there has been read for another one.
struct List<'a> {
    copies: &'a Copies<'a>,
    touches: Positions,
    sets: Positions,
    stmts: Vec<Option<Stmt>>,
}

impl List<'_> {
    /// Takes out the copy that is made here, if it is one.
    fn copy(&mut self, at: usize) {
        let Some((copy, of)) = self.stmts[at].as_ref().and_then(|stmt| self.copies.copied(stmt)) else { return };
        if !self.stays(copy, of, at) {
            return;
        }
        self.stmts[at] = None;
        let map = HashMap::from_iter([(copy, of)]);
        let rename = Rename { map: &map, vars: self.copies.table.vars(), behind: &NO_PARAMETERS };
        for k in self.touches.after(copy, at) {
            self.stmts[*k].iter_mut().for_each(|stmt| read(stmt, &rename));
        }
    }

    /// Whether neither changes from here to where the copy is read last.
    fn stays(&self, copy: Var, of: Var, at: usize) -> bool {
        let last = self.touches.after(copy, at).last().copied().unwrap_or(at);
        let is_before = |k: &&usize| **k <= last;
        let changed = self.sets.after(copy, at).iter().chain(self.sets.after(of, at)).any(|k| *k <= last);
        let mut touching = [copy, of].into_iter().flat_map(|v| self.touches.after(v, at).iter().filter(is_before));
        !changed && touching.all(|k| self.stmts[*k].as_ref().is_none_or(|stmt| only_reads(stmt, &[copy, of])))
    }
}

/// Whether no statement moves one of these away, to another variable or to the tape.
fn only_reads(stmt: &Stmt, vars: &[Var]) -> bool {
    let moves = match stmt {
        Stmt::Derived(Derived::Move { from, .. }) => vars.contains(from),
        Stmt::Derived(
            Derived::PushFrame(_) | Derived::PopFrame(_) | Derived::StoreFrame(_) | Derived::LoadFrame(_),
        ) => vars.iter().any(|v| touches(stmt, *v)),
        _ => false,
    };
    !moves && blocks(stmt).into_iter().flat_map(|block| &block.stmts).all(|inner| only_reads(inner, vars))
}

/// Reads the original.
fn read(stmt: &mut Stmt, rename: &Rename<'_>) {
    mutable::head(stmt, &mut |part| match part {
        Part::Place(place, _) => rename.place(place),
        Part::Passive(o) | Part::Lent(o) => rename.passive_code(o),
        Part::Var(..) => {}
    });
    blocks_mut(stmt).into_iter().flat_map(|block| &mut block.stmts).for_each(|inner| read(inner, rename));
}

#[cfg(test)]
mod tests;
