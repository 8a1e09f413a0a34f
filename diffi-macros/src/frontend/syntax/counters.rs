//! Ranges that are zipped, and whose integers are no `usize`: `x.iter().zip(1..)` with `f64::from(k)` of these.
//!
//! Chains count by `usize`. Such a range becomes one with a `map` behind it, whose value has the type that rustc infers.

use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// Methods between a range and the `zip`, which leave its elements as they are.
const BETWEEN: &[&str] = &["rev", "step_by", "skip", "take"];

/// The function with such ranges.
pub fn as_inferred(item: &syn::ItemFn) -> syn::ItemFn {
    let mut uses = Uses::default();
    uses.visit_block(&item.block);
    let mut item = item.clone();
    let asked = uses.bound.intersection(&uses.asked).next().is_some();
    let mut integers = Integers::default();
    integers.visit_signature(&item.sig);
    integers.visit_block(&item.block);
    Ranges { asked, integers: integers.0 }.visit_block_mut(&mut item.block);
    item
}

/// Names that patterns bind, and those of which only integers other than `usize` can be asked.
#[derive(Default)]
struct Uses {
    bound: BTreeSet<String>,
    asked: BTreeSet<String>,
}

impl Uses {
    fn ask(&mut self, e: &syn::Expr) {
        match strip_parens(e) {
            syn::Expr::Unary(syn::ExprUnary { expr, .. }) | syn::Expr::Reference(syn::ExprReference { expr, .. }) => {
                self.ask(expr);
            }
            syn::Expr::Binary(b) => {
                self.ask(&b.left);
                self.ask(&b.right);
            }
            syn::Expr::Path(p) => self.asked.extend(p.path.get_ident().map(ToString::to_string)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.bound.insert(name.ident.to_string());
        visit::visit_pat_ident(self, name);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let from = |p: &syn::ExprPath| p.path.segments.last().is_some_and(|s| s.ident == "from");
        if let (syn::Expr::Path(p), Some(of)) = (&*call.func, call.args.first())
            && from(p)
        {
            self.ask(of);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if let ("powi", Some(of)) = (&*call.method.to_string(), call.args.first()) {
            self.ask(of);
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// Names whose types are written, and are integers other than `usize`; none for a name that stands for others, too.
#[derive(Default)]
struct Integers(BTreeMap<String, Option<String>>);

impl<'ast> Visit<'ast> for Integers {
    fn visit_pat_type(&mut self, typed: &'ast syn::PatType) {
        match (&*typed.pat, &*typed.ty) {
            (syn::Pat::Ident(name), syn::Type::Path(p)) => {
                let ty = p.path.get_ident().map(ToString::to_string).filter(|ty| INTEGERS.contains(&ty.as_str()));
                self.note(&name.ident, ty);
            }
            _ => visit::visit_pat_type(self, typed),
        }
    }

    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.note(&name.ident, None);
        visit::visit_pat_ident(self, name);
    }
}

impl Integers {
    fn note(&mut self, name: &Ident, ty: Option<String>) {
        let known = self.0.entry(name.to_string()).or_insert_with(|| ty.clone());
        if *known != ty {
            *known = None;
        }
    }
}

/// Integers that a range counts to.
const INTEGERS: &[&str] = &["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64"];

struct Ranges {
    /// Something of the function asks for such an integer.
    asked: bool,
    /// The types of names.
    integers: BTreeMap<String, Option<String>>,
}

impl VisitMut for Ranges {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if call.method == "zip" && call.args.len() == 1 {
            self.chain(&mut call.receiver);
            self.chain(&mut call.args[0]);
        }
    }
}

impl Ranges {
    /// Replaces the range that a chain begins with.
    fn chain(&self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Paren(inner) => self.chain(&mut inner.expr),
            syn::Expr::MethodCall(m) if BETWEEN.iter().any(|name| m.method == name) => self.chain(&mut m.receiver),
            syn::Expr::Range(r) => {
                if let Some(typed) = self.typed(r) {
                    *e = typed;
                }
            }
            _ => {}
        }
    }

    /// `0..n` where the type of `n` is known: what is below zero is no end that is reached.
    fn up_to_a_name(&self, r: &syn::ExprRange, start: &syn::LitInt) -> Option<syn::Expr> {
        let syn::Expr::Path(end) = strip_parens(r.end.as_deref()?) else { return None };
        let ty = self.integers.get(&end.path.get_ident()?.to_string())?.as_deref()?;
        let span = r.span();
        let (lo, first) = (plain(start.base10_digits(), start.span()), plain(&format!("0{ty}"), span));
        let end: syn::Expr = match r.limits {
            syn::RangeLimits::HalfOpen(_) => syn::parse_quote_spanned!(span=> #end),
            syn::RangeLimits::Closed(_) => syn::parse_quote_spanned!(span=> #end.saturating_add(1)),
        };
        Some(syn::parse_quote_spanned!(span=> (#lo..(#end.max(0) as usize)).map(|__k| __d::counted(#first, __k))))
    }

    fn typed(&self, r: &syn::ExprRange) -> Option<syn::Expr> {
        let start = literal(r.start.as_deref()?)?;
        if let Some(counted) = self.up_to_a_name(r, &start) {
            return Some(counted);
        }
        let end = match r.end.as_deref() {
            Some(end) => Some(literal(end)?),
            None => None,
        };
        let suffix =
            [Some(&start), end.as_ref()].into_iter().flatten().map(syn::LitInt::suffix).find(|s| !s.is_empty());
        if suffix == Some("usize") || suffix.is_none() && !self.asked {
            return None;
        }
        let span = r.span();
        let first = plain(&format!("0{}", suffix.unwrap_or_default()), span);
        let (lo, limits) = (plain(start.base10_digits(), start.span()), &r.limits);
        let hi = end.map(|end| plain(end.base10_digits(), end.span()));
        Some(syn::parse_quote_spanned!(span=> (#lo #limits #hi).map(|__k| __d::counted(#first, __k))))
    }
}

fn literal(e: &syn::Expr) -> Option<syn::LitInt> {
    match strip_parens(e) {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => Some(n.clone()),
        _ => None,
    }
}

fn plain(digits: &str, span: Span) -> syn::LitInt {
    syn::LitInt::new(digits, span)
}
