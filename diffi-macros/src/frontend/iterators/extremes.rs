//! Largest and smallest elements of a chain that is run through once: the best one so far is kept.

use crate::frontend::iterators::applied;
use crate::frontend::iterators::kept::Keeping;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Chain, Maybe, Value, over};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// `max_by`, `min_by`, `max_by_key`, `min_by_key`.
    pub fn best_of(&mut self, chain: &Chain, m: &syn::ExprMethodCall) -> Value {
        let (span, name) = (m.span(), m.method.to_string());
        let (greatest, by_key) = (name.starts_with("max"), name.ends_with("key"));
        let f = self.function_tokens(&m.args[0]);
        let at = self.open.last().map_or(0, |b| b.stmts.len());
        let flag = self.flag("is_found", span);
        let mut best = Keeping::default();
        let mut best_key = Keeping::default();
        self.drive(chain, None, &mut |l, item, _| {
            best.prepare(l, &item, span);
            let key = by_key.then(|| l.key_of(&item, &f, span));
            key.iter().for_each(|key| best_key.prepare(l, key, span));
            let found = PassiveCode::var(flag, l.info(flag));
            let wins = l.first_wins(&found, span);
            l.guarded(Some(found), &mut |l| {
                let ordering = match &key {
                    Some(key) => {
                        let before = best_key.now(l);
                        l.ordering(&before, key, &quote!(::core::cmp::Ord::cmp), &[], span)
                    }
                    None => {
                        let before = best.now(l);
                        l.ordering(&before, &item, &f.tokens, &[&f], span)
                    }
                };
                let next = match greatest {
                    true => ordering.map(|o| quote!((#o) != ::core::cmp::Ordering::Greater)),
                    false => ordering.map(|o| quote!((#o) == ::core::cmp::Ordering::Greater)),
                };
                l.assign(Place::var(wins), Assign::Set, Operand::Passive(next), span);
            });
            let wins = PassiveCode::var(wins, l.info(wins));
            l.guarded(Some(wins), &mut |l| {
                best.keep(l, item.clone(), span);
                key.iter().for_each(|key| {
                    best_key.keep(l, key.clone(), span);
                });
                l.raise(flag, span);
            });
        });
        best.declare(self, at);
        best_key.declare(self, at);
        let present = self.hold("is_found", PassiveCode::var(flag, self.info(flag)));
        let found = best.now(self);
        Value::Maybe(Maybe::new(present, move |_| found.clone()))
    }

    /// A variable that says whether an element is the best so far: the first one is.
    fn first_wins(&mut self, found: &PassiveCode, span: Span) -> Var {
        let wins = self.new_var(New { hint: "wins", span, ty: Ty::Passive, changes: true, site: None });
        self.info_mut(wins).mutable = true;
        let t = &found.tokens;
        self.emit(Stmt::Let { var: wins, expr: Expr::Passive(PassiveCode { tokens: quote!(!#t), ..found.clone() }) });
        wins
    }

    fn key_of(&mut self, item: &Value, f: &PassiveCode, span: Span) -> Value {
        let shown = self.show(item, span);
        let t = &shown.tokens;
        let key = over(applied(&f.tokens, &[quote!(&#t)]), &[f, &shown]);
        Value::passive(self.hold("key", key))
    }

    fn ordering(
        &mut self,
        before: &Value,
        new: &Value,
        f: &proc_macro2::TokenStream,
        also: &[&PassiveCode],
        span: Span,
    ) -> PassiveCode {
        let (a, b) = (self.show(before, span), self.show(new, span));
        let (x, y) = (&a.tokens, &b.tokens);
        let parts: Vec<&PassiveCode> = [&a, &b].into_iter().chain(also.iter().copied()).collect();
        over(applied(f, &[quote!(&#x), quote!(&#y)]), &parts)
    }
}
