//! Lists of constants that become parts of values: `vec![(0..n).map(f).collect::<Vec<_>>(), x.to_vec()]`, `rows.push(row(3))`.
//!
//! A constant in a value that carries derivatives is taken for a number, unless it is a list to the eye.

use super::bindings;
use crate::frontend::projections::passing::array_of;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::frontend::syntax::{literals, types};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;

impl Lower {
    /// An operand that becomes a part of a value. A list of constants gets a variable, which tells derivative code its type.
    pub fn component(&mut self, value: &Value, span: Span) -> Operand {
        let operand = self.whole(value, span);
        let Operand::Passive(o) = &operand else { return operand };
        match self.list_of_constants(o) {
            Some(ty) => Operand::var(self.bind("list", span, ty, Expr::Passive(o.clone()))),
            None => operand,
        }
    }

    /// The type of the list that passive code is to the eye, if it is one: a chain that is collected, or what a closure makes so, or what
    /// functions of the name give in the files around.
    pub fn list_of_constants(&self, o: &PassiveCode) -> Option<Ty> {
        let expr = syn::parse2::<syn::Expr>(o.tokens.clone()).ok()?;
        let eye = || literals::made(self.given_by_closure(&expr).as_ref().unwrap_or(&expr), &self.base);
        let ty = eye().or_else(|| self.given_by_function(&expr))?;
        matches!(ty, Ty::Vec(_) | Ty::Array(_)).then(|| bindings::floats(&ty))
    }

    /// The array of numbers that the function gives which is called.
    fn given_by_function(&self, call: &syn::Expr) -> Option<Ty> {
        let ty = match strip_parens(call) {
            syn::Expr::Call(c) => match &*c.func {
                syn::Expr::Path(p) => array_of(&p.path.segments.last()?.ident, c.args.len()),
                _ => None,
            },
            syn::Expr::MethodCall(m) => array_of(&m.method, 1 + m.args.len()),
            _ => None,
        };
        Some(types::describe(&ty?, &self.base)).filter(is_of_numbers)
    }

    /// What the closure that is called gives.
    fn given_by_closure(&self, call: &syn::Expr) -> Option<syn::Expr> {
        let syn::Expr::Call(call) = call else { return None };
        match strip_parens(&call.func) {
            syn::Expr::Closure(closure) => Some((*closure.body).clone()),
            syn::Expr::Path(p) => match self.scope.get(p.path.get_ident()?)? {
                Value::Closure(closure) if closure.callee.is_none() => Some((*closure.code.body).clone()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a type is made of floats in arrays, vectors and tuples.
pub fn is_of_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Vec(inner) | Ty::Array(inner) => is_of_numbers(inner),
        Ty::Tuple(all) => !all.is_empty() && all.iter().all(is_of_numbers),
        ty => *ty == Ty::Float,
    }
}
