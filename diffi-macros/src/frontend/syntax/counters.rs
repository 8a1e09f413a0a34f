//! Ranges that are zipped, and whose integers are no `usize`: `x.iter().zip(1..)` with `f64::from(k)` of these.
//!
//! Chains count by `usize`. Such a range becomes one with a `map` behind it, whose value has the type that rustc infers.

use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use std::collections::BTreeSet;
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
    Ranges { asked }.visit_block_mut(&mut item.block);
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

struct Ranges {
    /// Something of the function asks for such an integer.
    asked: bool,
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

    fn typed(&self, r: &syn::ExprRange) -> Option<syn::Expr> {
        let start = literal(r.start.as_deref()?)?;
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
