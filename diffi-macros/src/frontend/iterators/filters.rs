//! What leaves elements out, or puts several in place of one: `filter`, `filter_map`, `flat_map`, `flatten`.

use crate::frontend::iterators::adaptors::backwards;
use crate::frontend::lower::branches::Body;
use crate::frontend::lower::closures::Function;
use crate::frontend::lower::exit_values::{Look, results_of};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Drive, Each, Maybe, Value, as_maybe};
use crate::ir::PassiveCode;
use crate::support::syntax::{has_return, strip_parens};
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

/// `filter`.
pub fn filtered(chain: Chain, f: Function, span: Span) -> Chain {
    of_each(chain, move |l, value, mark, _, each| {
        let keep = l.apply(&f, vec![value.clone().borrowed(false)]);
        let keep = l.show(&keep.dereferenced_fully(), span);
        l.guarded(Some(keep), &mut |l| each(l, value.clone(), mark));
    })
}

/// What becomes of each element: none, one or several.
type OfEach = dyn Fn(&mut Lower, Value, usize, Option<usize>, &mut Each);

/// A chain of what becomes of each element, from either end.
fn of_each(chain: Chain, f: impl Fn(&mut Lower, Value, usize, Option<usize>, &mut Each) + 'static) -> Chain {
    of_either_end(chain, Rc::new(f), None)
}

/// The same, where something else becomes of an element on the way from the end.
fn of_either_end(chain: Chain, f: Rc<OfEach>, back: Option<Rc<OfEach>>) -> Chain {
    let (extent, behind) = (chain.extent(), backwards(&chain));
    let from_end = back.unwrap_or_else(|| f.clone());
    let back = behind.map(|drive| -> Drive {
        Rc::new(move |l, frame, each| drive(l, frame, &mut |l, value, mark| from_end(l, value, mark, frame, each)))
    });
    let drive = move |l: &mut Lower, frame: Option<usize>, each: &mut Each| {
        l.drive(&chain, frame, &mut |l, value, mark| f(l, value, mark, frame, each));
    };
    Chain::stream(drive).with_extent(extent).with_back(back)
}

/// `filter_map`: the closure's `Some(v)`s are followed up where they stand.
pub fn filter_mapped(chain: Chain, f: Function, span: Span) -> Chain {
    of_each(chain, move |l, value, mark, _, each| match &f {
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
    })
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
    let extent = if total { chain.extent() } else { chain.extent().cut() };
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
    mapped.with_extent(extent)
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
pub fn flat_mapped(chain: Chain, f: Function, span: Span) -> Chain {
    let of_end = |back: bool| -> Rc<OfEach> {
        let f = f.clone();
        Rc::new(move |l, value, mark, frame, each| {
            let inner = match &f {
                Function::Closure(c) if !has_return(&c.code.body) => {
                    l.inline_with(c, vec![value], &mut |l, body| {
                        l.run_body(body, frame, back, mark, each);
                        Value::Unit
                    });
                    return;
                }
                f => l.apply(f, vec![value]),
            };
            l.run_value(inner, span, frame, back, mark, each);
        })
    };
    of_either_end(chain, of_end(false), Some(of_end(true)))
}

/// `flatten`.
pub fn flattened(chain: Chain, span: Span) -> Chain {
    let of_end = |back: bool| -> Rc<OfEach> {
        Rc::new(move |l, value, mark, frame, each| {
            let value = l.as_stored_option(value);
            l.run_value(value, span, frame, back, mark, each);
        })
    };
    of_either_end(chain, of_end(false), Some(of_end(true)))
}

impl Lower {
    /// Runs through the iterator that a closure's body is, with its `let`s in scope.
    fn run_body(&mut self, body: &syn::Expr, frame: Option<usize>, back: bool, mark: usize, each: &mut Each) {
        match strip_parens(body) {
            syn::Expr::Block(b) if b.label.is_none() => {
                let Some((last, before)) = b.block.stmts.split_last() else { return };
                before.iter().for_each(|s| {
                    self.stmt(s);
                });
                if let syn::Stmt::Expr(e, None) = last {
                    self.run_body(e, frame, back, mark, each);
                }
            }
            e if self.is_chain(e) => {
                if let Some(inner) = self.chain(e) {
                    self.run_inner(inner, e.span(), frame, back, each);
                }
            }
            e if Look::of_all(std::slice::from_ref(e)).is_maybe() => self.follow(e, &mut |l, kept| each(l, kept, mark)),
            e => {
                let value = self.expr(e);
                self.run_value(value, e.span(), frame, back, mark, each);
            }
        }
    }

    /// Runs through a sequence, or gives what an option holds.
    fn run_value(&mut self, value: Value, span: Span, frame: Option<usize>, back: bool, mark: usize, each: &mut Each) {
        match value {
            value @ Value::Maybe(_) => self.follow_value(value, span, &mut |l, kept| each(l, kept, mark)),
            value => {
                if let Some(inner) = self.chain_of_value(value, span) {
                    self.run_inner(inner, span, frame, back, each);
                }
            }
        }
    }

    fn run_inner(&mut self, inner: Chain, span: Span, frame: Option<usize>, back: bool, each: &mut Each) {
        let inner = if back { self.rev(inner, span) } else { Some(inner) };
        if let Some(inner) = inner {
            self.drive(&inner, frame, each);
        }
    }
}
