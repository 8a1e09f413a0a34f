//! Copies of values, field by field: the types need no `Clone`.

use super::Derived;
use super::fields::{Field, Fields, Part};
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
        Part::Passive | Part::Inert => quote!(::core::clone::Clone::clone(&#place)),
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

fn found_by_rustc(ty: &TokenStream, place: &TokenStream) -> TokenStream {
    quote!({
        use __d::CopyPart as _;
        (&&__d::Kin::<#ty>::new()).copy_part(&#place, pool)
    })
}
