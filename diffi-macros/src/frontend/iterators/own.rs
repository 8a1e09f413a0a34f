//! Iterators of a user's own type: run through by their annotated method `next`, as `std::iter::from_fn(|| it.next())`.

use crate::frontend::iterators::methods::{self, Stage};
use crate::frontend::lower::function_values::is_function_path;
use crate::frontend::lower::structs::is_made_by_its_type;
use crate::frontend::projections::passing::gives_lists;
use crate::frontend::state::context::{Lower, Origin};
use crate::frontend::state::value::{Chain, Extent, Refs, Value};
use crate::frontend::syntax::passive_code::respanned;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::spanned::Spanned;

/// Adaptors whose names and closures say that their receiver is an iterator: a user's type has rather a `map` of its own.
const CLAIMED: &[&str] = &["take_while", "skip_while", "map_while", "filter", "filter_map"];

impl Lower {
    /// Whether a method makes an iterator of a value of a user's type, which is one itself then.
    pub fn adapts_own(&self, m: &syn::ExprMethodCall) -> bool {
        let closure = m.args.len() == 1 && matches!(strip_parens(&m.args[0]), syn::Expr::Closure(_));
        let claimed = closure && CLAIMED.iter().any(|name| m.method == name);
        let whole = m.args.is_empty() && (m.method == "by_ref" || m.method == "fuse");
        (claimed || whole) && self.is_own(strip_parens(&m.receiver))
    }

    fn is_own(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Path(p) => {
                p.path.get_ident().and_then(|n| self.scope.get(n)).is_some_and(|v| self.is_of_user(v))
            }
            syn::Expr::MethodCall(m) if m.method == "clone" && m.args.is_empty() => {
                self.is_own(strip_parens(&m.receiver))
            }
            syn::Expr::Struct(_) => self.act(expr).any(),
            syn::Expr::Call(_) => is_made_by_its_type(expr) && self.act(expr).any(),
            _ => false,
        }
    }

    /// Whether a value is of a user's type, by all that is seen.
    fn is_of_user(&self, value: &Value) -> bool {
        let Value::Active(a) = value else { return false };
        let fact = self.fact(a.place.root);
        let origin = fact.is_named() || fact.is_constructed() || matches!(fact.origin, Origin::Maker);
        match self.ty_of(&a.place) {
            Ty::Struct(_) => true,
            Ty::Unknown => a.place.path.is_empty() && origin,
            _ => false,
        }
    }

    /// The elements that an iterator of a user's type gives.
    pub fn own_iterator(&mut self, value: &Value, expr: &syn::Expr, span: Span) -> Option<Chain> {
        let made = is_made_by_its_type(strip_parens(expr)) && value.is_active();
        if !made && !self.is_of_user(value) {
            return None;
        }
        let lent = value.refs().exclusive;
        let iterator = match lent {
            true => value.clone(),
            false => self.owned(value.clone().dereferenced_fully(), span),
        };
        let Value::Active(a) = &iterator else { return None };
        self.fact_mut(a.place.root).changes = true;
        self.info_mut(a.place.root).mutable = true;
        self.only_iterator_of(&iterator, span);
        let next = syn::parse_quote_spanned!(span=> iterator.next());
        let step = move |l: &mut Lower| l.annotated_method(iterator.clone(), &next, true);
        Some(self.as_long_as_given(step, span).with_extent(Extent { endless: false, lent }))
    }

    /// A method that runs an iterator of a user's type through adaptors that own types have, too, as one of `it.fuse()`.
    pub fn run_of_own(&self, m: &syn::ExprMethodCall) -> Option<syn::ExprMethodCall> {
        let row = methods::method(&m.method.to_string()).filter(|row| row.args == m.args.len())?;
        let listed = matches!(strip_parens(&m.receiver), syn::Expr::MethodCall(given) if gives_lists(&given.method));
        let direct = listed
            || match (row.name, &m.args.last()) {
                ("sum" | "product", None) => m.turbofish.is_some(),
                ("collect", None) => true,
                ("fold", Some(syn::Expr::Closure(_))) => {
                    !matches!(strip_parens(&m.receiver), syn::Expr::Path(_)) || self.is_own(strip_parens(&m.receiver))
                }
                _ => false,
            };
        let runs =
            row.stage == Stage::Consumer && (direct || matches!(strip_parens(&m.receiver), syn::Expr::MethodCall(_)));
        let receiver = if runs { self.fused(&m.receiver, direct)? } else { return None };
        Some(syn::ExprMethodCall { receiver: Box::new(receiver), ..m.clone() })
    }

    /// `it.map(f)`, of an iterator of a user's type, as `it.fuse().map(f)`.
    pub fn fused(&self, expr: &syn::Expr, alone: bool) -> Option<syn::Expr> {
        match strip_parens(expr) {
            syn::Expr::MethodCall(m) if methods::is_adaptor(&m.method.to_string()) && m.method != "clone" => {
                let receiver = Box::new(self.fused(&m.receiver, true)?);
                Some(syn::Expr::MethodCall(syn::ExprMethodCall { receiver, ..m.clone() }))
            }
            syn::Expr::MethodCall(m) if m.method == "clone" && m.args.is_empty() => {
                let own = alone && self.is_own(strip_parens(&m.receiver));
                own.then(|| syn::parse_quote_spanned!(m.span()=> #m.fuse()))
            }
            e if alone && self.is_own(e) => Some(syn::parse_quote_spanned!(e.span()=> #e.fuse())),
            e if alone && self.may_give_iterator(e) => Some(syn::parse_quote_spanned!(e.span()=> #e.into_iter())),
            _ => None,
        }
    }

    /// Whether an expression may give an iterator, or a list that stands for one: a call, or a constant of a user's type.
    fn may_give_iterator(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Call(c) => {
                let called = matches!(strip_parens(&c.func), syn::Expr::Path(p) if is_function_path(p));
                called && self.called_closure(&c.func).is_none()
            }
            syn::Expr::MethodCall(m) => gives_lists(&m.method),
            syn::Expr::Struct(_) => true,
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|name| self.scope.get(name)) {
                Some(Value::Active(a)) => a.place.path.is_empty() && self.ty_of(&a.place) == Ty::Unknown,
                _ => false,
            },
            _ => false,
        }
    }

    /// `it.next()` of a variable of a user's type.
    pub fn advances_own(&self, receiver: &Value, m: &syn::ExprMethodCall) -> bool {
        m.method == "next" && m.args.is_empty() && self.is_of_user(receiver)
    }

    /// `it.by_ref()`.
    pub fn lent_own(&mut self, m: &syn::ExprMethodCall) -> Option<Chain> {
        if m.method != "by_ref" || !self.adapts_own(m) {
            return None;
        }
        let value = self.expr(&m.receiver).behind(Refs::EXCLUSIVE);
        self.own_iterator(&value, &m.receiver, m.span())
    }

    /// Compiles only if a value is an iterator itself.
    fn only_iterator_of(&mut self, value: &Value, span: Span) {
        let shown = self.show(&value.clone().dereferenced_fully(), span);
        let place = respanned(shown.tokens.clone(), span);
        let question = Ident::new(ASKED, span);
        let tokens = quote_spanned!(span=> if false { __d::#question(&#place) });
        self.emit(Stmt::Effect { tokens: PassiveCode { tokens, ..shown }, writes: Default::default() });
    }
}

/// The function that takes iterators only.
pub const ASKED: &str = "is_iterator";
