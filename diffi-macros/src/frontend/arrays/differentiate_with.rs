//! `differentiate_with(f::D, backend).call(args)`: a function that another backend differentiates.

use crate::frontend::lower::calls::last_name;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::purity::repeatable;
use crate::ir::visit::replaced;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::TokenTree;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

impl Lower {
    /// The call, if it is one of these.
    pub fn call_with(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let syn::Expr::Call(with) = strip_parens(&m.receiver) else { return None };
        let syn::Expr::Path(path) = strip_parens(&with.func) else { return None };
        if m.method != "call" || last_name(path) != "differentiate_with" || m.args.len() != 1 {
            return None;
        }
        if !self.is_passive(&m.receiver) {
            let instead = "pass the value to the function as an argument: `.call((x, parameter))`";
            return Some(self.refuse(
                m.receiver.span(),
                "a function or a backend that depends on an active value",
                instead,
            ));
        }
        let receiver = CallArg::Passive(self.spelled_out(self.passive_code(&m.receiver)));
        let args = arguments(&m.args[0]).into_iter().map(|arg| self.role(arg));
        let args = std::iter::once(receiver).chain(args).collect();
        let call = Call::new(Callee::With(With::Function), m.receiver.to_token_stream(), args);
        Some(self.result_of(call, "y", m.span()))
    }

    /// With the right-hand sides of unchanging variables that hold backends in place of their names: both sweeps make the backend
    /// anew, from numbers, where it could not be kept.
    pub(super) fn spelled_out(&self, mut receiver: PassiveCode) -> PassiveCode {
        while let Some((var, value)) = receiver.reads.iter().find_map(|v| Some((*v, self.backend_in(*v)?))) {
            let (name, tokens) = (self.info(var).name.to_string(), value.tokens.clone());
            receiver.tokens = replaced(receiver.tokens, &name, &|_| quote!((#tokens)));
            receiver.reads.remove(&var);
            receiver.reads.extend(value.reads.iter().copied());
            receiver.shapes.extend(value.shapes.iter().copied());
        }
        receiver
    }

    /// What the variable was declared with, if that is a backend, and the same whenever it is evaluated.
    fn backend_in(&self, var: Var) -> Option<&PassiveCode> {
        let value = self.open.iter().flat_map(|block| &block.stmts).find_map(|stmt| match stmt {
            Stmt::Let { var: declared, expr: Expr::Passive(value) } if *declared == var => Some(value),
            _ => None,
        })?;
        let settled = std::iter::once(&var).chain(&value.reads).all(|v| !self.info(*v).changes);
        (settled && is_backend(value)).then_some(value)
    }

    /// An argument as operators have it.
    fn role(&mut self, arg: &syn::Expr) -> CallArg {
        match wrapped(arg) {
            Some((name, value)) if name == "Constant" => {
                if !self.is_passive(value) {
                    self.errors.unsupported(
                        value.span(),
                        "an active value in `Constant(..)`",
                        "pass it bare: its derivative is not zero",
                    );
                }
                CallArg::Passive(self.passive_code(value))
            }
            Some((name, _)) if name == "Cache" => self.written(arg),
            _ => self.read_only(arg),
        }
    }

    /// An argument that the function reads.
    pub(super) fn read_only(&mut self, arg: &syn::Expr) -> CallArg {
        match self.call_arg(arg) {
            CallArg::Mut(_) => self.written(arg),
            arg => arg,
        }
    }

    pub(super) fn written(&mut self, arg: &syn::Expr) -> CallArg {
        let instead = "give it a function that returns its result";
        self.errors.unsupported(
            arg.span(),
            "`differentiate_with` for a function that writes to its arguments",
            instead,
        );
        CallArg::Passive(PassiveCode::literal(quote!(())))
    }
}

/// The arguments of an operator: one, or a tuple of them.
pub(super) fn arguments(args: &syn::Expr) -> Vec<&syn::Expr> {
    match strip_parens(args) {
        syn::Expr::Tuple(all) => all.elems.iter().collect(),
        one => vec![one],
    }
}

/// `Constant(value)`: the name, and the value.
pub(super) fn wrapped(arg: &syn::Expr) -> Option<(String, &syn::Expr)> {
    let syn::Expr::Call(c) = strip_parens(arg) else { return None };
    let syn::Expr::Path(p) = strip_parens(&c.func) else { return None };
    (c.args.len() == 1).then(|| (last_name(p), &c.args[0]))
}

/// `AutoFiniteDiff.relative_step(h)`, `SecondOrder(AutoForward, AutoReverse)`: a backend, of plain expressions.
fn is_backend(value: &PassiveCode) -> bool {
    let named = |name: &str| name.starts_with("Auto") || ["SecondOrder", "MixedMode"].contains(&name);
    let trees: Vec<TokenTree> = value.tokens.clone().into_iter().collect();
    let first = trees
        .iter()
        .take_while(|tree| !matches!(tree, TokenTree::Group(_)))
        .any(|tree| matches!(tree, TokenTree::Ident(word) if named(&word.to_string())));
    first
        && trees.iter().all(|tree| match tree {
            TokenTree::Group(group) => repeatable(&PassiveCode { tokens: group.stream(), ..value.clone() }),
            _ => true,
        })
}
