//! Scalar replacement by rotating scalars (GCC's predictive commoning): neighbouring elements of a cotangent are carried in variables.
//!
//! `x_bar[i] += a; x_bar[i + 1] += b` in one iteration makes LLVM join the two updates into one. That overlaps the update of the iteration
//! before, and takes up to ten times as long. This pass carries the elements that the next iteration needs in variables, so that
//! each iteration loads one element and stores one. It also carries elements that are read and cleared, as the adjoint of an assignment
//! does: without a store that a later iteration loads again, the loop can be vectorized.
//!
//! The first loop that touches a parameter's cotangent may also initialise it, if the caller leaves that to the callee (first-touch
//! initialisation). The loop then starts from zero and loads nothing.
//!
//! Loops that LLVM can vectorize but for neighbours that are farther apart than one element are left to
//! [`distribute_scatter`](crate::opt::adjoint::distribute_scatter).
//!
//! Before that, loops that only mix elements by constant coefficients go to [`stencil_gather`](crate::opt::adjoint::stencil_gather). Sums that
//! such a loop makes besides are taken out of it by [`distribute_reductions`](crate::opt::adjoint::distribute_reductions).

use crate::ir::affine::shift::Shift;
use crate::ir::affine::{end_or, less, number, shifted};
use crate::ir::place::{element, key};
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::places::each_place_mut;
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, Vars, Visit, blocks_mut, touched, touches};
use crate::ir::*;
use crate::opt::adjoint::distribute_reductions::Distributed;
use crate::opt::adjoint::distribute_scatter::scattered;
use crate::opt::adjoint::stencil_gather::{is_gathered, stencil_gather};
use crate::opt::pass::Context;
use crate::support::switches::is_on;

/// The widest stencil that is carried.
const WIDEST: i64 = 4;

/// Rewrites the loops of an adjoint. A reverse sweep that runs alone initialises nothing.
pub fn rotating_scalars(context: &mut Context<'_>, block: &mut Block) {
    let Context { table, activity, base, bars, joint, .. } = context;
    let is_slice = |bar: &Var| matches!(table.ty(*bar), Ty::Slice(e) if **e == Ty::Float);
    let fresh = bars.iter().copied().filter(|bar| *joint && is_slice(bar)).collect();
    let outer = bars.iter().copied().collect();
    let mut pass = Stencils { table, activity, outer, fresh, convolves: convolves(base) };
    let stmts = std::mem::take(&mut block.stmts);
    block.stmts = match joint {
        true => stmts.into_iter().flat_map(|stmt| pass.outermost(stmt)).collect(),
        false => pass.block(Block { stmts }).stmts,
    };
}

struct Stencils<'a> {
    table: &'a mut Table,
    activity: &'a mut crate::analysis::activity::Activity,
    /// Parameters' cotangents: there only if the parameter is active.
    outer: Vars,
    /// Parameters' cotangents that nothing has touched yet.
    fresh: Vars,
    /// Loops may become convolutions.
    convolves: bool,
}

/// Partial derivatives are found from numbers as they are written; a generic float has them in other words.
fn convolves(base: &Base) -> bool {
    matches!(base, Base::Concrete(_)) && is_on("stencil_gather")
}

/// The elements of a cotangent that a loop touches: their rows, and where they lie in these.
type Elements = Vec<(Place, Shift)>;

/// What a loop adds to one cotangent.
struct Stencil {
    /// The row that the loop walks along, as a place.
    row: Place,
    first: i64,
    last: i64,
    /// Where it begins in that place, if not at zero.
    base: Option<PassiveCode>,
    /// Under what all of it stands.
    guard: Option<ParamSet>,
}

impl Stencil {
    fn is_single(&self) -> bool {
        self.first == self.last
    }
}

impl Stencils<'_> {
    fn outermost(&mut self, stmt: Stmt) -> Vec<Stmt> {
        let mut touched = Vars::new();
        Visit(&mut |v, _| {
            touched.insert(v);
        })
        .stmt(&stmt);
        let out = self.stmt(stmt, true);
        self.fresh = self.fresh.difference(&touched).copied().collect();
        out
    }

    fn block(&mut self, block: Block) -> Block {
        Block { stmts: block.stmts.into_iter().flat_map(|s| self.stmt(s, false)).collect() }
    }

    fn stmt(&mut self, stmt: Stmt, outermost: bool) -> Vec<Stmt> {
        match stmt {
            Stmt::Derived(Derived::Loop(mut l)) => {
                if let Some(convolved) = self.convolved(&l) {
                    return vec![convolved];
                }
                if let Some(apart) = self.without_sums(&l) {
                    return apart;
                }
                let stencils = if is_plain(&l) { self.stencils(&l) } else { Vec::new() };
                l.on.body = self.block(l.on.body);
                stencils
                    .into_iter()
                    .fold(vec![Stmt::Derived(Derived::Loop(l))], |stmts, s| self.apply(stmts, s, outermost))
            }
            mut other => {
                for inner in blocks_mut(&mut other) {
                    *inner = self.block(std::mem::take(inner));
                }
                vec![other]
            }
        }
    }

    /// What need not be carried, since the elements are sums with the same partial derivatives everywhere.
    fn convolved(&mut self, l: &Loop) -> Option<Stmt> {
        (self.convolves && is_plain(l)).then(|| stencil_gather(self.table, self.activity, &self.outer, l)).flatten()
    }

    /// A loop for its sums and one for the rest, if the rest has vectors then.
    fn without_sums(&mut self, l: &Loop) -> Option<Vec<Stmt>> {
        if !self.convolves || !is_plain(l) || l.sweep == LoopSweep::Primal {
            return None;
        }
        let Distributed { sums, rest } = Distributed::of(self.table, l)?;
        if !is_gathered(self.table, self.activity, &self.outer, &rest) {
            return None;
        }
        let Distributed { sums, rest } = Distributed { sums, rest }.renamed(self.table, self.activity);
        let rest = match self.convolved(&rest) {
            Some(convolved) => convolved,
            None => Stmt::Derived(Derived::Loop(Box::new(rest))),
        };
        Some(vec![Stmt::Derived(Derived::Loop(Box::new(sums))), rest])
    }

    fn stencils(&self, l: &Loop) -> Vec<Stencil> {
        let mut roots = Vars::new();
        self.added_to(&l.on.body.stmts, &mut roots);
        let scattered = scattered(self.table, &l.on);
        roots.retain(|root| !scattered.contains(root));
        if roots.is_empty() {
            return Vec::new();
        }
        let inside = touched(&l.on.body.stmts, &[Access::Define, Access::Write]);
        let users = Positions::of(&l.on.body.stmts);
        let user = |at: &usize| &l.on.body.stmts[*at];
        let stencil =
            |root| self.stencil(&users.all(root).iter().map(user).collect::<Vec<_>>(), root, (l.on.var, &inside));
        let mut all: Vec<Stencil> = roots.into_iter().filter_map(stencil).collect();
        // those that put the loop under a condition come last
        all.sort_by_key(|s| !s.is_single());
        all
    }

    /// The cotangents of arrays that elements are added to.
    fn added_to(&self, stmts: &[Stmt], roots: &mut Vars) {
        for stmt in stmts {
            match stmt {
                Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. }
                    if self.table.role(place.root) == Role::Bar && !place.path.is_empty() && self.is_element(place) =>
                {
                    roots.insert(place.root);
                }
                Stmt::Derived(Derived::Guard { body, .. }) => self.added_to(&body.stmts, roots),
                _ => {}
            }
        }
    }

    fn is_element(&self, place: &Place) -> bool {
        place.path.len() == 1 || element(self.table.ty(place.root), &place.path) == Ty::Float
    }

    /// The offsets of the elements of `root`, if the loop does nothing else with it than these statements do; `iteration` is the loop's
    /// variable, and what changes in the loop.
    fn stencil(&self, users: &[&Stmt], root: Var, iteration: (Var, &Vars)) -> Option<Stencil> {
        let mut shifts = Vec::new();
        self.shifts(users, root, iteration, &mut shifts)?;
        let (row, Shift { base, .. }) = shifts.first()?.clone();
        let along = |(row, shift): &(Place, Shift)| (key(row), shift.row());
        if shifts.iter().any(|shift| along(shift) != along(&shifts[0])) {
            return None;
        }
        let offsets = || shifts.iter().map(|(_, shift)| shift.offset);
        let (first, last) = (offsets().min()?, offsets().max()?);
        let guard = if self.outer.contains(&root) { guard(users)? } else { None };
        (last - first <= WIDEST && (guard.is_none() || first == last)).then_some(Stencil {
            row,
            first,
            last,
            base,
            guard,
        })
    }

    /// The elements of `root` in these statements.
    fn shifts(&self, users: &[&Stmt], root: Var, iteration: (Var, &Vars), found: &mut Elements) -> Option<()> {
        for stmt in users {
            match stmt {
                Stmt::Derived(Derived::Guard { body, .. }) => {
                    let users: Vec<&Stmt> = body.stmts.iter().filter(|s| touches(s, root)).collect();
                    self.shifts(&users, root, iteration, found)?;
                }
                Stmt::Let { expr: Expr::Operand(_) | Expr::Op { .. }, .. }
                | Stmt::Assign { .. }
                | Stmt::Derived(Derived::Clear { whole: false, .. }) => {
                    let mut elements = Some(());
                    each_place_mut(&mut (*stmt).clone(), &mut |place| {
                        if place.root == root {
                            let shift = self.shift(place, iteration);
                            elements = elements.filter(|()| shift.is_some());
                            found.extend(shift);
                        }
                    });
                    elements?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn shift(&self, place: &Place, (var, inside): (Var, &Vars)) -> Option<(Place, Shift)> {
        Shift::of_element(self.table, place, var, inside).filter(|(_, shift)| shift.stride == 1)
    }

    /// Rewrites the loop among `stmts`, which other stencils may have put under a condition, for one stencil.
    fn apply(&mut self, mut stmts: Vec<Stmt>, stencil: Stencil, outermost: bool) -> Vec<Stmt> {
        let whole = stencil.base.is_none() && stencil.row.path.is_empty();
        let fresh = outermost && whole && self.fresh.contains(&stencil.row.root);
        if stencil.is_single() && !fresh {
            return stmts;
        }
        let is_inside = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Loop(_)) | Stmt::If { .. });
        let Some(at) = stmts.iter().position(is_inside) else { return stmts };
        let new = match stmts.remove(at) {
            Stmt::Derived(Derived::Loop(l)) => self.carry(*l, &stencil, fresh),
            Stmt::If { cond, then, els } => {
                vec![Stmt::If { cond, then: Block { stmts: self.apply(then.stmts, stencil, false) }, els }]
            }
            other => vec![other],
        };
        stmts.splice(at..at, new);
        stmts
    }

    fn carry(&mut self, mut l: Loop, stencil: &Stencil, fresh: bool) -> Vec<Stmt> {
        let (lo, hi) = (l.on.lo.clone(), l.on.hi.clone());
        let (var, fresh) = (self.table.read(l.on.var), fresh.then_some(stencil.row.root));
        let window = self.window(&l.on, stencil, fresh);
        let (start, stop, back) = if l.on.down { (&hi, &lo, -1) } else { (&lo, &hi, 0) };
        let cells = || window.carried.iter().zip(&window.cells);
        let before = cells().map(|(offset, cell)| window.load(*cell, window.element(start, *offset + back)));
        let before: Vec<Stmt> = before.collect();
        let mut body = std::mem::take(&mut l.on.body.stmts);
        let inside = touched(&body, &[Access::Define, Access::Write]);
        self.rename(&mut body, stencil.row.root, (l.on.var, &inside), &|offset| window.cell(offset));
        self.rotate(&mut body, &var, &window);
        l.on.body.stmts = body;
        let fresh = fresh.map(|bar| {
            let (first, end) = reached(&lo, &hi, stencil);
            Stmt::Derived(Derived::Fresh { bar, lo: first, hi: end })
        });
        let looped = Stmt::Derived(Derived::Loop(Box::new(l)));
        if window.cells.is_empty() {
            return fresh.into_iter().chain([looped]).collect();
        }
        let after = cells().map(|(offset, cell)| set(window.element(stop, *offset + back), *cell));
        let then = before.into_iter().chain([looped]).chain(after).collect();
        let whole = Stmt::If { cond: less(&lo, &hi), then: Block { stmts: then }, els: Block::default() };
        fresh.into_iter().chain([whole]).collect()
    }

    /// The elements that an iteration hands on, as variables.
    fn window<'s>(&mut self, on: &For, stencil: &'s Stencil, fresh: Option<Var>) -> Window<'s> {
        let (leading, trailing, step) =
            if on.down { (stencil.first, stencil.last, -1) } else { (stencil.last, stencil.first, 1) };
        let carried: Vec<i64> = (0..stencil.last - stencil.first).map(|k| trailing + k * step).collect();
        let cells: Vec<Var> = carried.iter().map(|_| self.cell(stencil.row.root, "carry")).collect();
        let next = self.cell(stencil.row.root, "next");
        Window { stencil, fresh, leading, trailing, carried, cells, next }
    }

    /// Loads what an iteration meets for the first time, stores what it meets for the last, and hands on the rest.
    fn rotate(&mut self, body: &mut Vec<Stmt>, var: &PassiveCode, window: &Window<'_>) {
        let next = window.next;
        let begin = body.iter().position(|s| touches(s, next)).unwrap_or(body.len());
        let (leading, trailing) = (window.element(var, window.leading), window.element(var, window.trailing));
        let stored = set(trailing, window.cells.first().copied().unwrap_or(next));
        match window.stencil.guard {
            None => {
                body.insert(begin, window.load(next, leading));
                body.push(stored);
            }
            Some(on) => {
                let loaded = self.cell(window.stencil.row.root, "loaded");
                let stmts = vec![window.load(loaded, leading), set(Place::var(next), loaded)];
                body.insert(begin, guarded(on, stmts));
                body.insert(begin, Stmt::Let { var: next, expr: Expr::Zero });
                body.push(guarded(on, vec![stored]));
            }
        }
        for (k, cell) in window.cells.iter().enumerate() {
            body.push(set(Place::var(*cell), window.cells.get(k + 1).copied().unwrap_or(next)));
        }
    }

    /// Puts the carried variables in place of the elements.
    fn rename(&self, stmts: &mut [Stmt], root: Var, iteration: (Var, &Vars), target: &dyn Fn(i64) -> Var) {
        for stmt in stmts {
            if let Stmt::Derived(Derived::Guard { body, .. }) = stmt {
                self.rename(&mut body.stmts, root, iteration, target);
                continue;
            }
            each_place_mut(stmt, &mut |place| {
                if place.root == root
                    && let Some((_, shift)) = self.shift(place, iteration)
                {
                    *place = Place::var(target(shift.offset));
                }
            });
        }
    }

    fn cell(&mut self, root: Var, hint: &str) -> Var {
        let var = self.table.companion(root, hint, Role::Bar);
        self.table.retype(var, Ty::Float);
        self.activity.note(var, self.activity.varied(root));
        var
    }
}

/// The guard that all uses of a variable stand under, if it is one and the same; none if there are several.
fn guard(users: &[&Stmt]) -> Option<Option<ParamSet>> {
    let mut guards = users.iter().map(|s| match s {
        Stmt::Derived(Derived::Guard { on, .. }) => Some(*on),
        _ => None,
    });
    let first = guards.next()?;
    guards.all(|g| g == first).then_some(first)
}

fn guarded(on: ParamSet, stmts: Vec<Stmt>) -> Stmt {
    Stmt::Derived(Derived::Guard { on, body: Block { stmts } })
}

/// The elements that a loop reaches: none if it has no iteration, where `lo - 2` may be below zero.
fn reached(lo: &PassiveCode, hi: &PassiveCode, stencil: &Stencil) -> (PassiveCode, PassiveCode) {
    let (first, end) = (shifted(lo, stencil.first), shifted(hi, stencil.last));
    if stencil.first >= 0 || number(&first).is_some() {
        return (first.clone(), end_or(lo, hi, &end, &first));
    }
    let none = PassiveCode::literal(quote::quote!(0));
    (end_or(lo, hi, &first, &none), end_or(lo, hi, &end, &none))
}

/// A loop over all of `lo..hi`, one by one.
fn is_plain(l: &Loop) -> bool {
    let on = &l.on;
    on.step.is_none() && on.until.is_none() && !on.inclusive && l.iterations.is_none()
}

fn set(place: Place, value: Var) -> Stmt {
    Stmt::Assign { place, op: Assign::Set, value: Operand::var(value), span: proc_macro2::Span::call_site() }
}

/// The elements that iterations hand on, in the loop's own direction.
struct Window<'s> {
    stencil: &'s Stencil,
    /// The cotangent, if the loop may initialise it.
    fresh: Option<Var>,
    /// Where an element is met for the first time, and where for the last.
    leading: i64,
    trailing: i64,
    /// The elements that one iteration leaves to the next.
    carried: Vec<i64>,
    cells: Vec<Var>,
    /// The element that is new in an iteration.
    next: Var,
}

impl Window<'_> {
    fn element(&self, at: &PassiveCode, further: i64) -> Place {
        let index = Shift::at(self.stencil.base.as_ref(), at, further);
        self.stencil.row.element(index)
    }

    fn load(&self, var: Var, place: Place) -> Stmt {
        let expr = match self.fresh {
            Some(bar) => Expr::Fresh { place, bar },
            None => Expr::Operand(Operand::Place(place)),
        };
        Stmt::Let { var, expr }
    }

    fn cell(&self, offset: i64) -> Var {
        self.carried.iter().position(|c| *c == offset).map_or(self.next, |k| self.cells[k])
    }
}
