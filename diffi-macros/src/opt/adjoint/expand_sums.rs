//! Scalar expansion (Allen & Kennedy 5.3): the sums of a loop that has vectors otherwise are kept by their parts, and added up behind it.
//!
//! No vector unit takes a sum whose order is fixed, and so it takes nothing else of the loop either. The order of the additions to a
//! cotangent is free.

use crate::analysis::activity::Activity;
use crate::analysis::reductions::RunningSums;
use crate::ir::symbols::Table;
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;

/// What stands before and after a loop that keeps the parts of its sums in vectors of length `len`.
pub fn expand_sums(
    table: &mut Table,
    activity: &mut Activity,
    on: &mut For,
    len: &PassiveCode,
) -> (Vec<Stmt>, Vec<Stmt>) {
    let all = RunningSums::of(on).at;
    let here = table.read(on.var);
    let (lo, hi) = (on.lo.clone(), on.hi.clone());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for at in all {
        let mut expansion = Expansion { table, activity, here: &here, ends: [&lo, &hi] };
        let (parts, added) = expansion.stmt(&mut on.body.stmts[at]);
        before.push(Stmt::Let { var: parts, expr: Expr::Scratch { len: len.clone() } });
        after.extend(added);
    }
    (before, after)
}

/// How a sum is taken out of a loop.
struct Expansion<'a> {
    table: &'a mut Table,
    activity: &'a mut Activity,
    /// The loop's variable.
    here: &'a PassiveCode,
    ends: [&'a PassiveCode; 2],
}

impl Expansion<'_> {
    /// Keeps a part in place of adding it: the vector of the parts, and what adds them up.
    fn stmt(&mut self, stmt: &mut Stmt) -> (Var, Vec<Stmt>) {
        match stmt {
            Stmt::Derived(Derived::Guard { on, body }) => {
                let (parts, stmts) = self.stmt(body.stmts.first_mut().expect("a guard around a sum"));
                (parts, vec![Stmt::Derived(Derived::Guard { on: *on, body: Block { stmts } })])
            }
            Stmt::Assign { place: total, op, span, .. } => {
                let parts = self.vector(total.root);
                let place = Place { root: parts, path: vec![Proj::Index(self.here.clone())] };
                let (total, op) = (std::mem::replace(total, place), std::mem::replace(op, Assign::Set));
                (parts, self.added(parts, total, op, *span))
            }
            _ => unreachable!("sums are assignments"),
        }
    }

    /// `let sum = zero; __d::add_up(&mut sum, &parts, lo, hi); total += sum;`
    fn added(&mut self, parts: Var, total: Place, op: Assign, span: Span) -> Vec<Stmt> {
        let sum = self.table.companion(total.root, "part", self.table.role(total.root));
        self.table.retype(sum, Ty::Float);
        self.activity.note(sum, self.activity.varied(total.root));
        let [to, from] = [sum, parts].map(|var| self.table.info(var).name.clone());
        let [lo, hi] = self.ends.map(|end| &end.tokens);
        let ends =
            crate::ir::affine::gathered(quote!(__d::add_up(&mut #to, &#from, #lo, #hi)), self.ends.into_iter(), span);
        let tokens = PassiveCode { reads: ends.reads.iter().copied().chain([sum, parts]).collect(), ..ends };
        vec![
            Stmt::Let { var: sum, expr: Expr::Zero },
            Stmt::Effect { tokens, writes: [sum].into() },
            Stmt::Assign { place: total, op, value: Operand::var(sum), span },
        ]
    }

    fn vector(&mut self, total: Var) -> Var {
        let parts = self.table.companion(total, "parts", self.table.role(total));
        self.table.retype(parts, Ty::Vec(Box::new(Ty::Float)));
        self.activity.note(parts, self.activity.varied(total));
        parts
    }
}
