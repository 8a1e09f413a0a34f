//! Whether a user's `Clone` copies: derivative code takes it for a copy, and says so where it is none.

use super::Derived;
use super::fields::{Field, Part};
use crate::frontend::projections::clones::{Cloning, is_cloned_by_hand};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit::{self, Visit};

impl Derived<'_> {
    /// Tries the type's `Clone` on a value that is copied: on each where a user wrote it, and on the first where nothing is known of it.
    pub fn clone_tried(&self) -> TokenStream {
        let is_copy = |tried: &TokenStream| {
            quote!({
                use __d::{TriedIfCloned as _, Untried as _};
                (&&__d::Clones(self)).is_copy(#tried);
            })
        };
        match self.cloning {
            Cloning::Derived => TokenStream::new(),
            // rustc finds no `Clone` in an impl for all parameters that only some have
            Cloning::ByHand if self.generics.type_params().next().is_some() => quote!(__d::clone_is_copy(self);),
            Cloning::ByHand => is_copy(&quote!(::core::option::Option::None)),
            Cloning::Unknown => {
                let tried = is_copy(&quote!(::core::option::Option::Some(&TRIED)));
                quote! {
                    static TRIED: ::std::sync::atomic::AtomicBool = ::std::sync::atomic::AtomicBool::new(false);
                    #tried
                }
            }
        }
    }

    /// Whether the constants of a field are the same in two values.
    pub fn same_constants(&self, field: &Field, a: &TokenStream, b: &TokenStream) -> TokenStream {
        match self.is_foreign(field) {
            true => compared(a, b, &quote!(otherwise)),
            false => same(&field.ty, &field.part, a, b),
        }
    }
}

fn same(ty: &syn::Type, part: &Part, a: &TokenStream, b: &TokenStream) -> TokenStream {
    match part {
        Part::Active => quote!(<#ty as __d::Active>::has_constants_of(&#a, &#b, otherwise)),
        Part::Passive | Part::Inert | Part::Asked(_) => compared(a, b, &quote!(otherwise)),
        Part::Tuple(all) => {
            let all = all.iter().enumerate().map(|(k, (ty, part))| {
                let k = syn::Index::from(k);
                same(ty, part, &quote!(#a.#k), &quote!(#b.#k))
            });
            quote!((true #(&& #all)*))
        }
    }
}

fn compared(a: &TokenStream, b: &TokenStream, otherwise: &TokenStream) -> TokenStream {
    quote!({
        use __d::{ComparedByEq as _, ComparedByParts as _, NotCompared as _};
        (&&&__d::Compared(&#a, &#b)).are_same(#otherwise)
    })
}

/// A copy that has to be equal, if that can be found out. A type with a `Clone` by hand has to show it.
pub fn checked_copy(ty: &syn::Type, copy: &TokenStream, place: &TokenStream) -> TokenStream {
    let otherwise = !names_one_cloned_by_hand(ty);
    let same = compared(&quote!(copy), place, &quote!(#otherwise));
    quote!({
        let copy: #ty = #copy;
        let same = #same;
        __d::copy_of_constant(copy, same)
    })
}

/// The same check alone, of a field that rustc copies: where the text shows a `Clone` by hand. `place` is a reference.
pub fn checked_where_by_hand(ty: &TokenStream, place: &TokenStream) -> TokenStream {
    let ty = syn::parse2::<syn::Type>(ty.clone());
    match ty.is_ok_and(|ty| names_one_cloned_by_hand(&ty)) {
        true => {
            let same = compared(&quote!(::core::clone::Clone::clone(value)), &quote!((*value)), &quote!(false));
            quote!({
                let value = #place;
                let same = #same;
                __d::copy_of_constant(value, same);
            })
        }
        false => TokenStream::new(),
    }
}

fn names_one_cloned_by_hand(ty: &syn::Type) -> bool {
    struct Named(bool);
    impl<'a> Visit<'a> for Named {
        fn visit_ident(&mut self, name: &'a Ident) {
            self.0 |= is_cloned_by_hand(&name.to_string());
            visit::visit_ident(self, name);
        }
    }
    let mut named = Named(false);
    named.visit_type(ty);
    named.0
}
