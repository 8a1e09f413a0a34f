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
//!
//! Likewise an array that is bound to another name, `let k = v`, and not used any more under its own, has the other name for all of its life.

use crate::ir::clone::Twins;
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
        while let Some((at, a, b)) = (0..block.stmts.len()).find_map(|at| self.moved(&block.stmts, at)) {
            self.renamed(block, at, (a, b));
        }
        for at in 0..block.stmts.len() {
            let Some((a, b, span)) = self.assigned(&block.stmts, at) else { continue };
            [a, b].into_iter().for_each(|v| self.vars[v.0 as usize].mutable = true);
            block.stmts[at] = Stmt::Swap { a: Place::var(a), b: Place::var(b), span };
        }
    }

    /// `let a = b` of a vector that is over then: where, and both.
    fn moved(&self, stmts: &[Stmt], at: usize) -> Option<(usize, Var, Var)> {
        let Stmt::Let { var: a, expr: Expr::Operand(Operand::Place(from)) } = &stmts[at] else { return None };
        let (a, b) = (*a, from.root);
        let made_here = |s: &Stmt| matches!(s, Stmt::Let { var, .. } if *var == b);
        let own = self.arrays.contains(&b) && ![a, b].iter().any(|v| self.kept.contains(v));
        let alike = are_alike(&self.vars[a.0 as usize].ty, &self.vars[b.0 as usize].ty);
        let whole = from.path.is_empty() && alike && stmts[..at].iter().any(made_here);
        let over = stmts[at + 1..].iter().all(|s| !touches(s, b));
        (whole && own && over).then_some((at, a, b))
    }

    /// What `a` is from here on is `b`.
    fn renamed(&mut self, block: &mut Block, at: usize, (a, b): (Var, Var)) {
        let map = [(a, b)].into_iter().collect();
        let rest = Twins { map: &map, vars: self.vars }.stmts(&block.stmts[at + 1..]);
        block.stmts.truncate(at);
        block.stmts.extend(rest);
        let (mutable, changes) = (self.vars[a.0 as usize].mutable, self.vars[a.0 as usize].changes);
        let info = &mut self.vars[b.0 as usize];
        (info.mutable, info.changes) = (info.mutable | mutable, info.changes | changes);
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
