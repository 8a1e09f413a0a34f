//! Assignment by exchange (Hudak & Bloss 1985): an array that is assigned to another one, and not used any more, changes places with it.
//!
//! ```text
//! for _ in 0..steps {               for _ in 0..steps {
//!     let v = to_vec u                  let v = to_vec u
//!     ..                                ..
//!     u = v                             swap u v
//! }                                 }
//! ```
//!
//! Nothing is copied on the right, and the adjoint of an exchange is an exchange: no shape is kept, and no cotangent is added to zeros.

use crate::ir::plain_places::copied_place;
use crate::ir::symbols::is_list_of_values;
use crate::ir::visit::{Vars, Visit, blocks, blocks_mut, touches};
use crate::ir::*;

/// Rewrites the function.
pub fn exchange(mut function: Function) -> Function {
    let mut kept: Vars = function.params.iter().map(|p| p.var).collect();
    Visit(&mut |v, _| _ = kept.insert(v)).out(&function.result);
    let mut body = std::mem::take(&mut function.body);
    let mut arrays = Vars::new();
    note_arrays(&function.vars, &body, &mut arrays);
    Exchange { arrays, kept, vars: &mut function.vars }.block(&mut body);
    Function { body, ..function }
}

/// The vectors of numbers, rows or arrays that own their memory.
fn note_arrays(vars: &[VarInfo], block: &Block, arrays: &mut Vars) {
    for stmt in &block.stmts {
        if let Stmt::Let { var, expr } = stmt
            && owns_memory(&vars[var.0 as usize].ty, expr)
        {
            arrays.insert(*var);
        }
        blocks(stmt).into_iter().for_each(|inner| note_arrays(vars, inner, arrays));
    }
}

fn owns_memory(ty: &Ty, made_by: &Expr) -> bool {
    match ty {
        Ty::Vec(_) => makes_vector(made_by),
        Ty::Unknown => matches!(made_by, Expr::Call(_)),
        _ => false,
    }
}

fn makes_vector(expr: &Expr) -> bool {
    match expr {
        Expr::Passive(o) => copied_place(&o.tokens).is_some(),
        Expr::Call(_)
        | Expr::ToVec(_)
        | Expr::VecRepeat { .. }
        | Expr::VecNew(_)
        | Expr::VecOf(_)
        | Expr::Scratch { .. } => true,
        _ => false,
    }
}

struct Exchange<'a> {
    arrays: Vars,
    /// Parameters, and what the function returns.
    kept: Vars,
    vars: &'a mut Vec<VarInfo>,
}

impl Exchange<'_> {
    fn block(&mut self, block: &mut Block) {
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
        for at in 0..block.stmts.len() {
            let Some((a, b, span)) = self.assigned(&block.stmts, at) else { continue };
            [a, b].into_iter().for_each(|v| self.vars[v.0 as usize].mutable = true);
            block.stmts[at] = Stmt::Swap { a: Place::var(a), b: Place::var(b), span };
        }
    }

    /// The array that is overwritten as a whole, and the one that it gets, if that is over.
    fn assigned(&self, stmts: &[Stmt], at: usize) -> Option<(Var, Var, proc_macro2::Span)> {
        let Stmt::Assign { place, op: Assign::Set, value: Operand::Place(from), span } = &stmts[at] else {
            return None;
        };
        let (a, b) = (place.root, from.root);
        let ty = |v: Var| &self.vars[v.0 as usize].ty;
        let whole = place.path.is_empty() && from.path.is_empty() && a != b && are_alike(ty(a), ty(b));
        let own = [a, b].iter().all(|v| self.arrays.contains(v)) && !self.kept.contains(&b);
        (whole && own && is_over(b, stmts, at)).then_some((a, b, *span))
    }
}

/// Whether derivative code treats two arrays of one type alike.
fn are_alike(a: &Ty, b: &Ty) -> bool {
    a == b || [a, b].into_iter().all(is_list_of_values)
}

/// Whether nothing reads what the array holds after a statement: the block declares it, or overwrites it next.
fn is_over(var: Var, stmts: &[Stmt], at: usize) -> bool {
    match stmts[at + 1..].iter().find(|s| touches(s, var)) {
        None => stmts[..at].iter().any(|s| matches!(s, Stmt::Let { var: own, .. } if *own == var)),
        Some(Stmt::Assign { place, op: Assign::Set, value, .. }) => {
            place.root == var && place.path.is_empty() && matches!(value, Operand::Place(p) if p.root != var)
        }
        Some(_) => false,
    }
}
