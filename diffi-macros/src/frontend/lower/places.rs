//! Places: elements and sub-slices.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Form, Indexed, Passive, Value, over};
use crate::frontend::syntax::types;
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// `base[index]`.
    pub fn indexed(&mut self, i: &syn::ExprIndex) -> Value {
        if let Some(part) = self.projected(i) {
            return part;
        }
        let whole = syn::Expr::Index(i.clone());
        if let Some((base @ Value::Active(_), members, index)) = self.users_element(&whole) {
            return self.users_element_read(base, members, index, i.span());
        }
        let base = self.expr(&i.expr);
        let base = self.sequence(base, i.span());
        match strip_parens(&i.index) {
            syn::Expr::Range(r) => {
                let lo = r.start.as_ref().map(|e| self.integer(e));
                let hi = r.end.as_ref().map(|e| self.integer(e));
                let hi = match r.limits {
                    syn::RangeLimits::Closed(_) => hi.map(|h| arithmetic::add(&h, &affine::literal(1))),
                    _ => hi,
                };
                self.slice_of(base, lo, hi, i.span())
            }
            at => {
                let at = self.integer(at);
                self.check_view(&base, &at);
                self.element_of(base, at, i.span())
            }
        }
    }

    /// Panics where a list of references has no such index: what the reference leads to may have one more.
    fn check_view(&mut self, views: &Value, at: &PassiveCode) {
        let Value::Chain(views) = views else { return };
        let Chain::Indexed(ix) = (**views).clone() else { return };
        if let Some(n) = self.normalized(ix).hi {
            let (i, len) = (&at.tokens, &n.tokens);
            let tokens = quote!(::core::assert!(#i < #len, "index out of bounds"););
            self.emit(Stmt::Effect { tokens: over(tokens, &[at, &n]), writes: Default::default() });
        }
    }

    /// An index: simple, and passive.
    pub fn integer(&mut self, expr: &syn::Expr) -> PassiveCode {
        if let Some(asked) = self.asked_integer(expr) {
            return self.hold("i", asked);
        }
        let value = self.expr(expr);
        match value {
            Value::Active(_) => {
                if !self.is_used_as_integer(&value) && !self.are_used_as_integers(expr) {
                    self.errors.active_integer(expr.span(), "an index");
                }
                affine::literal(0)
            }
            value => {
                let o = self.show(&value, expr.span());
                let o = self.held_back(o);
                self.simple("i", o)
            }
        }
    }

    /// `base[at]`; the index is simple.
    pub fn element_of(&mut self, base: Value, at: PassiveCode, span: Span) -> Value {
        match base {
            Value::Active(a) => {
                let mut place = a.place;
                match inside_window(place.path.last(), &at) {
                    Some(moved) => {
                        place.path.pop();
                        place.path.push(Proj::Index(moved));
                    }
                    None => place.path.push(Proj::Index(at)),
                }
                self.part(place)
            }
            Value::Passive(p) => {
                let (base, i) = (arithmetic::factor(&p.passive), &at.tokens);
                let mut passive = PassiveCode { tokens: quote!(#base[#i]), ..p.passive };
                passive.reads.extend(&at.reads);
                let ty = types::element(&p.ty);
                Value::Passive(Passive { passive, refs: Default::default(), ty, root: p.root })
            }
            Value::Poison => Value::Poison,
            Value::Chain(views) => self.view_at((*views).clone(), at, span),
            Value::Tuple(all) => match affine::literal_index(&at).and_then(|k| all.get(k).cloned()) {
                Some(v) => v,
                None => self.refuse(span, "an index into a tuple", "use an array"),
            },
            _ => self.refuse(span, "an index into this value", "bind it to a name first"),
        }
    }

    /// `base[lo..hi]`; both ends are simple.
    pub fn slice_of(&mut self, base: Value, lo: Option<PassiveCode>, hi: Option<PassiveCode>, span: Span) -> Value {
        match base {
            Value::Active(a) => {
                let mut place = a.place;
                if lo.is_some() || hi.is_some() {
                    place.path.push(Proj::Range(lo, hi));
                }
                Value::place(place)
            }
            Value::Passive(p) => {
                let base = arithmetic::factor(&p.passive);
                let (l, h) = (lo.as_ref().map(|o| &o.tokens), hi.as_ref().map(|o| &o.tokens));
                let mut passive = PassiveCode { tokens: quote!(#base[#l..#h]), ..p.passive };
                for end in lo.iter().chain(&hi) {
                    passive.reads.extend(&end.reads);
                }
                Value::Passive(Passive { passive, ty: p.ty, refs: Default::default(), root: p.root })
            }
            Value::Chain(views) => self.views_between((*views).clone(), lo, hi, span),
            Value::Poison => Value::Poison,
            _ => self.refuse(span, "a slice of this value", "bind it to a name first"),
        }
    }

    /// `views[at]`, of references that were collected, or of the places of a slice.
    fn view_at(&mut self, views: Chain, at: PassiveCode, span: Span) -> Value {
        let Chain::Indexed(ix) = views else {
            return self.refuse(span, "an index into this value", "collect it first");
        };
        let ix = self.normalized(ix);
        let view = (ix.get)(self, at);
        if ix.form == Form::Slice { view.dereferenced() } else { view }
    }

    /// `views[lo..hi]`, of references that were collected.
    fn views_between(&mut self, views: Chain, lo: Option<PassiveCode>, hi: Option<PassiveCode>, span: Span) -> Value {
        let Chain::Indexed(ix) = views else {
            return self.refuse(span, "a slice of this value", "collect it first");
        };
        let ix = self.normalized(ix);
        let lo = lo.map_or_else(|| affine::literal(0), |lo| self.frozen("lo", lo));
        let hi = hi.map(|hi| self.frozen("hi", hi)).or(ix.hi.clone());
        Value::Chain(Rc::new(Chain::Indexed(Indexed { lo, hi, ..ix })))
    }

    /// The number of elements of a sequence, as tokens.
    pub fn length(&self, value: &Value, span: Span) -> PassiveCode {
        if let Value::Chain(views) = value
            && let Chain::Indexed(Indexed { hi: Some(len), .. }) = &**views
            && matches!(&**views, Chain::Indexed(ix) if ix.is_counted())
        {
            return len.clone();
        }
        let bare = match value {
            Value::Active(a) if a.place.path.is_empty() => self.value_of(a.place.root),
            other => other.clone().dereferenced_fully(),
        };
        let shown = self.show(&bare, span);
        let tokens = &shown.tokens;
        let mut len = PassiveCode { tokens: quote!(#tokens.len()), ..shown.clone() };
        let root = match &bare {
            Value::Active(a) => Some(a.place.root),
            Value::Passive(p) => p.root,
            _ => None,
        };
        if let Some(root) = root {
            len.reads.remove(&root);
            len.shapes.insert(root);
        }
        len
    }

    /// The same value, fit to be bound to a name: its indices cannot change.
    pub fn settled(&mut self, value: Value) -> Value {
        match value {
            Value::Active(mut a) => {
                a.place = self.settled_place(a.place);
                Value::Active(a)
            }
            Value::Tuple(all) => Value::Tuple(all.into_iter().map(|v| self.settled(v)).collect()),
            Value::Ref(inner) => Value::Ref(Box::new(self.settled(*inner))),
            other => other,
        }
    }

    pub fn settled_place(&mut self, place: Place) -> Place {
        let mut path = Vec::new();
        for step in place.path {
            path.push(match step {
                Proj::Index(i) => Proj::Index(self.frozen("i", i)),
                Proj::Range(lo, hi) => {
                    let lo = lo.map(|o| self.frozen("lo", o));
                    Proj::Range(lo, hi.map(|o| self.frozen("hi", o)))
                }
                field => field,
            });
        }
        Place { root: place.root, path }
    }
}

/// `w[j]` where `w` is `x[lo..lo + n]` and `j < n` are literals: the index into `x`.
fn inside_window(last: Option<&Proj>, at: &PassiveCode) -> Option<PassiveCode> {
    let Some(Proj::Range(lo, Some(hi))) = last else { return None };
    let at = affine::literal_index(at)?;
    let lo = lo.clone().unwrap_or_else(|| affine::literal(0));
    let (low, high) = (lo.tokens.to_string(), hi.tokens.to_string());
    let width = match (affine::literal_index(&lo), affine::literal_index(hi)) {
        (Some(lo), Some(hi)) => hi.checked_sub(lo)?,
        _ => high.strip_prefix(&low)?.trim().strip_prefix('+')?.trim().parse().ok()?,
    };
    (at < width).then(|| arithmetic::add(&lo, &affine::literal(at)))
}
