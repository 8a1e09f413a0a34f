//! Outer-loop vectorization (Allen & Kennedy 5; Nuzman & Zaks 2008): four or eight iterations of an adjoint's outer loop share vector registers.
//!
//! `for p in 0..n { for c in 0..k { .. for i in 0..d { y[i] += l[c][i] * x } .. } }`, where iterations only meet in their sums, becomes
//! blocks of eight iterations, or four, and the iterations that remain. In a block, each number that depends on the iteration has one
//! lane for each. The elements of private arrays lie side by side, those of all iterations together. So inner loops fill vectors
//! whatever their length, without tails and without sums along a vector. Shared values are loaded once for all, and additions to a
//! shared sum are added up first. Loop-invariant numbers and arrays exist once. Tangents of cotangents are treated alike: for one
//! tangent the lanes are the iterations, and for several at once shared values are loaded and added to once.
//!
//! The rule by which it is legal:
//!
//! - No iteration reads anything that another one changes: its writes are private, or additions to elements that it never reads.
//! - Inner loops run equally often, and conditions take the same side, in all iterations.
//! - Sums of the user's own grow at the end of an iteration's nest, by one statement: iteration by iteration, as the user wrote them.
//!   Sums of cotangents have no order of the user's.
//!
//! A loop within an iteration that pushes tape frames pushes those of a block as one, and pops them so.
//!
//! It pays if innermost loops read, or add to, arrays that all iterations share, and no private arrays but local ones: elements of several
//! rows of the user's would have to be collected first. Local arrays get a second layout, for which an iteration needs loops within loops.

mod build;
mod width;

use crate::analysis::cost_model::{BLOCK_BODY, BLOCK_DEPTH_OF_ARRAYS, BLOCK_DEPTH_OF_NUMBERS};
use crate::analysis::loops::{is_array, vary};
use crate::ir::purity::{is_choice, repeatable};
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks, outermost, touched};
use crate::ir::*;

/// Rewrites the outermost loops that fit.
pub fn outer_vectorize(table: &mut Table, block: &mut Block) {
    outermost(table, block, &Iteration::of, &build::build);
}

/// What is known of a loop that fits.
struct Iteration {
    /// The loop.
    around: Box<Loop>,
    /// What its body defines.
    own: Vars,
    /// Of it, and the loop's variable: what depends on the iteration.
    varying: Vars,
    /// Of these: arrays whose elements stand side by side.
    side_by_side: Vars,
    /// How many go abreast: lanes.
    width: usize,
}

impl Iteration {
    fn of(table: &Table, stmt: &Stmt) -> Option<Iteration> {
        let Stmt::Derived(Derived::Loop(l)) = stmt else { return None };
        let plain = l.iterations.is_none() && l.frame.is_none() && l.walks.is_empty() && l.first.is_empty();
        let on = &l.on;
        let forward = l.sweep == LoopSweep::Primal && !on.down && !on.inclusive && on.step.is_none();
        if !plain || !forward || on.until.is_some() || on.checkpoint.is_some() || count(table, &on.body) > BLOCK_BODY {
            return None;
        }
        let own = touched(&on.body.stmts, &[Access::Define]);
        let arrays: Vars = own.iter().copied().filter(|v| is_array(table.ty(*v))).collect();
        let mut varying: Vars = [on.var].into();
        while vary(&on.body, &own, &mut varying) {}
        let handed = handed(&on.body);
        let side_by_side = arrays.intersection(&varying).filter(|v| !handed.contains(v)).copied().collect();
        let iteration = Iteration { around: l.clone(), own, varying, side_by_side, width: 1 };
        let fits = iteration.is_apart() && iteration.fits(table, &on.body, 0) && iteration.pays(&on.body);
        fits.then(|| Iteration { width: width::width(&iteration), ..iteration })
    }

    /// Whether no iteration reads what another one writes.
    fn is_apart(&self) -> bool {
        let body = &self.around.on.body.stmts;
        let written = touched(body, &[Access::Write]);
        let read = touched(body, &[Access::Read, Access::Shape]);
        written.difference(&self.own).all(|v| !read.contains(v))
    }

    fn fits(&self, table: &Table, block: &Block, depth: usize) -> bool {
        block.stmts.iter().all(|stmt| self.takes(table, stmt, depth))
    }

    fn takes(&self, table: &Table, stmt: &Stmt, depth: usize) -> bool {
        let same = |o: &PassiveCode| self.is_same(o);
        match stmt {
            Stmt::Let { var, expr } => self.defines(table, *var, expr),
            Stmt::Assign { place, op, value, .. } => {
                self.is_element(table, place)
                    && self.is_operand(table, value)
                    && self.may_be_set(table, place, *op, depth)
            }
            Stmt::Declare { var } => matches!(table.ty(*var), Ty::Float | Ty::Passive),
            Stmt::If { cond, then, els } => {
                same(cond) && [then, els].into_iter().all(|b| self.fits(table, b, depth + 1))
            }
            Stmt::For(on) => self.counts(table, on, depth),
            Stmt::Derived(d) => self.derives(table, d, depth),
            _ => false,
        }
    }

    fn derives(&self, table: &Table, d: &Derived, depth: usize) -> bool {
        match d {
            Derived::Guard { body, .. } => self.fits(table, body, depth),
            Derived::Loop(l) => {
                let plain = l.iterations.is_none() && l.walks.is_empty() && l.first.is_empty() && !l.opened;
                plain && self.counts(table, &l.on, depth)
            }
            Derived::StoreFrame(r) | Derived::LoadFrame(r) => self.frames(r),
            Derived::Zero { var, like: ShapeOf::Len(len) } => is_array(table.ty(*var)) && self.is_same(len),
            Derived::Release { var } => self.own.contains(var),
            Derived::View { var, place, on: None, .. } => {
                [var, &place.root].into_iter().all(|v| self.is_own_one(*v)) && self.is_part(place)
            }
            Derived::Refill { var, len: None, with } => self.is_own_one(*var) && self.fills(with),
            Derived::Clear { place, whole: false } => self.own.contains(&place.root) && self.is_element(table, place),
            Derived::Sweep(s) => self.calls(table, s),
            _ => false,
        }
    }

    /// Whether an iteration of a loop within keeps numbers alone, of its own.
    fn frames(&self, r: &TapeFrame) -> bool {
        let numbers = r.wholes.is_empty() && r.whole_dots.is_empty() && r.carried.is_empty() && r.at.is_none();
        numbers && r.floats.iter().chain(&r.words).all(|v| self.own.contains(v))
    }

    fn counts(&self, table: &Table, on: &For, depth: usize) -> bool {
        let same = [&on.lo, &on.hi].into_iter().chain(&on.step).all(|o| self.is_same(o));
        same && on.until.is_none() && on.checkpoint.is_none() && self.fits(table, &on.body, depth + 1)
    }

    fn defines(&self, table: &Table, var: Var, expr: &Expr) -> bool {
        match (table.ty(var), expr) {
            (Ty::Float, Expr::Operand(o)) => self.is_operand(table, o),
            (Ty::Float, Expr::Op { args, .. }) => args.iter().all(|o| self.is_operand(table, o)),
            (Ty::Float, Expr::Zero) => true,
            (Ty::Passive, Expr::Passive(o)) => {
                (repeatable(o) || is_choice(o)) && o.reads.is_disjoint(&self.side_by_side)
            }
            (ty, Expr::Scratch { len }) => is_array(ty) && self.is_same(len),
            (ty, Expr::VecRepeat { value, len }) => is_array(ty) && self.is_same_value(value) && self.is_same(len),
            _ => false,
        }
    }

    /// Whether an array's elements all begin with one value.
    fn fills(&self, with: &Refill) -> bool {
        match with {
            Refill::Zero | Refill::Anything => true,
            Refill::Value(value) => self.is_same_value(value),
            Refill::Copy(_) => false,
        }
    }

    /// The function of all iterations is called for each, with arrays that stand for themselves.
    fn calls(&self, table: &Table, s: &Sweep) -> bool {
        let whole = |p: &Place| p.path.is_empty() && self.own.contains(&p.root) && !self.side_by_side.contains(&p.root);
        let outer = |p: &Place| !self.own.contains(&p.root);
        let argument = |arg: &CallArg| match arg {
            CallArg::Ref(p) => whole(p) || outer(p),
            CallArg::Mut(_) | CallArg::Lent(_) => false,
            CallArg::Value(o) => self.is_operand(table, o),
            CallArg::Passive(o) => self.is_readable(o),
        };
        let tangents = |t: &SweepTangents| {
            let args = t.args.iter().flatten().all(|(p, _)| whole(p) || outer(p) || self.is_number(table, p));
            args && t.bars.iter().flatten().all(whole)
                && t.result.iter().chain(&t.result_bar).all(|v| self.own.contains(v) && *table.ty(*v) == Ty::Float)
        };
        s.kind == SweepKind::Both
            && s.call.handed.is_empty()
            && s.tangents.iter().all(tangents)
            && matches!(s.call.callee, Callee::Function(_) | Callee::Associated(_))
            && s.call.args.iter().all(argument)
            && s.bars.iter().flatten().all(|(p, _)| whole(p))
            && s.fresh.iter().all(|v| self.own.contains(v))
            && s.result.iter().chain(&s.result_bar).all(|v| self.own.contains(v) && *table.ty(*v) == Ty::Float)
    }

    /// Whether a block has one of it: it is the same for all iterations, or an array with the elements of all.
    fn is_one(&self, var: Var) -> bool {
        !self.varying.contains(&var) || self.side_by_side.contains(&var)
    }

    /// The same of an array of the iterations' own.
    fn is_own_one(&self, var: Var) -> bool {
        self.own.contains(&var) && self.is_one(var)
    }

    /// A number of the iteration's own, or of all iterations.
    fn is_number(&self, table: &Table, place: &Place) -> bool {
        place.path.is_empty() && *table.ty(place.root) == Ty::Float
    }

    /// Whether an assignment leaves other iterations alone, or comes in the user's order.
    fn may_be_set(&self, table: &Table, place: &Place, op: Assign, depth: usize) -> bool {
        if self.own.contains(&place.root) {
            return !matches!(op, Assign::Begin(_));
        }
        let adds = matches!(op, Assign::Add | Assign::Sub);
        let once =
            || self.around.on.body.stmts.iter().filter(|s| crate::ir::visit::touches(s, place.root)).count() == 1;
        adds && (table.role(place.root) != Role::Primal || depth == 0 && once())
    }

    fn is_operand(&self, table: &Table, o: &Operand) -> bool {
        match o {
            Operand::Place(p) => self.is_element(table, p),
            Operand::Passive(o) => self.is_readable(o),
            Operand::Made { .. } => false,
        }
    }

    /// A number, of which the index says where it is in an array.
    fn is_element(&self, table: &Table, place: &Place) -> bool {
        let mut readable = true;
        place.indices(&mut |o| readable &= self.is_readable(o));
        if !self.own.contains(&place.root) {
            return readable;
        }
        let scalar = place.path.is_empty() && matches!(table.ty(place.root), Ty::Float | Ty::Passive);
        let (last, before) = match place.path.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        let ranges = before.iter().all(|p| matches!(p, Proj::Range(..)));
        readable && (scalar || is_array(table.ty(place.root)) && ranges && matches!(last, Some(Proj::Index(_))))
    }

    /// A part of an array that is the same for all iterations.
    fn is_part(&self, place: &Place) -> bool {
        let mut same = true;
        place.indices(&mut |o| same &= self.is_same(o));
        same && place.path.iter().all(|p| matches!(p, Proj::Range(..)))
    }

    /// Tokens that mean the same wherever they stand, and do not mention arrays of which there is another layout.
    fn is_readable(&self, o: &PassiveCode) -> bool {
        repeatable(o) && !o.depends_on(&self.side_by_side)
    }

    fn is_same(&self, o: &PassiveCode) -> bool {
        self.is_readable(o) && o.reads.is_disjoint(&self.varying)
    }

    /// A value that is the same for all iterations: tokens, or a number.
    fn is_same_value(&self, o: &Operand) -> bool {
        match o {
            Operand::Passive(o) => self.is_same(o),
            Operand::Place(p) => p.path.is_empty() && !self.varying.contains(&p.root),
            Operand::Made { .. } => false,
        }
    }

    /// Whether vectors of iterations are quick to fill where most is done.
    fn pays(&self, body: &Block) -> bool {
        let depth = depth(body);
        let mut found = Found::default();
        self.look(body, depth, &mut found);
        let least = if self.side_by_side.is_empty() { BLOCK_DEPTH_OF_NUMBERS } else { BLOCK_DEPTH_OF_ARRAYS };
        depth >= least && found.shared && !found.scattered
    }

    /// What the innermost of the deepest loops do with arrays of all iterations.
    fn look(&self, block: &Block, levels: usize, found: &mut Found) {
        for stmt in &block.stmts {
            let looped = matches!(stmt, Stmt::For(_) | Stmt::Derived(Derived::Loop(_)));
            if levels == 0 {
                crate::ir::visit::places::each_place(stmt, &mut |place, _| self.note(place, found));
            }
            let below = levels.saturating_sub(usize::from(looped));
            if !looped || levels > 0 {
                blocks(stmt).into_iter().for_each(|inner| self.look(inner, below, found));
            }
        }
    }

    fn note(&self, place: &Place, found: &mut Found) {
        if self.own.contains(&place.root) || place.path.is_empty() {
            return;
        }
        let mut same = true;
        place.indices(&mut |o| same &= self.is_same(o));
        found.shared |= same;
        found.scattered |= !same;
    }
}

/// Arrays of all iterations in innermost loops.
#[derive(Default)]
struct Found {
    /// At the same element for all iterations.
    shared: bool,
    /// At an element of each iteration's own.
    scattered: bool,
}

/// Arrays that calls take as they are.
fn handed(block: &Block) -> Vars {
    let mut found = Vars::new();
    for stmt in &block.stmts {
        if let Stmt::Derived(Derived::Sweep(s)) = stmt {
            let argument = |arg: &CallArg| match arg {
                CallArg::Ref(p) | CallArg::Value(Operand::Place(p)) if p.path.is_empty() => Some(p.root),
                _ => None,
            };
            found.extend(s.call.args.iter().filter_map(argument));
            found.extend(s.bars.iter().flatten().map(|(p, _)| p.root));
            if let Some(tangents) = &s.tangents {
                found.extend(tangents.args.iter().flatten().map(|(p, _)| p.root));
                found.extend(tangents.bars.iter().flatten().map(|p| p.root));
            }
        }
        blocks(stmt).into_iter().for_each(|inner| found.extend(handed(inner)));
    }
    found
}

fn count(table: &Table, block: &Block) -> usize {
    let of_tangent = |stmt: &Stmt| {
        let made = touched(std::slice::from_ref(stmt), &[Access::Define, Access::Write]);
        !made.is_empty() && made.iter().all(|v| table.role(*v) == Role::Dot)
    };
    let of = |stmt: &Stmt| 1 + blocks(stmt).into_iter().map(|inner| count(table, inner)).sum::<usize>();
    block.stmts.iter().filter(|stmt| !of_tangent(stmt)).map(of).sum()
}

/// How many loops lie within each other.
fn depth(block: &Block) -> usize {
    let of = |stmt: &Stmt| {
        let looped = matches!(stmt, Stmt::For(_) | Stmt::Derived(Derived::Loop(_)));
        usize::from(looped) + blocks(stmt).into_iter().map(depth).max().unwrap_or(0)
    };
    block.stmts.iter().map(of).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
