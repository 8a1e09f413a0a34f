//! Types that lend what they hold by traits of std: `impl Deref`, and `impl Index` of slices and structs.
//!
//! `w.iter()`, `w[i]` and `*w` are uses of what `Deref` leads to, where the type of `w` is known and has no such method or index of its own;
//! `m[i]` is one of `Index`. Where both the shared and the exclusive trait are there, they have to lead to the same place, by their texts.

use super::definitions::type_name;
use super::kinds::{reference, type_of};
use crate::frontend::syntax::types;
use crate::ir::{Base, Projection, Target, Ty};
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use std::collections::HashMap;

/// What a type lends by one of these traits, and how.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The name of the type that is lent.
    to: Option<String>,
    /// It is a number, whose reads and writes are calls.
    number: bool,
    annotated: bool,
    /// The texts of the functions.
    shared: Option<String>,
    exclusive: Option<String>,
    /// Two types have this name.
    twice: bool,
}

/// By the type's name, and the method's.
pub type Accesses = HashMap<(String, String), Access>;

/// The method's name in derivative code, of an implementation of such a trait; and whether it lends by `&mut`.
pub fn method_of(of: &syn::Path) -> Option<(Ident, bool)> {
    let last = of.segments.last()?;
    let exclusive = last.ident == "DerefMut" || last.ident == "IndexMut";
    let name = match last.ident.to_string().as_str() {
        "Deref" | "DerefMut" => format_ident!("deref"),
        "Index" | "IndexMut" => match types::first_argument(last)? {
            syn::Type::Tuple(t) => format_ident!("index_of_{}", t.elems.len()),
            syn::Type::Path(p) if p.path.is_ident("usize") => format_ident!("index"),
            _ => return None,
        },
        _ => return None,
    };
    Some((name, exclusive))
}

/// The method's name for an index, as it is written.
pub fn method_for(index: &syn::Expr) -> Ident {
    match strip_parens(index) {
        syn::Expr::Tuple(t) => format_ident!("index_of_{}", t.elems.len()),
        _ => format_ident!("index"),
    }
}

/// Whether a type is a number by its text: the float of a generic type is one.
pub fn is_number(ty: &syn::Type, generics: &syn::Generics) -> bool {
    let base = Base::Concrete(Ident::new("f64", Span::call_site()));
    let generic = matches!(ty, syn::Type::Path(p) if generics.type_params().any(|g| p.path.is_ident(&g.ident)));
    generic || types::describe(ty, &base) == Ty::Float
}

/// What an implementation lends: its associated type.
pub fn lent(block: &syn::ItemImpl) -> Option<syn::Type> {
    let named = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Type(t) if t.ident == "Target" || t.ident == "Output" => Some(t.ty.clone()),
        _ => None,
    });
    let returned = || {
        block.items.iter().find_map(|item| match item {
            syn::ImplItem::Fn(f) => match &f.sig.output {
                syn::ReturnType::Type(_, ty) => Some((*reference(ty)?.0.elem).clone()),
                syn::ReturnType::Default => None,
            },
            _ => None,
        })
    };
    named.or_else(returned)
}

/// Adds what an implementation lends.
pub fn add(all: &mut Accesses, block: &syn::ItemImpl, annotated: bool) {
    let Some((name, exclusive)) = block.trait_.as_ref().and_then(|(_, of, _)| method_of(of)) else { return };
    let (Some(owner), Some(to)) = (type_name(&block.self_ty), lent(block)) else { return };
    let body = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) => Some(text_of(f)),
        _ => None,
    });
    let access = all.entry((owner.to_string(), name.to_string())).or_default();
    let known = if exclusive { &mut access.exclusive } else { &mut access.shared };
    access.twice |= known.is_some();
    *known = body;
    if !exclusive {
        access.to = type_of(&to);
        access.number = is_number(&to, &block.generics);
        access.annotated = annotated;
    }
}

/// A function's parameters and body without what tells `&mut` from `&`.
fn text_of(f: &syn::ImplItemFn) -> String {
    let inputs = f.sig.inputs.iter().skip(1).map(|input| input.to_token_stream().to_string()).collect::<String>();
    let text = inputs + &f.block.to_token_stream().to_string();
    text.split_whitespace().filter(|word| *word != "mut").map(|word| word.replace("_mut", "")).collect()
}

impl Access {
    /// How a use of it is written out; not where the two traits lead to other places.
    pub fn projection(&self) -> Option<Projection> {
        let same = self.exclusive.is_none() || self.exclusive == self.shared;
        let known = self.shared.is_some() && same && self.annotated && !self.twice;
        let projection = Projection { target: Target::Part, exclusive: self.exclusive.is_some(), to: self.to.clone() };
        known.then_some(projection)
    }

    /// Whether it has the attribute, and the two traits lead to other places by their texts.
    pub fn is_unequal(&self) -> bool {
        self.annotated && !self.twice && self.exclusive.is_some() && self.exclusive != self.shared
    }

    /// Whether there is no exclusive trait beside the shared one.
    pub fn is_read_only(&self) -> bool {
        self.exclusive.is_none() && !self.twice
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        self.number
    }
}
