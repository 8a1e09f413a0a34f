//! Squares, `v * v` and `c * v * v`, and cubes, `v * v * v`: all parts of the adjoint at once.
//!
//! The cotangent is doubled, and multiplied by the constant, before it meets `v`: where it does not change in a loop, that is done
//! once. That of a cube is multiplied by three and by the square.

use crate::ad::partials::literal;
use crate::ad::reverse::Reverse;
use crate::analysis::activity::Activity;
use crate::ir::place::key;
use crate::ir::symbols::Role;
use crate::ir::visit::{Access, Vars, Visit, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::Span;
use quote::quote;
use std::collections::BTreeMap;

/// What `a` is in `r = a * v`, which is the only use of it.
#[derive(Clone)]
pub enum Scale {
    /// `c * v`, of a constant.
    By(Operand),
    /// `v * v`.
    Square,
}

impl Scale {
    /// The same over other variables.
    pub fn map(self, of: impl FnOnce(Operand) -> Operand) -> Scale {
        match self {
            Scale::By(c) => Scale::By(of(c)),
            Scale::Square => Scale::Square,
        }
    }
}

/// The first products of squares with constants and of cubes.
pub fn scales(function: &Function, activity: &Activity) -> HashMap<Var, Scale> {
    let mut uses: BTreeMap<Var, usize> = BTreeMap::new();
    let mut count = |v, touch| *uses.entry(v).or_default() += usize::from(touch != Access::Define);
    Visit(&mut count).block(&function.body);
    Visit(&mut count).out(&function.result);
    let mut found = HashMap::default();
    Scales { activity, uses, found: &mut found }.block(&function.body);
    found
}

struct Scales<'a> {
    activity: &'a Activity,
    uses: BTreeMap<Var, usize>,
    found: &'a mut HashMap<Var, Scale>,
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

    /// How, if `a` was made of `v` a little before.
    fn scale(&self, before: &[Stmt], a: &Operand, v: &Operand) -> Option<(Var, Scale)> {
        let (a, Operand::Place(v)) = (a.as_var()?, v) else { return None };
        let at = before.iter().rposition(|s| matches!(s, Stmt::Let { var, .. } if *var == a))?;
        let [p, q] = product(&before[at])?;
        let is_v = |o: &Operand| matches!(o, Operand::Place(place) if key(place) == key(v));
        let c = if is_v(q) { p } else { Some(q).filter(|_| is_v(p))? };
        let scale = match c {
            _ if is_v(c) => Scale::Square,
            Operand::Place(place) if self.activity.active(place.root) => return None,
            c => Scale::By(c.clone()),
        };
        let mut read = Vars::from([v.root]);
        v.indices(&mut |o| read.extend(&o.reads));
        let changed = touched(&before[at..], &[Access::Write]);
        let fits = self.activity.active(v.root) && self.uses[&a] == 1 && changed.is_disjoint(&read);
        fits.then_some((a, scale))
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
    /// The adjoint of a product that is a square or a cube; whether it is one.
    pub fn square(&mut self, var: Var, args: &[Operand], span: Span, out: &mut Vec<Stmt>) -> bool {
        let [Operand::Place(a), Operand::Place(b)] = args else { return false };
        let scale = |o: &Operand| o.as_var().and_then(|a| self.scales.get(&a)).cloned();
        let (v, scale) = match (scale(&args[0]), scale(&args[1])) {
            _ if key(a) == key(b) => (a, None),
            (Some(scale), _) => (b, Some((scale, &args[0]))),
            (_, Some(scale)) => (a, Some((scale, &args[1]))),
            _ => return false,
        };
        let bar = self.bar(var);
        let (op, times) = match &scale {
            Some((Scale::Square, _)) => {
                (Op::Mul, Operand::Passive(PassiveCode::literal(literal(&self.function.base, &quote!(3.0)))))
            }
            _ => (Op::Add, Operand::var(bar)),
        };
        let mut value = self.flow_of(bar, op, times, span, out);
        let strong = (0..2).map(|of| self.mul(var, &Op::Mul, args, of)).find(|mul| *mul != Op::Mul);
        let (v_itself, mul) = (Operand::Place(v.clone()), strong.unwrap_or(Op::Mul));
        let factors = match scale {
            Some((Scale::Square, square)) => vec![square.clone()],
            Some((Scale::By(c), _)) => vec![c, v_itself],
            None => vec![v_itself],
        };
        for factor in factors {
            value = self.flow_of(value, mul.clone(), factor, span, out);
        }
        self.accumulate(v, Assign::Add, Operand::var(value), out);
        true
    }

    /// `let flow = bar op other`.
    pub fn flow_of(&mut self, bar: Var, op: Op, other: Operand, span: Span, out: &mut Vec<Stmt>) -> Var {
        let var = self.table.fresh("flow", Ty::Float, Role::Bar, span);
        self.activity.note(var, self.activity.varied(bar));
        out.push(Stmt::Let { var, expr: Expr::Op { op, args: vec![Operand::var(bar), other], span } });
        var
    }
}
