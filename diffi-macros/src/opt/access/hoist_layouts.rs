//! Loop-invariant code motion (Muchnick 13.2): how an array lies in memory is found out before the loops over its elements.
//!
//! `u[[i, j]]`, and each row that is cut out of `u`, asks an array of ndarray for its strides. Before the outermost loop that does nothing
//! to `u` but read and write elements, `u` becomes a view in standard layout: its own memory, or a copy that is written back behind
//! the loop. What lies where in the view depends on its shape alone, which stays in registers.

use crate::ir::affine::less;
use crate::ir::affine::shift::is_list;
use crate::ir::symbols::Table;
use crate::ir::visit::parts::{Use, mutable, shared};
use crate::ir::visit::{Vars, blocks, blocks_mut};
use crate::ir::*;
use std::collections::BTreeMap;

/// Puts views before the loops.
pub fn hoist_layouts(table: &mut Table, block: &mut Block) {
    block.replace(|stmt| match bounds(stmt).map(|_| Elements::of(table, stmt)).filter(|found| !found.is_empty()) {
        Some(found) => Some(viewed(table, found, stmt)),
        None => {
            blocks_mut(stmt).into_iter().for_each(|inner| hoist_layouts(table, inner));
            None
        }
    });
}

/// The first iteration of a loop, and the one behind the last.
fn bounds(stmt: &Stmt) -> Option<&For> {
    match stmt {
        Stmt::For(on) => Some(on),
        Stmt::Derived(Derived::Loop(l)) => Some(&l.on),
        _ => None,
    }
}

/// The arrays of which a loop reads and writes elements.
#[derive(Default)]
struct Elements {
    /// And whether it writes any.
    arrays: BTreeMap<Var, bool>,
    /// Those of which it does something else.
    others: Vars,
    /// Those of whose shape it asks.
    asked: Vars,
}

impl Elements {
    fn of(table: &Table, stmt: &Stmt) -> BTreeMap<Var, bool> {
        let mut found = Elements::default();
        found.stmt(stmt);
        let Elements { mut arrays, others, asked } = found;
        arrays.retain(|var, written| {
            *table.ty(*var) == Ty::Library && !others.contains(var) && !(*written && asked.contains(var))
        });
        arrays
    }

    /// What some calls do not want may not be there before the loop.
    fn stmt(&mut self, stmt: &Stmt) {
        let mut inner = Elements::default();
        shared::head(stmt, &mut |part| inner.part(part));
        for block in blocks(stmt) {
            block.stmts.iter().for_each(|stmt| inner.stmt(stmt));
        }
        if is_guarded(stmt) {
            inner.others.extend(inner.arrays.keys());
        }
        self.others.extend(&inner.others);
        self.asked.extend(&inner.asked);
        for (array, written) in inner.arrays {
            *self.arrays.entry(array).or_default() |= written;
        }
    }

    fn part(&mut self, part: shared::Part) {
        match part {
            shared::Part::Place(place, used) => {
                place.indices(&mut |index| self.passive(index));
                match is_of_elements(place) && !matches!(used, Use::Shape | Use::Adapt | Use::Define) {
                    true => *self.arrays.entry(place.root).or_default() |= used != Use::Read,
                    false => self.others.extend([&place.root]),
                }
            }
            shared::Part::Var(var, _) => self.others.extend([var]),
            shared::Part::Passive(code) => self.passive(code),
            shared::Part::Lent(code) => self.others.extend(code.reads.iter().chain(&code.shapes)),
        }
    }

    fn passive(&mut self, code: &PassiveCode) {
        self.others.extend(&code.reads);
        self.asked.extend(&code.shapes);
    }
}

fn is_guarded(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Derived(Derived::Guard { .. } | Derived::View { on: Some(_), .. }))
}

/// Whether a place is an element by several indices, or a part of a row.
fn is_of_elements(place: &Place) -> bool {
    match &place.path[..] {
        [Proj::Index(index)] => is_list(index),
        [Proj::Range(Some(from), Some(to))] => is_list(from) && is_list(to),
        _ => false,
    }
}

/// The loop over views of arrays, if it runs at all.
fn viewed(table: &mut Table, arrays: BTreeMap<Var, bool>, stmt: &mut Stmt) -> Vec<Stmt> {
    let on = bounds(stmt).expect("it is a loop");
    let cond = less(&on.lo, &on.hi);
    let mut views = BTreeMap::new();
    let mut stmts: Vec<Stmt> = Vec::new();
    for (array, exclusive) in arrays {
        let info = table.info(array);
        let (hint, span, role) = (format!("{}_rows", info.hint), info.span, table.role(array));
        let var = table.fresh(&hint, Ty::Slice(Box::new(Ty::Float)), role, span);
        let place = Place { root: array, path: vec![Proj::Range(None, None)] };
        stmts.push(Stmt::Derived(Derived::View { var, place, exclusive, on: None }));
        views.insert(array, var);
    }
    redirect(stmt, &views);
    stmts.push(stmt.clone());
    vec![Stmt::If { cond, then: Block { stmts }, els: Block::default() }]
}

/// Elements of views where they were those of arrays.
fn redirect(stmt: &mut Stmt, views: &BTreeMap<Var, Var>) {
    mutable::head(stmt, &mut |part| {
        if let mutable::Part::Place(place, _) = part
            && let Some(view) = views.get(&place.root)
        {
            place.root = *view;
        }
    });
    for inner in blocks_mut(stmt) {
        inner.stmts.iter_mut().for_each(|stmt| redirect(stmt, views));
    }
}
