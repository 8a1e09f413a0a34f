//! `derivative(f::D, backend, x).unwrap()` of active values: an operator within a function that is differentiated.

use crate::frontend::arrays::differentiate_with::{arguments, wrapped};
use crate::frontend::lower::calls::last_name;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Maybe, Value};
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

/// The operators whose derivative is known, and what stands for them in derivative code.
const DIFFERENTIABLE: &[(&str, &str)] = &[
    ("derivative", "OfDerivative"),
    ("value_and_derivative", "OfValueAndDerivative"),
    ("gradient", "OfGradient"),
    ("value_and_gradient", "OfValueAndGradient"),
];

impl Lower {
    /// An operator of an active value: of plain functions and backends, by the names that rustc confirms. Its result is there, as the
    /// arguments fit.
    pub fn operator(&mut self, path: &syn::ExprPath, c: &syn::ExprCall) -> Option<Value> {
        let name = last_name(path);
        if !is_handle(c.args.first()?) || !names::DERIVATIVES.iter().any(|operator| name.ends_with(operator)) {
            return None;
        }
        let form = DIFFERENTIABLE.iter().find(|(operator, _)| *operator == name);
        let all: Vec<&syn::Expr> = c.args.iter().collect();
        let (Some((_, form)), &[function, backend, args]) = (form, &all[..]) else {
            let instead = "`derivative(..)` and `gradient(..)` have one; or put it into a function of its own, and give that a rule by hand, \
                           `#[differentiable(pullback = ..)]`, or call it by `differentiate_with(its_name, AutoFiniteDiff).call(..)`";
            return Some(self.refuse(path.span(), &format!("`{name}(..)`, which is a derivative itself"), instead));
        };
        if !self.is_passive(backend) {
            let instead = "name one that depends on no active value";
            return Some(self.refuse(backend.span(), "a backend that depends on an active value", instead));
        }
        self.only_of_operators(path);
        let receiver = (Ident::new(form, path.span()), function, backend);
        let value = self.inner_operator(receiver, args, c);
        Some(Value::Maybe(Maybe::some(value)))
    }

    fn inner_operator(
        &mut self,
        (form, function, backend): (Ident, &syn::Expr, &syn::Expr),
        args: &syn::Expr,
        c: &syn::ExprCall,
    ) -> Value {
        let mut roles = TokenStream::new();
        let all: Vec<CallArg> = arguments(args).into_iter().map(|arg| self.inner_argument(arg, &mut roles)).collect();
        let backend = self.spelled_out(self.passive_code(backend));
        let given = &backend.tokens;
        let tokens = quote!(__d::InnerOperator::<__d::#form, (#roles), _, _>::new(#function, #given));
        let receiver = CallArg::Passive(PassiveCode { tokens, ..backend });
        let args = std::iter::once(receiver).chain(all).collect();
        let call = Call::new(Callee::With(With::Operator), c.to_token_stream(), args);
        self.result_of(call, "derivative", c.span())
    }

    /// An argument, and what it is to the operator. One that is constant to it has its derivative all the same.
    fn inner_argument(&mut self, arg: &syn::Expr, roles: &mut TokenStream) -> CallArg {
        let (role, arg) = match wrapped(arg) {
            Some((name, value)) if name == "Constant" => (quote!(__d::Passed,), self.read_only(value)),
            Some((name, _)) if name == "Cache" => (quote!(__d::Scratch,), self.written(arg)),
            _ => (quote!(__d::Input,), self.read_only(arg)),
        };
        roles.extend(role);
        arg
    }

    /// Compiles only if an operator is ours, by the path that the user writes.
    fn only_of_operators(&mut self, path: &syn::ExprPath) {
        let name = Ident::new(&last_name(path), path.span());
        let types = quote!(of::Function, of::Backend, of::Parameters, of::Roles, f64);
        self.only_of_std(path, &quote!({ use __d::of_operators as of; of::#name::<#types> }));
    }
}

/// `f::D`.
fn is_handle(function: &syn::Expr) -> bool {
    matches!(strip_parens(function), syn::Expr::Path(p) if last_name(p) == "D" && p.path.segments.len() > 1)
}
