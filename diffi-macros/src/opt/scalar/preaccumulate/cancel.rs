//! Polynomial cancellation: the rest of a sum after its multiple of the divisor is taken out.
//!
//! A step of Newton's method, `x -= f / d` with `d = f'`, propagates `1 + (f / d * d' - d) / d` times its cotangent. As polynomials the
//! ones cancel, and `f / d * d' / d` remains: fewer operations, and no difference of numbers that are nearly equal.

use crate::analysis::cost_model::MULTIPLIED_OUT_TERMS;
use crate::ir::affine::polynomial::Poly;
use crate::ir::visit::Vars;
use crate::ir::*;
use std::collections::BTreeMap;

/// The values of an iteration that are made by sums and products.
pub struct Forms<'s>(BTreeMap<Var, &'s Expr>);

impl<'s> Forms<'s> {
    pub fn of(stmts: &'s [Stmt]) -> Self {
        let lets = stmts.iter().filter_map(|s| match s {
            Stmt::Let { var, expr } => Some((*var, expr)),
            _ => None,
        });
        Forms(lets.collect())
    }

    /// `whole + over / divisor` as a polynomial over the divisor.
    pub fn numerator(&self, whole: i64, over: &Operand, inverse: Var) -> Option<Poly<Var>> {
        let Some(Expr::Op { op: Op::Fn("recip"), args, .. }) = self.0.get(&inverse) else { return None };
        let divisor = self.polynomial(&args[0])?;
        Some(self.polynomial(over)?.add(&divisor.mul(&Poly::number(whole))))
    }

    /// How many operations make an operand out of others than `made`.
    pub fn cost(&self, o: &Operand, made: &Vars) -> usize {
        let expr = o.as_var().filter(|v| made.contains(v)).and_then(|v| self.0.get(&v));
        let Some(Expr::Op { args, .. }) = expr else { return 0 };
        1 + args.iter().map(|a| self.cost(a, made)).sum::<usize>()
    }

    /// A value as a polynomial of values that are not sums and products; none for numbers that are not whole.
    fn polynomial(&self, o: &Operand) -> Option<Poly<Var>> {
        match o {
            Operand::Passive(number) => whole_number(number).map(Poly::number),
            place => {
                let var = place.as_var()?;
                let made = self.0.get(&var).and_then(|expr| self.combined(expr));
                Some(made.unwrap_or_else(|| Poly::symbol(var)))
            }
        }
    }

    fn combined(&self, expr: &Expr) -> Option<Poly<Var>> {
        let poly = match expr {
            Expr::Operand(o) => self.polynomial(o)?,
            Expr::Op { op: Op::Neg, args, .. } => Poly::number(-1).mul(&self.polynomial(&args[0])?),
            Expr::Op { op, args, .. } => {
                let [a, b] = &args[..] else { return None };
                let (a, b) = (self.polynomial(a)?, self.polynomial(b)?);
                match op {
                    Op::Add => a.add(&b),
                    Op::Sub => a.sub(&b),
                    Op::Mul => a.mul(&b),
                    _ => return None,
                }
            }
            _ => return None,
        };
        (poly.terms().count() <= MULTIPLIED_OUT_TERMS).then_some(poly)
    }
}

/// How many operations a polynomial takes.
pub fn operations(poly: &Poly<Var>) -> usize {
    let products = poly.terms().map(|(product, n)| (product.len() + usize::from(n.abs() != 1)).saturating_sub(1));
    products.sum::<usize>() + poly.terms().count().saturating_sub(1)
}

/// `3.0`
fn whole_number(o: &PassiveCode) -> Option<i64> {
    let text = o.tokens.to_string();
    let number: f64 = text.trim_end_matches("f64").trim_end_matches("f32").trim_end_matches('_').parse().ok()?;
    let small = number.fract() == 0.0 && number.abs() < 1e6;
    small.then_some(number as i64)
}
