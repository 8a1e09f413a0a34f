//! Types of a signature that are written by another name: `type Pair = (f64, f64)`, `type Checked<T> = Result<T, Error>`.
//!
//! The name alone says nothing, and rustc does not tell. But what the body returns, or what a pattern takes apart, says what kind of
//! type it is: a tuple, an `Option`, a `Result`. It is written out so, and its members by what rustc knows of the name. Where the name
//! is of another type, that does not compile.

use crate::frontend::syntax::{bases, types};
use crate::ir::{Base, Ty};
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The function with such types written out.
pub fn with_known_kinds(mut item: syn::ItemFn) -> syn::ItemFn {
    let base = bases::base_of(&item.sig, None);
    if let syn::ReturnType::Type(_, ty) = &mut item.sig.output
        && is_name(ty, &base)
        && let Some(kind) = kind_of(&item.block)
        && let Some(known) = spelled(ty, kind)
    {
        **ty = known;
    }
    for input in &mut item.sig.inputs {
        let syn::FnArg::Typed(p) = input else { continue };
        if let syn::Pat::Tuple(pattern) = &*p.pat
            && is_name(&p.ty, &base)
            && let Some(known) = spelled(&p.ty, Kind::Tuple(pattern.elems.len()))
        {
            *p.ty = known;
        }
    }
    item
}

/// The parameters of types that say nothing and that index something, with their types: `k: Id`, of `type Id = usize`. A name that is
/// bound again may be another one there.
pub fn indices(item: &syn::ItemFn, base: &Base) -> Vec<(Ident, syn::Type)> {
    let own: Vec<&Ident> = item.sig.generics.type_params().map(|t| &t.ident).collect();
    let named = |input: &syn::FnArg| {
        let syn::FnArg::Typed(p) = input else { return None };
        let syn::Pat::Ident(name) = &*p.pat else { return None };
        let open = matches!(&*p.ty, syn::Type::Path(ty) if own.iter().any(|t| ty.path.is_ident(*t)));
        (is_name(&p.ty, base) && !open).then(|| (name.ident.clone(), (*p.ty).clone()))
    };
    let mut found = Indices { used: Vec::new(), bound: Vec::new() };
    found.visit_block(&item.block);
    let index = |(name, _): &(Ident, syn::Type)| found.used.contains(name) && !found.bound.contains(name);
    item.sig.inputs.iter().filter_map(named).filter(index).collect()
}

/// Names that stand in brackets, or at an end of a range, and those that patterns bind.
struct Indices {
    used: Vec<Ident>,
    bound: Vec<Ident>,
}

impl Indices {
    fn note(&mut self, expr: &syn::Expr) {
        if let syn::Expr::Path(p) = strip_parens(expr) {
            self.used.extend(p.path.get_ident().cloned());
        }
    }
}

impl<'a> Visit<'a> for Indices {
    fn visit_expr_index(&mut self, i: &'a syn::ExprIndex) {
        self.note(&i.index);
        visit::visit_expr_index(self, i);
    }
    fn visit_expr_range(&mut self, r: &'a syn::ExprRange) {
        r.start.iter().chain(&r.end).for_each(|end| self.note(end));
        visit::visit_expr_range(self, r);
    }
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.bound.push(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }
}

/// What a name is found to stand for.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// So many members.
    Tuple(usize),
    Option,
    Result,
}

/// Whether a type is a name that says nothing.
fn is_name(ty: &syn::Type, base: &Base) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    let own = p.qself.is_none() && !p.path.is_ident("Self");
    own && types::carried(ty).is_none() && types::describe(ty, base) == Ty::Unknown
}

/// The kind of what a body gives, by the first expression that tells.
fn kind_of(block: &syn::Block) -> Option<Kind> {
    let last = match block.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => kind_of_value(e),
        _ => None,
    };
    let mut returned = Returned(last);
    if returned.0.is_none() {
        returned.visit_block(block);
    }
    returned.0
}

fn kind_of_value(expr: &syn::Expr) -> Option<Kind> {
    let last = |b: &syn::Block| match b.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => kind_of_value(e),
        _ => None,
    };
    match strip_parens(expr) {
        syn::Expr::Tuple(t) if t.elems.len() > 1 => Some(Kind::Tuple(t.elems.len())),
        syn::Expr::Path(p) if p.path.is_ident("None") => Some(Kind::Option),
        syn::Expr::Call(c) => match &*c.func {
            syn::Expr::Path(p) if p.path.is_ident("Some") => Some(Kind::Option),
            syn::Expr::Path(p) if p.path.is_ident("Ok") || p.path.is_ident("Err") => Some(Kind::Result),
            _ => None,
        },
        syn::Expr::Block(b) => last(&b.block),
        syn::Expr::If(i) => last(&i.then_branch).or_else(|| kind_of_value(&i.else_branch.as_ref()?.1)),
        syn::Expr::Match(m) => m.arms.iter().find_map(|arm| kind_of_value(&arm.body)),
        syn::Expr::Return(r) => kind_of_value(r.expr.as_ref()?),
        _ => None,
    }
}

/// What `return` gives, outside of closures.
struct Returned(Option<Kind>);

impl<'a> Visit<'a> for Returned {
    fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
        self.0 = self.0.or_else(|| kind_of_value(r.expr.as_ref()?));
        visit::visit_expr_return(self, r);
    }
    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// The type by its kind, with members that rustc finds. A single argument of the name is taken for the value.
fn spelled(ty: &syn::Type, kind: Kind) -> Option<syn::Type> {
    let span = ty.span();
    let syn::Type::Path(p) = ty else { return None };
    let value = match p.path.segments.last().and_then(types::first_argument) {
        Some(value) => value.clone(),
        None => syn::parse2(quote_spanned!(span=> <#ty as __d::Carrier>::Content)).ok()?,
    };
    let tokens = match kind {
        Kind::Option => quote_spanned!(span=> ::core::option::Option<#value>),
        Kind::Result => quote_spanned!(span=> ::core::result::Result<#value, <#ty as __d::Failing>::Error>),
        Kind::Tuple(count) => {
            let members = (0..count).map(|k| format_ident!("T{k}"));
            let members = members.map(|member| quote_spanned!(span=> <#ty as __d::Members>::#member));
            quote_spanned!(span=> (#(#members),*))
        }
    };
    syn::parse2(tokens).ok()
}
