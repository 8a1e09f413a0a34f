//! What `itertools` makes of iterators, and what is run to its end, written out by what std has: before a function is lowered, since its tuples take their length
//! from the pattern that they are met by.

use crate::frontend::iterators::exhausted;
use crate::frontend::iterators::methods::{is_adaptor, is_source};
use crate::frontend::syntax::unused::unused;
use crate::support::names::is_macro_of_std;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote_spanned};
use syn::parse_quote;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

/// The function with what can be written out, and the macros and methods that are taken for those of `itertools`.
pub fn written_out(item: &syn::ItemFn) -> (syn::ItemFn, Vec<OfItertools>) {
    let (mut item, mut pass) = (item.clone(), WrittenOut::default());
    pass.visit_block_mut(&mut item.block);
    (item, pass.taken)
}

/// A name that rustc has to confirm.
#[derive(Clone)]
pub enum OfItertools {
    /// A method, where it stands.
    Method(Span),
    /// A macro, by the path that the user writes.
    Macro(syn::Path),
}

/// Methods that give tuples of as many elements as the caller asks for.
pub const TUPLES: &[&str] = &["tuple_windows", "circular_tuple_windows", "tuples", "tuple_combinations"];

#[derive(Default)]
struct WrittenOut {
    taken: Vec<OfItertools>,
}

impl VisitMut for WrittenOut {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        exhausted::mark(expr);
        match expr {
            syn::Expr::MethodCall(m) => {
                if let Some(met) = m.args.iter().rev().find_map(last_parameter) {
                    measure(&mut m.receiver, met);
                }
            }
            syn::Expr::ForLoop(l) => measure(&mut l.expr, &l.pat),
            _ => {}
        }
        let new = match expr {
            syn::Expr::MethodCall(m) => self.method(m),
            syn::Expr::Macro(m) => self.product(&m.mac),
            _ => None,
        };
        if let Some(new) = new {
            *expr = new;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    /// The arguments of macros of std, where they are expressions.
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if !mac.path.get_ident().is_some_and(|name| is_macro_of_std(&name.to_string())) {
            return;
        }
        if let Ok(mut arguments) = mac.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated) {
            let before = arguments.to_token_stream().to_string();
            arguments.iter_mut().for_each(|e| self.visit_expr_mut(e));
            if arguments.to_token_stream().to_string() != before {
                mac.tokens = arguments.to_token_stream();
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl WrittenOut {
    fn method(&mut self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let (receiver, span) = (&m.receiver, m.method.span());
        let is_chain = is_chain(receiver);
        let new: syn::Expr = match (m.method.to_string().as_str(), m.args.first()) {
            ("collect_vec", None) if is_chain => {
                syn::parse2(quote_spanned!(span=> #receiver.collect::<::std::vec::Vec<_>>())).ok()?
            }
            ("cartesian_product", Some(other)) if is_chain && is_chain_again(other) => product(&[receiver, other])?,
            _ => return None,
        };
        self.taken.push(OfItertools::Method(span));
        Some(new)
    }

    /// `iproduct!(..)` and `izip!(..)`.
    fn product(&mut self, mac: &syn::Macro) -> Option<syn::Expr> {
        let name = mac.path.segments.last()?.ident.to_string();
        if name != "iproduct" && name != "izip" {
            return None;
        }
        let args = mac.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated).ok()?;
        let args: Vec<&syn::Expr> = args.iter().collect();
        let new = match name.as_str() {
            "iproduct" if args.len() > 1 && args[1..].iter().all(|a| is_chain_again(a)) => product(&args)?,
            "izip" if args.len() > 1 => zipped(&args)?,
            _ => return None,
        };
        self.taken.push(OfItertools::Macro(mac.path.clone()));
        Some(new)
    }
}

/// `a.flat_map(|i| b.map(|j| (i, j)))`, of as many iterators.
fn product(of: &[&syn::Expr]) -> Option<syn::Expr> {
    let names = names(of);
    let (last, before) = of.split_last()?;
    let (name, outer) = names.split_last()?;
    let span = last.span();
    let mut all: syn::Expr =
        syn::parse2(quote_spanned!(span=> (#last).into_iter().map(move |#name| (#(#names),*)))).ok()?;
    for (chain, name) in before.iter().zip(outer).rev() {
        let span = chain.span();
        all = syn::parse2(quote_spanned!(span=> (#chain).into_iter().flat_map(move |#name| #all))).ok()?;
    }
    Some(all)
}

/// `a.zip(b).zip(c).map(|((i, j), k)| (i, j, k))`.
fn zipped(of: &[&syn::Expr]) -> Option<syn::Expr> {
    let names = names(of);
    let first = of.first()?;
    let mut all: syn::Expr = syn::parse2(quote_spanned!(first.span()=> (#first).into_iter())).ok()?;
    let name = names.first()?;
    let mut pattern = name.to_token_stream();
    for (chain, name) in of.iter().zip(&names).skip(1) {
        let span = chain.span();
        all = syn::parse2(quote_spanned!(span=> #all.zip(#chain))).ok()?;
        pattern = quote_spanned!(span=> (#pattern, #name));
    }
    syn::parse2(quote_spanned!(first.span()=> #all.map(|#pattern| (#(#names),*)))).ok()
}

/// A name for an element of each, which none of them mentions.
fn names(of: &[&syn::Expr]) -> Vec<Ident> {
    let tokens = of.iter().map(|e| e.to_token_stream()).collect();
    (0..of.len()).map(|k| unused(&format!("item{k}"), &tokens, of[k].span())).collect()
}

/// Whether an expression is an iterator by its text.
fn is_chain(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(m) => is_source(m) || is_adaptor(&m.method.to_string()) && is_chain(&m.receiver),
        syn::Expr::Macro(m) => m.mac.path.segments.last().is_some_and(|s| s.ident == "izip" || s.ident == "iproduct"),
        _ => false,
    }
}

/// Whether an expression gives the same iterator as often as it is evaluated: it lends what it runs through.
fn is_chain_again(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Range(_) | syn::Expr::Path(_) => true,
        syn::Expr::Reference(r) => r.mutability.is_none() && matches!(strip_parens(&r.expr), syn::Expr::Path(_)),
        syn::Expr::MethodCall(m) if is_source(m) => {
            matches!(strip_parens(&m.receiver), syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_))
                && (m.method == "iter" || m.method == "windows" || m.method.to_string().starts_with("chunks"))
                && !m.method.to_string().ends_with("mut")
        }
        syn::Expr::MethodCall(m) => {
            let plain = ["rev", "copied", "cloned", "enumerate", "skip", "take", "step_by"];
            plain.iter().any(|name| m.method == name) && is_chain_again(&m.receiver)
        }
        _ => false,
    }
}

/// Says how long tuples are, by the pattern that they are met by.
fn measure(chain: &mut syn::Expr, met: &syn::Pat) {
    let syn::Expr::MethodCall(m) = chain else { return };
    let name = m.method.to_string();
    let syn::Pat::Tuple(tuple) = bare(met) else { return };
    match name.as_str() {
        _ if TUPLES.contains(&name.as_str()) && m.turbofish.is_none() => {
            let members = tuple.elems.iter().map(|_| -> syn::Type { parse_quote!(_) });
            let is_whole = !tuple.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_)));
            m.turbofish = is_whole.then(|| parse_quote!(::<(#(#members,)*)>));
        }
        "enumerate" if tuple.elems.len() == 2 => measure(&mut m.receiver, &tuple.elems[1]),
        "rev" | "skip" | "take" | "step_by" | "filter" | "inspect" | "skip_while" | "take_while" => {
            measure(&mut m.receiver, met);
        }
        _ => {}
    }
}

/// The pattern of an element in a closure: its last parameter.
fn last_parameter(argument: &syn::Expr) -> Option<&syn::Pat> {
    match strip_parens(argument) {
        syn::Expr::Closure(c) => c.inputs.last(),
        _ => None,
    }
}

fn bare(pattern: &syn::Pat) -> &syn::Pat {
    match pattern {
        syn::Pat::Reference(r) => bare(&r.pat),
        syn::Pat::Paren(p) => bare(&p.pat),
        syn::Pat::Type(t) => bare(&t.pat),
        other => other,
    }
}
