//! `part.split_off_first()` and its kind: a reference to a slice leads to a shorter part afterwards.

use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Active, Maybe, Refs, Value, over};
use crate::frontend::syntax::writes::{cuts_slice, lends_mut};
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

/// What is cut off, and what is left.
struct Cut {
    present: PassiveCode,
    part: Value,
    rest: Value,
}

impl Lower {
    /// What is cut off a slice by a method of a reference to it, which has a name.
    pub fn cut_off(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        if !cuts_slice(m) {
            return None;
        }
        let slice = self.expr(&m.receiver);
        let Value::Active(target) = slice else { return None };
        if target.refs.depth == 0 {
            return None;
        }
        if !self.is_moved(&target) {
            let instead = "use `split_first()`, `split_last()` or `split_at(k)`";
            return Some(self.refuse(
                m.method.span(),
                "this method of a slice that has no name of its own here",
                instead,
            ));
        }
        self.only_method_of_std(&Value::Active(target.clone()), &Called::of(m));
        let Cut { present, part, rest } = self.cut_of(&target, m)?;
        let present = self.hold("is_some", present);
        let refs = Refs { depth: 1, exclusive: lends_mut(&m.method.to_string()) };
        let part = self.settled(part).behind(refs);
        self.guarded(Some(present.clone()), &mut |l| {
            if let Value::Active(rest) = rest.clone() {
                l.move_reference(&target, &rest, m.span());
            }
        });
        Some(Value::Maybe(Maybe::new(present, move |_| part.clone())))
    }

    /// Whether a reference has variables for the ends of what it leads to.
    fn is_moved(&self, reference: &Active) -> bool {
        match reference.place.path.last() {
            Some(Proj::Range(Some(lo), Some(hi))) => {
                [lo, hi].iter().all(|end| end.reads.iter().any(|var| self.fact(*var).aim.is_some()))
            }
            _ => false,
        }
    }

    fn cut_of(&mut self, target: &Active, m: &syn::ExprMethodCall) -> Option<Cut> {
        let (whole, span) = (Value::Active(target.clone()), m.span());
        let len = self.length(&whole, span);
        let n = self.hold("n", len);
        let some = over(
            {
                let n = &n.tokens;
                quote!(#n > 0)
            },
            &[&n],
        );
        let (one, all) = (affine::literal(1), n.tokens.clone());
        Some(match (m.method.to_string().as_str(), m.args.first()) {
            ("split_off_first" | "split_off_first_mut", None) => Cut {
                present: some,
                part: self.element_of(whole.clone(), affine::literal(0), span),
                rest: self.slice_of(whole, Some(one), None, span),
            },
            ("split_off_last" | "split_off_last_mut", None) => {
                let last = self.hold("last", over(quote!(#all.saturating_sub(1)), &[&n]));
                let part = self.element_of(whole.clone(), last.clone(), span);
                Cut { present: some, part, rest: self.slice_of(whole, None, Some(last), span) }
            }
            (_, Some(range)) => self.cut_at(whole, range, &n, span)?,
            _ => return None,
        })
    }

    /// `part.split_off(..k)`, `part.split_off(k..)`.
    fn cut_at(&mut self, whole: Value, range: &syn::Expr, len: &PassiveCode, span: Span) -> Option<Cut> {
        let syn::Expr::Range(range) = strip_parens(range) else { return None };
        let (from_front, at) = match (&range.start, &range.end) {
            (None, Some(end)) => (true, end),
            (Some(start), None) => (false, start),
            _ => return None,
        };
        let at = self.integer(at);
        let at = match range.limits {
            syn::RangeLimits::Closed(_) => arithmetic::add(&at, &affine::literal(1)),
            syn::RangeLimits::HalfOpen(_) => at,
        };
        let at = self.frozen("k", at);
        let (k, n) = (&at.tokens, &len.tokens);
        let present = over(quote!((#k) <= #n), &[&at, len]);
        let front = self.slice_of(whole.clone(), None, Some(at.clone()), span);
        let back = self.slice_of(whole, Some(at), None, span);
        let (part, rest) = if from_front { (front, back) } else { (back, front) };
        Some(Cut { present, part, rest })
    }
}
