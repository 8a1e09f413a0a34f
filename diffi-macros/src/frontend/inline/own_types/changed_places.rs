//! Calls of inner functions that change a place: `v[i] += w`, `body.push(body.force)`.
//!
//! rustc evaluates the place's indices first, then the operands, and lends the place at last (two-phase borrows). An inner function is lent it
//! first, so operands that have to do with the place have names in front of the call, and so have the indices that they may change.

use super::of_std::is_float_function;
use crate::frontend::syntax::writes::is_assignment;
use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;

/// The call, by the place as an expression and as what is lent; none where an index does something.
pub fn changing_call(
    name: &Ident,
    (place, lent): (&syn::Expr, &TokenStream),
    operands: Vec<syn::Expr>,
) -> Option<syn::Expr> {
    let root = root(place)?;
    if !operands.iter().any(|operand| mentions(&operand.to_token_stream(), &root)) {
        return Some(syn::parse_quote!(#name(&mut #lent, #(#operands),*)));
    }
    let mut lent: syn::Expr = syn::parse_quote!(#lent);
    let mut settled = Settled { operands: &operands, found: Vec::new() };
    settled.visit_expr_mut(&mut lent);
    let indices = settled.found;
    let names: Vec<Ident> = (0..operands.len()).map(|k| format_ident!("__operand{k}")).collect();
    Some(syn::parse_quote!({
        #(#indices)*
        #(let #names = #operands;)*
        #name(&mut #lent, #(#names),*)
    }))
}

/// Gives names to indices that operands may change.
struct Settled<'a> {
    operands: &'a [syn::Expr],
    found: Vec<syn::Stmt>,
}

impl VisitMut for Settled<'_> {
    fn visit_expr_index_mut(&mut self, e: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut e.expr);
        if self.operands.iter().any(may_change_integers) && !matches!(*e.index, syn::Expr::Lit(_)) {
            let (index, name) = (&e.index, format_ident!("__index{}", self.found.len()));
            self.found.push(syn::parse_quote!(let #name = #index;));
            *e.index = syn::parse_quote!(#name);
        }
    }
}

/// Whether an expression assigns, lends what it may change, or calls what may do so.
fn may_change_integers(e: &syn::Expr) -> bool {
    struct Changes(bool);
    impl<'a> Visit<'a> for Changes {
        fn visit_expr(&mut self, e: &'a syn::Expr) {
            use syn::Expr::*;
            self.0 |= match e {
                Assign(_) | Macro(_) | Closure(_) => true,
                Binary(b) => is_assignment(&b.op),
                Reference(r) => r.mutability.is_some(),
                MethodCall(m) => !is_float_function(&m.method.to_string()),
                _ => false,
            };
            visit::visit_expr(self, e);
        }
    }
    let mut changes = Changes(false);
    changes.visit_expr(e);
    changes.0
}

/// The variable of a place whose indices do nothing.
fn root(place: &syn::Expr) -> Option<Ident> {
    match strip_parens(place) {
        syn::Expr::Path(p) => p.path.get_ident().cloned(),
        syn::Expr::Field(f) => root(&f.base),
        syn::Expr::Index(i) => root(&i.expr).filter(|_| is_quiet(&i.index)),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => root(&u.expr),
        _ => None,
    }
}

/// Whether an index is made of names and numbers alone.
fn is_quiet(index: &syn::Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visit<'a> for Calls {
        fn visit_expr(&mut self, e: &'a syn::Expr) {
            use syn::Expr::*;
            self.0 |= !matches!(e, Path(_) | Lit(_) | Binary(_) | Paren(_) | Field(_) | Index(_) | Cast(_));
            visit::visit_expr(self, e);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(index);
    !calls.0
}
