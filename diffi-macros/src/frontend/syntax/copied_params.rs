//! Parameters of which derivative code makes values of its own: options of references, and what is converted into a number.
//!
//! `fn f(w: Option<&[f64]>)` is lowered as `fn f(#[copied(Option<&[f64]>)] w: Option<Vec<f64>>)`, `Option<&mut T>` as
//! `&mut Option<T>`, and `v: impl Into<f64>` as a number. Derivative functions take what the user's function takes, and begin with a
//! copy of it. A copy of what may be changed is written back at the end.

use crate::frontend::syntax::types::{self, bounds_of};
use crate::ir::{Base, Copying, Ty};
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};

/// The function as derivative code has it; constants stay as they are.
pub fn with_copies(mut item: syn::ItemFn, constant: &[Ident], base: &Base) -> syn::ItemFn {
    let whole = item.clone();
    let (mut numbers, mut gone) = (Vec::new(), Vec::new());
    for input in &mut item.sig.inputs {
        let syn::FnArg::Typed(p) = input else { continue };
        let syn::Pat::Ident(pattern) = &mut *p.pat else { continue };
        if constant.contains(&pattern.ident) {
            continue;
        }
        let full = &p.ty;
        if let Some(own) = own_option(full, base) {
            p.attrs.push(syn::parse_quote!(#[copied(#full)]));
            pattern.mutability = None;
            *p.ty = own;
        } else if let Some((name, number)) = converted(full, &whole, base) {
            p.attrs.push(syn::parse_quote!(#[converted(impl ::core::convert::Into<#number>)]));
            *p.ty = number;
            numbers.push(pattern.ident.clone());
            gone.push(name);
        }
    }
    without_parameters(&mut item.sig.generics, &gone);
    Conversions(numbers).visit_block_mut(&mut item.block);
    item
}

/// How derivative code copies a parameter, and its type as written.
pub fn copying(p: &syn::PatType) -> Option<(Copying, TokenStream)> {
    let written = |a: &syn::Attribute| match &a.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    p.attrs.iter().find_map(|a| match a.path().get_ident()?.to_string().as_str() {
        "copied" => Some((Copying::Lent, written(a))),
        "converted" => Some((Copying::Converted, written(a))),
        _ => None,
    })
}

/// Whether a parameter may be changed: it is `&mut`, or an option of such a reference.
pub fn is_exclusive(ty: &syn::Type) -> bool {
    let direct = |ty: &syn::Type| matches!(ty, syn::Type::Reference(r) if r.mutability.is_some());
    direct(ty) || types::option_of(ty).is_some_and(direct)
}

/// The type of the copy of an `Option<&T>`, where that may carry a derivative.
fn own_option(ty: &syn::Type, base: &Base) -> Option<syn::Type> {
    let syn::Type::Reference(lent) = types::option_of(ty)? else { return None };
    use syn::Type::{Array, ImplTrait, Reference, TraitObject};
    let unknown = matches!(&*lent.elem, TraitObject(_) | Reference(_) | ImplTrait(_) | Array(_));
    if unknown || types::is_passive(&types::describe(&lent.elem, base)) {
        return None;
    }
    let own: TokenStream = match &*lent.elem {
        syn::Type::Slice(syn::TypeSlice { elem, .. }) => quote!(::std::vec::Vec<#elem>),
        elem => elem.to_token_stream(),
    };
    Some(match lent.mutability {
        Some(_) => syn::parse_quote!(&mut ::core::option::Option<#own>),
        None => syn::parse_quote!(::core::option::Option<#own>),
    })
}

/// The type parameter `T: Into<f64>` of `v: T`, where nothing else mentions it, and what it becomes.
fn converted(ty: &syn::Type, item: &syn::ItemFn, base: &Base) -> Option<(Ident, syn::Type)> {
    let syn::Type::Path(p) = ty else { return None };
    let (name, Base::Concrete(float) | Base::Generic(float)) = (p.path.get_ident()?, base);
    let is_own = |to: &syn::Type| *float == to.to_token_stream().to_string() || carries(to, base);
    let number = bounds_of(name, &item.sig.generics).find_map(target_of).filter(is_own)?;
    let mentions = |tokens: TokenStream| crate::support::syntax::mentions(&tokens, name);
    let elsewhere = item.sig.inputs.iter().any(|input| match input {
        syn::FnArg::Typed(p) => *p.ty != *ty && mentions(p.ty.to_token_stream()),
        syn::FnArg::Receiver(_) => false,
    });
    let alone = !elsewhere && !mentions(item.sig.output.to_token_stream()) && !mentions(item.block.to_token_stream());
    alone.then(|| (name.clone(), number))
}

/// Whether a type that a function's text names is the user's, and may carry a derivative.
fn carries(ty: &syn::Type, base: &Base) -> bool {
    let named = matches!(ty, syn::Type::Path(p) if p.qself.is_none());
    named && types::describe(ty, base) == Ty::Unknown && !types::is_passive(&types::describe(ty, base))
}

/// `F` of a bound `Into<F>`.
fn target_of(bound: &syn::TypeParamBound) -> Option<syn::Type> {
    let syn::TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last().filter(|s| s.ident == "Into")?;
    types::first_argument(last).cloned()
}

/// Takes type parameters out, with their clauses.
pub fn without_parameters(generics: &mut syn::Generics, gone: &[Ident]) {
    let named = |ty: &syn::Type| gone.iter().any(|name| matches!(ty, syn::Type::Path(p) if p.path.is_ident(name)));
    generics.params = std::mem::take(&mut generics.params)
        .into_iter()
        .filter(|p| !matches!(p, syn::GenericParam::Type(t) if gone.contains(&t.ident)))
        .collect();
    if let Some(clause) = &mut generics.where_clause {
        clause.predicates = std::mem::take(&mut clause.predicates)
            .into_iter()
            .filter(|p| !matches!(p, syn::WherePredicate::Type(p) if named(&p.bounded_ty)))
            .collect();
    }
}

/// `v.into()` of a parameter that is the number already.
struct Conversions(Vec<Ident>);

impl VisitMut for Conversions {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let syn::Expr::MethodCall(m) = &*expr else { return };
        let syn::Expr::Path(p) = strip_parens(&m.receiver) else { return };
        let own = p.path.get_ident().is_some_and(|name| self.0.contains(name));
        if own && m.method == "into" {
            *expr = (*m.receiver).clone();
        }
    }
}
