//! Parameters that are iterators: derivative code takes a list of the elements in their place.
//!
//! `fn norm(values: impl Iterator<Item = f64>) -> f64 { body }` is lowered as
//! `fn norm(#[copies] values: &[f64]) -> f64 { let mut values = values.iter().copied(); body }`: for all passes it is a slice. Its
//! derivative functions take whatever can be walked over, callers collect what they hand over.

use crate::frontend::syntax::copied_params::without_parameters;
use crate::frontend::syntax::signature::through_reference;
use crate::frontend::syntax::types::{self, bounds_of};
use crate::ir::{Base, ViewForm};
use crate::support::errors::Errors;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::visit::Visit;

/// The attributes of such parameters: what callers hand over, of a list.
const SEEN: &[(&str, ViewForm)] = &[("elements", ViewForm::Elements), ("copies", ViewForm::Copies)];

/// Traits whose values are walked over.
const WALKED: &[&str] = &["Iterator", "IntoIterator", "DoubleEndedIterator", "ExactSizeIterator", "FusedIterator"];

/// The function as derivative code has it.
pub fn with_lists(mut item: syn::ItemFn) -> syn::ItemFn {
    let (mut stmts, mut gone) = (Vec::<syn::Stmt>::new(), Vec::new());
    let generics = item.sig.generics.clone();
    for input in &mut item.sig.inputs {
        let syn::FnArg::Typed(p) = input else { continue };
        let syn::Pat::Ident(pattern) = &mut *p.pat else { continue };
        let Some((parameter, items)) = walked(&p.ty, &generics) else { continue };
        let (element, reference, exclusive) = through_reference(&items);
        if exclusive || borrows(element) {
            continue;
        }
        let name = &pattern.ident;
        let (begun, attribute) = match reference {
            true => (syn::parse_quote!(let mut #name = #name.iter();), syn::parse_quote!(#[elements])),
            false => (syn::parse_quote!(let mut #name = #name.iter().cloned();), syn::parse_quote!(#[copies])),
        };
        stmts.push(begun);
        p.attrs.push(attribute);
        pattern.mutability = None;
        gone.push(parameter);
        *p.ty = syn::parse_quote!(&[#element]);
    }
    item.block.stmts.splice(0..0, stmts);
    without_parameters(&mut item.sig.generics, &gone);
    item
}

/// How the user's function sees a list that derivative code takes in place of what it walks over.
pub fn seen(p: &syn::PatType) -> Option<ViewForm> {
    let row = SEEN.iter().find(|(name, _)| p.attrs.iter().any(|a| a.path().is_ident(name)));
    row.map(|(_, seen)| *seen)
}

/// Refuses an iterator that has no list, and may carry derivatives; whether the parameter is an iterator over anything.
pub fn check_iterator(errors: &mut Errors, ty: &syn::Type, generics: &syn::Generics, base: &Base) -> bool {
    if let syn::Type::Reference(r) = ty
        && walked(&r.elem, generics).is_some()
    {
        let instead = "take the iterator by value, or a slice";
        errors.signature(r.and_token.span, "an iterator behind a reference", instead);
        return true;
    }
    let Some((_, items)) = walked(ty, generics) else { return false };
    if !types::is_passive(&types::describe(through_reference(&items).0, base)) {
        let instead = "take `impl Iterator<Item = f64>`, items of their own or references to such, under a plain name; or a slice";
        errors.signature(ty.span(), "an iterator over these items", instead);
    }
    true
}

/// The type parameter that is an iterator, and the type of its items.
fn walked(ty: &syn::Type, generics: &syn::Generics) -> Option<(Ident, syn::Type)> {
    let syn::Type::Path(p) = ty else { return None };
    let name = p.path.get_ident()?;
    bounds_of(name, generics).find_map(items_of).map(|items| (name.clone(), items))
}

/// The items of a bound `Iterator<Item = ..>`.
pub fn items_of(bound: &syn::TypeParamBound) -> Option<syn::Type> {
    let syn::TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last().filter(|s| WALKED.iter().any(|w| s.ident == w))?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|a| match a {
        syn::GenericArgument::AssocType(a) if a.ident == "Item" => Some(a.ty.clone()),
        _ => None,
    })
}

/// Whether values of this type cannot stand in a list.
pub fn borrows(ty: &syn::Type) -> bool {
    struct Borrows(bool);
    impl Visit<'_> for Borrows {
        fn visit_type_reference(&mut self, _: &syn::TypeReference) {
            self.0 = true;
        }
        fn visit_type_slice(&mut self, _: &syn::TypeSlice) {
            self.0 = true;
        }
        fn visit_ident(&mut self, name: &Ident) {
            self.0 |= name == "str";
        }
    }
    let mut found = Borrows(false);
    found.visit_type(ty);
    found.0
}
