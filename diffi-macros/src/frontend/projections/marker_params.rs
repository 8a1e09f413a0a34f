//! Type parameters of structs that stand in `PhantomData` alone, `U` of `struct Quantity<U> { value: f64, unit: PhantomData<U> }`: units,
//! frames and states that are told by types. Values hold none of them, and so nothing is asked of them but that they may be kept.

use super::defined::beside;
use crate::support::tokens::position;
use proc_macro2::Ident;
use syn::visit::{self, Visit};

/// Whether each of an item's parameters, lifetimes left out, stands in `PhantomData` alone.
pub fn of<'f>(generics: &syn::Generics, fields: impl Iterator<Item = &'f syn::Type> + Clone) -> Vec<bool> {
    let params = generics.params.iter().filter(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
    let is_marker = |param: &syn::GenericParam| match param {
        syn::GenericParam::Type(ty) => is_marker(&ty.ident, fields.clone()),
        _ => false,
    };
    params.map(is_marker).collect()
}

/// Whether fields mention a parameter, and all of them in `PhantomData`.
pub fn is_marker<'f>(name: &Ident, fields: impl Iterator<Item = &'f syn::Type>) -> bool {
    let mut uses = Uses { name, inside: false, outside: false };
    fields.for_each(|ty| uses.visit_type(ty));
    uses.inside && !uses.outside
}

struct Uses<'n> {
    name: &'n Ident,
    /// It stands in a `PhantomData`.
    inside: bool,
    /// It stands elsewhere.
    outside: bool,
}

impl<'t> Visit<'t> for Uses<'_> {
    fn visit_path_segment(&mut self, segment: &'t syn::PathSegment) {
        if segment.ident != "PhantomData" {
            return visit::visit_path_segment(self, segment);
        }
        let mut inner = Uses { name: self.name, inside: false, outside: false };
        visit::visit_path_segment(&mut inner, segment);
        self.inside |= inner.inside || inner.outside;
    }

    fn visit_ident(&mut self, ident: &'t Ident) {
        self.outside |= ident == self.name;
    }
}

/// The names in a type, without the arguments of own structs that stand for such parameters.
pub fn names_without_markers(ty: &syn::Type) -> Vec<String> {
    let files = position().map(|at| beside(&at.file)).unwrap_or_default();
    let markers = |name: &Ident| {
        let mut all = files.iter().filter_map(|file| file.markers.get(&name.to_string())).flatten();
        all.next().filter(|first| all.all(|other| other == *first)).cloned()
    };
    let mut names = Names { markers: &markers, found: Vec::new() };
    names.visit_type(ty);
    names.found
}

struct Names<'m> {
    markers: &'m dyn Fn(&Ident) -> Option<Vec<bool>>,
    found: Vec<String>,
}

impl<'t> Visit<'t> for Names<'_> {
    fn visit_path_segment(&mut self, segment: &'t syn::PathSegment) {
        self.found.push(segment.ident.to_string());
        let markers = (self.markers)(&segment.ident).unwrap_or_default();
        let syn::PathArguments::AngleBracketed(all) = &segment.arguments else {
            return self.visit_path_arguments(&segment.arguments);
        };
        let arguments = all.args.iter().filter(|argument| !matches!(argument, syn::GenericArgument::Lifetime(_)));
        for (k, argument) in arguments.enumerate() {
            if !markers.get(k).copied().unwrap_or(false) {
                self.visit_generic_argument(argument);
            }
        }
    }

    fn visit_ident(&mut self, ident: &'t Ident) {
        self.found.push(ident.to_string());
    }
}
