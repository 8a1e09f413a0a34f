//! Loop distribution (Allen & Kennedy 6): sums that an adjoint's loop makes for a number get a loop of their own, in front of the rest.
//!
//! The adjoint of `next[k] = u[k] + c * (u[k + 1] - 2.0 * u[k] + u[k - 1])` scatters to the cotangent of `u`, and adds up the cotangent of `c`. No
//! vector unit takes a sum whose order is fixed, and so it would not take the scatter either. What the sum reads is found again
//! in the second loop.
//!
//! The rule by which it is legal: the sums read what the loop does not write, what they compute themselves, and elements that the same
//! iteration alone overwrites, later.

use super::distribute_rows::over_own_variables;
use crate::analysis::activity::Activity;
use crate::analysis::reductions::RunningSums;
use crate::ir::affine::shift::Shift;
use crate::ir::place::key;
use crate::ir::symbols::Table;
use crate::ir::visit::places::each_place;
use crate::ir::visit::{Access, Vars, touched, touches};
use crate::ir::*;

/// A loop that is two.
pub struct Distributed {
    /// The loop of the sums.
    pub sums: Loop,
    /// The loop of the rest, behind it.
    pub rest: Loop,
}

impl Distributed {
    /// The loop in two, if there is something for both.
    pub fn of(table: &Table, l: &Loop) -> Option<Self> {
        let (sums, rest) = Parts::of(table, l)?.split()?;
        let is_framed = |stmts: &[Stmt]| stmts.iter().any(is_frame);
        let once = !(is_framed(&sums) && is_framed(&rest));
        once.then(|| Distributed { sums: over(l, sums), rest: over(l, rest) })
    }

    /// The two over variables of their own: a frame keeps its variables.
    pub fn renamed(self, table: &mut Table, activity: &mut Activity) -> Self {
        let Distributed { sums, rest } = self;
        match rest.frame.is_none() {
            true => Distributed { sums, rest: renamed(table, activity, rest) },
            false => Distributed { sums: renamed(table, activity, sums), rest },
        }
    }
}

/// The statements of a loop, and which of them make sums.
struct Parts<'a> {
    table: &'a Table,
    on: &'a For,
    stmts: &'a [Stmt],
    /// What an iteration brings into being.
    own: Vars,
    written: Vars,
    sums: Vec<usize>,
    /// The numbers that they add to.
    totals: Vars,
}

impl<'a> Parts<'a> {
    fn of(table: &'a Table, l: &'a Loop) -> Option<Self> {
        let stmts = &l.on.body.stmts[..];
        let (own, written) = (touched(stmts, &[Access::Define]), touched(stmts, &[Access::Write]));
        let RunningSums { at: sums, totals } = RunningSums::of(&l.on);
        let parts = Parts { table, on: &l.on, stmts, own, written, sums, totals };
        let is_plain = l.first.is_empty() && l.walks.is_empty() && l.lanes.is_empty();
        let may_be_split = is_plain && !parts.sums.is_empty() && stmts.iter().all(may_be_moved);
        may_be_split.then_some(parts)
    }

    fn split(&self) -> Option<(Vec<Stmt>, Vec<Stmt>)> {
        let is_sum = |at: &usize| self.sums.contains(at);
        let sums = self.slice(&self.sums.clone());
        let others: Vec<usize> = (0..self.stmts.len()).filter(|at| !is_sum(at) && self.lasts(*at)).collect();
        let rest = self.slice(&others);
        let stays = sums.iter().all(|at| self.reads_what_stays(*at));
        let pick = |all: Vec<usize>| all.into_iter().map(|at| self.stmts[at].clone()).collect();
        (stays && !others.is_empty()).then(|| (pick(sums), pick(rest)))
    }

    /// Whether something outlives the iteration that the statement does.
    fn lasts(&self, at: usize) -> bool {
        let written = touched(&self.stmts[at..=at], &[Access::Write]);
        !written.is_subset(&self.own)
    }

    /// These statements and those that compute what they read.
    fn slice(&self, of: &[usize]) -> Vec<usize> {
        let (mut wanted, mut all) = (Vars::new(), Vec::new());
        for at in (0..self.stmts.len()).rev() {
            let stmt = &self.stmts[at..=at];
            let makes = touched(stmt, &[Access::Define, Access::Write]);
            let is_wanted = !makes.is_disjoint(&wanted) && makes.is_subset(&self.own);
            if of.contains(&at) || is_wanted {
                wanted.extend(&touched(stmt, &[Access::Read, Access::Shape, Access::Write]) & &self.own);
                all.push(at);
            }
        }
        all.reverse();
        all
    }

    /// Whether a statement of the sums reads the same in front of the rest.
    fn reads_what_stays(&self, at: usize) -> bool {
        let reads = touched(&self.stmts[at..=at], &[Access::Read, Access::Shape]);
        reads.iter().all(|var| {
            let is_known = self.own.contains(var) || self.totals.contains(var) || !self.written.contains(var);
            is_known || self.is_overwritten_later(*var, at)
        })
    }

    /// Whether all that the loop does with an array is to read and then to write one element, which each iteration has to itself.
    fn is_overwritten_later(&self, array: Var, at: usize) -> bool {
        let inside = &self.own | &self.written;
        let mut keys: Vec<String> = Vec::new();
        let mut fits = true;
        for (k, stmt) in self.stmts.iter().enumerate().filter(|(_, s)| touches(s, array)) {
            let mut places = 0;
            each_place(stmt, &mut |place, writes| {
                if place.root != array {
                    return;
                }
                let moves = Shift::of_element(self.table, place, self.on.var, &inside).is_some();
                fits &= moves && (!writes || k > at);
                keys.push(key(place));
                places += 1;
            });
            fits &= places > 0;
        }
        fits && keys.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// Statements that compute numbers, change elements, or load a frame.
fn may_be_moved(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr: Expr::Operand(_) | Expr::Op { .. } | Expr::Zero, .. } | Stmt::Assign { .. } => true,
        Stmt::Derived(Derived::Guard { body, .. }) => body.stmts.iter().all(may_be_moved),
        Stmt::Derived(Derived::Clear { whole: false, .. }) => true,
        other => is_frame(other),
    }
}

fn is_frame(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Derived(Derived::LoadFrame(_)))
}

/// The loop with other statements.
fn over(l: &Loop, stmts: Vec<Stmt>) -> Loop {
    let has_frame = stmts.iter().any(is_frame);
    let (frame, opened) = (l.frame.filter(|_| has_frame), l.opened && has_frame);
    let on = For { body: Block { stmts }, ..l.on.clone() };
    Loop { on, frame, opened, ..l.clone() }
}

/// The loop over variables of its own.
fn renamed(table: &mut Table, activity: &mut Activity, l: Loop) -> Loop {
    let on = over_own_variables(table, activity, l.on.clone());
    Loop { on, ..l }
}
