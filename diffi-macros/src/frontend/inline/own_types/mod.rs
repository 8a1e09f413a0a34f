//! Inlining of the small functions of a module's own structs: operators, methods and constructors, where the types of what they are
//! applied to follow from the text.
//!
//! `p[j] - p[i]` of a slice of `V3` is written `__V3_sub_0(p[j], p[i])`, and `d.norm()` is written `__V3_norm_1(d)`: inner functions, with
//! the text of the block that stands in the same module. There is no other block that could be meant. That the types are what they are taken
//! for, rustc confirms: it is given the function as it is written here, whose inner functions name the types of what they take.

mod applied;
mod changed_places;
mod kinds;
mod meant;
mod of_std;
mod scopes;
mod shown;
mod typing;

use crate::frontend::inline::names;
use crate::frontend::syntax::types::described_element;
use crate::ir::{Base, Owner, OwnerKind};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit::{self, Visit};
use typing::Typing;

/// The function with what it applies to own structs as inner functions; none if there is nothing of the kind.
pub fn with_own_types(item: &syn::ItemFn, owner: Option<&Owner>, base: &Base) -> Option<syn::ItemFn> {
    let Base::Concrete(float) = base else { return None };
    let module = shown::module()?;
    let of = match owner {
        None => None,
        Some(owner) if matches!(owner.kind, OwnerKind::Inherent) && owner.generics.params.is_empty() => {
            Some(crate::frontend::projections::field_types::name_of(&owner.ty)?.to_string())
        }
        Some(_) => return None,
    };
    let bound = names::bound(item);
    if bound.contains(names::ANY) || has_attributes(item) {
        return None;
    }
    let mut typing = Typing::of(&module, &bound, of, float.to_string());
    let mut with = item.clone();
    typing.function(&mut with);
    let inner = typing.inner()?;
    let inner = inner.into_iter().map(|f| syn::Stmt::Item(syn::Item::Fn(f)));
    with.block.stmts = inner.chain(with.block.stmts).collect();
    Some(with)
}

/// Whether a function of a struct of the module gives a value of it, whatever its name: `V3::along(..)`.
pub fn gives_own(owner: &Ident, name: &Ident) -> bool {
    shown::module().is_some_and(|module| {
        module.functions.iter().any(|f| owner == f.owner.as_str() && name == f.name.as_str() && f.gives_own)
    })
}

/// What the only function of this name in the module gives.
pub fn result_of(name: &Ident) -> Option<syn::Type> {
    let text = shown::here()?.results.get(&name.to_string())?.clone()?;
    syn::parse_str(&text).ok()
}

/// Whether a type is a struct of the module that derives `Clone`, a reference to such, or a list of such.
pub fn clones_are_copies(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(r) => clones_are_copies(&r.elem),
        syn::Type::Path(p) if p.qself.is_none() && derives_clone(&p.path) => true,
        ty => described_element(ty).is_some_and(clones_are_copies),
    }
}

/// Whether a struct of the module derives `Clone`.
pub fn derives_clone(path: &syn::Path) -> bool {
    let name = path.get_ident().map(ToString::to_string);
    name.is_some_and(|name| shown::here().is_some_and(|module| module.cloned.contains(&name)))
}

/// The function of an operator that the module implements for values, if this is one for references to these.
pub fn operators_of_values(this: &syn::Type, of: &syn::PathSegment) -> Option<syn::ItemFn> {
    let owner = shown::text_of(this)?;
    let operand = shown::argument(of).unwrap_or_else(|| owner.clone());
    let bare = |text: &str| text.trim_start_matches('&').to_owned();
    let refers = owner.starts_with('&') || operand.starts_with('&');
    let module = shown::module().filter(|_| refers)?;
    let of = (of.ident.to_string(), bare(&operand));
    let value = module.functions.iter().find(|f| f.annotated && f.owner == bare(&owner) && f.of.as_ref() == Some(&of));
    value?.item()
}

/// The function as it is taken for, which rustc checks and nobody calls.
pub fn typed_text(item: &syn::ItemFn, owner: Option<&Owner>) -> TokenStream {
    let name = format_ident!("__typed_{}", item.sig.ident.to_string().trim_start_matches("r#"));
    let sig = syn::Signature { ident: Ident::new(&name.to_string(), item.sig.ident.span()), ..item.sig.clone() };
    let block = &item.block;
    let function = quote!(#[doc(hidden)] #[allow(warnings, clippy::all, clippy::pedantic)] #sig #block);
    let function = match owner {
        None => function,
        Some(owner) => {
            let ty = &owner.ty;
            quote!(#[allow(warnings, clippy::all, clippy::pedantic)] impl #ty { #function })
        }
    };
    quote!(const _: () = { #function };)
}

/// Whether anything in the body has an attribute.
fn has_attributes(item: &syn::ItemFn) -> bool {
    struct Attributes(bool);
    impl<'a> Visit<'a> for Attributes {
        fn visit_attribute(&mut self, _: &'a syn::Attribute) {
            self.0 = true;
        }
    }
    let mut found = Attributes(false);
    found.visit_block(&item.block);
    item.sig.inputs.iter().for_each(|input| visit::visit_fn_arg(&mut found, input));
    found.0
}
