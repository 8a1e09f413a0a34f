//! Reduction splitting (LLVM's interleave count): a loop's sum grows in several partial sums.
//!
//! `for k in 0..n { mean_bar -= d_bar[k] }` waits for every addition before it starts the next. The user has written no order of the
//! additions to a cotangent, and permits another order of the function's own with `#[differentiable(reassociate)]`. The pass asks
//! [`reductions`](crate::analysis::reductions) what a loop adds up, and has three forms:
//!
//! - [`blocks`]: sums of the user's in innermost loops, eight iterations in a row.
//! - Lanes: sums of cotangents in a loop that runs once a call, eight of them. The loop has no other loop-carried value, and its iterations
//!   are so short that the additions are the bottleneck.
//! - [`rotation`]: sums of cotangents in inner or downward loops, two of them.
//!
//! The first runs before [`bounds_checks`](crate::opt::access::bounds_checks), which cuts slices for each block, and the others after it.

mod blocks;
mod rotation;

pub use blocks::in_blocks;

use crate::analysis::cost_model::REDUCTION_BODY;
use crate::analysis::reductions::Reductions;
use crate::ir::lanes::is_index;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::Vars;
use crate::ir::*;

/// Splits the sums of cotangents in an adjoint's loops.
pub fn split_reductions(table: &mut Table, block: &mut Block) {
    in_lanes(table, block);
    rotation::in_turns(table, block);
}

/// Marks the loops that are not inside of others.
fn in_lanes(table: &Table, block: &mut Block) {
    for stmt in &mut block.stmts {
        match stmt {
            Stmt::Derived(Derived::Loop(l)) => l.lanes = lanes(table, l).into_iter().collect(),
            Stmt::If { then, els, .. } => {
                in_lanes(table, then);
                in_lanes(table, els);
            }
            Stmt::Derived(Derived::Guard { body, .. } | Derived::NoAlias { body, .. }) => in_lanes(table, body),
            _ => {}
        }
    }
}

/// What a loop adds up, if that is all that its iterations have in common.
fn lanes(table: &Table, l: &Loop) -> Vars {
    let (on, stmts) = (&l.on, &l.on.body.stmts);
    let backwards = on.down || l.sweep == LoopSweep::AdjointReversed;
    let whole = !on.inclusive && on.step.is_none() && on.until.is_none() && l.iterations.is_none();
    let short = stmts.len() <= REDUCTION_BODY && stmts.iter().all(is_cheap);
    if !l.walks.is_empty() || backwards || !whole || !short || !is_index(table, on) {
        return Vars::new();
    }
    let Reductions { sums, others } = Reductions::of(table, stmts);
    let fits = others.is_empty() && are_cotangents(table, &sums);
    if fits { sums } else { Vars::new() }
}

fn are_cotangents(table: &Table, sums: &Vars) -> bool {
    sums.iter().all(|v| table.role(*v) == Role::Bar)
}

/// Arithmetic, which takes less time than an addition takes to come through.
fn is_cheap(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr: Expr::Op { op, .. }, .. } => !matches!(op, Op::Fn(_) | Op::Div),
        Stmt::Let { expr: Expr::Operand(_) | Expr::Fresh { .. } | Expr::Zero, .. } => true,
        Stmt::Assign { .. } | Stmt::Derived(Derived::LoadFrame(_)) => true,
        _ => false,
    }
}
