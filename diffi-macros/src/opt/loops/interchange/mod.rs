//! Loop interchange with unroll-and-jam by two (Allen & Kennedy 5, 8): loops down matrix columns run along the rows.
//!
//! `for k in 1..n { for i in 0..m { x[i * n + k] = (x[i * n + k] + c * x[i * n + k - 1]) * f[k] } }` reaches another row in every inner
//! iteration, and checks each index. It becomes a walk along the rows themselves, and two outer iterations share one walk. A row is
//! visited half as often, and the results of the first iteration are available to the second.
//!
//! The rule by which it is legal:
//!
//! - An inner iteration only reads and writes numbers of its own, elements of the one row that belongs to it, `x[i * width + column]`,
//!   and reads loop-invariant values. So inner iterations are independent, in whichever outer iteration. They may run in any order, as
//!   long as each row sees the outer iterations in theirs.
//! - A test before the nest shows that each column lies within its row, and all rows within the array. If the test fails, the nest runs
//!   as it was.

mod build;

use crate::analysis::cost_model::{INTERCHANGED_BODY, INTERCHANGED_ROWS};
use crate::ir::affine::polynomial::Poly;
use crate::ir::purity::repeatable;
use crate::ir::symbols::Table;
use crate::ir::visit::places::each_place;
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// Rewrites all nests of two loops.
pub fn interchange(table: &mut Table, block: &mut Block) {
    block.replace(|stmt| match Nest::of(table, stmt) {
        Some(nest) => Some(build::build(table, nest, stmt)),
        None => {
            blocks_mut(stmt).into_iter().for_each(|inner| interchange(table, inner));
            None
        }
    });
}

/// A loop around one loop down columns, taken apart.
struct Nest {
    outer: For,
    inner: For,
    /// Passive values that are found before the inner loop, and are the same in every outer iteration.
    before: Vec<Stmt>,
    /// The arrays whose rows the inner loop comes to.
    arrays: BTreeMap<Var, Rows>,
    /// What an inner iteration has for itself.
    own: Vars,
}

/// The rows of an array.
struct Rows {
    /// How long they are.
    width: Var,
    columns: BTreeSet<Column>,
    written: bool,
}

/// A column, if the outer loop's variable moves it so far from there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Column {
    moves: bool,
    offset: i64,
}

impl Nest {
    /// Takes a loop apart, if its inner loop goes down columns that move with it.
    fn of(table: &Table, stmt: &Stmt) -> Option<Nest> {
        let outer = counted(stmt)?;
        let (last, before) = outer.body.stmts.split_last()?;
        let inner = counted(last)?;
        let (own, arrays) = (touched(&inner.body.stmts, &[Access::Define]), BTreeMap::new());
        let (outer, inner, before) = (outer.clone(), inner.clone(), before.to_vec());
        let mut nest = Nest { outer, inner, before, arrays, own };
        let alike =
            nest.before.iter().all(|s| matches!(s, Stmt::Let { expr: Expr::Passive(o), .. } if nest.is_alike(o)));
        if !alike || !nest.is_alike(&nest.inner.lo) || !nest.is_alike(&nest.inner.hi) {
            return None;
        }
        nest.collect(table)?;
        nest.is_worth_it().then_some(nest)
    }

    /// Whether tokens are the same in every iteration of both loops, and may be evaluated before them.
    fn is_alike(&self, o: &PassiveCode) -> bool {
        repeatable(o) && !o.depends_on(&self.changing())
    }

    /// What has another value in other iterations.
    fn changing(&self) -> Vars {
        let inside = touched(&self.inner.body.stmts, &[Access::Define, Access::Write]);
        &inside | &[self.outer.var, self.inner.var].into()
    }

    /// Finds the arrays; none, if the inner body does anything else with what it changes.
    fn collect(&mut self, table: &Table) -> Option<()> {
        let written: Vars = &touched(&self.inner.body.stmts, &[Access::Write]) - &self.own;
        let (mut arrays, mut others) = (BTreeMap::new(), Vars::new());
        let mut fits = true;
        for stmt in &self.inner.body.stmts {
            fits &= is_simple(stmt);
            each_place(stmt, &mut |place, is_written| {
                let root = place.root;
                match self.element(table, place) {
                    _ if self.own.contains(&root) => fits &= place.path.is_empty(),
                    Some((width, column)) => {
                        let new = || Rows { width, columns: BTreeSet::new(), written: false };
                        let rows: &mut Rows = arrays.entry(root).or_insert_with(new);
                        fits &= rows.width == width;
                        rows.columns.insert(column);
                        rows.written |= is_written;
                    }
                    None => drop(others.insert(root)),
                }
            });
        }
        arrays.retain(|root, _| !others.contains(root));
        self.arrays = arrays;
        (fits && self.is_apart(&written)).then_some(())
    }

    /// `x[i * width + column]`.
    fn element(&self, table: &Table, place: &Place) -> Option<(Var, Column)> {
        let [Proj::Index(index)] = &place.path[..] else { return None };
        let is_array = matches!(table.ty(place.root), Ty::Vec(e) | Ty::Slice(e) if **e == Ty::Float);
        let index = Poly::of(&syn::parse2(index.tokens.clone()).ok()?, &mut |name| {
            index.reads.iter().copied().find(|v| table.info(*v).name == name).map(Poly::symbol)
        })?;
        let (partial, rest) = index.split(self.inner.var);
        let [width] = partial.symbols()[..] else { return None };
        let (moves, rest) = rest.split(self.outer.var);
        let moves = [false, true].into_iter().find(|by| moves == Poly::number(i64::from(*by)))?;
        let fits = partial == Poly::symbol(width) && rest.symbols().is_empty() && !self.changing().contains(&width);
        (is_array && fits).then(|| (width, Column { moves, offset: rest.constant() }))
    }

    /// Whether nothing but elements is wanted of the arrays, so that their rows can be lent.
    fn is_apart(&self, written: &Vars) -> bool {
        let lent: Vars = self.arrays.keys().copied().collect();
        let mut apart = written.is_subset(&lent);
        for stmt in &self.inner.body.stmts {
            each_passive(stmt, &mut |o| apart &= !o.depends_on(&lent));
        }
        apart
    }

    /// Whether there is something to gain, and not too much to write down.
    fn is_worth_it(&self) -> bool {
        let written = self.arrays.values().any(|rows| rows.written && rows.columns.iter().any(|c| c.moves));
        written && self.arrays.len() <= INTERCHANGED_ROWS && self.inner.body.stmts.len() <= INTERCHANGED_BODY
    }
}

/// A loop over all of `lo..hi`, in either direction, which keeps no frames.
fn counted(stmt: &Stmt) -> Option<&For> {
    let on = match stmt {
        Stmt::For(on) => on,
        Stmt::Derived(Derived::Loop(l)) if l.iterations.is_none() && l.frame.is_none() && l.walks.is_empty() => &l.on,
        _ => return None,
    };
    let plain = on.step.is_none() && on.until.is_none() && !on.inclusive && on.checkpoint.is_none();
    plain.then_some(on)
}

/// One operation or assignment.
fn is_simple(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr, .. } => matches!(expr, Expr::Operand(_) | Expr::Op { .. } | Expr::Zero),
        Stmt::Assign { .. } | Stmt::Derived(Derived::Clear { whole: false, .. }) => true,
        _ => false,
    }
}

/// The passive tokens of a simple statement, those of indices among them.
fn each_passive(stmt: &Stmt, f: &mut dyn FnMut(&PassiveCode)) {
    each_place(stmt, &mut |place, _| place.indices(&mut *f));
    let operands = match stmt {
        Stmt::Let { expr: Expr::Op { args, .. }, .. } => &args[..],
        Stmt::Let { expr: Expr::Operand(value), .. } | Stmt::Assign { value, .. } => std::slice::from_ref(value),
        _ => &[],
    };
    for operand in operands {
        if let Operand::Passive(o) = operand {
            f(o);
        }
    }
}

#[cfg(test)]
mod tests;
