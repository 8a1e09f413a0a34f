//! Iterators that are run in parts: `let mut it = x.iter(); let first = it.next(); for v in it { .. }`.
//!
//! Where such an iterator has come to is a variable. What is left of it is a chain from there on.

use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Chain, Indexed, Maybe, Value, over, smaller};
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

/// Methods that run a part.
const PARTLY: &[&str] = &["next", "nth", "peek", "by_ref", "next_if"];

impl Lower {
    /// An iterator that a mutable variable holds.
    pub fn run_in_parts(&mut self, chain: Rc<Chain>, name: &Ident) -> Value {
        let Chain::Indexed(ix) = &*chain else { return Value::Chain(chain) };
        if !self.scope.changes.run_parts(name, PARTLY) || self.has_effects(ix) {
            return Value::Chain(chain);
        }
        let ix = self.normalized(ix.clone());
        let hi = ix.hi.clone().map(|hi| self.atom("end", hi));
        let hint = format!("{name}_at");
        let at = self.new_var(New { hint: &hint, span: name.span(), ty: Ty::Passive, changes: true, site: None });
        self.info_mut(at).mutable = true;
        self.emit(Stmt::Let { var: at, expr: Expr::Passive(PassiveCode::literal(quote!(0usize))) });
        let lo = PassiveCode::var(at, self.info(at));
        Value::Chain(Rc::new(Chain::Indexed(Indexed { lo, hi, cursor: Some(at), ..ix })))
    }

    /// The iterator that is run in parts, if an expression names one.
    fn cursor(&self, expr: &syn::Expr) -> Option<(Indexed, Var)> {
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

    /// `it.next()`, `it.nth(n)`, `it.peek()`.
    pub fn next_part(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let span = m.span();
        let (ix, at) = self.cursor(&m.receiver)?;
        let (over_it, borrowed) = match (m.method.to_string().as_str(), m.args.first()) {
            ("next", None) => (affine::literal(0), false),
            ("peek", None) => (affine::literal(0), true),
            ("nth", Some(n)) => {
                let n = self.integer(n);
                (self.frozen("n", n), false)
            }
            _ => return None,
        };
        let here = self.hold("k", PassiveCode::var(at, self.info(at)));
        let k = match affine::literal_index(&over_it) {
            Some(0) => here.clone(),
            _ => self.hold("k", arithmetic::add(&here, &over_it)),
        };
        let present = match &ix.hi {
            Some(hi) => {
                let (index, end) = (&k.tokens, &hi.tokens);
                let more = over(quote!(#index < #end), &[&k, hi]);
                self.hold("more", more)
            }
            None => PassiveCode::literal(quote!(true)),
        };
        if !borrowed {
            let (k_tokens, more) = (&k.tokens, &present.tokens);
            let next = match &ix.hi {
                Some(hi) => {
                    let end = &hi.tokens;
                    over(quote!(if #more { #k_tokens + 1 } else { #end }), &[&k, &present, hi])
                }
                None => over(quote!(#k_tokens + 1), &[&k]),
            };
            self.assign(Place::var(at), Assign::Set, Operand::Passive(next), span);
        }
        let get = ix.get;
        Some(Value::Maybe(Maybe::new(present, move |l| {
            let item = get(l, k.clone());
            if borrowed { item.borrowed(false) } else { item }
        })))
    }

    /// `it.by_ref().take(n)`: the elements up to there, which the iterator has passed then.
    pub fn part_taken(&mut self, m: &syn::ExprMethodCall) -> Option<Chain> {
        let syn::Expr::MethodCall(by_ref) = strip_parens(&m.receiver) else { return None };
        if m.method != "take" || by_ref.method != "by_ref" {
            return None;
        }
        let (ix, at) = self.cursor(&by_ref.receiver)?;
        let count = self.integer(m.args.first()?);
        let lo = self.hold("from", PassiveCode::var(at, self.info(at)));
        let end = self.frozen("n", arithmetic::add(&lo, &count));
        let hi = ix.hi.as_ref().map_or(end.clone(), |hi| smaller(hi, &end));
        let hi = self.hold("to", hi);
        self.assign(Place::var(at), Assign::Set, Operand::Passive(hi.clone()), m.span());
        Some(Chain::Indexed(Indexed { lo, hi: Some(hi), cursor: None, ..ix }))
    }

    /// `for v in it.by_ref()`, which a `break` may leave, as `while let Some(v) = it.next()`.
    pub fn walked_by_next(&self, f: &syn::ExprForLoop) -> Option<syn::ExprWhile> {
        let iterator = match strip_parens(&f.expr) {
            syn::Expr::Reference(r) if r.mutability.is_some() => &r.expr,
            syn::Expr::MethodCall(m) if m.method == "by_ref" => &m.receiver,
            _ => return None,
        };
        self.cursor(iterator)?;
        let (attrs, label, pattern, body) = (&f.attrs, &f.label, &f.pat, &f.body);
        let span = f.for_token.span;
        Some(syn::parse_quote_spanned!(span=> #(#attrs)* #label while let Some(#pattern) = #iterator.next() #body))
    }

    /// Whether an expression lends an iterator to what may run a part of it.
    pub fn lends_cursor(&self, expr: &syn::Expr) -> bool {
        matches!(strip_parens(expr), syn::Expr::Reference(r) if r.mutability.is_some()) && self.cursor(expr).is_some()
    }

    /// A copy of an iterator goes on from where that is now.
    pub fn copy_of_cursor(&mut self, chain: Chain) -> Chain {
        match chain {
            Chain::Indexed(ix) if ix.cursor.is_some() => {
                let lo = self.hold("from", ix.lo.clone());
                Chain::Indexed(Indexed { lo, cursor: None, ..ix })
            }
            other => other,
        }
    }
}
