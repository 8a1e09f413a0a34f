//! First-touch initialisation by a rule (Tapenade): the rule of an array operation sets a cotangent instead of adding to zeros.
//!
//! `let x_bar = zero like x; reverse rule(&x) bars x_bar` fills an array with zeros, only to add the rule's result to it. If the cotangent
//! of the operation's result is not read again, the rule may make the one of the other, in the same memory.

use crate::ir::symbols::{Role, Table};
use crate::ir::visit::blocks_mut;
use crate::ir::visit::positions::Positions;
use crate::ir::*;

/// Rewrites a body, and the first that is seen of the parameters' cotangents: the callee's slot says whether they are to be initialised.
pub fn init_by_rule(table: &Table, body: &mut Block, params: impl Iterator<Item = Var>) {
    own(table, body);
    let params: Vec<Var> = params.filter(|bar| *table.ty(*bar) == Ty::Library).collect();
    if params.is_empty() {
        return;
    }
    let positions = Positions::of(&body.stmts);
    for bar in params {
        let first = positions.all(bar).first().copied();
        if let Some(first) = first.filter(|at| initialises(table, (&body.stmts, &positions), *at, bar))
            && let Stmt::Derived(Derived::Sweep(s)) = &mut body.stmts[first]
        {
            s.fresh.insert(bar);
        }
    }
}

fn own(table: &Table, body: &mut Block) {
    for stmt in &mut body.stmts {
        blocks_mut(stmt).into_iter().for_each(|inner| own(table, inner));
    }
    if !body
        .stmts
        .iter()
        .any(|s| matches!(s, Stmt::Derived(Derived::Zero { var, like }) if is_array(table, *var, like)))
    {
        return;
    }
    let positions = Positions::of(&body.stmts);
    for at in 0..body.stmts.len() {
        let Stmt::Derived(Derived::Zero { var, like }) = &body.stmts[at] else { continue };
        let (var, like) = (*var, like.clone());
        if !is_array(table, var, &like) {
            continue;
        }
        let next = positions.after(var, at).first().copied();
        let Some(next) = next.filter(|next| initialises(table, (&body.stmts, &positions), *next, var)) else {
            continue;
        };
        if let Stmt::Derived(Derived::Sweep(s)) = &mut body.stmts[next] {
            s.fresh.insert(var);
        }
        body.stmts[at] = Stmt::Derived(Derived::Unset { var, like, of: None });
    }
}

/// Arrays, and vectors of as many floats.
fn is_array(table: &Table, var: Var, like: &ShapeOf) -> bool {
    match (table.ty(var), like) {
        (Ty::Library | Ty::Unknown, ShapeOf::Value(_)) => true,
        (Ty::Vec(element), ShapeOf::Len(_)) => **element == Ty::Float,
        _ => false,
    }
}

/// Whether a statement is the reverse sweep of a rule that adds to `var` once, as a whole, and the last to see its result's cotangent.
fn initialises(table: &Table, (stmts, positions): (&[Stmt], &Positions), at: usize, var: Var) -> bool {
    let Stmt::Derived(Derived::Sweep(s)) = &stmts[at] else { return false };
    let reverse = matches!(s.kind, SweepKind::Reverse | SweepKind::Both) && s.tangents.is_none() && s.call.is_rule();
    let mut onto = s.bars.iter().flatten().map(|(p, _)| p).filter(|p| p.root == var);
    let once = onto.next().is_some_and(|p| p.path.is_empty()) && onto.next().is_none();
    reverse && once && s.result_bar.is_some_and(|y_bar| is_spent(table, (stmts, positions), at, y_bar))
}

/// Whether a cotangent is not seen again after a statement: it is a number, or comes into being in the same block.
fn is_spent(table: &Table, (stmts, positions): (&[Stmt], &Positions), at: usize, y_bar: Var) -> bool {
    let made = |s: &Stmt| match s {
        Stmt::Derived(Derived::Zero { var, .. } | Derived::Unset { var, .. }) => *var == y_bar,
        Stmt::Let { var, expr: Expr::Operand(_) } => *var == y_bar,
        _ => false,
    };
    let released = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Release { .. }));
    let before = || positions.all(y_bar).iter().take_while(|k| **k < at);
    let own = || table.role(y_bar) == Role::Bar && before().any(|k| made(&stmts[*k]));
    *table.ty(y_bar) == Ty::Float || own() && positions.after(y_bar, at).iter().all(|k| released(&stmts[*k]))
}
