//! Passive references that are set to other places, and passive options, `cur = n.next.as_deref()`: no tape can keep them for the reverse
//! sweep. Numbers and indices that are read through them are kept in their place.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Passive;
use crate::frontend::syntax::writes::is_some;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use quote::quote;

impl Lower {
    /// Marks a mutable variable that begins as a reference which may move, or as an option.
    pub fn note_moving(&mut self, var: Var, begins: &Passive) {
        let by_name = || begins.passive.reads.iter().any(|var| self.fact(*var).reference);
        let written = syn::parse2::<syn::Expr>(begins.passive.tokens.clone());
        let name = matches!(written, Ok(syn::Expr::Path(_)));
        let borrow = matches!(written, Ok(syn::Expr::Reference(_)));
        let leads = begins.refs.depth > 0 || name && by_name() || borrow;
        let moves = leads || written.is_ok_and(|e| is_reference(&e));
        let fact = self.fact_mut(var);
        (fact.moves, fact.leads_to_option) = (fact.moves || moves, leads);
    }

    /// Whether an expression is read through a reference that moves.
    pub fn is_moving_with(&self, o: &PassiveCode) -> bool {
        o.reads.iter().any(|var| self.fact(*var).moves)
    }

    /// `while let` over variants of passive values, and over what a reference that moves leads to, as a loop with a `match` in it.
    pub fn matched_within(&self, w: &syn::ExprWhile) -> Option<syn::ExprLoop> {
        let syn::Expr::Let(l) = strip_parens(&w.cond) else { return None };
        if !self.is_passive(&l.expr) {
            return None;
        }
        let of_std = |path: &syn::Path| ["Some", "Ok", "Err"].iter().any(|name| path.is_ident(name));
        let other = match &*l.pat {
            syn::Pat::TupleStruct(t) => !of_std(&t.path),
            syn::Pat::Struct(s) => crate::support::syntax::variant(&s.path).is_some(),
            _ => false,
        };
        let leads = || self.passive_code(&l.expr).reads.iter().any(|var| self.fact(*var).leads_to_option);
        if !other && !leads() {
            return None;
        }
        let (pattern, value, body, label) = (&l.pat, &l.expr, &w.body, &w.label);
        let mut tested: syn::ExprLoop = syn::parse_quote_spanned!(w.while_token.span=> loop {
            match #value {
                #pattern => #body
                _ => break,
            }
        });
        (tested.attrs, tested.label) = (w.attrs.clone(), label.clone());
        Some(tested)
    }

    /// An index that is read through a reference that moves, as a value of its own.
    pub fn held_back(&mut self, o: PassiveCode) -> PassiveCode {
        if self.is_moving_with(&o) { self.held_as("i", o) } else { o }
    }

    /// A number that is read through a reference that moves, as a value of its own.
    pub fn held_number(&mut self, o: PassiveCode) -> PassiveCode {
        self.held_as("p", o.map(|o| quote!(__d::HeldNumber::held_number(#o))))
    }

    fn held_as(&mut self, hint: &str, o: PassiveCode) -> PassiveCode {
        let held = self.hold(hint, o);
        held.reads.iter().for_each(|var| self.fact_mut(*var).moves = false);
        held
    }
}

/// Whether an expression is a reference by its text, or an option.
fn is_reference(e: &syn::Expr) -> bool {
    const LENDING: &[&str] = &["as_deref", "as_ref", "as_slice", "first", "last", "get", "peek"];
    match strip_parens(e) {
        syn::Expr::Reference(r) => r.mutability.is_none(),
        syn::Expr::MethodCall(m) if m.method == "unwrap" || m.method == "expect" => is_reference(&m.receiver),
        syn::Expr::MethodCall(m) => LENDING.iter().any(|name| m.method == name),
        syn::Expr::Call(c) => c.args.len() == 1 && is_some(&c.func),
        syn::Expr::Path(p) => p.path.is_ident("None"),
        _ => false,
    }
}
