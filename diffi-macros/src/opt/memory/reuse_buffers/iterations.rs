//! Buffers of loops: an array that every iteration makes and gives back keeps its memory.
//!
//! `for .. { let y = rule(..); ..; release y }` takes an array from the workspace in every iteration, only to give it back. Instead the
//! next iteration finds the array in place, and writes over it. So do shapes that are read from the tape, and cotangents that a rule of
//! two operands initialises. [`moves`](super::moves) writes these releases.

use crate::ir::symbols::Table;
use crate::ir::visit::{Vars, blocks_mut, loop_body, touches};
use crate::ir::*;

/// Rewrites a body.
pub fn keep_buffers(table: &Table, body: &mut Block) {
    for mut stmt in std::mem::take(&mut body.stmts) {
        blocks_mut(&mut stmt).into_iter().for_each(|inner| keep_buffers(table, inner));
        let vars = loop_body(&mut stmt).map(|iteration| {
            hand_on(iteration);
            stay(table, iteration)
        });
        let vars = vars.unwrap_or_default();
        body.stmts.push(match vars.is_empty() {
            true => stmt,
            false => Stmt::Derived(Derived::LoopBuffers { vars, body: Block { stmts: vec![stmt] } }),
        });
    }
}

/// `let y_bar = move carried; ..; let x_bar = unset; ..; carried = move x_bar; release y_bar`: `x_bar` begins with the array of `y_bar`.
fn hand_on(body: &mut Block) {
    let moved = body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Derived(Derived::Move { to, from, declares: true }) => Some((*to, *from)),
        _ => None,
    });
    let moved: Vec<(Var, Var)> = moved.collect();
    for (y_bar, carried) in moved {
        let Some(next) = body.stmts.iter().find_map(|stmt| match stmt {
            Stmt::Derived(Derived::Move { to, from, declares: false }) if *to == carried => Some(*from),
            _ => None,
        }) else {
            continue;
        };
        let unset = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Unset { var, .. }) if *var == next);
        let release = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Release { var }) if *var == y_bar);
        let Some(at) = body.stmts.iter().position(unset) else { continue };
        let (before, after) = body.stmts.split_at(at);
        let over = after.iter().filter(|s| touches(s, y_bar)).all(release) && after.iter().any(release);
        let made = before.iter().any(|s| matches!(s, Stmt::Derived(Derived::Move { to, .. }) if *to == y_bar));
        if !(over && made && is_made_by_rule(after, next)) {
            continue;
        }
        if let Stmt::Derived(Derived::Unset { of, .. }) = &mut body.stmts[at] {
            *of = Some(y_bar);
        }
        body.stmts.retain(|s| !release(s));
    }
}

/// The arrays of an iteration that stay: they are not given back any more.
fn stay(table: &Table, body: &mut Block) -> Vec<Var> {
    let released = body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Derived(Derived::Release { var }) => Some(*var),
        _ => None,
    });
    let stays = |var: &Var| {
        let library = matches!(table.ty(*var), Ty::Library | Ty::Unknown);
        let made = body.stmts.iter().position(|s| makes(table, s, *var));
        library
            && made.is_some_and(|at| is_made_by_rule(&body.stmts[at..], *var))
            && body.stmts.iter().filter(|s| touches(s, *var)).all(|s| is_found(s, *var))
    };
    let vars: Vec<Var> = released.filter(stays).collect();
    body.stmts.retain(|s| !matches!(s, Stmt::Derived(Derived::Release { var }) if vars.contains(var)));
    vars
}

/// Whether a statement declares the variable in a way that may find one from the iteration before.
fn makes(table: &Table, stmt: &Stmt, var: Var) -> bool {
    match stmt {
        Stmt::Derived(Derived::Sweep(s)) => {
            s.kind == SweepKind::Forward && s.call.is_rule() && s.tangents.is_none() && s.result == Some(var)
        }
        Stmt::Derived(Derived::PopFrame(r)) => r.shapes.contains(&var) && !r.into.contains(&var),
        Stmt::Derived(Derived::Unset { var: unset, like: ShapeOf::Value(p), of: None }) => {
            *unset == var && !table.is_ref(p.root)
        }
        _ => false,
    }
}

/// Whether the cotangent that the first statement declares is initialised by a rule of two operands: that of one may be another array.
fn is_made_by_rule(stmts: &[Stmt], var: Var) -> bool {
    let unset = matches!(stmts[0], Stmt::Derived(Derived::Unset { .. }));
    !unset
        || stmts[1..].iter().find(|s| touches(s, var)).is_some_and(|s| {
            matches!(s, Stmt::Derived(Derived::Sweep(s)) if s.fresh.contains(&var) && s.call.is_rule() && s.call.args.len() == 3)
        })
}

/// Whether a statement may find the variable behind a reference.
fn is_found(stmt: &Stmt, var: Var) -> bool {
    let itself = Vars::from_iter([var]);
    match stmt {
        Stmt::Derived(Derived::Sweep(s)) => s.call.args.iter().all(|arg| match arg {
            CallArg::Ref(_) => true,
            CallArg::Mut(p) => p.root != var,
            CallArg::Value(Operand::Passive(o)) | CallArg::Passive(o) | CallArg::Lent(o) => !o.depends_on(&itself),
            CallArg::Value(_) => false,
        }),
        Stmt::Derived(Derived::PushFrame(r)) => {
            !r.given.contains(&var) && !r.floats.contains(&var) && !r.words.contains(&var)
        }
        Stmt::Derived(Derived::PopFrame(r)) => r.whole_dots.is_empty(),
        Stmt::Derived(Derived::Unset { .. } | Derived::Acc { .. } | Derived::Release { .. }) => true,
        _ => false,
    }
}
