//! Which `&mut` parameters are outputs: those that the function writes to and never reads.
//!
//! Their values at entry have no derivative. A parameter that is also read (`y[i] += ..` reads)
//! stays input and output, unless the user declares it `output(y)`.

use crate::ir::*;
use crate::walk::{Touch, Vars, Visit, blocks};

/// Finds the outputs.
pub fn outputs(mut function: Function) -> Function {
    let mut read = Vars::new();
    reads(&function.body, &mut read);
    let mut note = |v, touch| {
        if touch == Touch::Read {
            read.insert(v);
        }
    };
    Visit(&mut note).out(&function.result);
    for param in &mut function.params {
        if param.passing == Passing::Mut && param.active && !param.cache && !read.contains(&param.var) {
            param.passing = Passing::Out;
        }
    }
    function
}

fn reads(block: &Block, found: &mut Vars) {
    for stmt in &block.stmts {
        if let Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } | Stmt::Push { place, .. } = stmt {
            found.insert(place.root);
        }
        let nested = blocks(stmt);
        let mut note = |v, touch| {
            if touch == Touch::Read {
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
fn heads(stmt: &Stmt, note: &mut dyn FnMut(Var, Touch)) {
    match stmt {
        Stmt::If { cond, .. } | Stmt::While { cond, .. } => Visit(note).opaque(cond),
        Stmt::Switch { scrutinee, arms } => {
            Visit(note).opaque(scrutinee);
            arms.iter().flat_map(|a| &a.guard).for_each(|g| Visit(note).opaque(g));
        }
        Stmt::For(on) => [&on.lo, &on.hi].into_iter().chain(&on.step).for_each(|o| Visit(note).opaque(o)),
        _ => {}
    }
}
