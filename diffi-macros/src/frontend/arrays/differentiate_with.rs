//! `differentiate_with(f::D, backend).call(args)`: a function that another backend differentiates.

use crate::frontend::lower::calls::last_name;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::purity::repeatable;
use crate::ir::visit::replaced;
use crate::ir::*;
use crate::support::names;
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
        let args: Vec<&syn::Expr> = match strip_parens(&m.args[0]) {
            syn::Expr::Tuple(all) => all.elems.iter().collect(),
            one => vec![one],
        };
        let args: Vec<CallArg> = std::iter::once(receiver).chain(args.into_iter().map(|arg| self.role(arg))).collect();
        let call = Call {
            callee: Callee::With,
            written: m.receiver.to_token_stream(),
            args,
            linear: false,
            handed: Vec::new(),
        };
        Some(self.result_of(call, "y", m.span()))
    }

    /// With the right-hand sides of unchanging variables that hold backends in place of their names: both sweeps make the backend
    /// anew, from numbers, where it could not be kept.
    fn spelled_out(&self, mut receiver: PassiveCode) -> PassiveCode {
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

    /// An operator of an active value: a derivative of a derivative, which is refused.
    pub fn operator(&mut self, path: &syn::ExprPath, c: &syn::ExprCall) -> Option<Value> {
        let name = last_name(path);
        let syn::Expr::Path(function) = strip_parens(c.args.first()?) else { return None };
        let handle = last_name(function) == "D" && function.path.segments.len() > 1;
        if !handle || !names::DERIVATIVES.iter().any(|operator| name.ends_with(operator)) {
            return None;
        }
        let what = format!("`{name}(..)`, which is a derivative itself");
        let instead = "put it into a function of its own, and give that a rule by hand, `#[differentiable(pullback = ..)]`, or call it by \
                       `differentiate_with(its_name, AutoFiniteDiff).call(..)`; or write both functions over any number, as \
                       `ScalarFn`s, and nest `Dual` numbers";
        Some(self.refuse(c.func.span(), &what, instead))
    }

    /// An argument as operators have it.
    fn role(&mut self, arg: &syn::Expr) -> CallArg {
        let wrapped = match strip_parens(arg) {
            syn::Expr::Call(c) => match strip_parens(&c.func) {
                syn::Expr::Path(p) if c.args.len() == 1 => Some((last_name(p), &c.args[0])),
                _ => None,
            },
            _ => None,
        };
        match wrapped {
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
            _ => match self.call_arg(arg) {
                CallArg::Mut(_) => self.written(arg),
                arg => arg,
            },
        }
    }

    fn written(&mut self, arg: &syn::Expr) -> CallArg {
        let instead = "give it a function that returns its result";
        self.errors.unsupported(
            arg.span(),
            "`differentiate_with` for a function that writes to its arguments",
            instead,
        );
        CallArg::Passive(PassiveCode::literal(quote!(())))
    }
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
