//! Negation sinking (LLVM's Negator): negated cotangents and tangents are added with the other sign instead.
//!
//! `let b_bar = -r_bar` is the adjoint of `r = a - b`. If everything that is made of `b_bar` ends in sums, as in
//! `flow = b_bar * x; x_bar[i] += flow`, the sums are subtracted and `b_bar` stands for its opposite. The numbers are the same, bit by
//! bit, since rounding is symmetric in the sign. Shadows only: the user's own operations stay.

use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Vars, Visit, blocks_mut, touches};
use crate::ir::*;

/// Rewrites every list of statements of a body with these results.
pub fn sink_negation(table: &Table, block: &mut Block, results: &[&Out]) {
    let mut kept = Vars::new();
    let mut keep = |v, _| {
        kept.insert(v);
    };
    results.iter().for_each(|out| Visit(&mut keep).out(out));
    Signs { table, kept }.block(block);
}

struct Signs<'a> {
    table: &'a Table,
    /// Variables that leave the function.
    kept: Vars,
}

impl Signs<'_> {
    fn block(&self, block: &mut Block) {
        for at in 0..block.stmts.len() {
            if let Stmt::Let { var, expr: Expr::Op { op: Op::Neg, args, .. } } = &block.stmts[at]
                && self.may_turn(*var)
                && let Some(after) = self.all(&block.stmts[at + 1..], &mut Vars::from([*var]))
            {
                block.stmts[at] = Stmt::Let { var: *var, expr: Expr::Operand(args[0].clone()) };
                block.stmts.splice(at + 1.., after);
            }
        }
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
    }

    fn may_turn(&self, var: Var) -> bool {
        self.table.role(var) != Role::Primal && *self.table.ty(var) == Ty::Float && !self.kept.contains(&var)
    }

    /// Statements in which some variables stand for their opposites; `turned` grows by those that they declare.
    fn all(&self, stmts: &[Stmt], turned: &mut Vars) -> Option<Vec<Stmt>> {
        let turn = |stmt: &Stmt| match turned.iter().any(|v| touches(stmt, *v)) {
            true => self.one(stmt, turned),
            false => Some(stmt.clone()),
        };
        stmts.iter().map(turn).collect()
    }

    fn one(&self, stmt: &Stmt, turned: &mut Vars) -> Option<Stmt> {
        let is_turned = |o: &Operand| o.as_var().is_some_and(|v| turned.contains(&v));
        match stmt {
            Stmt::Let { var, expr: Expr::Operand(_) } if self.may_turn(*var) => {
                turned.insert(*var);
                Some(stmt.clone())
            }
            Stmt::Let { var, expr: Expr::Op { op, args, span } } if self.may_turn(*var) => {
                let args: Vec<(&Operand, bool)> = args.iter().map(|o| (o, is_turned(o))).collect();
                let with = |op, a: &Operand, b: &Operand| {
                    let args = vec![a.clone(), b.clone()];
                    Some(Stmt::Let { var: *var, expr: Expr::Op { op, args, span: *span } })
                };
                match (op, &args[..]) {
                    (Op::Add, [(a, false), (b, true)]) => with(Op::Sub, a, b),
                    (Op::Add, [(a, true), (b, false)]) => with(Op::Sub, b, a),
                    (Op::Sub, [(a, false), (b, true)]) => with(Op::Add, a, b),
                    (Op::Add | Op::Sub, [(_, true), (_, true)])
                    | (Op::Mul, [(_, true), (_, false)] | [(_, false), (_, true)])
                    | (Op::Div, [(_, true), (_, false)]) => {
                        turned.insert(*var);
                        Some(stmt.clone())
                    }
                    _ => None,
                }
            }
            Stmt::Assign { place, op: op @ (Assign::Add | Assign::Sub), value, span } => {
                let same = turned.contains(&place.root) == is_turned(value);
                let op = match op {
                    Assign::Add if !same => Assign::Sub,
                    Assign::Sub if !same => Assign::Add,
                    op => *op,
                };
                Some(Stmt::Assign { place: place.clone(), op, value: value.clone(), span: *span })
            }
            Stmt::Derived(Derived::Guard { on, body }) => {
                let body = Block { stmts: self.all(&body.stmts, turned)? };
                Some(Stmt::Derived(Derived::Guard { on: *on, body }))
            }
            _ => None,
        }
    }
}
