//! Slices that an inner loop walks through are cut to size before it.
//!
//! `for j in 0..n { z += w[lo..hi][j] * x[j] }` becomes a loop over `w_row = &w[lo..hi][..n]` and
//! `x_row = &x[..n]`: the row is found once, and no index can be out of range in the loop. The
//! last pass over every body, primal places and shadows alike.
//!
//! What is read at several offsets, `x[i]` and `x[i + 1]`, is cut once for each: else LLVM keeps
//! the element for the next trip in a register, and a vector unit has to shift it into place.

pub mod passive;

use crate::ir::*;
use crate::stencils::{atom, shifted};
use crate::table::Table;
use crate::walk::{Touch, Vars, Visit, blocks, blocks_mut, touched};
use quote::quote;
use std::collections::BTreeMap;

/// Rewrites all innermost loops.
pub fn rows(table: &mut Table, block: &mut Block) {
    Rows { table }.block(block);
}

struct Rows<'a> {
    table: &'a mut Table,
}

/// When a trip comes to a statement: always under this guard, if there is one; or not always.
type When = Option<Option<ParamSet>>;

/// The accesses of one loop to the elements of one place.
struct Row {
    place: Place,
    written: bool,
    /// By their offset from the loop variable.
    accesses: Vec<(i64, When)>,
    /// The offsets, and whether every trip reaches them under the guard.
    offsets: BTreeMap<i64, bool>,
    guard: Option<ParamSet>,
}

impl Row {
    /// Under the guard of all accesses, or under none.
    fn guarded(mut self) -> Row {
        let guards: Vec<Option<ParamSet>> = self.accesses.iter().filter_map(|(_, when)| *when).collect();
        self.guard = guards.first().copied().flatten().filter(|one| guards.iter().all(|g| *g == Some(*one)));
        for (offset, when) in &self.accesses {
            *self.offsets.entry(*offset).or_default() |= *when == Some(self.guard);
        }
        self
    }

    /// The largest offset, if every trip reaches it.
    fn last(&self) -> Option<i64> {
        self.offsets.last_key_value().filter(|(_, always)| **always).map(|(offset, _)| *offset)
    }

    /// Whether each offset is cut for itself.
    fn by_offset(&self) -> bool {
        !self.written && self.offsets.len() > 1 && self.offsets.values().all(|always| *always)
    }
}

/// The views that take the place of a row.
enum Views {
    /// With the same indices.
    Whole(Var),
    /// By offset: they start where the first trip reads.
    ByOffset(BTreeMap<i64, Var>),
}

impl Rows<'_> {
    fn block(&mut self, block: &mut Block) {
        block.replace(|stmt| self.stmt(stmt));
    }

    /// What stands in a statement's place, if not the statement.
    fn stmt(&mut self, stmt: &mut Stmt) -> Option<Vec<Stmt>> {
        let on = match stmt {
            Stmt::For(on) if is_innermost(&on.body) => on,
            Stmt::Derived(Derived::Loop(l)) if l.trips.is_none() && is_innermost(&l.on.body) => &mut l.on,
            other => {
                blocks_mut(other).into_iter().for_each(|inner| self.block(inner));
                return None;
            }
        };
        let (mut stmts, anyway) = self.counted(on)?;
        let (var, cond) = (on.var, crate::parts::runs(&on.lo, &on.hi, false));
        stmts.push(std::mem::replace(stmt, Stmt::Declare { var }));
        Some(match anyway {
            true => stmts,
            false => vec![Stmt::If { cond, then: Block { stmts }, els: Block::default() }],
        })
    }

    /// The views that an innermost loop wants, if any, and whether they exist even if it does not run. It walks through them.
    fn counted(&mut self, on: &mut For) -> Option<(Vec<Stmt>, bool)> {
        if on.inclusive || on.step.is_some() || on.until.is_some() {
            return None;
        }
        let own = touched(&on.body.stmts, &[Touch::Define]);
        passive::places(self.table, &mut on.body);
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        self.collect(on, &on.body, Some(None), &own, &mut rows);
        let mut spoiled = &self.spoiled(on, &own) | &own;
        spoil_shared(&rows, &mut spoiled);
        rows.retain(|_, row| !spoiled.contains(&row.place.root));
        let rows = rows.into_iter().map(|(key, row)| (key, row.guarded())).filter(|(_, row)| row.last().is_some());
        let mut stmts = Vec::new();
        let mut anyway = true;
        let views = rows.map(|(key, row)| (key, self.views(on, row, &mut anyway, &mut stmts))).collect();
        let mut body = std::mem::take(&mut on.body);
        self.rename(on, &mut body, &views);
        on.body = body;
        self.fixed(on, &mut stmts);
        (!stmts.is_empty()).then_some((stmts, anyway))
    }

    /// The views of a row. `anyway` tells whether they exist even if the loop does not run.
    fn views(&mut self, on: &For, row: Row, anyway: &mut bool, out: &mut Vec<Stmt>) -> Views {
        let mut view = |cut: Proj| {
            let var = self.table.companion(row.place.root, "row", self.table.role(row.place.root));
            self.table.retype(var, Ty::Slice(Box::new(Ty::Float)));
            let place = Place { path: [&row.place.path[..], &[cut]].concat(), root: row.place.root };
            out.push(Stmt::Derived(Derived::View { var, place, exclusive: row.written, on: row.guard }));
            var
        };
        let last = row.last().unwrap_or(0);
        *anyway &= last == 0 && starts_at_zero(on) && !row.by_offset();
        match row.by_offset() {
            false => Views::Whole(view(Proj::Range(None, Some(shifted(&on.hi, last))))),
            true => {
                let cut = |c: i64| Proj::Range(Some(shifted(&on.lo, c)), Some(shifted(&on.hi, c)));
                Views::ByOffset(row.offsets.keys().map(|c| (*c, view(cut(*c)))).collect())
            }
        }
    }

    /// Elements that every trip reads and none changes are read once.
    fn fixed(&mut self, on: &mut For, before: &mut Vec<Stmt>) {
        let mut inside = touched(&on.body.stmts, &[Touch::Define, Touch::Write]);
        inside.insert(on.var);
        let mut made: BTreeMap<String, Var> = BTreeMap::new();
        for stmt in &mut on.body.stmts {
            let written = matches!(stmt, Stmt::Assign { .. } | Stmt::Derived(Derived::Clear { .. }));
            let mut first = written;
            each_place_mut(stmt, &mut |place| {
                if std::mem::take(&mut first) || !self.is_fixed(place, &inside) {
                    return;
                }
                let var = *made.entry(key(place)).or_insert_with(|| {
                    let var = self.table.companion(place.root, "fixed", self.table.role(place.root));
                    self.table.retype(var, Ty::Float);
                    let read = Expr::If { cond: crate::parts::runs(&on.lo, &on.hi, false), place: place.clone() };
                    before.push(Stmt::Let { var, expr: read });
                    var
                });
                *place = Place::var(var);
            });
        }
    }

    fn is_fixed(&self, place: &Place, inside: &Vars) -> bool {
        let float = crate::versions::element(self.table.ty(place.root), &place.path) == Ty::Float;
        let mut fixed = float && matches!(place.path.last(), Some(Proj::Index(_))) && !inside.contains(&place.root);
        place.indices(&mut |o| fixed &= !o.depends_on(inside));
        fixed
    }

    /// Every element access `place[i + c]`, by its place. `when` is the guard under which every
    /// trip comes here; none if not every trip does.
    fn collect(&self, on: &For, block: &Block, when: When, own: &Vars, rows: &mut BTreeMap<String, Row>) {
        for stmt in &block.stmts {
            each_place(stmt, &mut |place, written| {
                let Some((row, offset)) = self.access(on, place, own) else { return };
                let entry = rows.entry(key(&row)).or_insert_with(|| Row {
                    place: row,
                    written: false,
                    accesses: Vec::new(),
                    offsets: BTreeMap::new(),
                    guard: None,
                });
                entry.accesses.push((offset, when));
                entry.written |= written;
            });
            let inside = match (stmt, when) {
                (Stmt::Derived(Derived::Guard { on, .. }), Some(None)) => Some(Some(*on)),
                _ => None,
            };
            for inner in blocks(stmt) {
                self.collect(on, inner, inside, own, rows);
            }
        }
    }

    /// `place[i + c]`: the place, which does not change in the loop, and `c`.
    fn access(&self, on: &For, place: &Place, own: &Vars) -> Option<(Place, i64)> {
        let (Proj::Index(index), prefix) = place.path.split_last()? else { return None };
        let offset = self.offset(index, on.var)?;
        let row = Place { root: place.root, path: prefix.to_vec() };
        let ty = self.table.ty(row.root);
        let float = *ty == Ty::Passive || crate::versions::element(ty, &place.path) == Ty::Float;
        let library = crate::versions::element(ty, prefix) == Ty::Library;
        let mut fixed = float && !library && !matches!(ty, Ty::Opaque | Ty::Array(_));
        fixed &= !prefix.iter().any(|p| matches!(p, Proj::Field(_) | Proj::Payload(..) | Proj::Deref));
        row.indices(&mut |o| fixed &= o.reads.iter().chain(&o.shapes).all(|v| *v != on.var && !own.contains(v)));
        fixed.then_some((row, offset))
    }

    fn offset(&self, index: &Opaque, var: Var) -> Option<i64> {
        crate::stencils::offset(&self.table.info(var).name.to_string(), index)
    }

    /// Variables that the loop uses otherwise than element by element, so that they cannot be lent.
    fn spoiled(&self, on: &For, own: &Vars) -> Vars {
        let mut all = BTreeMap::<Var, (usize, bool)>::new();
        let mut visit = |v: Var, touch: Touch| {
            let entry = all.entry(v).or_default();
            entry.0 += usize::from(touch != Touch::Define);
            entry.1 |= touch == Touch::Write;
        };
        Visit(&mut visit).block(&on.body);
        let mut counted = BTreeMap::<Var, usize>::new();
        self.count(on, &on.body, own, &mut counted);
        let used_otherwise =
            |(v, (times, _)): (&Var, &(usize, bool))| (counted.get(v).copied().unwrap_or(0) != *times).then_some(*v);
        let written: Vars = all.iter().filter(|(_, (_, w))| *w).map(|(v, _)| *v).collect();
        all.iter().filter_map(used_otherwise).filter(|v| written.contains(v)).collect()
    }

    fn count(&self, on: &For, block: &Block, own: &Vars, counted: &mut BTreeMap<Var, usize>) {
        for stmt in &block.stmts {
            each_place(stmt, &mut |place, _| {
                if self.access(on, place, own).is_some() {
                    *counted.entry(place.root).or_default() += 1;
                }
            });
            blocks(stmt).into_iter().for_each(|b| self.count(on, b, own, counted));
        }
    }

    fn rename(&self, on: &For, block: &mut Block, views: &BTreeMap<String, Views>) {
        if views.is_empty() {
            return;
        }
        for stmt in &mut block.stmts {
            each_place_mut(stmt, &mut |place| {
                let Some((Proj::Index(index), prefix)) = place.path.split_last() else { return };
                let Some(offset) = self.offset(index, on.var) else { return };
                let row = Place { root: place.root, path: prefix.to_vec() };
                let (root, index) = match views.get(&key(&row)) {
                    None => return,
                    Some(Views::Whole(var)) => (*var, index.clone()),
                    Some(Views::ByOffset(vars)) => (vars[&offset], self.trip(on)),
                };
                *place = Place { root, path: vec![Proj::Index(index)] };
            });
            blocks_mut(stmt).into_iter().for_each(|inner| self.rename(on, inner, views));
        }
    }

    /// How far the loop has come from its lower end.
    fn trip(&self, on: &For) -> Opaque {
        let mut index = self.table.read(on.var);
        if !starts_at_zero(on) {
            let (var, lo) = (&index.tokens, atom(&on.lo));
            index.tokens = quote!(#var - #lo);
            index.reads.extend(&on.lo.reads);
            index.shapes.extend(&on.lo.shapes);
        }
        index
    }
}

/// A variable of which one row is written and another used cannot be lent twice.
fn spoil_shared(rows: &BTreeMap<String, Row>, spoiled: &mut Vars) {
    for row in rows.values() {
        let same = rows.values().filter(|r| r.place.root == row.place.root);
        if same.clone().any(|r| r.written) && same.count() > 1 {
            spoiled.insert(row.place.root);
        }
    }
}

fn starts_at_zero(on: &For) -> bool {
    on.lo.tokens.to_string() == "0"
}

/// A place as text: the same for the same path.
pub fn key(place: &Place) -> String {
    let mut text = format!("{}", place.root.0);
    for step in &place.path {
        match step {
            Proj::Field(member) => text += &format!(".{}", quote!(#member)),
            Proj::Payload(variant, member) => text += &format!(".{variant}.{}", quote!(#member)),
            Proj::Deref => text += ".*",
            Proj::Index(i) => text += &format!("[{}]", i.tokens),
            Proj::Range(lo, hi) => {
                let end = |o: &Option<Opaque>| o.as_ref().map(|o| o.tokens.to_string()).unwrap_or_default();
                text += &format!("[{}..{}]", end(lo), end(hi));
            }
        }
    }
    text
}

fn is_innermost(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| match stmt {
        Stmt::For(_)
        | Stmt::While { .. }
        | Stmt::Derived(Derived::Loop(_) | Derived::Times { .. } | Derived::Sweep(_)) => false,
        Stmt::Let { expr: Expr::Call(_), .. } => true,
        other => blocks(other).into_iter().all(is_innermost),
    })
}

/// The places that a simple statement reads (false) or writes (true).
fn each_place(stmt: &Stmt, f: &mut dyn FnMut(&Place, bool)) {
    let mut operand = |o: &Operand| {
        if let Operand::Place(p) = o {
            f(p, false);
        }
    };
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Operand(o) => operand(o),
            Expr::Struct(s) => s.fields.iter().map(|(_, o)| o).for_each(operand),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter().for_each(operand)
            }
            Expr::Fresh { place, .. } => f(place, false),
            _ => {}
        },
        Stmt::Assign { place, value, .. } => {
            f(place, true);
            if let Operand::Place(p) = value {
                f(p, false);
            }
        }
        Stmt::Derived(Derived::Clear { place, whole: false }) => f(place, true),
        _ => {}
    }
}

/// The places of a simple statement, the written one first.
pub fn each_place_mut(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Place)) {
    let mut operand = |o: &mut Operand| {
        if let Operand::Place(p) = o {
            f(p);
        }
    };
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Operand(o) => operand(o),
            Expr::Struct(s) => s.fields.iter_mut().map(|(_, o)| o).for_each(operand),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter_mut().for_each(operand)
            }
            Expr::Fresh { place, .. } => f(place),
            _ => {}
        },
        Stmt::Assign { place, value, .. } => {
            f(place);
            if let Operand::Place(p) = value {
                f(p);
            }
        }
        Stmt::Derived(Derived::Clear { place, whole: false }) => f(place),
        _ => {}
    }
}
