//! What runs a chain as far as it has to: `find`, `find_map`, `any`, `next`, and what comes last.

use crate::frontend::iterators::kept::Keeping;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Content, Maybe, Value, over};
use crate::ir::affine::arithmetic;
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

/// Whether an element is the one, and what is found then.
pub type Test<'t> = dyn FnMut(&mut Lower, Value) -> Option<(PassiveCode, Content)> + 't;

impl Lower {
    /// A consumer that stops at the first element for which something holds.
    pub fn searched(&mut self, chain: &Chain, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        match (m.method.to_string().as_str(), m.args.first()) {
            ("next", None) => {
                let first = |_: &mut Lower, item| Some((PassiveCode::literal(quote!(true)), gives(item)));
                Value::Maybe(self.search(chain, span, &mut { first }))
            }
            ("nth", Some(n)) => self.nth(chain, n, span),
            ("find", Some(f)) => {
                let f = self.callee(f);
                Value::Maybe(self.search(chain, span, &mut |l, item| {
                    let holds = l.apply(&f, vec![item.clone().borrowed(false)]);
                    Some((l.show(&holds.dereferenced_fully(), span), gives(item)))
                }))
            }
            ("find_map", Some(f)) => {
                let f = self.callee(f);
                Value::Maybe(self.search(chain, span, &mut |l, item| {
                    let found = l.apply(&f, vec![item]);
                    let found = l.as_carrier(found, span)?;
                    Some((found.present, found.content))
                }))
            }
            ("any" | "all", Some(f)) => self.asked_of_all(chain, m.method == "all", f, span),
            ("position", Some(f)) => self.position(chain, f, span),
            (name, _) => {
                self.errors.unknown_adaptor(m.method.span(), name);
                Value::Poison
            }
        }
    }

    /// Runs through a chain until something is found.
    pub fn search(&mut self, chain: &Chain, span: Span, test: &mut Test) -> Maybe {
        let at = self.open.last().map_or(0, |b| b.stmts.len());
        let flag = self.flag("is_found", span);
        let source = self.enter_source(span);
        let mut keeping = Keeping::default();
        self.drive(chain, Some(source), &mut |l, item, _| {
            let Some((cond, content)) = test(l, item) else { return };
            l.guarded(Some(cond), &mut |l| {
                let value = content(l);
                keeping.keep(l, value, span);
                l.raise(flag, span);
                l.stop_here(source, span);
            });
        });
        self.leave();
        keeping.declare(self, at);
        let present = self.hold("is_found", PassiveCode::var(flag, self.info(flag)));
        let found = keeping.now(self);
        Maybe::new(present, move |_| found.clone())
    }

    fn nth(&mut self, chain: &Chain, n: &syn::Expr, span: Span) -> Value {
        let n = self.integer(n);
        let n = self.frozen("n", n);
        let count = self.counter(span);
        Value::Maybe(self.search(chain, span, &mut |l, item| {
            let k = l.next_count(count, span);
            let (a, b) = (arithmetic::factor(&k), arithmetic::factor(&n));
            Some((over(quote!(#a == #b), &[&k, &n]), gives(item)))
        }))
    }

    fn asked_of_all(&mut self, chain: &Chain, all: bool, f: &syn::Expr, span: Span) -> Value {
        let f = self.callee(f);
        let found = self.search(chain, span, &mut |l, item| {
            let holds = l.apply(&f, vec![item]);
            let holds = l.show(&holds.dereferenced_fully(), span);
            Some((if all { negated(&holds) } else { holds }, gives(Value::Unit)))
        });
        Value::passive(if all { negated(&found.present) } else { found.present })
    }

    fn position(&mut self, chain: &Chain, f: &syn::Expr, span: Span) -> Value {
        let f = self.callee(f);
        let count = self.counter(span);
        let found = self.search(chain, span, &mut |l, item| {
            let k = l.next_count(count, span);
            let holds = l.apply(&f, vec![item]);
            let k = l.integer_value(k);
            Some((l.show(&holds.dereferenced_fully(), span), gives(k)))
        });
        Value::Maybe(found)
    }

    /// `last()`: the element that is kept when all have been run through.
    pub fn last_of(&mut self, chain: &Chain, span: Span) -> Value {
        let at = self.open.last().map_or(0, |b| b.stmts.len());
        let flag = self.flag("is_found", span);
        let mut keeping = Keeping::default();
        self.drive(chain, None, &mut |l, item, _| {
            keeping.keep(l, item, span);
            l.raise(flag, span);
        });
        keeping.declare(self, at);
        let present = self.hold("is_found", PassiveCode::var(flag, self.info(flag)));
        let found = keeping.now(self);
        Value::Maybe(Maybe::new(present, move |_| found.clone()))
    }
}

fn gives(value: Value) -> Content {
    Rc::new(move |_| value.clone())
}

fn negated(cond: &PassiveCode) -> PassiveCode {
    let t = arithmetic::factor(cond);
    PassiveCode { tokens: quote!(!#t), ..cond.clone() }
}
