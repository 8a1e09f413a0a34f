//! Dead code elimination (LLVM's DCE and DSE): what nothing reads later is neither computed, nor stored, nor kept on the tape.
//!
//! The pass asks [`liveness`](crate::analysis::liveness) alone. Of the function it removes scalars all of whose reads
//! [`rename`](crate::opt::normalize::rename) has replaced, and arrays that are overwritten before anything reads them.
//!
//! Of derivative code it removes resets of cotangents. The adjoint of a branch's assignment reads the target's cotangent and resets it:
//! `v_bar_1 = v_bar; v_bar = 0`. In most iterations nothing reads it again. Without the reset `v_bar_1` is another name for `v_bar`, and
//! [`forward_substitute`](crate::opt::scalar::forward_substitute) makes one variable of both, here and in the tangents.
//!
//! Of tape frames it removes tangents (see [`frames`]).

mod frames;

use crate::analysis::liveness::Live;
use crate::ir::purity::{is_blank, repeatable};
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, Visit, blocks, touched};
use crate::ir::*;

/// Rewrites the function, until nothing is dead.
pub fn dead_code(mut function: Function) -> Function {
    let end = Live::of(&read_at_the_end(&function));
    let mut body = std::mem::take(&mut function.body);
    loop {
        let mut found = false;
        end.clone().backwards(&mut body, &mut |stmt, live| {
            let dead = is_dead(&function.vars, stmt, live);
            found |= dead;
            !dead
        });
        if !found {
            return Function { body, ..function };
        }
    }
}

/// Rewrites the bodies of one derivative: where both sweeps are apart, that of each.
pub fn dead_derivative_code(table: &Table, bodies: &mut [&mut Block]) {
    let mut slots = frames::DeadSlots::default();
    for body in bodies.iter_mut() {
        // nobody else is known to read what the body brings into being
        let own = touched(&body.stmts, &[Access::Define]);
        Live::default().backwards(body, &mut |stmt, live| {
            slots.note(table, stmt, live);
            !is_dead_reset(table, &own, stmt, live)
        });
    }
    slots.remove(table, bodies);
}

/// Parameters and results, and what effects write: that is there, whoever reads it.
fn read_at_the_end(function: &Function) -> Vars {
    let mut read: Vars = function.params.iter().map(|p| p.var).collect();
    Visit(&mut |v, _| _ = read.insert(v)).out(&function.result);
    written_by_effects(&function.body, &mut read);
    read
}

fn written_by_effects(block: &Block, found: &mut Vars) {
    for stmt in &block.stmts {
        if let Stmt::Effect { writes, .. } = stmt {
            found.extend(writes);
        }
        blocks(stmt).into_iter().for_each(|inner| written_by_effects(inner, found));
    }
}

fn is_dead(vars: &[VarInfo], stmt: &Stmt, live: &Live) -> bool {
    let ty = |v: Var| &vars[v.0 as usize].ty;
    let is_scalar = |v: Var| matches!(ty(v), Ty::Float | Ty::Passive);
    match stmt {
        Stmt::Let { var, expr } => {
            // what is left in a place that nobody reads again: `Default::default()`, whose type only the place told
            let is_plain = is_scalar(*var) || matches!(expr, Expr::Passive(_));
            is_plain && !live.is_mentioned(*var) && !has_effects(expr)
        }
        Stmt::Declare { var } => !live.is_mentioned(*var),
        Stmt::Assign { place: Place { root, path }, op, value, .. } if path.is_empty() => {
            let is_copy = *op == Assign::Set && matches!(value, Operand::Place(_));
            let is_array = matches!(ty(*root), Ty::Library | Ty::Unknown);
            (is_scalar(*root) || is_array && is_copy) && !live.is_read(*root) && !does_something(value)
        }
        _ => false,
    }
}

/// Whether evaluating a right-hand side may do more than give a value.
fn has_effects(expr: &Expr) -> bool {
    match expr {
        Expr::Call(_) | Expr::Pop(_) => true,
        Expr::Passive(o) => !repeatable(o) && !is_blank(&o.tokens),
        _ => false,
    }
}

/// The same of what is assigned.
fn does_something(value: &Operand) -> bool {
    matches!(value, Operand::Passive(o) if !repeatable(o) && !is_blank(&o.tokens))
}

/// A reset of a number, or of one in a local aggregate.
fn is_dead_reset(table: &Table, own: &Vars, stmt: &Stmt, live: &Live) -> bool {
    let Stmt::Derived(Derived::Clear { place: Place { root, path }, whole: false }) = stmt else { return false };
    let is_number = path.is_empty() == (*table.ty(*root) == Ty::Float);
    let is_local = own.contains(root) && !table.is_ref(*root) && !table.is_cell(*root);
    is_number && is_local && table.role(*root) == Role::Bar && !live.is_read(*root)
}

#[cfg(test)]
mod tests;
