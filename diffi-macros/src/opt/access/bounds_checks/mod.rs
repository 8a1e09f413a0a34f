//! Bounds-check elimination (LLVM's IRCE): slices are cut to an inner loop's range before the loop.
//!
//! `for j in 0..n { z += w[lo..hi][j] * x[j] }` becomes a loop over `w_row = &w[lo..hi][..n]` and `x_row = &x[..n]`. The row is found
//! once, and no index can be out of range in the loop. The pass treats primal places and shadows alike.
//!
//! In a matrix that is stored row by row, `a[n * i + j]` is the element `j` of a row too. A loop may use several rows of one array and
//! write to one of them: the array's elements are cells then.
//!
//! A loop that goes downwards, or over cells, walks along its rows instead, one counter for all. LLVM cannot tell from the indices of
//! such loops that they are in range, and vectorizes no loop that may have to panic. The elements of a row that is written at one
//! offset and read at another are cells.
//!
//! Several elements of each iteration, `x[3 * i]` to `x[3 * i + 2]`, become a slice of arrays, one array an iteration.
//!
//! An array that is read at several offsets, `x[i]` and `x[i + 1]`, is cut once for each. Otherwise LLVM keeps the element for the next
//! iteration in a register, and a vector unit has to shift it into place.
//!
//! The elements of a list of points, `p[i][0]` and `p[i].y`, are cut as numbers are: each stands in the slice with all of its members.
//!
//! An element whose index is loop-invariant is loaded before the loop, if the loop runs at all.

pub mod passive;
mod walks;

use self::walks::{may_be_walked, neighbours, shared, torn, walking};
use crate::analysis::cost_model::SPAN_ITERATIONS;
use crate::analysis::loops::is_innermost;
use crate::ir::affine::shift::{Shift, is_list};
use crate::ir::affine::{atom, number, shifted};
use crate::ir::place::key;
use crate::ir::purity::repeatable;
use crate::ir::symbols::{Role, Table, holds_no_buffers};
use crate::ir::visit::places::{each_place, each_place_mut};
use crate::ir::visit::{Access as Touch, Vars, Visit, blocks, blocks_mut, touched};
use crate::ir::*;
use proc_macro2::{Literal, TokenTree};
use quote::quote;
use std::collections::BTreeMap;

/// Rewrites all innermost loops.
pub fn bounds_checks(table: &mut Table, block: &mut Block) {
    let mut rows = Rows { table, declared: Vars::new(), least: Vars::new(), known: Vec::new() };
    rows.learn(block);
    rows.block(block);
}

struct Rows<'a> {
    table: &'a mut Table,
    /// Variables that are assigned after their declaration.
    declared: Vars,
    /// Names for the least of several lengths.
    least: Vars,
    /// Conditions that hold where a statement stands, as text.
    known: Vec<String>,
}

/// When an iteration comes to a statement: always under this guard, if there is one; or not always.
type When = Option<Option<ParamSet>>;

/// The accesses of one loop to the elements of one place.
struct Row {
    place: Place,
    /// Where it begins, if not with the place.
    base: Option<PassiveCode>,
    /// How many elements it goes on with each iteration.
    stride: i64,
    /// What its elements are: numbers, or what is made of them.
    of: Ty,
    written: bool,
    /// By their offset from the loop variable.
    accesses: Vec<(i64, When)>,
    /// The offsets, and whether every iteration reaches them under the guard.
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

    /// The largest offset, if every iteration reaches it.
    fn last(&self) -> Option<i64> {
        self.offsets.last_key_value().filter(|(_, always)| **always).map(|(offset, _)| *offset)
    }

    /// Whether every iteration reaches all of it.
    fn is_reached(&self) -> bool {
        self.offsets.values().all(|always| *always)
    }

    /// Whether a slice can be cut for it.
    fn may_be_cut(&self) -> bool {
        match &self.base {
            None if self.is_strided() => self.last() == Some(self.stride - 1),
            None => self.last().is_some(),
            Some(_) => self.is_reached(),
        }
    }

    /// Whether an iteration has several elements to itself.
    fn is_strided(&self) -> bool {
        self.stride > 1
    }

    /// Whether each offset is cut for itself.
    fn by_offset(&self) -> bool {
        self.base.is_some() || !self.written && self.offsets.len() > 1 && self.is_reached()
    }

    /// What the loop reaches from the offset `first` to the offset `last`.
    fn cut(&self, on: &For, first: i64, last: i64) -> Proj {
        let end = |at, offset| Some(Shift::at(self.base.as_ref(), at, offset));
        Proj::Range(end(&on.lo, first), end(&on.hi, last))
    }
}

/// An element of a row, or a member of one.
struct Access {
    row: Place,
    shift: Shift,
    /// Which step of the place is the element's index.
    at: usize,
}

/// The views that take the place of a row.
enum Views {
    /// With the same indices.
    Whole(Var),
    /// By offset: they start where the first iteration reads.
    ByOffset(BTreeMap<i64, Var>),
    /// With an array for each iteration.
    Chunks(Var),
    /// The elements themselves, by offset.
    Walked(BTreeMap<i64, Var>),
}

/// What a loop gets in front of it.
struct Cut {
    stmts: Vec<Stmt>,
    walks: Vec<Walk>,
    /// Whether the views exist even if the loop does not run.
    anyway: bool,
    /// Whether the views have to end with the loop.
    scoped: bool,
}

impl Rows<'_> {
    fn learn(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Declare { var } => {
                    self.declared.insert(*var);
                }
                Stmt::Let { var, expr: Expr::Passive(o) } if is_least(o) => {
                    self.least.insert(*var);
                }
                _ => {}
            }
            blocks(stmt).into_iter().for_each(|inner| self.learn(inner));
        }
    }

    fn block(&mut self, block: &mut Block) {
        block.replace(|stmt| self.stmt(stmt));
    }

    /// What stands in a statement's place, if not the statement.
    fn stmt(&mut self, stmt: &mut Stmt) -> Option<Vec<Stmt>> {
        let (down, on) = match stmt {
            Stmt::For(on) if is_innermost(&on.body) => (false, on),
            Stmt::Derived(Derived::Loop(l)) if !l.walks.is_empty() => return None,
            Stmt::Derived(Derived::Loop(l)) if l.iterations.is_none() && is_innermost(&l.on.body) => {
                (l.on.down, &mut l.on)
            }
            other => {
                self.inner(other);
                return None;
            }
        };
        let Cut { stmts, walks, anyway, scoped } = self.counted(on, down)?;
        let (var, cond) = (on.var, crate::ir::affine::runs(&on.lo, &on.hi, false));
        let looped = walking(std::mem::replace(stmt, Stmt::Declare { var }), walks);
        let stmts = self.alone(stmts, looped);
        Some(match !scoped && (anyway || self.known.contains(&cond.tokens.to_string())) {
            true => stmts,
            false => vec![Stmt::If { cond, then: Block { stmts }, els: Block::default() }],
        })
    }

    /// The blocks in a statement.
    fn inner(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::If { cond, then, els } => {
                self.under(cond, then);
                self.block(els);
            }
            other => blocks_mut(other).into_iter().for_each(|inner| self.block(inner)),
        }
    }

    /// A block that is entered under this condition.
    fn under(&mut self, cond: &PassiveCode, block: &mut Block) {
        let changed = touched(&block.stmts, &[Touch::Define, Touch::Write]);
        let holds = repeatable(cond) && !cond.depends_on(&changed);
        self.known.extend(holds.then(|| cond.tokens.to_string()));
        self.block(block);
        self.known.truncate(self.known.len() - usize::from(holds));
    }

    /// The views that an innermost loop wants, if any. One of derivative code that goes `down` walks along them.
    fn counted(&mut self, on: &mut For, down: bool) -> Option<Cut> {
        if on.inclusive || on.step.is_some() || on.until.is_some() {
            return None;
        }
        let inside = touched(&on.body.stmts, &[Touch::Define, Touch::Write]);
        passive::places(self.table, &mut on.body);
        let mut rows = self.rows(on, &inside);
        let scoped = rows.values().any(|row| self.is_in_array(row));
        let shared = shared(&rows);
        let torn = torn(&rows);
        let walking = (down || !torn.is_empty()) && may_be_walked(&on.body, &rows);
        if !walking {
            rows.retain(|_, row| !torn.contains(&row.place.root));
        }
        let (mut stmts, mut walks, mut anyway) = (Vec::new(), Vec::new(), true);
        let cells = if walking { self.cells(&shared, &neighbours(&rows), &mut stmts) } else { BTreeMap::new() };
        let mut views = BTreeMap::new();
        for (key, row) in rows {
            let view = match walking {
                true => Views::Walked(self.walked(on, row, &cells, &mut walks, &mut stmts)),
                false => self.views(on, row, &mut anyway, &mut stmts),
            };
            anyway &= !walking;
            views.insert(key, view);
        }
        let mut body = std::mem::take(&mut on.body);
        self.rename(on, &mut body, &views, &inside);
        on.body = body;
        self.fixed(on, &mut stmts);
        (!stmts.is_empty()).then_some(Cut { stmts, walks, anyway, scoped })
    }

    /// The rows that slices can be cut for, by their places.
    fn rows(&self, on: &For, inside: &Vars) -> BTreeMap<String, Row> {
        let mut rows = BTreeMap::new();
        self.collect(on, &on.body, Some(None), inside, &mut rows);
        let spoiled = &self.spoiled(on, inside) | &touched(&on.body.stmts, &[Touch::Define]);
        rows.retain(|_, row: &mut Row| !spoiled.contains(&row.place.root));
        let mut rows: BTreeMap<String, Row> = rows.into_iter().map(|(key, row)| (key, row.guarded())).collect();
        let torn = torn(&rows);
        let is_short = number(&on.hi).is_some_and(|hi| hi < SPAN_ITERATIONS);
        let has_span = |row: &Row| !is_short && !torn.contains(&row.place.root);
        rows.retain(|_, row| !self.is_in_array(row) || has_span(row));
        let written: Vars = rows.values().filter(|row| row.written).map(|row| row.place.root).collect();
        let uncut: Vars = rows.values().filter(|row| !row.may_be_cut()).map(|row| row.place.root).collect();
        rows.retain(|_, row| {
            row.may_be_cut() && !(written.contains(&row.place.root) && uncut.contains(&row.place.root))
        });
        rows
    }

    /// Whether the row is one of an array of a library, of which slices are had that may have to be written back.
    fn is_in_array(&self, row: &Row) -> bool {
        crate::ir::place::element(self.table.ty(row.place.root), &row.place.path) == Ty::Library
    }

    /// The views of a row. `anyway` tells whether they exist even if the loop does not run.
    fn views(&mut self, on: &For, row: Row, anyway: &mut bool, out: &mut Vec<Stmt>) -> Views {
        if row.is_strided() {
            *anyway &= starts_at_zero(on);
            return Views::Chunks(self.chunks(on, &row, out));
        }
        let mut view = |cut: Proj| {
            let var = self.table.companion(row.place.root, "row", self.table.role(row.place.root));
            self.table.retype(var, Ty::Slice(Box::new(row.of.clone())));
            let place = Place { path: [&row.place.path[..], &[cut]].concat(), root: row.place.root };
            out.push(Stmt::Derived(Derived::View { var, place, exclusive: row.written, on: row.guard }));
            var
        };
        let last = row.last().unwrap_or(0);
        *anyway &= last == 0 && starts_at_zero(on) && !row.by_offset();
        match row.by_offset() {
            false => Views::Whole(view(Proj::Range(None, Some(shifted(&on.hi, last))))),
            true => Views::ByOffset(row.offsets.keys().map(|c| (*c, view(row.cut(on, *c, *c)))).collect()),
        }
    }

    /// The arrays of a row, from the first of the place on.
    fn chunks(&mut self, on: &For, row: &Row, out: &mut Vec<Stmt>) -> Var {
        let (width, role) = (row.stride as usize, self.table.role(row.place.root));
        let [slice, chunks] = ["row", "chunks"].map(|hint| self.table.companion(row.place.root, hint, role));
        self.table.retype(slice, Ty::Slice(Box::new(Ty::Float)));
        self.table.retype(chunks, Ty::Slice(Box::new(Ty::Array(Box::new(Ty::Float)))));
        let (hi, factor) = (atom(&on.hi), Literal::usize_unsuffixed(width));
        let end = on.hi.clone().map(|_| quote!(#factor * #hi));
        let place =
            Place { path: [&row.place.path[..], &[Proj::Range(None, Some(end))]].concat(), root: row.place.root };
        let (exclusive, on_guard, count) = (row.written, row.guard, on.hi.clone());
        out.push(Stmt::Derived(Derived::View { var: slice, place, exclusive, on: on_guard }));
        let place = Place::var(slice);
        out.push(Stmt::Derived(Derived::Chunks { var: chunks, place, width, count, exclusive, on: on_guard }));
        chunks
    }

    /// Elements that every iteration reads and none changes are read once.
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
                    let read = Expr::If { cond: crate::ir::affine::runs(&on.lo, &on.hi, false), place: place.clone() };
                    before.push(Stmt::Let { var, expr: read });
                    var
                });
                *place = Place::var(var);
            });
        }
    }

    fn is_fixed(&self, place: &Place, inside: &Vars) -> bool {
        let float = crate::ir::place::element(self.table.ty(place.root), &place.path) == Ty::Float;
        let mut fixed = float && matches!(place.path.last(), Some(Proj::Index(_))) && !inside.contains(&place.root);
        place.indices(&mut |o| fixed &= !o.depends_on(inside));
        fixed
    }

    /// Every element access `place[i + c]`, by its place. `when` is the guard under which every
    /// iteration comes here; none if not every iteration does.
    fn collect(&self, on: &For, block: &Block, when: When, inside: &Vars, rows: &mut BTreeMap<String, Row>) {
        for stmt in &block.stmts {
            each_place(stmt, &mut |place, written| {
                let Some(Access { row, shift: Shift { base, stride, offset }, at }) = self.access(on, place, inside)
                else {
                    return;
                };
                // a local shadow is there whether or not it is used
                let when = if self.table.is_ref(row.root) { when } else { when.map(|_| None) };
                let of = self.element(place, at);
                let entry = rows.entry(row_key(&row, base.as_ref(), stride)).or_insert_with(|| Row {
                    of,
                    place: row,
                    base,
                    stride,
                    written: false,
                    accesses: Vec::new(),
                    offsets: BTreeMap::new(),
                    guard: None,
                });
                entry.accesses.push((offset, when));
                entry.written |= written;
            });
            let under = match (stmt, when) {
                (Stmt::Derived(Derived::Guard { on, .. }), Some(None)) => Some(Some(*on)),
                _ => None,
            };
            for inner in blocks(stmt) {
                self.collect(on, inner, under, inside, rows);
            }
        }
    }

    /// What the elements of a place's row are: numbers, if they have no members.
    fn element(&self, place: &Place, at: usize) -> Ty {
        match at + 1 == place.path.len() {
            true => Ty::Float,
            false => crate::ir::place::element(self.table.ty(place.root), &place.path[..=at]),
        }
    }

    /// `place[base + i + c]`, or a member of it: the place, which does not change in the loop, and the shift of `i`.
    fn access(&self, on: &For, place: &Place, inside: &Vars) -> Option<Access> {
        let at = place.path.iter().rposition(|step| matches!(step, Proj::Index(o) if number(o).is_none()))?;
        let (Proj::Index(index), prefix) = place.path[..=at].split_last()? else { return None };
        let shift = Shift::in_row(self.table, index, on.var, inside)?;
        let row = Place { root: place.root, path: prefix.to_vec() };
        let ty = self.table.ty(row.root);
        let float = *ty == Ty::Passive || crate::ir::place::element(ty, &place.path) == Ty::Float;
        let library = crate::ir::place::element(ty, prefix) == Ty::Library;
        let mut fixed = float && is_list(index) == library && !matches!(ty, Ty::Unknown | Ty::Array(_));
        fixed &= at + 1 == place.path.len() || shift.stride == 1 && self.has_members(place, at);
        let is_kept = |step: &Proj| match step {
            Proj::Field(_) => library,
            Proj::Index(_) | Proj::Range(..) => !library,
            Proj::Payload(..) | Proj::Deref => false,
        };
        fixed &= prefix.iter().all(is_kept);
        row.indices(&mut |o| fixed &= !o.depends_on(inside) && !o.depends_on(&[on.var].into()));
        fixed.then_some(Access { row, shift, at })
    }

    /// Whether the elements of a list are numbers side by side: arrays and tuples of them, or structs of the user's.
    fn has_members(&self, place: &Place, at: usize) -> bool {
        let list = crate::ir::place::element(self.table.ty(place.root), &place.path[..at]);
        let made = |ty: &Ty| match ty {
            Ty::Struct(fields) => {
                self.table.role(place.root) == Role::Primal
                    && !fields.is_empty()
                    && fields.values().all(holds_no_buffers)
            }
            ty => holds_no_buffers(ty),
        };
        match &list {
            Ty::Vec(of) => made(of),
            // slices that are cut already hold arrays of neighbours
            Ty::Slice(of) => self.table.is_ref(place.root) && made(of),
            _ => false,
        }
    }

    /// Variables that the loop uses otherwise than element by element, so that they cannot be lent.
    fn spoiled(&self, on: &For, inside: &Vars) -> Vars {
        let mut all = BTreeMap::<Var, (usize, bool)>::new();
        let mut visit = |v: Var, touch: Touch| {
            let entry = all.entry(v).or_default();
            entry.0 += usize::from(touch != Touch::Define);
            entry.1 |= touch == Touch::Write;
        };
        Visit(&mut visit).block(&on.body);
        let mut counted = BTreeMap::<Var, usize>::new();
        self.count(on, &on.body, inside, &mut counted);
        let used_otherwise =
            |(v, (times, _)): (&Var, &(usize, bool))| (counted.get(v).copied().unwrap_or(0) != *times).then_some(*v);
        let written: Vars = all.iter().filter(|(_, (_, w))| *w).map(|(v, _)| *v).collect();
        all.iter().filter_map(used_otherwise).filter(|v| written.contains(v)).collect()
    }

    fn count(&self, on: &For, block: &Block, inside: &Vars, counted: &mut BTreeMap<Var, usize>) {
        for stmt in &block.stmts {
            each_place(stmt, &mut |place, _| {
                if self.access(on, place, inside).is_some() {
                    *counted.entry(place.root).or_default() += 1;
                }
            });
            blocks(stmt).into_iter().for_each(|b| self.count(on, b, inside, counted));
        }
    }

    fn rename(&self, on: &For, block: &mut Block, views: &BTreeMap<String, Views>, inside: &Vars) {
        if views.is_empty() {
            return;
        }
        for stmt in &mut block.stmts {
            each_place_mut(stmt, &mut |place| {
                let Some(Access { row, shift: Shift { base, stride, offset }, at }) = self.access(on, place, inside)
                else {
                    return;
                };
                let Proj::Index(index) = &place.path[at] else { return };
                let Some(view) = views.get(&row_key(&row, base.as_ref(), stride)) else { return };
                let members = place.path[at + 1..].to_vec();
                *place = self.viewed(on, view, index.clone(), offset);
                place.path.extend(members);
            });
            blocks_mut(stmt).into_iter().for_each(|inner| self.rename(on, inner, views, inside));
        }
    }

    /// An element, by the view of its row.
    fn viewed(&self, on: &For, view: &Views, index: PassiveCode, offset: i64) -> Place {
        let (root, indices) = match view {
            Views::Walked(elements) => return Place::var(elements[&offset]),
            Views::Chunks(var) => {
                let number = Literal::i64_unsuffixed(offset);
                (*var, vec![self.table.read(on.var), PassiveCode::literal(quote!(#number))])
            }
            Views::Whole(var) => (*var, vec![index]),
            Views::ByOffset(vars) => (vars[&offset], vec![self.iteration(on)]),
        };
        Place { root, path: indices.into_iter().map(Proj::Index).collect() }
    }

    /// How far the loop has come from its lower end.
    fn iteration(&self, on: &For) -> PassiveCode {
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

fn starts_at_zero(on: &For) -> bool {
    on.lo.tokens.to_string() == "0"
}

/// A row as text: a place, and where the row begins in it or how it goes on.
fn row_key(place: &Place, base: Option<&PassiveCode>, stride: i64) -> String {
    match base {
        None if stride > 1 => format!("{} * {stride}", key(place)),
        None => key(place),
        Some(base) => format!("{} + {}", key(place), base.tokens),
    }
}

/// `n.min(m)`, of two lengths that nobody knows. Most tokens are told apart without being parsed.
fn is_least(o: &PassiveCode) -> bool {
    let trees: Vec<_> = o.tokens.clone().into_iter().collect();
    if !matches!(&trees[..], [.., TokenTree::Ident(name), TokenTree::Group(_)] if name == "min") {
        return false;
    }
    let is_number = |e: &syn::Expr| matches!(e, syn::Expr::Lit(_));
    matches!(syn::parse2(o.tokens.clone()), Ok(syn::Expr::MethodCall(call)) if call.method == "min" && !call.args.iter().any(is_number))
}
