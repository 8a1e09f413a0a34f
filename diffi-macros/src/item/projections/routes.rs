//! Routes: the steps from `self` to what a reference leads to.

use crate::frontend::projections::where_function;
use crate::support::errors;
use crate::support::syntax::{is_self, strip_parens};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::HashMap;
use syn::spanned::Spanned;

/// A step.
#[derive(Clone)]
pub enum Step {
    /// `.name`.
    Field(syn::Member),
    /// `[index]`.
    Index(Box<syn::Expr>),
    /// `[lo..hi]`.
    Range(Option<Box<syn::Expr>>, Option<Box<syn::Expr>>),
    /// `*`, of a `Box`.
    Deref,
    /// What an `Option` holds.
    Content,
    /// Where another such method leads.
    Method(Ident, Vec<syn::Expr>),
}

/// The steps from `self`, or from a function's argument: from `__self` in what is emitted.
#[derive(Clone, Default)]
pub struct Route(pub Vec<Step>);

impl Route {
    /// The same, and a step further.
    pub fn and(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }

    /// The expressions of the words that tell which elements these are.
    pub fn words(&self) -> Vec<TokenStream> {
        let mut words = Vec::new();
        for (k, step) in self.0.iter().enumerate() {
            let before = || Route(self.0[..k].to_vec()).in_value();
            match step {
                Step::Field(_) | Step::Deref | Step::Content => {}
                Step::Index(at) => words.push(quote!(#at)),
                Step::Range(lo, hi) => {
                    let lo = lo.as_ref().map_or(quote!(0), |lo| quote!(#lo));
                    let hi = hi.as_ref().map_or_else(|| length(&before()), |hi| quote!(#hi));
                    words.push(quote!((#hi) - (#lo)));
                    words.push(lo);
                }
                Step::Method(name, args) => {
                    let word = word_of(&before(), name, args);
                    words.push(quote!(#word as usize));
                }
            }
        }
        words
    }

    /// The place in the value, as it is written.
    pub fn in_value(&self) -> TokenStream {
        self.0.iter().fold(quote!(__self), |before, step| match step {
            Step::Field(member) => quote!(#before.#member),
            Step::Index(at) => quote!(#before[#at]),
            Step::Range(lo, hi) => quote!(#before[#lo..#hi]),
            Step::Deref => quote!((*#before)),
            Step::Content => quote!((*__d::some(&#before))),
            Step::Method(name, args) => {
                let (part, word) = (part_function(name, false), word_of(&before, name, args));
                quote!((*#before.#part(#word)))
            }
        })
    }

    /// The place, by its words.
    pub fn place(&self, exclusive: bool) -> TokenStream {
        let mut before = if self.0.is_empty() { quote!((*__self)) } else { quote!(__self) };
        let mut at = 0;
        let mut word = || {
            at += 1;
            let k = syn::Index::from(at - 1);
            quote!(words[#k])
        };
        for step in &self.0 {
            before = match step {
                Step::Field(member) => quote!(#before.#member),
                Step::Index(_) => {
                    let at = word();
                    quote!(#before[#at])
                }
                Step::Range(..) => {
                    let (length, lo) = (word(), word());
                    quote!(#before[#lo..#lo + #length])
                }
                Step::Deref => quote!((*#before)),
                Step::Content if exclusive => quote!((*__d::some_mut(&mut #before))),
                Step::Content => quote!((*__d::some(&#before))),
                Step::Method(name, _) => {
                    let part = part_function(name, exclusive);
                    let at = word();
                    quote!((*#before.#part(#at as u64)))
                }
            };
        }
        if exclusive { quote!(&mut #before) } else { quote!(&#before) }
    }
}

fn length(list: &TokenStream) -> TokenStream {
    quote!(#list.len())
}

/// The word of another such method.
fn word_of(receiver: &TokenStream, method: &Ident, args: &[syn::Expr]) -> TokenStream {
    let find = where_function(method);
    quote!(__d::Word::to_word(#receiver.#find(#(#args),*)))
}

/// The function that leads to a part by a word.
pub fn part_function(method: &Ident, exclusive: bool) -> Ident {
    let plain = method.to_string();
    let end = if exclusive { "part_mut" } else { "part" };
    quote::format_ident!("{}__{end}", plain.trim_start_matches("r#"), span = method.span())
}

/// The names that stand for places in `self`.
pub type Names = HashMap<String, Route>;

/// The route of an expression that is a reference.
pub fn of_reference(e: &syn::Expr, names: &Names) -> syn::Result<Route> {
    match strip_parens(e) {
        syn::Expr::Reference(r) => of_place(&r.expr, names),
        syn::Expr::Path(path) if is_self(e) || named(path, names).is_some() => of_place(e, names),
        syn::Expr::MethodCall(m) => of_method(m, names),
        e => Err(errors::reference_of_unknown_origin(e.span())),
    }
}

/// The route of an expression that is a place.
pub fn of_place(e: &syn::Expr, names: &Names) -> syn::Result<Route> {
    match strip_parens(e) {
        e if is_self(e) => Ok(Route::default()),
        syn::Expr::Path(path) => match named(path, names) {
            Some(route) => Ok(route.clone()),
            None => Err(errors::reference_of_unknown_origin(path.span())),
        },
        syn::Expr::Field(f) => Ok(of_place(&f.base, names)?.and(Step::Field(f.member.clone()))),
        syn::Expr::Index(i) => {
            let base = of_place(&i.expr, names)?;
            match strip_parens(&i.index) {
                syn::Expr::Range(r) => Ok(base.and(range(r))),
                syn::Expr::Tuple(t) => Err(errors::reference_of_unknown_origin(t.span())),
                at => Ok(base.and(Step::Index(Box::new(at.clone())))),
            }
        }
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => dereferenced(&u.expr, names),
        syn::Expr::MethodCall(m) => of_method(m, names),
        syn::Expr::Reference(r) => of_place(&r.expr, names),
        e => Err(errors::reference_of_unknown_origin(e.span())),
    }
}

/// `*e`: a `Box` is opened, and a reference is none here.
fn dereferenced(e: &syn::Expr, names: &Names) -> syn::Result<Route> {
    let inner = strip_parens(e);
    let boxed = matches!(inner, syn::Expr::Field(_) | syn::Expr::Index(_));
    let route = of_place(inner, names)?;
    Ok(if boxed { route.and(Step::Deref) } else { route })
}

fn range(r: &syn::ExprRange) -> Step {
    let [lo, hi] = [&r.start, &r.end].map(Option::clone);
    let hi = hi.map(|hi| match r.limits {
        syn::RangeLimits::Closed(_) => syn::parse_quote!((#hi) + 1),
        syn::RangeLimits::HalfOpen(_) => hi,
    });
    Step::Range(lo, hi)
}

fn named<'n>(path: &syn::ExprPath, names: &'n Names) -> Option<&'n Route> {
    names.get(&path.path.get_ident()?.to_string())
}

/// A method that gives a reference: one of std, or another one of the user's.
fn of_method(m: &syn::ExprMethodCall, names: &Names) -> syn::Result<Route> {
    const SAME: &[&str] =
        &["as_slice", "as_mut_slice", "as_ref", "as_mut", "borrow", "borrow_mut", "by_ref", "as_deref", "as_deref_mut"];
    const OF_OPTIONS: &[&str] = &["unwrap", "expect"];
    let name = m.method.to_string();
    match (name.as_str(), m.args.len()) {
        (name, 0) if SAME.contains(&name) => of_place(&m.receiver, names),
        (name, _) if OF_OPTIONS.contains(&name) => match Found::of(&m.receiver, names)? {
            Found { route, at: Some(at) } => Ok(route.and(Step::Index(Box::new(syn::parse_quote!(#at.unwrap()))))),
            Found { route, at: None } => Ok(route),
        },
        _ if Found::is_known(m) => Err(errors::reference_of_unknown_origin(m.method.span())),
        _ => Ok(of_place(&m.receiver, names)?.and(Step::Method(m.method.clone(), m.args.iter().cloned().collect()))),
    }
}

/// What an `Option` of a reference leads to: an element of a list, if there is one; or what an option there holds.
pub struct Found {
    /// The list, or what the option holds.
    pub route: Route,
    /// The element's index, an `Option`.
    pub at: Option<TokenStream>,
}

impl Found {
    fn is_known(m: &syn::ExprMethodCall) -> bool {
        const KNOWN: &[&str] = &[
            "get",
            "get_mut",
            "first",
            "first_mut",
            "last",
            "last_mut",
            "iter",
            "iter_mut",
            "find",
            "max_by",
            "min_by",
            "split_at",
            "split_at_mut",
            "chunks",
            "unwrap_or",
            "unwrap_or_else",
            "entry",
            "peek",
            "next",
        ];
        KNOWN.iter().any(|name| m.method == name)
    }

    /// That of an expression that is an `Option` of a reference.
    pub fn of(e: &syn::Expr, names: &Names) -> syn::Result<Found> {
        let unknown = |e: &syn::Expr| Err(errors::reference_of_unknown_origin(e.span()));
        let syn::Expr::MethodCall(m) = strip_parens(e) else { return unknown(e) };
        let element = |at: TokenStream| Ok(Found { route: of_place(&m.receiver, names)?, at: Some(at) });
        let list = &shared(&m.receiver);
        let first = m.args.first();
        match (m.method.to_string().as_str(), first) {
            ("get" | "get_mut", Some(at)) if !matches!(at, syn::Expr::Range(_)) => {
                element(quote!(::core::option::Option::Some(#at).filter(|at: &usize| *at < #list.len())))
            }
            ("first" | "first_mut", None) => element(quote!((!#list.is_empty()).then_some(0_usize))),
            ("last" | "last_mut", None) => element(quote!(#list.len().checked_sub(1))),
            ("as_ref" | "as_mut", None) => {
                Ok(Found { route: of_place(&m.receiver, names)?.and(Step::Content), at: None })
            }
            ("as_deref" | "as_deref_mut", None) => {
                Ok(Found { route: of_place(&m.receiver, names)?.and(Step::Content).and(Step::Deref), at: None })
            }
            ("find", Some(condition)) => {
                let list = elements(&m.receiver)?;
                let found = quote!(#list.iter().position(|item| __d::holds_for(&item, #condition)));
                Ok(Found { route: of_place(list, names)?, at: Some(found) })
            }
            ("max_by" | "min_by", Some(order)) => {
                let (list, method) = (elements(&m.receiver)?, &m.method);
                let found = quote!(#list.iter().enumerate().#method(|a, b| __d::order_of(&a.1, &b.1, #order)).map(|found| found.0));
                Ok(Found { route: of_place(list, names)?, at: Some(found) })
            }
            _ => unknown(e),
        }
    }
}

/// The list that `list.iter()` goes through.
fn elements(e: &syn::Expr) -> syn::Result<&syn::Expr> {
    match strip_parens(e) {
        syn::Expr::MethodCall(m) if ["iter", "iter_mut"].iter().any(|name| m.method == name) && m.args.is_empty() => {
            Ok(&m.receiver)
        }
        e => Err(errors::reference_of_unknown_origin(e.span())),
    }
}

/// The same without `&mut` around it.
fn shared(e: &syn::Expr) -> &syn::Expr {
    match strip_parens(e) {
        syn::Expr::Reference(r) => &r.expr,
        e => e,
    }
}
