//! Places: their text, the type at the end of a path, and the members on the way.

use crate::ir::*;
use proc_macro2::Ident;
use quote::{format_ident, quote};

/// A place as text: the same for the same path.
pub fn key(place: &Place) -> String {
    let mut text = format!("{}", place.root.0);
    for step in &place.path {
        match step {
            Proj::Field(member) => text += &format!(".{}", quote!(#member)),
            Proj::Payload(variant, member) => text += &format!(".{variant}.{}", quote!(#member)),
            Proj::Deref => text += ".*",
            Proj::Index(i) => text += &format!("[{}]", i.tokens),
            Proj::Range(lo, hi) => {
                let end = |o: &Option<PassiveCode>| o.as_ref().map(|o| o.tokens.to_string()).unwrap_or_default();
                text += &format!("[{}..{}]", end(lo), end(hi));
            }
        }
    }
    text
}

/// The type at the end of a path.
pub fn element(ty: &Ty, path: &[Proj]) -> Ty {
    path.iter().fold(ty.clone(), |ty, step| match (ty, step) {
        (ty, Proj::Index(i)) => type_of_index(i).unwrap_or_else(|| element_type(&ty)),
        (Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e), Proj::Range(..)) => Ty::Slice(e),
        (ty, Proj::Field(member)) => crate::ir::place::member(&ty, member),
        _ => Ty::Unknown,
    })
}

/// What begins the name of the function by which an index says what type it leads to.
const LEADS: &str = "leads_to_";

/// The name of a type of numbers, or of what holds some.
pub fn type_name(ty: &Ty) -> Option<String> {
    let holding =
        |name: &str, of: &Ty| Some(format!("{name}_of_{}", type_name(of).unwrap_or_else(|| "any".to_owned())));
    match ty {
        Ty::Float => Some("number".to_owned()),
        Ty::Vec(e) => holding("vec", e),
        Ty::Array(e) => holding("array", e),
        Ty::Slice(e) => holding("slice", e),
        _ => None,
    }
}

fn named_type(name: &str) -> Ty {
    let holding = |of: &str| Box::new(named_type(of));
    match name.split_once("_of_") {
        Some(("vec", of)) => Ty::Vec(holding(of)),
        Some(("array", of)) => Ty::Array(holding(of)),
        Some(("slice", of)) => Ty::Slice(holding(of)),
        _ if name == "number" => Ty::Float,
        _ => Ty::Unknown,
    }
}

/// The function by which an index says what type it leads to.
pub fn leads_to(name: &str) -> Ident {
    format_ident!("{LEADS}{name}")
}

/// The type that an index leads to, if it says so: that of a method which returns a reference.
pub fn type_of_index(index: &PassiveCode) -> Option<Ty> {
    let mut tokens = index.tokens.clone().into_iter().skip(2);
    let proc_macro2::TokenTree::Ident(name) = tokens.next()? else { return None };
    name.to_string().strip_prefix(LEADS).map(named_type)
}

/// The type of a sequence's elements.
pub fn element_type(ty: &Ty) -> Ty {
    match ty {
        Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e) => (**e).clone(),
        Ty::Library => Ty::Float,
        _ => Ty::Unknown,
    }
}

/// Whether a path leads through a struct or an enum, of whose members only rustc knows whether they carry derivatives.
pub fn is_in_data(ty: &Ty, path: &[Proj]) -> bool {
    path.iter().enumerate().any(|(k, step)| match step {
        Proj::Field(_) => !matches!(element(ty, &path[..k]), Ty::Tuple(_)),
        Proj::Payload(..) => true,
        _ => false,
    })
}

/// A member of a tuple or struct.
pub fn member(ty: &Ty, member: &syn::Member) -> Ty {
    match (ty, member) {
        (Ty::Tuple(all), syn::Member::Unnamed(i)) => all.get(i.index as usize).cloned().unwrap_or(Ty::Unknown),
        (Ty::Struct(all), member) => all.get(&field_name(member)).cloned().unwrap_or(Ty::Unknown),
        _ => Ty::Unknown,
    }
}

/// A field's name, as types have it.
pub fn field_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => name.to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The name of an accessor.
pub fn accessor(variant: &Ident, member: &syn::Member) -> Ident {
    match member {
        syn::Member::Named(name) => format_ident!("__{}_{}", variant, name),
        syn::Member::Unnamed(k) => format_ident!("__{}_{}", variant, k.index),
    }
}
