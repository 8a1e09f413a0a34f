//! Unroll-and-jam (Allen & Kennedy 8): four iterations of an outer loop share one run through their inner loops.
//!
//! `for i in 0..n { pre(i); for k in lo..hi(i) { body(i, k) } post(i) }`, where the inner bodies only add to elements and sums, becomes
//! blocks of four outer iterations with one inner loop. The iterations that remain run alone. Elements that four iterations share are loaded
//! and stored once. Four sums grow side by side where one would wait for each of its additions.
//!
//! The rule by which it is legal:
//!
//! - The inner bodies read nothing that they write, and write only by `+=` and `-=`.
//! - `early` statements stand before the inner loop, or after it without waiting for its results. They are independent of everything
//!   that the inner loops and the other statements (`late`) write. The `late` ones are independent of all writes of the inner loops of
//!   later iterations.
//! - The additions to an element of the user's come in the user's order. A row to which all iterations add is the same for all, so that
//!   each element gets them iteration by iteration. A sum of the user's through an inner loop grows in its own variable, one term after
//!   the other; a sum through all iterations is left alone.
//! - The inner loops are of one length, and rows that belong to one iteration alone do not overlap. A test before each block shows this,
//!   unless it is known; if it fails, the four iterations run one by one.
//! - In a triangle, where each iteration starts one element later than the one before, `y[i + 1..]`, the loops end at the same element.
//!   The elements of an iteration before the last one's first element (`lead`) are done alone, iteration by iteration; then all are of one
//!   length.
//!
//! Sums of tangents and cotangents have no order of the user's: they are made in two lanes. So are the user's own, if the attribute says
//! that their order does not matter.

mod build;
mod triangles;

use crate::analysis::cost_model::JAMMED_BODY;
use crate::ir::affine::offset;
use crate::ir::place::key;
use crate::ir::purity::repeatable;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use crate::opt::access::bounds_checks::passive;

/// Uses of a variable's value.
const USE: &[Access] = &[Access::Read, Access::Write];

/// Rewrites all loops around one innermost loop.
pub fn unroll_jam(table: &mut Table, block: &mut Block) {
    block.replace(|stmt| match Nest::of(table, stmt) {
        _ if is_abreast(table, stmt) => None,
        Some(nest) => Some(build::build(table, nest)),
        None => {
            blocks_mut(stmt).into_iter().for_each(|inner| unroll_jam(table, inner));
            triangles::apart(stmt)
        }
    });
}

/// Whether four iterations of a loop around it run together already.
fn is_abreast(table: &Table, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::For(on) => table.is_abreast(on.var),
        Stmt::Derived(Derived::Loop(l)) => table.is_abreast(l.on.var),
        _ => false,
    }
}

/// A loop around one loop, taken apart.
struct Nest {
    /// The loop as a statement, if it is a triangle's.
    whole: Option<Stmt>,
    /// Lengths that are the same in every iteration.
    before: Vec<Stmt>,
    /// The outer loop, without them.
    outer: For,
    /// The loop with frames that it is, if so; without its body.
    frame: Option<Box<Loop>>,
    /// What each iteration does before its inner loop runs, or may do.
    early: Vec<Stmt>,
    /// What waits for the inner loop.
    late: Vec<Stmt>,
    /// The inner loop.
    inner: For,
    /// What an iteration has for itself: each iteration gets its own.
    own: Vars,
    /// The same for the inner loop.
    inner_own: Vars,
    /// Slices that the inner loop walks through.
    rows: Vec<Row>,
    /// Elements that the inner loop reads in every iteration.
    fixed: Vec<Place>,
    /// Fixed places that the inner loop adds to.
    sums: Vec<Sum>,
    /// Each iteration has one element more than the next, at its start.
    triangular: bool,
    /// Where that goes without saying: the name for how many inner iterations there are.
    bound: Option<Var>,
}

/// Elements `place[k]`, `k` being the inner loop's variable.
struct Row {
    place: Place,
    share: Share,
    written: bool,
    guard: Option<ParamSet>,
}

/// How a row of one iteration lies to the next iteration's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    /// It is the same.
    Same,
    /// It starts one element later.
    Sliding,
    /// Another one.
    Own,
}

/// A fixed place that is added to.
struct Sum {
    place: Place,
    guard: Option<ParamSet>,
}

/// What the body of an inner loop does with a place.
struct ElementAccess {
    place: Place,
    added: bool,
    guard: Option<ParamSet>,
}

impl Nest {
    /// Takes a loop apart, if four of its iterations may run together and gain by it.
    fn of(table: &Table, stmt: &Stmt) -> Option<Nest> {
        let (outer, around) = match stmt {
            Stmt::For(on) => (on, None),
            Stmt::Derived(Derived::Loop(l)) if l.iterations.is_none() && l.sweep != LoopSweep::AdjointReversed => {
                (&l.on, Some(&**l))
            }
            _ => return None,
        };
        let (_, inner) = only_loop(&outer.body)?;
        let starts_at_number = || outer.lo.tokens.to_string().parse::<u32>().is_ok();
        if !is_plain(outer) || !is_plain(inner) || !starts_at_number() {
            return None;
        }
        let mut nest = Nest::parted_in(table, outer.clone(), around)?;
        let accesses = nest.accesses()?;
        nest.sort(table, accesses)?;
        nest.align()?;
        nest.advance();
        if !nest.is_useful() || !nest.is_legal(table) {
            return None;
        }
        nest.bound = nest.falling(table);
        nest.whole = nest.triangular.then(|| stmt.clone());
        Some(nest)
    }

    /// The parts of a loop over a loop, of which nothing is known yet.
    fn parted_in(table: &Table, mut outer: For, around: Option<&Loop>) -> Option<Nest> {
        let before = take_lengths(table, &mut outer.body);
        let (at, inner) = only_loop(&outer.body)?;
        let frame = around.filter(|l| l.frame.is_some()).map(|l| {
            let mut frame = l.clone();
            frame.on.body = Block::default();
            Box::new(frame)
        });
        let mut inner = inner.clone();
        passive::places(table, &mut inner.body);
        let own = touched(&outer.body.stmts, &[Access::Define]);
        let inner_own = touched(&inner.body.stmts, &[Access::Define]);
        let (early, late) = (outer.body.stmts[..at].to_vec(), outer.body.stmts[at + 1..].to_vec());
        let (whole, bound, triangular) = (None, None, false);
        let (rows, fixed, sums) = Default::default();
        Some(Nest {
            whole,
            before,
            frame,
            early,
            late,
            outer,
            inner,
            own,
            inner_own,
            rows,
            fixed,
            sums,
            triangular,
            bound,
        })
    }

    /// What the inner body does, if it is made of operations and additions only.
    fn accesses(&self) -> Option<Vec<ElementAccess>> {
        let mut accesses = Vec::new();
        let count = self.body_accesses(&self.inner.body, None, &mut accesses)?;
        (count <= JAMMED_BODY).then_some(accesses)
    }

    fn body_accesses(&self, body: &Block, guard: Option<ParamSet>, out: &mut Vec<ElementAccess>) -> Option<usize> {
        let mut count = 0;
        for stmt in &body.stmts {
            let (read, added) = match stmt {
                Stmt::Let { expr: Expr::Operand(operand), .. } => (std::slice::from_ref(operand), None),
                Stmt::Let { expr: Expr::Op { args, .. }, .. } => (&args[..], None),
                Stmt::Assign { place, op: Assign::Add | Assign::Sub | Assign::Begin(_), value, .. } => {
                    (std::slice::from_ref(value), Some(place))
                }
                Stmt::Derived(Derived::Guard { on, body }) if guard.is_none() => {
                    count += self.body_accesses(body, Some(*on), out)?;
                    continue;
                }
                _ => return None,
            };
            for operand in read {
                match operand {
                    Operand::Place(place) => out.push(ElementAccess { place: place.clone(), added: false, guard }),
                    Operand::Passive(o) => (!self.varies(o)).then_some(())?,
                    Operand::Made { .. } => return None,
                }
            }
            out.extend(added.map(|place| ElementAccess { place: place.clone(), added: true, guard }));
            count += 1;
        }
        Some(count)
    }

    /// Whether tokens change from one inner iteration to the next.
    fn varies(&self, o: &PassiveCode) -> bool {
        o.depends_on(&self.inner_own) || o.depends_on(&[self.inner.var].into())
    }

    /// Sorts the accesses into rows, sums and what does not change in the inner loop.
    fn sort(&mut self, table: &Table, accesses: Vec<ElementAccess>) -> Option<()> {
        let written: Vars = accesses.iter().filter(|a| a.added).map(|a| a.place.root).collect();
        for access in accesses {
            let root = access.place.root;
            if !access.added && written.contains(&root) && !self.inner_own.contains(&root) {
                return None;
            }
            if self.inner_own.contains(&root) {
                (!access.added && access.place.path.is_empty()).then_some(())?;
                continue;
            }
            match self.row(table, &access.place)? {
                Some(place) => self.add_row(table, place, access)?,
                None if access.added => self.add_sum(table, access)?,
                None => self.add_fixed(table, access),
            }
        }
        let reads = self.reads();
        (reads.intersection(&written).next().is_none()).then_some(())
    }

    /// All that the inner bodies read by value.
    fn reads(&self) -> Vars {
        touched(&self.inner.body.stmts, &[Access::Read]).difference(&self.inner_own).copied().collect()
    }

    /// `place` of `place[k]`; nothing if the place does not depend on `k`, none if it does otherwise.
    fn row(&self, table: &Table, place: &Place) -> Option<Option<Place>> {
        let mut varies = false;
        place.indices(&mut |o| varies |= self.varies(o));
        if !varies {
            return Some(None);
        }
        let (Proj::Index(index), prefix) = place.path.split_last()? else { return None };
        let row = Place { root: place.root, path: prefix.to_vec() };
        let mut fixed = offset(&table.info(self.inner.var).name.to_string(), index) == Some(0);
        row.indices(&mut |o| fixed &= !self.varies(o));
        fixed &= !prefix.iter().any(|p| matches!(p, Proj::Field(_) | Proj::Payload(..) | Proj::Deref));
        let ty = table.ty(row.root);
        fixed &= *ty == Ty::Passive || crate::ir::place::element(ty, &place.path) == Ty::Float;
        fixed &= !matches!(ty, Ty::Unknown | Ty::Array(_)) && crate::ir::place::element(ty, prefix) != Ty::Library;
        fixed.then_some(Some(row))
    }

    fn add_row(&mut self, table: &Table, place: Place, access: ElementAccess) -> Option<()> {
        let key_of = key(&place);
        if access.added && self.sums.iter().any(|s| s.place.root == place.root) {
            return None;
        }
        let same_root = |r: &&Row| r.place.root == place.root && (r.written || access.added);
        if let Some(other) = self.rows.iter().find(same_root) {
            // one statement adds to it, and no other
            let again = key(&other.place) == key_of && !access.added && !other.written;
            return again.then_some(());
        }
        if let Some(row) = self.rows.iter().find(|r| key(&r.place) == key_of) {
            return (row.guard == access.guard).then_some(());
        }
        let share = self.share(table, &place);
        self.rows.push(Row { place, share, written: access.added, guard: access.guard });
        Some(())
    }

    /// Elements that may not be there are read where they are needed.
    fn add_fixed(&mut self, table: &Table, access: ElementAccess) {
        let place = access.place;
        let element = matches!(place.path.last(), Some(Proj::Index(_)));
        let float = crate::ir::place::element(table.ty(place.root), &place.path) == Ty::Float;
        let new = self.fixed.iter().all(|p| key(p) != key(&place));
        if access.guard.is_none() && element && float && new {
            self.fixed.push(place);
        }
    }

    fn add_sum(&mut self, table: &Table, access: ElementAccess) -> Option<()> {
        let root = access.place.root;
        let users = table.role(root) == Role::Primal;
        let local = self.own.contains(&root) && access.place.path.is_empty();
        let taken = self.sums.iter().any(|s| s.place.root == root) || self.rows.iter().any(|r| r.place.root == root);
        if taken || (users && !local) || (!local && self.own.contains(&root)) {
            return None;
        }
        if access.place.path.iter().any(|p| matches!(p, Proj::Field(_) | Proj::Payload(..) | Proj::Deref)) {
            return None;
        }
        self.sums.push(Sum { place: access.place, guard: access.guard });
        Some(())
    }

    /// Moves what does not wait for the inner loop in front of it.
    fn advance(&mut self) {
        let bounds = [&self.inner.lo, &self.inner.hi].into_iter().flat_map(|o| o.reads.clone());
        let used: Vars = touched(&self.inner.body.stmts, USE).into_iter().chain(bounds).collect();
        let changed = touched(&self.inner.body.stmts, &[Access::Write]);
        let mut waiting: Vec<Stmt> = Vec::new();
        for stmt in std::mem::take(&mut self.late) {
            let one = std::slice::from_ref(&stmt);
            let (uses, writes) = (touched(one, USE), touched(one, &[Access::Write]));
            let made = touched(&waiting, &[Access::Write, Access::Define]);
            let reads = uses.is_disjoint(&changed) && uses.is_disjoint(&made);
            let free = reads && writes.is_disjoint(&used) && writes.is_disjoint(&touched(&waiting, USE));
            if free { self.early.push(stmt) } else { waiting.push(stmt) }
        }
        self.late = waiting;
    }

    /// Whether there is a sum that waits for itself, or an element that several iterations add to.
    fn is_useful(&self) -> bool {
        !self.sums.is_empty() || self.rows.iter().any(|r| r.written && r.share != Share::Own)
    }

    /// The rule, as far as the rows and sums do not follow it already.
    fn is_legal(&self, table: &Table) -> bool {
        let mut own = self.rows.iter().filter(|r| r.written && r.share == Share::Own);
        own.all(|r| self.parted(table, r).is_some()) && self.starts_well(table) && self.are_apart()
    }

    /// The part of a row's place that all iterations share, and where the row begins in it.
    fn parted(&self, table: &Table, row: &Row) -> Option<(Place, PassiveCode)> {
        let (Proj::Range(Some(start), _), common) = row.place.path.split_last()? else { return None };
        let common = Place { root: row.place.root, path: common.to_vec() };
        let mut fixed = matches!(table.ty(common.root), Ty::Vec(e) | Ty::Slice(e) if **e == Ty::Float);
        common.indices(&mut |o| fixed &= !self.differs(o));
        fixed.then(|| (common, start.clone()))
    }

    /// Whether tokens differ from iteration to iteration.
    fn differs(&self, o: &PassiveCode) -> bool {
        o.depends_on(&self.own) || o.depends_on(&[self.outer.var].into())
    }

    /// Whether early statements, inner loops and late statements of different iterations may change
    /// places: what they share is not written.
    fn are_apart(&self) -> bool {
        let outer = |vars: Vars| -> Vars { vars.difference(&self.own).copied().collect() };
        let parts = [&self.early, &self.inner.body.stmts, &self.late];
        let used = parts.map(|stmts| outer(touched(stmts, USE)));
        let written = parts.map(|stmts| outer(touched(stmts, &[Access::Write])));
        (0..3).all(|a| (0..3).filter(|b| *b != a).all(|b| used[a].is_disjoint(&written[b])))
    }
}

/// The only loop of a block, and where it is; everything else is simple.
fn only_loop(body: &Block) -> Option<(usize, &For)> {
    let mut found = None;
    for (at, stmt) in body.stmts.iter().enumerate() {
        let inner = match stmt {
            Stmt::For(on) => on,
            Stmt::Derived(Derived::Loop(l)) if l.iterations.is_none() && l.frame.is_none() => &l.on,
            other if is_simple(other) => continue,
            _ => return None,
        };
        if found.replace((at, inner)).is_some() {
            return None;
        }
    }
    found
}

/// Takes every `let n = x.len()` out of the body of a loop in which neither `x` nor its length changes.
fn take_lengths(table: &Table, body: &mut Block) -> Vec<Stmt> {
    let own = touched(&body.stmts, &[Access::Define]);
    let reshaped = crate::analysis::tbr::reshaped(&body.stmts);
    let kept: Vars = body.stmts.iter().flat_map(recorded).collect();
    let mut found = Vec::new();
    body.replace(|stmt| {
        let Stmt::Let { var, expr: Expr::Passive(o) } = stmt else { return None };
        let of = o.shapes.first().filter(|v| !own.contains(v) && !reshaped.contains(v))?;
        let is_length = o.tokens.to_string().replace(' ', "") == format!("{}.len()", table.info(*of).name);
        if !is_length || kept.contains(var) {
            return None;
        }
        found.push(stmt.clone());
        Some(Vec::new())
    });
    found
}

/// The variables of a frame.
fn recorded(stmt: &Stmt) -> Vec<Var> {
    match stmt {
        Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => {
            r.floats.iter().chain(&r.words).copied().collect()
        }
        _ => Vec::new(),
    }
}

/// One operation or assignment, which has no other effect.
fn is_simple(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Operand(_) | Expr::Op { .. } | Expr::Zero | Expr::If { .. } | Expr::Fresh { .. } => true,
            Expr::Passive(o) => repeatable(o),
            _ => false,
        },
        Stmt::Assign { .. } | Stmt::Derived(Derived::Clear { whole: false, .. }) => true,
        Stmt::Derived(Derived::Guard { body, .. }) => body.stmts.iter().all(is_simple),
        Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => r.wholes.is_empty() && r.carried.is_empty(),
        _ => false,
    }
}

/// A loop over all of `lo..hi`, upwards.
fn is_plain(on: &For) -> bool {
    on.step.is_none() && on.until.is_none() && !on.inclusive && !on.down && on.checkpoint.is_none()
}

#[cfg(test)]
mod tests;
