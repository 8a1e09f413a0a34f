//! Reassociation of accumulations (LLVM's Reassociate): what a block adds to an element of a cotangent, one after the other, is summed first.
//!
//! Adjoints add to `u_bar[k]` once for each time that the function reads `u[k]`. LLVM cannot tell that additions to other arrays
//! leave the element as it is, so each addition loads and stores it, and waits for the one before. Here the block's terms are added in a
//! variable, and the last addition brings all of them: `u_bar[k] += a; u_bar[k] -= b` becomes `u_bar[k] += a - b`.
//!
//! A single addition goes behind loops that add to the same array: where the loop is vectorized, it would load from an element that
//! has just been stored, and have to wait until that is in the cache.
//!
//! The rule by which it is legal: from one addition to the next nothing else is done with the cotangent than to add to its elements,
//! and neither the terms nor the indices change. Sums come to the same in any order.

use crate::analysis::activity::Activity;
use crate::analysis::additions::only_adds;
use crate::ir::place::key;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, Visit, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;

/// Rewrites every list of statements of an adjoint.
pub fn combine_additions(table: &mut Table, activity: &mut Activity, block: &mut Block) {
    for stmt in &mut block.stmts {
        blocks_mut(stmt).into_iter().for_each(|inner| combine_additions(table, activity, inner));
    }
    let mut list = List { table, activity, waiting: Waiting::default(), out: Vec::new() };
    std::mem::take(&mut block.stmts).into_iter().for_each(|stmt| list.statement(stmt));
    block.stmts = list.out.into_iter().flatten().collect();
}

/// A list of statements that is rewritten from its beginning.
struct List<'a> {
    table: &'a mut Table,
    activity: &'a mut Activity,
    waiting: Waiting,
    /// What stands in the place of each statement; an addition is the last of them.
    out: Vec<Vec<Stmt>>,
}

/// An addition of a variable to an element of a cotangent, perhaps under a guard.
#[derive(Clone)]
struct Addition {
    /// The element and the guard, as text.
    element: String,
    root: Var,
    /// What the indices read.
    indices: Vars,
    minus: bool,
    term: Var,
}

/// Additions that a later one may bring with it.
#[derive(Default)]
struct Waiting {
    /// Each with its position, by its element.
    all: HashMap<String, (usize, Addition)>,
    /// The elements of each cotangent.
    of_root: HashMap<Var, Vec<String>>,
    /// The elements whose additions read a variable.
    reading: HashMap<Var, Vec<String>>,
}

impl List<'_> {
    fn statement(&mut self, mut stmt: Stmt) {
        let Some(mut addition) = self.addition(&stmt) else { return self.other(stmt) };
        self.waiting.end(&addition.indices);
        self.waiting.changed(addition.root);
        let mut stmts = Vec::new();
        if let Some((at, before)) = self.waiting.all.remove(&addition.element) {
            self.out[at].pop();
            stmts.push(self.sum(&before, &mut addition));
            set_term(&mut stmt, &addition);
        }
        stmts.push(stmt);
        self.waiting.note(self.out.len(), addition);
        self.out.push(stmts);
    }

    /// A statement that is no addition; those that commute with it go behind it.
    fn other(&mut self, stmt: Stmt) {
        let commuting = if is_loop(&stmt) { self.waiting.commuting(&stmt) } else { Vec::new() };
        Visit(&mut |var, access| self.waiting.touched(var, access)).stmt(&stmt);
        self.out.push(vec![stmt]);
        for (at, addition) in commuting {
            let moved = self.out[at].pop();
            self.waiting.note(self.out.len(), addition);
            self.out.push(moved.into_iter().collect());
        }
    }

    fn addition(&self, stmt: &Stmt) -> Option<Addition> {
        let (guard, assignment) = unguarded(stmt);
        let Stmt::Assign { place, op: op @ (Assign::Add | Assign::Sub), value, .. } = assignment else { return None };
        let term = value.as_var().filter(|term| *term != place.root)?;
        let numbers = *self.table.ty(term) == Ty::Float && self.table.role(term) == Role::Bar;
        let fits = numbers && self.table.role(place.root) == Role::Bar && !place.path.is_empty();
        let mut indices = Vars::new();
        place.indices(&mut |o| indices.extend(o.reads.iter().chain(&o.shapes).copied()));
        let element = format!("{:?} {}", guard.map(|on| on.0), key(place));
        fits.then(|| Addition { element, root: place.root, indices, minus: *op == Assign::Sub, term })
    }

    /// The sum of two terms, which takes the place of the second.
    fn sum(&mut self, before: &Addition, addition: &mut Addition) -> Stmt {
        let sum = self.table.companion(addition.root, "sum", Role::Bar);
        self.table.retype(sum, Ty::Float);
        let varied = [before.term, addition.term].map(|term| self.activity.varied(term));
        self.activity.note(sum, varied[0].or(varied[1]));
        let (op, terms, minus) = match (before.minus, addition.minus) {
            (false, false) => (Op::Add, [before.term, addition.term], false),
            (true, true) => (Op::Add, [before.term, addition.term], true),
            (false, true) => (Op::Sub, [before.term, addition.term], false),
            (true, false) => (Op::Sub, [addition.term, before.term], false),
        };
        (addition.term, addition.minus) = (sum, minus);
        let span = self.table.info(sum).span;
        Stmt::Let { var: sum, expr: Expr::Op { op, args: terms.map(Operand::var).to_vec(), span } }
    }
}

impl Waiting {
    fn note(&mut self, at: usize, addition: Addition) {
        let element = &addition.element;
        self.of_root.entry(addition.root).or_default().push(element.clone());
        for var in addition.indices.iter().copied().chain([addition.term]) {
            self.reading.entry(var).or_default().push(element.clone());
        }
        self.all.insert(element.clone(), (at, addition));
    }

    /// Those that may as well stand behind a statement which adds to the same arrays, in their order.
    fn commuting(&self, stmt: &Stmt) -> Vec<(usize, Addition)> {
        let (all, changed) =
            ([Access::Read, Access::Shape, Access::Write, Access::Define], [Access::Write, Access::Define]);
        let [touched, changed] = [&all[..], &changed].map(|ways| touched(std::slice::from_ref(stmt), ways));
        let elements = touched.iter().filter_map(|root| self.of_root.get(root)).flatten();
        let waiting = elements.filter_map(|element| self.all.get(element)).filter(|(_, addition)| {
            let fixed = addition.indices.iter().chain([&addition.term]).all(|var| !changed.contains(var));
            fixed && only_adds(stmt, &Vars::from([addition.root]))
        });
        let mut found: Vec<_> = waiting.cloned().collect();
        found.sort_by_key(|(at, _)| *at);
        found.dedup_by_key(|(at, _)| *at);
        found
    }

    /// A statement that is no addition touches a variable.
    fn touched(&mut self, var: Var, access: Access) {
        self.end(&Vars::from([var]));
        if matches!(access, Access::Write | Access::Define) {
            self.changed(var);
        }
    }

    /// Additions to these do not wait any longer.
    fn end(&mut self, roots: &Vars) {
        for root in roots.iter() {
            self.of_root.remove(root).into_iter().flatten().for_each(|element| _ = self.all.remove(&element));
        }
    }

    /// Nor those that read this.
    fn changed(&mut self, var: Var) {
        self.reading.remove(&var).into_iter().flatten().for_each(|element| _ = self.all.remove(&element));
    }
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::For(_) | Stmt::Derived(Derived::Loop(_)))
}

/// The only statement under a guard, and the guard.
fn unguarded(stmt: &Stmt) -> (Option<ParamSet>, &Stmt) {
    match stmt {
        Stmt::Derived(Derived::Guard { on, body: Block { stmts } }) if stmts.len() == 1 => (Some(*on), &stmts[0]),
        stmt => (None, stmt),
    }
}

fn set_term(stmt: &mut Stmt, addition: &Addition) {
    match stmt {
        Stmt::Derived(Derived::Guard { body, .. }) => set_term(&mut body.stmts[0], addition),
        Stmt::Assign { op, value, .. } => {
            *op = if addition.minus { Assign::Sub } else { Assign::Add };
            *value = Operand::var(addition.term);
        }
        other => unreachable!("no addition: {other:?}"),
    }
}

#[cfg(test)]
mod tests;
