//! Loop-invariant code motion (Muchnick 13.2): how an array lies in memory is found out before the loops over its elements.
//!
//! `u[[i, j]]`, and each row that is cut out of `u`, asks an array of ndarray for its strides. Before the outermost loop that does nothing
//! to `u` but read and write elements, `u` becomes a view in standard layout: its own memory, or a copy that is written back behind
//! the loop. What lies where in the view depends on its shape alone, which stays in registers.

use crate::ir::affine::runs;
use crate::ir::affine::shift::is_list;
use crate::ir::place::{element, key};
use crate::ir::symbols::Table;
use crate::ir::visit::parts::{Use, mutable, shared};
use crate::ir::visit::{blocks, blocks_mut};
use crate::ir::*;
use std::collections::BTreeMap;

/// Puts views before the loops.
pub fn hoist_layouts(table: &mut Table, block: &mut Block) {
    block.replace(|stmt| match counted(stmt).map(|_| Elements::of(table, stmt)).filter(|found| !found.is_empty()) {
        Some(found) => Some(viewed(table, found, stmt)),
        None => {
            blocks_mut(stmt).into_iter().for_each(|inner| hoist_layouts(table, inner));
            None
        }
    });
}

/// A loop over numbers.
fn counted(stmt: &Stmt) -> Option<&For> {
    match stmt {
        Stmt::For(on) => Some(on),
        Stmt::Derived(Derived::Loop(l)) => Some(&l.on),
        _ => None,
    }
}

/// The arrays of which a loop reads and writes elements: variables, and fields of structs.
#[derive(Default)]
struct Elements {
    /// By their text, and whether it writes any.
    arrays: BTreeMap<String, (Place, bool)>,
    /// What it reads otherwise.
    seen: Vec<Place>,
    /// What it changes otherwise.
    changed: Vec<Place>,
}

impl Elements {
    fn of(table: &Table, stmt: &Stmt) -> BTreeMap<String, (Place, bool)> {
        let mut found = Elements::default();
        found.stmt(stmt);
        let Elements { mut arrays, seen, changed } = found;
        arrays.retain(|_, (array, written)| {
            let meets = |other: &Place| !apart(other, array);
            let is_used = changed.iter().any(meets) || *written && seen.iter().any(meets);
            !is_used && element(table.ty(array.root), &array.path) == Ty::Library
        });
        arrays
    }

    /// An array that a call does not want is there, without elements.
    fn stmt(&mut self, stmt: &Stmt) {
        shared::head(stmt, &mut |part| self.part(part));
        if let Stmt::Effect { writes, .. } = stmt {
            self.changed.extend(writes.iter().map(|var| Place::var(*var)));
        }
        blocks(stmt).into_iter().for_each(|inner| inner.stmts.iter().for_each(|stmt| self.stmt(stmt)));
    }

    fn note(&mut self, array: Place, writes: bool) {
        let (_, written) = self.arrays.entry(key(&array)).or_insert((array, false));
        *written |= writes;
    }

    fn part(&mut self, part: shared::Part) {
        match part {
            shared::Part::Place(place, used) => {
                place.indices(&mut |index| self.passive(index));
                match (array_of(place), used) {
                    (Some(array), Use::Read | Use::Write | Use::Update) => self.note(array, used != Use::Read),
                    (_, Use::Read | Use::Shape) => self.seen.push(place.clone()),
                    _ => self.changed.push(place.clone()),
                }
            }
            shared::Part::Var(var, _) => self.changed.push(Place::var(*var)),
            shared::Part::Passive(code) => self.passive(code),
            shared::Part::Lent(code) => self.changed.extend(code.reads.iter().map(|var| Place::var(*var))),
        }
    }

    fn passive(&mut self, code: &PassiveCode) {
        self.seen.extend(code.reads.iter().chain(&code.shapes).map(|var| Place::var(*var)));
    }
}

/// The array, a variable or a field, of which a place is an element by several indices, or a part of a row.
fn array_of(place: &Place) -> Option<Place> {
    let (last, lead) = place.path.split_last()?;
    let listed = match last {
        Proj::Index(index) => is_list(index),
        Proj::Range(Some(from), Some(to)) => is_list(from) && is_list(to),
        _ => false,
    };
    let fields = lead.iter().all(|step| matches!(step, Proj::Field(_)));
    (listed && fields).then(|| Place { root: place.root, path: lead.to_vec() })
}

/// Whether two places are of different variables, or lie in different fields of one.
fn apart(a: &Place, b: &Place) -> bool {
    let different = |(a, b): (&Proj, &Proj)| match (a, b) {
        (Proj::Field(a), Proj::Field(b)) => (a != b).then_some(true),
        _ => Some(false),
    };
    a.root != b.root || a.path.iter().zip(&b.path).find_map(different).unwrap_or(false)
}

/// The loop over views of arrays, if it runs at all.
fn viewed(table: &mut Table, arrays: BTreeMap<String, (Place, bool)>, stmt: &mut Stmt) -> Vec<Stmt> {
    let on = counted(stmt).expect("it is a loop");
    let cond = runs(&on.lo, &on.hi, on.inclusive);
    let mut views = BTreeMap::new();
    let mut stmts: Vec<Stmt> = Vec::new();
    for (text, (array, exclusive)) in arrays {
        let info = table.info(array.root);
        let (hint, span, role) = (format!("{}_rows", info.hint), info.span, table.role(array.root));
        let var = table.fresh(&hint, Ty::Slice(Box::new(Ty::Float)), role, span);
        let whole = [array.path, vec![Proj::Range(None, None)]].concat();
        let place = Place { root: array.root, path: whole };
        stmts.push(Stmt::Derived(Derived::View { var, place, exclusive, on: None }));
        views.insert(text, var);
    }
    redirect(stmt, &views);
    stmts.push(stmt.clone());
    vec![Stmt::If { cond, then: Block { stmts }, els: Block::default() }]
}

/// Elements of views where they were those of arrays.
fn redirect(stmt: &mut Stmt, views: &BTreeMap<String, Var>) {
    mutable::head(stmt, &mut |part| {
        if let mutable::Part::Place(place, _) = part
            && let Some(view) = array_of(place).and_then(|array| views.get(&key(&array)))
        {
            let last = place.path.pop();
            *place = Place { root: *view, path: last.into_iter().collect() };
        }
    });
    for inner in blocks_mut(stmt) {
        inner.stmts.iter_mut().for_each(|stmt| redirect(stmt, views));
    }
}
