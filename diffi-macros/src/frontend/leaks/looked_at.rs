//! Calls that were taken for such that nothing asks for their derivatives: those whose values become numbers after all.

use super::Leaks;
use crate::frontend::state::site::Site;
use crate::ir::*;

impl Leaks<'_> {
    /// The calls whose values become numbers.
    pub fn useful(&self) -> Vec<Site> {
        self.numbers.iter().map(|at| self.looked_at[*at].clone()).collect()
    }

    /// The number of a call, if it is such a one.
    pub fn call_looked_at(&self, name: &proc_macro2::Ident) -> Option<usize> {
        let site = (!self.looked_at.is_empty()).then(|| Site::of(name))?;
        self.looked_at.iter().position(|known| *known == site)
    }

    /// Passive operands of a statement that computes with numbers, or stores them.
    pub fn numbers_of(&mut self, stmt: &Stmt) {
        if self.looked_at.is_empty() && self.told.is_empty() {
            return;
        }
        match stmt {
            Stmt::Let { expr, .. } => self.numbers_of_expr(expr),
            Stmt::Assign { place, value, .. } if self.lower.fact(place.root).active => self.operand(value),
            Stmt::Push { value, .. } => self.operand(value),
            _ => {}
        }
    }

    fn numbers_of_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Op { op, args, .. } => {
                let integers = usize::from(matches!(op, Op::Fn(name) if has_integer(name)));
                args[..args.len().saturating_sub(integers)].iter().for_each(|o| self.operand(o));
            }
            Expr::Operand(o) | Expr::Repeat { value: o, .. } | Expr::VecRepeat { value: o, .. } => self.operand(o),
            Expr::Array(all) | Expr::VecOf(all) | Expr::Tuple(all) => all.iter().for_each(|o| self.operand(o)),
            Expr::Struct(Literal { fields, .. }) => fields.iter().for_each(|(_, o)| self.operand(o)),
            Expr::Call(call) => call.args.iter().for_each(|arg| match arg {
                CallArg::Passive(o) | CallArg::Lent(o) | CallArg::Value(Operand::Passive(o)) => self.becomes_number(o),
                _ => {}
            }),
            _ => {}
        }
    }

    fn operand(&mut self, operand: &Operand) {
        if let Operand::Passive(o) = operand {
            self.becomes_number(o);
        }
    }

    /// Tokens whose value may be a number with a derivative.
    pub fn becomes_number(&mut self, o: &PassiveCode) {
        if !self.looked_at.is_empty() || !self.told.is_empty() {
            let carried = self.passive_code(o);
            self.numbers.extend(carried.looked_at);
            self.numbers_given.extend(carried.given);
            self.number_of(o);
        }
    }
}

/// Whether the last argument of a function of the table is an integer.
fn has_integer(name: &str) -> bool {
    diffi_rules::RULES.iter().any(|rule| rule.name == name && rule.passive.is_some())
}
