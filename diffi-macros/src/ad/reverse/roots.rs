//! A number times its root, `v * v.sqrt()`, as distances have it in the denominator of a force: the power 3/2 by its adjoint.
//!
//! With `v` for the square of the root, the product's rule and the root's together are one and a half times the root: no quotient, the
//! product needs nothing but the root, and the partial derivative is zero where `v` is zero, and no `0 * inf`.

use crate::ad::reverse::Reverse;
use crate::analysis::activity::Activity;
use crate::ir::place::key;
use crate::ir::visit::{Access, Vars, Visit, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::Span;
use quote::quote;
use std::collections::BTreeMap;

/// Derivatives of a number and its root.
#[derive(Clone, Default)]
pub struct Roots {
    /// The roots in `r = sqrt v; t = v * r`, by `t`.
    pub of: HashMap<Var, Var>,
    /// Those of them that are used for nothing else: they have no adjoint.
    pub spent: Vars,
}

impl Roots {
    pub fn find(function: &Function, activity: &Activity) -> Self {
        let (mut uses, mut written) = (BTreeMap::<Var, usize>::new(), Vars::new());
        let mut count = |v, touch| {
            *uses.entry(v).or_default() += usize::from(touch != Access::Define);
            if touch == Access::Write {
                written.insert(v);
            }
        };
        Visit(&mut count).block(&function.body);
        Visit(&mut count).out(&function.result);
        let mut found = HashMap::default();
        Powers { activity, written, found: &mut found }.block(&function.body);
        let spent = found.values().copied().filter(|root| uses[root] == 1).collect();
        Roots { of: found, spent }
    }
}

struct Powers<'a> {
    activity: &'a Activity,
    written: Vars,
    found: &'a mut HashMap<Var, Var>,
}

impl Powers<'_> {
    fn block(&mut self, block: &Block) {
        for (at, stmt) in block.stmts.iter().enumerate() {
            if let Stmt::Let { var, expr: Expr::Op { op: Op::Mul, args, .. } } = stmt
                && let [p, q] = &args[..]
            {
                let root = self.root(&block.stmts[..at], p, q).or_else(|| self.root(&block.stmts[..at], q, p));
                self.found.extend(root.map(|root| (*var, root)));
            }
            blocks(stmt).into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// The root, if it was drawn of `v` a little before, and `v` is what it was.
    fn root(&self, before: &[Stmt], v: &Operand, root: &Operand) -> Option<Var> {
        let (Operand::Place(v), root) = (v, root.as_var()?) else { return None };
        let at = before.iter().rposition(|s| matches!(s, Stmt::Let { var, .. } if *var == root))?;
        let Stmt::Let { expr: Expr::Op { op: Op::Fn("sqrt"), args, .. }, .. } = &before[at] else { return None };
        let of_v = matches!(&args[..], [Operand::Place(of)] if key(of) == key(v));
        let mut read = Vars::from([v.root]);
        v.indices(&mut |o| read.extend(&o.reads));
        let unchanged = touched(&before[at..], &[Access::Write]).is_disjoint(&read) && !self.written.contains(&root);
        (of_v && unchanged && self.activity.active(v.root)).then_some(root)
    }
}

impl Reverse<'_> {
    /// The adjoint of a product that is a number times its root; whether it is one.
    pub fn power(&mut self, var: Var, args: &[Operand], span: Span, out: &mut Vec<Stmt>) -> bool {
        let Some(root) = self.roots.of.get(&var).copied() else { return false };
        let Some(at) = args.iter().position(|o| o.as_var() != Some(root)) else { return false };
        let Operand::Place(v) = &args[at] else { return false };
        let more =
            Operand::Passive(PassiveCode::literal(crate::ad::partials::literal(&self.function.base, &quote!(1.5))));
        let (bar, v) = (self.bar(var), v.clone());
        let scaled = self.flow_of(bar, Op::Mul, more, span, out);
        let value = self.flow_of(scaled, self.mul(var, &Op::Mul, args, at), Operand::var(root), span, out);
        self.accumulate(&v, Assign::Add, Operand::var(value), out);
        true
    }
}
