//! Cotangents of whole values that are handed on.
//!
//! ```text
//! let v_bar = zero like v          let v_bar = u_bar          `u = v`, backwards: all that `u_bar` holds goes to `v_bar`
//! acc v_bar u_bar
//! clear u_bar                      ..
//! ..
//! acc u_bar w_bar                  u_bar = w_bar              the first that is added afterwards
//! ```
//!
//! What stands on the right needs no zeros, no sums and no shape of `v`, and [moves](crate::opt::memory::reuse_buffers) makes it two moves.

use crate::ir::symbols::{Role, Table};
use crate::ir::visit::positions::Indexed;
use crate::ir::*;
use proc_macro2::Span;

/// Rewrites statements of a reverse sweep.
pub fn hand_on(table: &Table, stmts: &mut Vec<Stmt>) {
    if stmts.iter().any(|s| matches!(s, Stmt::Derived(Derived::Zero { .. }))) {
        Indexed::rewrite(stmts, |stmts, at| {
            if let Some(chain) = Chain::from(table, stmts, at) {
                chain.rewrite(stmts);
            }
        });
    }
}

/// A cotangent that begins as a sum of one term.
struct Chain {
    /// It, and where it is made and where the term is added.
    var: Var,
    zero: usize,
    first: usize,
    /// The term.
    from: Var,
    /// Where the term is cleared, and what is added to it next, where.
    next: Option<(usize, usize, Var)>,
}

impl Chain {
    fn from(table: &Table, stmts: &Indexed, zero: usize) -> Option<Chain> {
        let Stmt::Derived(Derived::Zero { var, like: ShapeOf::Value(_) }) = stmts.get(zero)? else { return None };
        let (first, from) = next_sum(table, stmts, zero, *var)?;
        let next = cleared(stmts, first, from).and_then(|clear| {
            let (sum, term) = next_sum(table, stmts, clear, from)?;
            (term != *var).then_some((clear, sum, term))
        });
        Some(Chain { var: *var, zero, first, from, next })
    }

    fn rewrite(self, stmts: &mut Indexed) {
        if let Some(first) = stmts.get_mut(self.first) {
            *first = Stmt::Let { var: self.var, expr: Expr::Operand(Operand::var(self.from)) };
        }
        if let Some((clear, sum, term)) = self.next {
            let (place, value) = (Place::var(self.from), Operand::var(term));
            let set = Stmt::Assign { place, op: Assign::Set, value, span: Span::call_site() };
            stmts.get_mut(sum).into_iter().for_each(|sum| *sum = set.clone());
            stmts.remove(clear);
        }
        stmts.remove(self.zero);
    }
}

/// Where a whole array is next added to the cotangent, if nothing else happens to that before, and which.
fn next_sum(table: &Table, stmts: &Indexed, after: usize, bar: Var) -> Option<(usize, Var)> {
    let at = stmts.from(bar, after + 1).next()?;
    let Stmt::Derived(Derived::Acc { place, value, how: AddKind::Whole }) = stmts.get(at)? else { return None };
    let whole = place.path.is_empty() && value.path.is_empty() && place.root == bar && value.root != bar;
    (whole && [bar, value.root].iter().all(|v| is_owned_array(table, *v))).then_some((at, value.root))
}

/// Where the cotangent is cleared, if that is what happens to it next.
fn cleared(stmts: &Indexed, after: usize, bar: Var) -> Option<usize> {
    let at = stmts.from(bar, after + 1).next()?;
    let Stmt::Derived(Derived::Clear { place, whole: true }) = stmts.get(at)? else { return None };
    place.path.is_empty().then_some(at)
}

fn is_owned_array(table: &Table, bar: Var) -> bool {
    let whole = |ty: &Ty| matches!(ty, Ty::Library | Ty::Unknown) || is_array_of_floats(ty);
    table.role(bar) == Role::Bar && whole(table.ty(bar)) && !table.is_ref(bar)
}

/// Whether a value is copied bit by bit: an array of floats, or of such arrays.
fn is_array_of_floats(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(element) if **element == Ty::Float || is_array_of_floats(element))
}
