//! Copies of values, field by field: the types need no `Clone`.

use super::Derived;
use super::clones::{checked_copy, checked_where_by_hand};
use super::fields::{Field, Fields, Part};
use crate::frontend::syntax::named_types::users_own;
use proc_macro2::TokenStream;
use quote::quote;

impl Derived<'_> {
    /// A constructor with a copy of each field, whose places are these.
    pub fn copied(
        &self,
        fields: &Fields,
        constructor: &TokenStream,
        place: &dyn Fn(&Field) -> TokenStream,
    ) -> TokenStream {
        let copy = |f: &Field| match self.is_foreign(f) {
            true => found_by_rustc(&f.asked_type(), &place(f)),
            false => copy(&f.ty, &f.part, &place(f)),
        };
        let values: Vec<TokenStream> = fields.all.iter().map(copy).collect();
        let written = fields.written(&values);
        quote!(#constructor #written)
    }
}

fn copy(ty: &syn::Type, part: &Part, place: &TokenStream) -> TokenStream {
    match part {
        Part::Passive | Part::Inert => copy_of_constant(ty, place),
        Part::Active => quote!(<#ty as __d::Active>::copied(&#place, pool)),
        Part::Asked(_) => found_by_rustc(&quote!(#ty), place),
        Part::Tuple(all) => {
            let all = all.iter().enumerate().map(|(k, (ty, part))| {
                let k = syn::Index::from(k);
                copy(ty, part, &quote!(#place.#k))
            });
            quote!((#(#all,)*))
        }
    }
}

/// A user's own type may be cloned in any way, but derivative code copies where the function moves.
fn copy_of_constant(ty: &syn::Type, place: &TokenStream) -> TokenStream {
    let clone = quote!(::core::clone::Clone::clone(&#place));
    match users_own(ty).is_empty() {
        true => clone,
        false => checked_copy(ty, &clone, place),
    }
}

fn found_by_rustc(ty: &TokenStream, place: &TokenStream) -> TokenStream {
    let check = checked_where_by_hand(ty, &quote!(&#place));
    quote!({
        use __d::CopyPart as _;
        #check
        (&&&__d::Kin::<#ty>::new()).copy_part(&#place, pool)
    })
}
