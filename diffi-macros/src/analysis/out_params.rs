//! Output parameters (Fortran's `intent(out)`): `&mut` parameters that the function writes and never reads.
//!
//! The value of an output at entry has no derivative. A parameter that is also read (`y[i] += ..` reads) stays input and output,
//! unless the user declares it `output(y)`. So does a number that keeps its value on some path through the function. Of an array
//! the analysis assumes that every element is written.

use crate::ir::visit::{Access, Vars, Visit, blocks, touched};
use crate::ir::*;

/// Finds the outputs.
pub fn out_params(mut function: Function) -> Function {
    let mut read = Vars::new();
    reads(&function.body, &mut read);
    Visit(&mut |v, touch| read.extend((touch == Access::Read).then_some(v))).out(&function.result);
    let written = touched(&function.body.stmts, &[Access::Write]);
    for param in &mut function.params {
        let var = param.var;
        let replaced = match function.vars[var.0 as usize].ty {
            Ty::Float => is_set(&function.body, var),
            _ => written.contains(&var),
        };
        if param.passing == Passing::Mut && param.active && !param.cache && replaced && !read.contains(&var) {
            param.passing = Passing::Out;
        }
    }
    function
}

/// Whether a number is assigned on every way, or may be by a call.
fn is_set(block: &Block, var: Var) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Assign { place, op: Assign::Set, .. } => place.root == var,
        Stmt::If { .. } | Stmt::Switch { .. } => blocks(stmt).into_iter().all(|b| is_set(b, var)),
        Stmt::While { prelude, .. } => is_set(prelude, var),
        other => blocks(other).is_empty() && touched(std::slice::from_ref(other), &[Access::Write]).contains(&var),
    })
}

fn reads(block: &Block, found: &mut Vars) {
    for stmt in &block.stmts {
        if let Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } | Stmt::Push { place, .. } = stmt {
            found.insert(place.root);
        }
        let nested = blocks(stmt);
        let mut note = |v, touch| {
            if touch == Access::Read {
                found.insert(v);
            }
        };
        if nested.is_empty() {
            Visit(&mut note).stmt(stmt);
        } else {
            heads(stmt, &mut note);
        }
        nested.into_iter().for_each(|inner| reads(inner, found));
    }
}

/// What a statement with blocks reads before them.
fn heads(stmt: &Stmt, note: &mut dyn FnMut(Var, Access)) {
    match stmt {
        Stmt::If { cond, .. } | Stmt::While { cond, .. } => Visit(note).passive_code(cond),
        Stmt::Switch { scrutinee, arms } => {
            Visit(note).passive_code(scrutinee);
            arms.iter().flat_map(|a| &a.guard).for_each(|g| Visit(note).passive_code(g));
        }
        Stmt::For(on) => [&on.lo, &on.hi].into_iter().chain(&on.step).for_each(|o| Visit(note).passive_code(o)),
        _ => {}
    }
}
