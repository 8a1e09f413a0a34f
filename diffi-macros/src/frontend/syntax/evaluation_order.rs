//! Operands in the order in which they are evaluated: a value is what it was when its turn came, whatever later operands change.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::frontend::syntax::{effects, writes};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Lower {
    /// Values of operands, one after another; none where control does not come back from one.
    pub fn in_order(
        &mut self,
        operands: &[&syn::Expr],
        value: &mut dyn FnMut(&mut Self, usize, &syn::Expr) -> Value,
    ) -> Vec<Value> {
        let until = self.last_change(operands);
        let value = |(k, e): (usize, &&syn::Expr)| {
            let value = value(self, k, e);
            if k < until { self.as_it_is(value, e.span()) } else { value }
        };
        operands.iter().enumerate().map(value).collect()
    }

    /// Where the last of these operands stands that changes something: what stands before it is read before.
    pub fn last_change(&self, operands: &[&syn::Expr]) -> usize {
        operands.iter().rposition(|e| self.changes_something(e)).unwrap_or(0)
    }

    /// Whether an operand changes a variable, or what a closure captures.
    pub fn changes_something(&self, e: &syn::Expr) -> bool {
        match strip_parens(e) {
            syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Closure(_) => false,
            e => !effects::of_expr(&self.scope, e).writes.is_empty(),
        }
    }

    /// A function that a method is given, as tokens: where and how often it is called is the method's affair.
    pub fn function_tokens(&mut self, function: &syn::Expr) -> PassiveCode {
        if !effects::of_expr(&self.scope, function).writes.is_empty() {
            let instead = "write a loop that does both";
            self.errors.changing_closure(function.span(), "a closure that changes a variable here", instead);
        }
        self.passive_code(function)
    }

    /// Whether an argument changes the variable that a method is called on: that is a copy, then.
    pub fn change_receiver(&self, m: &syn::ExprMethodCall) -> bool {
        let Some(root) = writes::root_name(&m.receiver) else { return false };
        m.args.iter().any(|arg| effects::of_expr(&self.scope, arg).writes.contains(root))
    }

    /// A value as it is now, and a reference to the place that it leads to now.
    pub fn as_it_is(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Maybe(maybe) if maybe.lent.is_none() => self.option_now(maybe, span),
            Value::Active(a) if a.refs.depth > 0 && self.may_move(&a.place) => self.settled(Value::Active(a)),
            value => self.copied(value, "t", span),
        }
    }

    /// An argument as it is now.
    pub fn argument_now(&mut self, arg: CallArg, written: &syn::Expr) -> CallArg {
        let span = written.span();
        match arg {
            CallArg::Value(Operand::Place(p)) => match self.as_it_is(Value::place(p), span) {
                Value::Active(a) => CallArg::Value(Operand::Place(a.place)),
                _ => unreachable!("a copy of a place is a place"),
            },
            CallArg::Value(Operand::Passive(o)) if !self.is_settled(&o) => {
                CallArg::Value(Operand::Passive(self.hold("t", o)))
            }
            CallArg::Passive(o) if !self.is_settled(&o) && self.is_by_value(written) => {
                CallArg::Passive(self.hold("t", o))
            }
            CallArg::Ref(p) if self.may_move(&p) => CallArg::Ref(self.settled_place(p)),
            CallArg::Mut(p) if self.may_move(&p) => CallArg::Mut(self.settled_place(p)),
            arg => arg,
        }
    }

    /// Whether an argument is no reference, as far as its text tells.
    fn is_by_value(&self, written: &syn::Expr) -> bool {
        match strip_parens(written) {
            syn::Expr::Reference(_) | syn::Expr::Closure(_) => false,
            syn::Expr::Path(p) => {
                p.path.get_ident().and_then(|name| self.scope.get(name)).is_none_or(|value| value.refs().depth == 0)
            }
            _ => true,
        }
    }
}
