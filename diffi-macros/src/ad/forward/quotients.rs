//! Tangents of quotients: `(a_dot - y * b_dot) / b`, which are numbers where `y / b` is infinite.
//!
//! The adjoint of a quotient divides a cotangent by multiplying it by a reciprocal. That product is a quotient to this transform, too: its
//! tangent needs that of the divisor, and not that of the reciprocal, which is infinite sooner.

use super::Forward;
use crate::ad::partials::{Factor, divisor};
use crate::ir::symbols::Role;
use crate::ir::visit::Visit;
use crate::ir::visit::positions::Positions;
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::Span;

impl Forward<'_> {
    /// The tangent of an operation that is a quotient by what moves; whether it is one.
    pub(super) fn quotient(&mut self, var: Var, op: &Op, args: &[Operand], span: Span) -> bool {
        if self.squared(var, op, args, span) {
            return true;
        }
        let Some((a, b, inverse)) = self.quotient_parts(op, args) else { return false };
        let strong = b.as_ref().and_then(|b| self.strength_by(b));
        let Some(b_dot) = b.and_then(|b| self.place_dot(&b)) else { return false };
        let a_dot = a.and_then(|a| self.place_dot(a));
        let inverse = inverse.unwrap_or_else(|| self.inverse(var, op, args, span));
        let by = Factor { minus: true, strong, by: Some(Operand::var(var)) };
        let last = if divisor(op).is_some() { Op::Mul } else { op.clone() };
        self.divided_difference(var, a_dot, (b_dot, by), (last, inverse), span);
        true
    }

    /// Dividend, divisor, and its reciprocal where that is there.
    fn quotient_parts<'a>(
        &self,
        op: &Op,
        args: &'a [Operand],
    ) -> Option<(Option<&'a Operand>, Option<Operand>, Option<Operand>)> {
        match (divisor(op), args) {
            (None, [a, inverse]) if multiplies(op) => {
                let v = inverse.as_var().filter(|v| self.divided.contains(v))?;
                Some((Some(a), self.table.divisor_of(v).cloned(), Some(inverse.clone())))
            }
            (Some(k), _) => Some((args[..k].first(), args.get(k).cloned(), None)),
            _ => None,
        }
    }

    /// How the tangent of a divisor is multiplied that may be infinite.
    fn strength_by(&self, divisor: &Operand) -> Option<StrongZero> {
        (self.unbounded.tangent(divisor) || self.unbounded.grows(divisor)).then_some(StrongZero::Factor)
    }

    /// The tangent of `var = (bar * y) * y`, the cotangent of a reciprocal's operand; whether it is one: `(bar_dot * y + 2 bar * y_dot) * y`.
    fn squared(&mut self, var: Var, op: &Op, args: &[Operand], span: Span) -> bool {
        let ([flow, y], true) = (args, multiplies(op)) else { return false };
        let Some(bar) = flow.as_var().and_then(|flow| self.once.get(&flow)).cloned() else { return false };
        let (Some(bar_dot), Some(y_dot)) = (self.place_dot(&bar), self.place_dot(y)) else { return false };
        let (dot, whole) = (self.dot(var), self.varied(var));
        let (twice, sum) = (self.bar_number("twice", span), self.table.fresh("sum", Ty::Float, Role::Dot, span));
        self.activity.note(sum, whole);
        self.out.push(Stmt::Let { var: twice, expr: Expr::Op { op: Op::Add, args: vec![bar.clone(), bar], span } });
        let strong = |zero| match op {
            Op::StrongMul(StrongZero::Vector) => Some(zero),
            Op::StrongMul(_) => Some(StrongZero::Either),
            _ => None,
        };
        let by_y = Factor { strong: strong(StrongZero::Vector), ..Factor::plus(y.clone()) };
        let by_twice = Factor { strong: strong(StrongZero::Factor), ..Factor::plus(Operand::var(twice)) };
        self.sum(sum, vec![(bar_dot, by_y), (y_dot, by_twice)], whole, span);
        let args = vec![Operand::var(sum), y.clone()];
        self.out.push(Stmt::Let { var: dot, expr: Expr::Op { op: op.clone(), args, span } });
        true
    }

    fn bar_number(&mut self, hint: &str, span: Span) -> Var {
        let var = self.table.fresh(hint, Ty::Float, Role::Bar, span);
        self.activity.note(var, ParamSet::default());
        var
    }

    fn inverse(&mut self, var: Var, op: &Op, args: &[Operand], span: Span) -> Operand {
        let mut partials = self.partials();
        let inverse = partials.inverse(op, args, var, span);
        let made = partials.out;
        self.out.extend(made);
        inverse
    }

    /// `y_dot = (a_dot - y * b_dot) * inverse`.
    fn divided_difference(
        &mut self,
        var: Var,
        a_dot: Option<Place>,
        (b_dot, by): (Place, Factor),
        (last, inverse): (Op, Operand),
        span: Span,
    ) {
        let (dot, whole) = (self.dot(var), self.varied(var));
        if a_dot.is_none() && self.varied_dot(&b_dot) == whole {
            let scaled = self.scaled(by.mul(), Operand::Place(b_dot), Operand::var(var), span);
            let args = vec![self.scaled(last, scaled, inverse, span)];
            self.out.push(Stmt::Let { var: dot, expr: Expr::Op { op: Op::Neg, args, span } });
            return;
        }
        let numerator = self.table.fresh("difference", Ty::Float, Role::Dot, span);
        self.activity.note(numerator, whole);
        let terms = a_dot.map(|dot| (dot, Factor::unit(false))).into_iter().chain([(b_dot, by)]);
        self.sum(numerator, terms.collect(), whole, span);
        let args = vec![Operand::var(numerator), inverse];
        self.out.push(Stmt::Let { var: dot, expr: Expr::Op { op: last, args, span } });
    }

    /// Finds the reciprocals that cotangents are multiplied by and nothing else is, while the divisor is the same.
    pub(super) fn note_divided(&mut self, stmts: &[Stmt]) {
        let asked = |stmt: &Stmt| match stmt {
            Stmt::Let { var, .. } => self.table.divisor_of(*var).is_some() || self.product(stmt).is_some(),
            _ => false,
        };
        if !stmts.iter().any(asked) {
            return;
        }
        let mut rest = Rest::of(stmts);
        for (at, stmt) in stmts.iter().enumerate() {
            rest.pass(at);
            self.note_once(stmt, &rest);
            let Stmt::Let { var, .. } = stmt else { continue };
            let Some(divisor) = self.table.divisor_of(*var) else { continue };
            match self.only_divides(*var, divisor, &rest) {
                true => self.divided.insert(*var),
                false => self.divided.remove(var),
            };
        }
    }

    /// `flow = bar * y`, of a cotangent.
    fn product(&self, stmt: &Stmt) -> Option<(Var, Operand, Var)> {
        match stmt {
            Stmt::Let { var, expr: Expr::Op { op, args, .. } }
                if multiplies(op) && self.table.role(*var) == Role::Bar =>
            {
                Some((*var, args[0].clone(), args[1].as_var()?))
            }
            _ => None,
        }
    }

    /// Finds `flow = bar * y; value = flow * y`, where nothing else reads the flow.
    fn note_once(&mut self, stmt: &Stmt, rest: &Rest<'_>) {
        let next = || rest.stmts.get(rest.at + 1).and_then(|s| self.product(s));
        let (Some((flow, bar, y)), Some((_, of, again))) = (self.product(stmt), next()) else { return };
        let moves = bar.as_var().is_some_and(|bar| self.moves(bar)) && self.moves(y);
        match moves && of.as_var() == Some(flow) && again == y && rest.uses(flow) == 1 {
            true => self.once.insert(flow, bar),
            false => self.once.remove(&flow),
        };
    }

    /// Whether the statements after a reciprocal multiply cotangents by it, and read it nowhere else.
    fn only_divides(&self, inverse: Var, divisor: &Operand, rest: &Rest<'_>) -> bool {
        let divides = |at: &&usize| {
            matches!(&rest.stmts[**at], Stmt::Let { var, expr: Expr::Op { op, args, .. } }
            if multiplies(op) && self.table.role(*var) == Role::Bar && args[0].as_var() != Some(inverse) && args[1].as_var() == Some(inverse))
        };
        let dividing: Vec<usize> = rest.touched.after(inverse, rest.at).iter().filter(divides).copied().collect();
        let Some(last) = dividing.last() else { return false };
        let changes = |v: Var| rest.written.after(v, rest.at).first().is_some_and(|at| at <= last);
        let mut changed = false;
        Visit(&mut |v, _| changed |= changes(v)).operand(divisor);
        rest.uses(inverse) == dividing.len() && !changed
    }
}

/// Whether an operation is how a cotangent meets a factor.
fn multiplies(op: &Op) -> bool {
    matches!(op, Op::Mul | Op::StrongMul(_))
}

/// The statements of a list behind the one at hand.
struct Rest<'s> {
    stmts: &'s [Stmt],
    at: usize,
    touched: Positions,
    written: Positions,
    /// How often they use each variable.
    uses: HashMap<Var, usize>,
}

impl<'s> Rest<'s> {
    fn of(stmts: &'s [Stmt]) -> Self {
        let mut uses = HashMap::default();
        stmts.iter().for_each(|s| Visit(&mut |v, _| *uses.entry(v).or_default() += 1).stmt(s));
        Rest { stmts, at: 0, touched: Positions::of(stmts), written: Positions::of_writes(stmts), uses }
    }

    /// The statement at hand is the one behind those that were.
    fn pass(&mut self, at: usize) {
        self.at = at;
        Visit(&mut |v, _| *self.uses.entry(v).or_insert(1) -= 1).stmt(&self.stmts[at]);
    }

    fn uses(&self, var: Var) -> usize {
        self.uses.get(&var).copied().unwrap_or(0)
    }
}
