//! Squares, `v * v` and `c * v * v`: both halves of the adjoint at once.
//!
//! The cotangent is doubled, and multiplied by the constant, before it meets `v`: where it does not change in a loop, that is done
//! once.

use super::Reverse;
use crate::activity::Activity;
use crate::hash::HashMap;
use crate::ir::*;
use crate::rows::key;
use crate::table::Role;
use crate::walk::{Touch, Vars, Visit, blocks, touched};
use proc_macro2::Span;
use std::collections::BTreeMap;

/// The constants `c` in `a = c * v; r = a * v`, by `a`, which is used for nothing else.
pub fn scales(function: &Function, activity: &Activity) -> HashMap<Var, Operand> {
    let mut uses: BTreeMap<Var, usize> = BTreeMap::new();
    let mut count = |v, touch| *uses.entry(v).or_default() += usize::from(touch != Touch::Define);
    Visit(&mut count).block(&function.body);
    Visit(&mut count).out(&function.result);
    let mut found = HashMap::default();
    Scales { activity, uses, found: &mut found }.block(&function.body);
    found
}

struct Scales<'a> {
    activity: &'a Activity,
    uses: BTreeMap<Var, usize>,
    found: &'a mut HashMap<Var, Operand>,
}

impl Scales<'_> {
    fn block(&mut self, block: &Block) {
        for (at, stmt) in block.stmts.iter().enumerate() {
            if let Some([p, q]) = product(stmt) {
                let scale = self.scale(&block.stmts[..at], p, q).or_else(|| self.scale(&block.stmts[..at], q, p));
                self.found.extend(scale);
            }
            blocks(stmt).into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// `c`, if `a` was made as `c * v` a little before.
    fn scale(&self, before: &[Stmt], a: &Operand, v: &Operand) -> Option<(Var, Operand)> {
        let (a, Operand::Place(v)) = (a.as_var()?, v) else { return None };
        let at = before.iter().rposition(|s| matches!(s, Stmt::Let { var, .. } if *var == a))?;
        let [p, q] = product(&before[at])?;
        let is_v = |o: &Operand| matches!(o, Operand::Place(place) if key(place) == key(v));
        let c = if is_v(q) { p } else { Some(q).filter(|_| is_v(p))? };
        let constant = match c {
            Operand::Place(place) => !self.activity.active(place.root),
            _ => true,
        };
        let mut read = Vars::from([v.root]);
        v.indices(&mut |o| read.extend(&o.reads));
        let changed = touched(&before[at..], &[Touch::Write]);
        let fits = constant && self.activity.active(v.root) && self.uses[&a] == 1 && changed.is_disjoint(&read);
        fits.then(|| (a, c.clone()))
    }
}

/// The factors, if the statement is a product.
fn product(stmt: &Stmt) -> Option<&[Operand; 2]> {
    match stmt {
        Stmt::Let { expr: Expr::Op { op: Op::Mul, args, .. }, .. } => args.as_slice().try_into().ok(),
        _ => None,
    }
}

impl Reverse<'_> {
    /// The adjoint of a product that is a square; whether it is one.
    pub(super) fn square(&mut self, bar: Var, args: &[Operand], span: Span, out: &mut Vec<Stmt>) -> bool {
        let [Operand::Place(a), Operand::Place(b)] = args else { return false };
        let scale = |o: &Operand| o.as_var().and_then(|a| self.scales.get(&a)).cloned();
        let (v, c) = match (scale(&args[0]), scale(&args[1])) {
            _ if key(a) == key(b) => (a, None),
            (Some(c), _) => (b, Some(c)),
            (_, Some(c)) => (a, Some(c)),
            _ => return false,
        };
        let mut value = self.flow_of(bar, Op::Add, Operand::var(bar), span, out);
        for factor in c.into_iter().chain([Operand::Place(v.clone())]) {
            value = self.flow_of(value, Op::Mul, factor, span, out);
        }
        self.accumulate(v, Assign::Add, Operand::var(value), out);
        true
    }

    /// `let flow = bar op other`.
    pub(super) fn flow_of(&mut self, bar: Var, op: Op, other: Operand, span: Span, out: &mut Vec<Stmt>) -> Var {
        let var = self.table.fresh("flow", Ty::Float, Role::Bar, span);
        self.activity.note(var, self.activity.varied(bar));
        out.push(Stmt::Let { var, expr: Expr::Op { op, args: vec![Operand::var(bar), other], span } });
        var
    }
}
