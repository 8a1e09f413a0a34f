//! Iterators that are run in parts: `let mut it = x.iter(); let first = it.next(); for v in it { .. }`.
//!
//! Where such an iterator has come to is a variable, and its end is another one where elements are taken there. What is left of it
//! is a chain from there on; one that is only lent sets these variables while it is run through.

use crate::frontend::iterators::methods::{Stage, names_of};
use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Chain, Cursor, Drive, Each, Extent, Indexed, Maybe, Value, over};
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// An iterator that a mutable variable holds.
    pub fn run_in_parts(&mut self, chain: Rc<Chain>, name: &Ident) -> Value {
        let Chain::Indexed(ix) = &*chain else { return Value::Chain(chain) };
        let back = self.scope.changes.run_parts(name, &names_of(Stage::SearchBack));
        let front = [names_of(Stage::Search), vec!["by_ref"]].concat();
        if !back && !self.scope.changes.run_parts(name, &front) {
            return Value::Chain(chain);
        }
        let ix = self.normalized(ix.clone());
        let hi = ix.hi.clone().map(|hi| self.atom("end", hi));
        let at = self.position_of(name, "at", PassiveCode::literal(quote!(0usize)));
        let end = hi.clone().filter(|_| back).map(|hi| self.position_of(name, "end", hi));
        let lo = PassiveCode::var(at, self.info(at));
        let hi = end.map(|end| PassiveCode::var(end, self.info(end))).or(hi);
        Value::Chain(Rc::new(Chain::Indexed(Indexed { lo, hi, cursor: Some(Cursor { at, end }), ..ix })))
    }

    fn position_of(&mut self, name: &Ident, what: &str, start: PassiveCode) -> Var {
        let hint = format!("{name}_{what}");
        let var = self.new_var(New { hint: &hint, span: name.span(), ty: Ty::Passive, changes: true, site: None });
        self.info_mut(var).mutable = true;
        self.emit(Stmt::Let { var, expr: Expr::Passive(start) });
        var
    }

    /// The iterator that is run in parts, if an expression names one.
    fn cursor(&self, expr: &syn::Expr) -> Option<(Indexed, Cursor)> {
        let name = match strip_parens(expr) {
            syn::Expr::Path(p) => p.path.get_ident()?,
            syn::Expr::Reference(r) if r.mutability.is_some() => return self.cursor(&r.expr),
            syn::Expr::MethodCall(m) if m.method == "by_ref" => return self.cursor(&m.receiver),
            _ => return None,
        };
        match self.scope.get(name)? {
            Value::Chain(chain) => match &**chain {
                Chain::Indexed(ix) => ix.cursor.map(|at| (ix.clone(), at)),
                Chain::Stream(_) => None,
            },
            _ => None,
        }
    }

    /// Whether an expression names an iterator that is run in parts.
    pub fn is_cursor(&self, expr: &syn::Expr) -> bool {
        self.cursor(expr).is_some()
    }

    /// `it.next()`, `it.nth(n)`, `it.peek()`, `it.next_back()`, `it.nth_back(n)`, `it.next_if(f)`.
    pub fn next_part(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let (span, it) = (m.span(), &m.receiver);
        let (ix, cursor) = self.cursor(it)?;
        match (m.method.to_string().as_str(), m.args.first()) {
            ("next", None) => Some(self.taken_in_front(&ix, cursor, affine::literal(0), span)),
            ("nth", Some(n)) => {
                let n = self.integer(n);
                let n = self.frozen("n", n);
                Some(self.taken_in_front(&ix, cursor, n, span))
            }
            ("next_back", None) => Some(self.taken_at_end(&ix, cursor, affine::literal(0), span)),
            ("nth_back", Some(n)) => {
                let n = self.integer(n);
                let n = self.frozen("n", n);
                Some(self.taken_at_end(&ix, cursor, n, span))
            }
            ("peek", None) if !self.has_effects(&ix) => {
                let k = self.hold_nameless("k", PassiveCode::var(cursor.at, self.info(cursor.at)));
                let present = self.is_before_end(&k, &ix);
                let get = ix.get;
                Some(Value::Maybe(Maybe::new(present, move |l| get(l, k.clone()).borrowed(false))))
            }
            ("next_if", Some(f)) => Some(
                self.expr(&syn::parse_quote_spanned!(span=> if #it.peek().is_some_and(#f) { #it.next() } else { None })),
            ),
            ("next_if_eq", Some(v)) => Some(self.expr(
                &syn::parse_quote_spanned!(span=> if #it.peek().is_some_and(|next| next == #v) { #it.next() } else { None }),
            )),
            _ => None,
        }
    }

    fn is_before_end(&mut self, k: &PassiveCode, ix: &Indexed) -> PassiveCode {
        match &ix.hi {
            Some(hi) => {
                let (index, end) = (&k.tokens, &hi.tokens);
                let more = over(quote!(#index < #end), &[k, hi]);
                self.hold("more", more)
            }
            None => PassiveCode::literal(quote!(true)),
        }
    }

    /// The element so many places on; the iterator stands behind it then.
    fn taken_in_front(&mut self, ix: &Indexed, cursor: Cursor, over_it: PassiveCode, span: Span) -> Value {
        let here = self.hold_nameless("k", PassiveCode::var(cursor.at, self.info(cursor.at)));
        let k = match affine::literal_index(&over_it) {
            Some(0) => here,
            _ => self.hold_nameless("k", arithmetic::add(&here, &over_it)),
        };
        let present = self.is_before_end(&k, ix);
        let (k_tokens, more) = (&k.tokens, &present.tokens);
        let next = match &ix.hi {
            Some(hi) => {
                let end = &hi.tokens;
                over(quote!(if #more { #k_tokens + 1 } else { #end }), &[&k, &present, hi])
            }
            None => over(quote!(#k_tokens + 1), &[&k]),
        };
        self.assign(Place::var(cursor.at), Assign::Set, Operand::Passive(next), span);
        self.element_now(ix, k, present, span)
    }

    /// The element so many places before the end; the iterator ends before it then.
    fn taken_at_end(&mut self, ix: &Indexed, cursor: Cursor, over_it: PassiveCode, span: Span) -> Value {
        let (Some(hi), Some(end)) = (&ix.hi, cursor.end) else {
            self.errors.half_run(span);
            return Value::Poison;
        };
        let here = self.hold("at", PassiveCode::var(cursor.at, self.info(cursor.at)));
        let hi = self.hold("to", hi.clone());
        let (a, b, n) = (&here.tokens, &hi.tokens, arithmetic::factor(&over_it));
        let present = self.hold("more", over(quote!(#a + #n < #b), &[&here, &hi, &over_it]));
        let more = &present.tokens;
        let next = over(quote!(if #more { #b - #n - 1 } else { #a }), &[&here, &hi, &over_it, &present]);
        let next = self.hold_nameless("k", next);
        self.assign(Place::var(end), Assign::Set, Operand::Passive(next.clone()), span);
        self.element_now(ix, next, present, span)
    }

    /// An element, which is made at once if that changes something.
    fn element_now(&mut self, ix: &Indexed, k: PassiveCode, present: PassiveCode, span: Span) -> Value {
        let changes = self.has_effects(ix);
        let get = ix.get.clone();
        let element = Maybe::new(present, move |l| get(l, k.clone()));
        Value::Maybe(if changes { self.mapped_now(element, span) } else { element })
    }

    /// The rest of an iterator in a variable, which is lent to what runs a part of it: `it.by_ref()`, `&mut it`.
    pub fn lent_rest(&self, expr: &syn::Expr) -> Option<Chain> {
        match strip_parens(expr) {
            syn::Expr::Reference(r) if r.mutability.is_some() => self.rest_of(&r.expr),
            syn::Expr::MethodCall(m) if m.method == "by_ref" => self.rest_of(&m.receiver),
            _ => None,
        }
    }

    /// The same of the variable itself.
    pub fn rest_of(&self, expr: &syn::Expr) -> Option<Chain> {
        let (ix, cursor) = self.cursor(expr)?;
        let rest = |down: bool| {
            let ix = ix.clone();
            move |l: &mut Lower, frame: Option<usize>, each: &mut Each| {
                let span = ix.lo.span;
                let lo = l.hold("from", ix.lo.clone());
                let hi = ix.hi.clone().map(|hi| l.hold("to", hi));
                let get = ix.get.clone();
                let step = move |l: &mut Lower, k: PassiveCode| {
                    let (var, next) = match (down, cursor.end) {
                        (true, Some(end)) => (end, k.clone()),
                        _ => (cursor.at, arithmetic::add(&k, &affine::literal(1))),
                    };
                    l.assign(Place::var(var), Assign::Set, Operand::Passive(next), span);
                    get(l, k)
                };
                let rest = Indexed { lo, hi, down, get: Rc::new(step), integers: false, cursor: None, ..ix.clone() };
                l.drive(&Chain::Indexed(rest), frame, each);
            }
        };
        let extent = Extent { endless: ix.hi.is_none(), lent: true };
        let back = cursor.end.map(|_| -> Drive { Rc::new(rest(true)) });
        Some(Chain::stream(rest(false)).with_extent(extent).with_back(back))
    }

    /// `for v in it.by_ref()`, which a `break` may leave, as `while let Some(v) = it.next()`.
    pub fn walked_by_next(&mut self, f: &syn::ExprForLoop) -> Option<syn::ExprWhile> {
        let (iterator, method) = match strip_parens(&f.expr) {
            syn::Expr::Reference(r) if r.mutability.is_some() => (&r.expr, None),
            syn::Expr::MethodCall(m) if m.method == "by_ref" => (&m.receiver, Some(m)),
            _ => return None,
        };
        self.cursor(iterator)?;
        if let Some(method) = method {
            self.only_method_of_iterators(&Called::of(method));
        }
        let (attrs, label, pattern, body) = (&f.attrs, &f.label, &f.pat, &f.body);
        let span = f.for_token.span;
        Some(syn::parse_quote_spanned!(span=> #(#attrs)* #label while let Some(#pattern) = #iterator.next() #body))
    }

    /// A copy of an iterator goes on from where that is now.
    pub fn copy_of_cursor(&mut self, chain: Chain) -> Chain {
        match chain {
            Chain::Indexed(ix) if ix.cursor.is_some() => {
                let lo = self.hold("from", ix.lo.clone());
                let hi = ix.hi.clone().map(|hi| self.atom("to", hi));
                Chain::Indexed(Indexed { lo, hi, cursor: None, ..ix })
            }
            other => other,
        }
    }
}

/// Whether an expression is a variable, or lends one.
pub fn names_chain(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Path(_) => true,
        syn::Expr::Reference(r) => names_chain(&r.expr),
        syn::Expr::MethodCall(m) => m.method == "by_ref" && names_chain(&m.receiver),
        _ => false,
    }
}
