//! Cotangents of copies that a single call reads.
//!
//! ```text
//! let v_bar = zero like v           `v = u`, before `u` changes
//! reverse f(&v) bars v_bar          reverse f(&v) bars u_bar
//! acc u_bar v_bar
//! release v_bar
//! ```
//!
//! The call adds to what it is given, so that it may be given the cotangent that the sum goes to: no zeros, and no sum.

use crate::ir::symbols::Table;
use crate::ir::visit::Visit;
use crate::ir::visit::positions::Indexed;
use crate::ir::*;

/// Rewrites statements of a reverse sweep.
pub fn without_copies(table: &Table, stmts: &mut Vec<Stmt>) {
    if stmts.iter().any(|s| matches!(s, Stmt::Derived(Derived::Zero { .. }))) {
        Indexed::rewrite(stmts, |stmts, at| {
            if let Some(copied) = Copied::from(table, stmts, at) {
                copied.rewrite(stmts);
            }
        });
    }
}

/// The cotangent of a copy, and that of what was copied.
struct Copied {
    bar: Var,
    of: Var,
    /// Where the first is made, what adds to it, and where it is added.
    zero: usize,
    sweep: usize,
    sum: usize,
}

impl Copied {
    fn from(table: &Table, stmts: &Indexed, zero: usize) -> Option<Copied> {
        let Stmt::Derived(Derived::Zero { var: bar, .. }) = stmts.get(zero)? else { return None };
        let mut touching = stmts.from(*bar, zero + 1);
        let (sweep, sum) = (touching.next()?, touching.next()?);
        let Stmt::Derived(Derived::Acc { place, value, how: AddKind::Whole }) = stmts.get(sum)? else { return None };
        let of = place.root;
        let whole = place.path.is_empty() && value.path.is_empty() && value.root == *bar;
        let vectors = [*bar, of].iter().all(|v| matches!(table.ty(*v), Ty::Vec(element) if **element == Ty::Float));
        let apart = of != *bar && stmts.from(of, sweep).next().is_none_or(|at| at >= sum);
        let spent = touching.all(|at| stmts.get(at).is_some_and(|s| ends(s, *bar)));
        (whole && vectors && apart && spent && adds_once(stmts.get(sweep)?, *bar)).then_some(Copied {
            bar: *bar,
            of,
            zero,
            sweep,
            sum,
        })
    }

    fn rewrite(self, stmts: &mut Indexed) {
        if let Some(Stmt::Derived(Derived::Sweep(s))) = stmts.get_mut(self.sweep) {
            s.bars.iter_mut().flatten().filter(|(p, _)| p.root == self.bar).for_each(|(p, _)| p.root = self.of);
        }
        stmts.note(self.of, self.sweep);
        stmts.remove(self.sum);
        stmts.remove(self.zero);
        let ends: Vec<usize> =
            stmts.from(self.bar, 0).filter(|at| stmts.get(*at).is_some_and(|s| ends(s, self.bar))).collect();
        ends.into_iter().for_each(|at| stmts.remove(at));
    }
}

/// Whether the cotangent is only cleared, or gives its memory back.
fn ends(stmt: &Stmt, bar: Var) -> bool {
    match stmt {
        Stmt::Derived(Derived::Clear { place, .. }) => place.root == bar,
        Stmt::Derived(Derived::Release { var }) => *var == bar,
        _ => false,
    }
}

/// Whether a statement is the reverse sweep of a call, for which the whole cotangent is that of an argument that it only reads.
fn adds_once(stmt: &Stmt, bar: Var) -> bool {
    let Stmt::Derived(Derived::Sweep(s)) = stmt else { return false };
    let of_reference = s.call.args.iter().zip(&s.bars).any(|(arg, to)| {
        matches!((arg, to), (CallArg::Ref(_), Some((place, _))) if place.root == bar && place.path.is_empty())
    });
    let mut times = 0;
    Visit(&mut |v, _| times += usize::from(v == bar)).stmt(stmt);
    s.kind == SweepKind::Reverse && s.tangents.is_none() && of_reference && times == 1
}
