//! Reduction splitting (LLVM's interleave count): sums of cotangents in a long loop grow in eight partial sums.
//!
//! `for k in 0..n { mean_bar -= d_bar[k] }` waits for every addition before it starts the next. The user has written no order of these
//! additions, so that eight sums can grow side by side. The loop runs once a call, has no other loop-carried value, and its iterations
//! are so short that the additions are the bottleneck.

use crate::analysis::cost_model::REDUCTION_BODY;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, Visit, touched};
use crate::ir::*;

/// Marks the loops of an adjoint's body that are not inside of others.
pub fn split_reductions(table: &Table, block: &mut Block) {
    for stmt in &mut block.stmts {
        match stmt {
            Stmt::Derived(Derived::Loop(l)) => l.lanes = sums(table, l).unwrap_or_default(),
            Stmt::If { then, els, .. } => {
                split_reductions(table, then);
                split_reductions(table, els);
            }
            Stmt::Derived(Derived::Guard { body, .. } | Derived::NoAlias { body, .. }) => split_reductions(table, body),
            _ => {}
        }
    }
}

/// What a loop adds up, if that is all that its iterations have in common.
fn sums(table: &Table, l: &Loop) -> Option<Vec<Var>> {
    let (on, stmts) = (&l.on, &l.on.body.stmts);
    let backwards = on.down || l.sweep == LoopSweep::AdjointReversed;
    if !l.walks.is_empty()
        || backwards
        || on.inclusive
        || on.step.is_some()
        || on.until.is_some()
        || l.iterations.is_some()
    {
        return None;
    }
    if stmts.len() > REDUCTION_BODY || !stmts.iter().all(is_cheap) || !is_index(table, on) {
        return None;
    }
    let own = touched(stmts, &[Access::Define]);
    let sums: Vars = touched(stmts, &[Access::Write])
        .into_iter()
        .filter(|v| *table.ty(*v) == Ty::Float && !own.contains(v))
        .collect();
    let fits = |v: &Var| table.role(*v) == Role::Bar && !table.is_ref(*v) && stmts.iter().all(|s| only_adds(s, *v));
    (!sums.is_empty() && sums.iter().all(fits)).then(|| sums.into_iter().collect())
}

/// Arithmetic, which takes less time than an addition takes to come through.
pub fn is_cheap(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr: Expr::Op { op, .. }, .. } => !matches!(op, Op::Fn(_) | Op::Div),
        Stmt::Let { expr: Expr::Operand(_) | Expr::Fresh { .. } | Expr::Zero, .. } => true,
        Stmt::Assign { .. } | Stmt::Derived(Derived::LoadFrame(_)) => true,
        _ => false,
    }
}

/// Whether the loop variable is a `usize`, as it is where it is an index by itself.
fn is_index(table: &Table, on: &For) -> bool {
    let name = &table.info(on.var).name;
    let mut found = false;
    let mut note = |place: &Place| {
        place.indices(&mut |o| found |= *name == o.tokens.to_string());
    };
    for stmt in &on.body.stmts {
        match stmt {
            Stmt::Let { expr: Expr::Op { args, .. }, .. } => args.iter().filter_map(place).for_each(&mut note),
            Stmt::Let { expr: Expr::Operand(o), .. } => place(o).into_iter().for_each(&mut note),
            Stmt::Assign { place, .. } => note(place),
            _ => {}
        }
    }
    found
}

fn place(o: &Operand) -> Option<&Place> {
    match o {
        Operand::Place(p) => Some(p),
        _ => None,
    }
}

/// Whether a statement leaves `var` alone, or adds to it what does not depend on it.
pub fn only_adds(stmt: &Stmt, var: Var) -> bool {
    match stmt {
        Stmt::Assign { place, op: Assign::Add | Assign::Sub, value, .. } if place.root == var => {
            place.path.is_empty() && value.as_var() != Some(var)
        }
        other => {
            let mut free = true;
            Visit(&mut |v, _| free &= v != var).stmt(other);
            free
        }
    }
}
