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
        (ty, Proj::Index(_)) => element_type(&ty),
        (Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e), Proj::Range(..)) => Ty::Slice(e),
        (ty, Proj::Field(member)) => crate::ir::place::member(&ty, member),
        _ => Ty::Unknown,
    })
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
