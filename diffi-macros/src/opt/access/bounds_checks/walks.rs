//! Pointer walks: loops that walk along slices, and slices as parameters.

use crate::analysis::cost_model::WALKED_SLICES;
use crate::ir::visit::{Access, Vars, blocks, touched, touches};
use crate::ir::*;
use crate::opt::access::bounds_checks::{Row, Rows};
use std::collections::BTreeMap;

impl Rows<'_> {
    /// A loop after its views, over the ones that it writes to as parameters, if there are more than one. Not one that takes
    /// several elements an iteration: it has no vectors of iterations to gain, and LLVM finds worse ones within an iteration. Unless the elements
    /// are those of several iterations around it, which make up a vector.
    pub fn alone(&self, stmts: Vec<Stmt>, on: Stmt) -> Vec<Stmt> {
        let is_chunks = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Chunks { .. }));
        let is_cells = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Cells { .. }));
        let has_chunks = stmts.iter().any(is_chunks);
        let numbers = Ty::Slice(Box::new(Ty::Float));
        let written = |s: &Stmt| match s {
            Stmt::Derived(Derived::View { var, exclusive: true, .. }) => {
                Some(*var).filter(|v| *self.table.ty(*v) == numbers)
            }
            _ => None,
        };
        let slices: Vec<Var> = stmts.iter().filter_map(written).collect();
        let views = stmts.iter().filter(|s| matches!(s, Stmt::Derived(Derived::View { .. }))).count();
        let has_frame = matches!(&on, Stmt::Derived(Derived::Loop(l)) if l.frame.is_some());
        let has_cells = stmts.iter().any(is_cells);
        let body = touched(std::slice::from_ref(&on), &[Access::Write]);
        let gains = views > 1 || has_frame || has_cells;
        let has_lanes = match &on {
            Stmt::For(on) => self.table.is_abreast(on.var),
            Stmt::Derived(Derived::Loop(l)) => self.table.is_abreast(l.on.var),
            _ => false,
        };
        if slices.is_empty() || has_chunks && !has_lanes || !gains || !body.is_disjoint(&self.declared) {
            return stmts.into_iter().chain([on]).collect();
        }
        let (parts, mut before): (Vec<Stmt>, Vec<Stmt>) = stmts.into_iter().partition(|s| is_cells(s) || is_chunks(s));
        let again = self.again(&before, &on);
        let body = Block { stmts: again.into_iter().chain(parts).chain([on]).collect() };
        before.push(Stmt::Derived(Derived::NoAlias { slices, body }));
        before
    }

    /// The views once more, where a loop ends with the least of several lengths. LLVM finds out which one it is, and for the loop's end
    /// later than for the slices: then it no longer sees that they are as long as the loop. Cut by what the loop ends with, they are.
    fn again(&self, views: &[Stmt], on: &Stmt) -> Vec<Stmt> {
        let hi = match on {
            Stmt::For(on) => &on.hi,
            Stmt::Derived(Derived::Loop(l)) => &l.on.hi,
            _ => return Vec::new(),
        };
        let text = hi.tokens.to_string();
        let named = hi.reads.iter().any(|v| self.least.contains(v) && self.table.info(*v).name == text);
        let cut = |view: &Stmt| match view {
            Stmt::Derived(Derived::View { var, place, exclusive, on }) if named => match place.path.last() {
                Some(Proj::Range(None, Some(end))) if end.tokens.to_string() == text => {
                    let place = Place { root: *var, path: vec![Proj::Range(None, Some(end.clone()))] };
                    Some(Stmt::Derived(Derived::View { var: *var, place, exclusive: *exclusive, on: *on }))
                }
                _ => None,
            },
            _ => None,
        };
        views.iter().filter_map(cut).collect()
    }

    /// The cells of arrays, by the arrays.
    pub fn cells(&mut self, roots: &Vars, neighbours: &Vars, out: &mut Vec<Stmt>) -> BTreeMap<Var, Var> {
        let mut all = BTreeMap::new();
        for root in roots {
            let whole = self.slice(Place { root: *root, path: vec![Proj::Range(None, None)] }, true, out);
            let var = self.table.companion(*root, "cells", self.table.role(*root));
            let neighbours = neighbours.contains(root);
            out.push(Stmt::Derived(Derived::Cells { var, place: Place::var(whole), neighbours }));
            all.insert(*root, var);
        }
        all
    }

    /// The elements that a loop has by walking along a row, by offset.
    pub fn walked(
        &mut self,
        on: &For,
        row: Row,
        cells: &BTreeMap<Var, Var>,
        walks: &mut Vec<Walk>,
        out: &mut Vec<Stmt>,
    ) -> BTreeMap<i64, Var> {
        let mut all = BTreeMap::new();
        for offset in row.offsets.keys() {
            let path = [&row.place.path[..], &[row.cut(on, *offset, *offset)]].concat();
            let element = self.table.companion(row.place.root, "element", self.table.role(row.place.root));
            self.table.retype(element, Ty::Float);
            let (slice, how) = match cells.get(&row.place.root) {
                Some(cells) => {
                    self.table.set_cell(element);
                    (Place { root: *cells, path }, Walked::Shared)
                }
                None => {
                    self.table.set_ref(element);
                    let slice = self.slice(Place { root: row.place.root, path }, row.written, out);
                    (Place::var(slice), if row.written { Walked::Written } else { Walked::Read })
                }
            };
            all.insert(*offset, element);
            walks.push(Walk { element, slice, by: None, how });
        }
        all
    }

    /// A name for a slice.
    fn slice(&mut self, place: Place, exclusive: bool, out: &mut Vec<Stmt>) -> Var {
        let var = self.table.companion(place.root, "row", self.table.role(place.root));
        self.table.retype(var, Ty::Slice(Box::new(Ty::Float)));
        out.push(Stmt::Derived(Derived::View { var, place, exclusive, on: None }));
        var
    }
}

/// The loop with what it walks along; one of the primal is one of derivative code then.
pub fn walking(stmt: Stmt, walks: Vec<Walk>) -> Stmt {
    match stmt {
        Stmt::For(on) if !walks.is_empty() => {
            Stmt::Derived(Derived::Loop(Box::new(Loop { walks, ..Loop::new(on, LoopSweep::Primal) })))
        }
        Stmt::Derived(Derived::Loop(l)) => Stmt::Derived(Derived::Loop(Box::new(Loop { walks, ..*l }))),
        other => other,
    }
}

/// The arrays that are written at one place and used at another, so that no two slices can be lent of them.
pub fn shared(rows: &BTreeMap<String, Row>) -> Vars {
    let mut uses: BTreeMap<Var, (usize, bool)> = BTreeMap::new();
    for row in rows.values() {
        let (places, written) = uses.entry(row.place.root).or_default();
        *places += if row.is_strided() { 1 } else { row.offsets.len() };
        *written |= row.written;
    }
    uses.into_iter().filter(|(_, (places, written))| *written && *places > 1).map(|(root, _)| root).collect()
}

/// Of these: the ones whose rows lie at a fixed distance from each other, as `u[(i - 1) * n + j]` and `u[i * n + j]` do.
pub fn neighbours(rows: &BTreeMap<String, Row>) -> Vars {
    let reads = |row: &Row| row.base.as_ref().map(|base| base.reads.clone());
    let near = |a: &Row, b: &Row| a.place.root == b.place.root && a.base.is_some() && reads(a) == reads(b);
    let pairs = rows.values().enumerate().flat_map(|(k, a)| rows.values().skip(k + 1).map(move |b| (a, b)));
    let near: Vars = pairs.filter(|(a, b)| near(a, b)).map(|(a, _)| a.place.root).collect();
    shared(rows).intersection(&near).copied().collect()
}

/// Of these: the ones of which not even one slice is enough.
pub fn torn(rows: &BTreeMap<String, Row>) -> Vars {
    let one = |row: &Row| row.base.is_none() && rows.values().filter(|r| r.place.root == row.place.root).count() == 1;
    let whole: Vars = rows.values().filter(|row| one(row)).map(|row| row.place.root).collect();
    shared(rows).difference(&whole).copied().collect()
}

/// Whether a loop may walk along all of its rows.
pub fn may_be_walked(body: &Block, rows: &BTreeMap<String, Row>) -> bool {
    let count: usize = rows.values().map(|row| row.offsets.len()).sum();
    let shared = shared(rows);
    let of_slices = |row: &Row| row.place.path.iter().all(|step| matches!(step, Proj::Range(..)));
    let fits = |row: &Row| !shared.contains(&row.place.root) || of_slices(row) && is_plain(body, row.place.root);
    count <= WALKED_SLICES
        && rows
            .values()
            .all(|row| !row.is_strided() && row.of == Ty::Float && row.guard.is_none() && row.is_reached() && fits(row))
}

/// Whether elements of an array are only loaded, stored and added to.
fn is_plain(block: &Block, root: Var) -> bool {
    block.stmts.iter().filter(|s| touches(s, root)).all(|stmt| match stmt {
        Stmt::Let { expr: Expr::Operand(_) | Expr::Op { .. }, .. }
        | Stmt::Assign { .. }
        | Stmt::Derived(Derived::Clear { whole: false, .. }) => true,
        Stmt::If { .. } | Stmt::Derived(Derived::Guard { .. }) => blocks(stmt).iter().all(|b| is_plain(b, root)),
        _ => false,
    })
}
