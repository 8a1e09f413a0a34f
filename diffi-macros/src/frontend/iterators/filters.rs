//! What leaves elements out, or puts several in place of one: `filter`, `filter_map`, `flat_map`, `flatten`.

use crate::frontend::lower::branches::Body;
use crate::frontend::lower::closures::Function;
use crate::frontend::lower::exit_values::results_of;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Maybe, Value, as_maybe};
use crate::ir::PassiveCode;
use crate::support::syntax::{has_return, strip_parens};
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

/// `filter`.
pub fn filtered(chain: Chain, f: Function, span: Span) -> Chain {
    let endless = chain.is_endless();
    let drive = move |l: &mut Lower, frame: Option<usize>, each: &mut crate::frontend::state::value::Each| {
        l.drive(&chain, frame, &mut |l, value, mark| {
            let keep = l.apply(&f, vec![value.clone().borrowed(false)]);
            let keep = l.show(&keep.dereferenced_fully(), span);
            l.guarded(Some(keep), &mut |l| each(l, value.clone(), mark));
        });
    };
    Chain::stream(drive).without_end(endless)
}

/// `filter_map`: the closure's `Some(v)`s are followed up where they stand.
pub fn filter_mapped(chain: Chain, f: Function, span: Span) -> Chain {
    let endless = chain.is_endless();
    let kept = Chain::stream(move |l, frame, each| {
        l.drive(&chain, frame, &mut |l, value, mark| match &f {
            Function::Closure(c) if !has_return(&c.code.body) => {
                l.inline_with(c, vec![value], &mut |l, body| {
                    l.follow(body, &mut |l, kept| each(l, kept, mark));
                    Value::Unit
                });
            }
            f => {
                let maybe = l.apply(f, vec![value]);
                l.follow_value(maybe, span, &mut |l, kept| each(l, kept, mark));
            }
        });
    });
    kept.without_end(endless)
}

/// Whether a closure gives `Some(v)` whatever happens.
pub fn always_some(f: &syn::Expr) -> bool {
    let some = |e: &syn::Expr| match strip_parens(e) {
        syn::Expr::Call(c) => matches!(&*c.func, syn::Expr::Path(p) if p.path.is_ident("Some")),
        _ => false,
    };
    matches!(strip_parens(f), syn::Expr::Closure(c) if results_of(&c.body).iter().all(some))
}

/// `map_while` and `scan`, which has a state: up to the first `None`, if there is one.
pub fn mapped_while(chain: Chain, start: Option<Value>, f: Function, total: bool, span: Span) -> Chain {
    let endless = total && chain.is_endless();
    let mapped = Chain::stream(move |l, frame, each| {
        let state = start.clone().map(|s| l.variable(s, "state", span));
        let over = (!total).then(|| l.flag("over", span));
        l.drive_until(&chain, frame, span, &mut |l, value, mark, source| {
            let here = over.map(|flag| l.unless(flag, None));
            l.guarded(here, &mut |l| {
                let args = state.iter().map(|s| s.clone().borrowed(true)).chain([value.clone()]).collect();
                let maybe = l.apply(&f, args);
                if let (Some(maybe), Some(flag)) = (as_maybe(&maybe), over) {
                    let none = l.absent(&maybe);
                    l.guarded(Some(none.clone()), &mut |l| l.raise(flag, span));
                    l.stop(source, none, span);
                }
                l.follow_value(maybe, span, &mut |l, kept| each(l, kept, mark));
            });
        });
    });
    mapped.without_end(endless)
}

type Kept<'f> = dyn FnMut(&mut Lower, Value) + 'f;

impl Lower {
    /// Follows up every `Some` in tail position.
    fn follow(&mut self, body: &syn::Expr, kept: &mut Kept) {
        match strip_parens(body) {
            syn::Expr::Block(b) if b.label.is_none() => {
                let scope = self.scope.clone();
                if let Some((last, before)) = b.block.stmts.split_last() {
                    before.iter().for_each(|s| {
                        self.stmt(s);
                    });
                    if let syn::Stmt::Expr(e, None) = last {
                        self.follow(e, kept);
                    }
                }
                self.scope = scope;
            }
            e @ (syn::Expr::If(_) | syn::Expr::Match(_)) => {
                self.split(e, &mut |l, body| {
                    match body {
                        Body::Expr(e) => l.follow(e, kept),
                        Body::Block(b) => {
                            let e =
                                syn::Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: b.clone() });
                            l.follow(&e, kept);
                        }
                        Body::Nothing => {}
                    }
                    Value::Unit
                });
            }
            syn::Expr::Path(p) if p.path.is_ident("None") => {}
            syn::Expr::Call(c) if matches!(&*c.func, syn::Expr::Path(p) if p.path.is_ident("Some")) => {
                let value = self.expr(&c.args[0]);
                kept(self, value);
            }
            e => {
                let value = self.expr(e);
                self.follow_value(value, e.span(), kept);
            }
        }
    }

    /// Whether an option holds nothing.
    fn absent(&mut self, maybe: &Maybe) -> PassiveCode {
        let t = &maybe.present.tokens;
        PassiveCode { tokens: quote!(!(#t)), ..maybe.present.clone() }
    }

    fn follow_value(&mut self, value: Value, span: Span, kept: &mut Kept) {
        let carrier = if value.is_active() { self.as_carrier(value.clone(), span) } else { as_maybe(&value) };
        let Some(maybe) = carrier else {
            if !matches!(value, Value::Poison) {
                self.errors.unknown_iterator(span);
            }
            return;
        };
        match maybe.known() {
            Some(true) => {
                let value = (maybe.content)(self);
                kept(self, value);
            }
            Some(false) => {}
            None => self.guarded(Some(maybe.present.clone()), &mut |l| {
                let value = (maybe.content)(l);
                kept(l, value);
            }),
        }
    }
}

/// `flat_map`.
pub fn flat_mapped(chain: Chain, f: Function) -> Chain {
    let endless = chain.is_endless();
    let mapped = Chain::stream(move |l, frame, each| {
        l.drive(&chain, frame, &mut |l, value, _| {
            let inner = match &f {
                Function::Closure(c) => {
                    l.inline_with(c, vec![value], &mut |l, body| {
                        run_body(l, body, frame, each);
                        Value::Unit
                    });
                    return;
                }
                f => l.apply(f, vec![value]),
            };
            if let Some(inner) = l.chain_of_value(inner, Span::call_site()) {
                l.drive(&inner, frame, each);
            }
        });
    });
    mapped.without_end(endless)
}

/// Runs through the iterator that a closure's body is, with its `let`s in scope.
fn run_body(l: &mut Lower, body: &syn::Expr, frame: Option<usize>, each: &mut crate::frontend::state::value::Each) {
    match strip_parens(body) {
        syn::Expr::Block(b) => {
            let Some((last, before)) = b.block.stmts.split_last() else { return };
            before.iter().for_each(|s| {
                l.stmt(s);
            });
            if let syn::Stmt::Expr(e, None) = last {
                run_body(l, e, frame, each);
            }
        }
        e => {
            if let Some(inner) = l.chain(e) {
                l.drive(&inner, frame, each);
            }
        }
    }
}

/// `flatten`.
pub fn flattened(chain: Chain, span: Span) -> Chain {
    let endless = chain.is_endless();
    let flat = Chain::stream(move |l, frame, each| {
        l.drive(&chain, frame, &mut |l, value, mark| match l.as_stored_option(value) {
            value @ Value::Maybe(_) => l.follow_value(value, span, &mut |l, kept| each(l, kept, mark)),
            value => {
                if let Some(inner) = l.chain_of_value(value, span) {
                    l.drive(&inner, frame, each);
                }
            }
        });
    });
    flat.without_end(endless)
}
