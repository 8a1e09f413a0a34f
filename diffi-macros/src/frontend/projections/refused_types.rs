//! Types whose `#[derive(Differentiable)]` is refused: functions that mention one have no message of their own beside the derive's.

use super::defined::beside;
use super::definitions::type_name;
use crate::frontend::syntax::types;
use crate::ir::{Base, Owner};
use crate::support::syntax::mentions;
use crate::support::tokens::position;
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// Collections of std that change at both ends, or in the middle. Values of such types have no tangents.
const QUEUES: &[&str] = &["VecDeque", "LinkedList", "BinaryHeap"];

/// The name of a queue that may hold numbers, in a field's type.
pub fn queue_of_numbers(ty: &syn::Type) -> Option<&Ident> {
    match ty {
        syn::Type::Paren(p) => queue_of_numbers(&p.elem),
        syn::Type::Group(g) => queue_of_numbers(&g.elem),
        syn::Type::Array(a) => queue_of_numbers(&a.elem),
        syn::Type::Tuple(t) => t.elems.iter().find_map(queue_of_numbers),
        syn::Type::Path(p) => {
            let last = p.path.segments.last()?;
            let mut given = arguments(last);
            match QUEUES.iter().any(|name| last.ident == name) && given.clone().any(may_hold_numbers) {
                true => Some(&last.ident),
                false => given.find_map(queue_of_numbers),
            }
        }
        _ => None,
    }
}

fn may_hold_numbers(ty: &syn::Type) -> bool {
    !types::is_passive(&types::describe(ty, &Base::Concrete(Ident::new("f64", Span::call_site()))))
}

fn arguments(segment: &syn::PathSegment) -> impl Iterator<Item = &syn::Type> + Clone {
    let given = match &segment.arguments {
        syn::PathArguments::AngleBracketed(given) => Some(given.args.iter()),
        _ => None,
    };
    given.into_iter().flatten().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Whether a type of these fields derives `Differentiable`, and the derive refuses it.
pub fn is_refused<'f>(attrs: &[syn::Attribute], fields: impl IntoIterator<Item = &'f syn::Field>) -> bool {
    let derives =
        |a: &syn::Attribute| a.path().is_ident("derive") && a.to_token_stream().to_string().contains("Differentiable");
    let conditional =
        |attrs: &[syn::Attribute]| attrs.iter().any(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"));
    let declared = |field: &syn::Field| field.attrs.iter().any(|a| a.path().is_ident("differentiable"));
    let refused =
        |field: &syn::Field| !conditional(&field.attrs) && !declared(field) && queue_of_numbers(&field.ty).is_some();
    attrs.iter().any(derives) && !conditional(attrs) && fields.into_iter().any(refused)
}

/// Whether a function mentions such a type, or is one's.
pub fn mentions_refused(item: &syn::ItemFn, owner: Option<&Owner>) -> bool {
    let files = position().map(|at| beside(&at.file)).unwrap_or_default();
    let mut refused = files.iter().flat_map(|file| &file.refused).peekable();
    if refused.peek().is_none() {
        return false;
    }
    let tokens = item.to_token_stream();
    let owner = owner.and_then(|owner| type_name(&owner.ty));
    refused
        .any(|name| owner.is_some_and(|owner| owner == name) || mentions(&tokens, &Ident::new(name, Span::call_site())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_of_numbers_are_found_in_containers() {
        let found = |ty: syn::Type| queue_of_numbers(&ty).map(Ident::to_string);
        assert_eq!(found(syn::parse_quote!(std::collections::VecDeque<f64>)).as_deref(), Some("VecDeque"));
        assert_eq!(found(syn::parse_quote!(Option<Vec<LinkedList<Order>>>)).as_deref(), Some("LinkedList"));
        assert_eq!(found(syn::parse_quote!(VecDeque<usize>)), None);
        assert_eq!(found(syn::parse_quote!(Vec<f64>)), None);
    }
}
