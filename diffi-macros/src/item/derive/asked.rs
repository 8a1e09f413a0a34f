//! Fields of types of which only rustc knows whether they carry derivatives: `kind: Kind`.
//!
//! Derivative code sees such a field as the type [`Seen`](PartOf::Seen), which is the field's own, or nothing.

use super::fields::{Data, Field, Part, mentions};
use crate::frontend::syntax::named_types::users_own;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

impl Data {
    /// Leaves it to rustc which fields of the user's types carry derivatives.
    pub fn ask(&mut self, own: &Ident, generics: &syn::Generics, base: &TokenStream, root: &TokenStream) {
        let of = |field: &Field| matches!(field.part, Part::Active) && is_open(&field.ty, own, generics);
        for (k, field) in self.fields_mut().into_iter().filter(|field| of(field)).enumerate() {
            let (ty, name) = (&field.ty, question(own, k));
            let seen = syn::parse_quote! {
                <#root::__private::Answer<{ #name }> as #root::__private::PartOf<#ty, #base>>::Seen
            };
            field.part = Part::Asked(Box::new(seen));
        }
    }

    /// What rustc is asked of these fields: each of them carries derivatives, or cannot, or is refused.
    pub fn questions(&self, own: &Ident, root: &TokenStream) -> TokenStream {
        let asked = self.fields().into_iter().filter(|field| matches!(field.part, Part::Asked(_)));
        let questions = asked.enumerate().map(|(k, field)| {
            let (ty, name, refused) = (&field.ty, question(own, k), refused(&field.ty));
            quote_spanned! {ty.span()=>
                #[doc(hidden)]
                #[allow(non_upper_case_globals, unused_imports)]
                const #name: bool = {
                    use #root::__private::NotAsked as _;
                    match #root::__private::Asked::<#ty>::KNOWN {
                        true => #root::__private::Asked::<#ty>::ACTIVE,
                        false => ::core::panic!(#refused),
                    }
                };
            }
        });
        quote!(#(#questions)*)
    }
}

/// The name of a question.
fn question(own: &Ident, k: usize) -> Ident {
    format_ident!("__{own}_{k}", span = Span::call_site())
}

fn refused(ty: &syn::Type) -> String {
    let named = users_own(ty).first().to_token_stream().to_string().replace(' ', "");
    format!(
        "`{named}` cannot carry a derivative [D0808]: put `#[derive(Differentiable)]` on `{named}`, or \
         `#[differentiable(constant)]` on the field"
    )
}

impl Field {
    /// The type, of which rustc says nothing more where it is refused.
    pub fn asked_type(&self) -> TokenStream {
        let ty = &self.ty;
        let Part::Asked(seen) = &self.part else { return quote!(#ty) };
        let syn::Type::Path(syn::TypePath { qself: Some(qself), .. }) = &**seen else { return quote!(#ty) };
        let answer = &qself.ty;
        quote!(<#answer as __d::TypeOf<#ty>>::Type)
    }
}

/// Whether a type is one of the user's, or a container of such, and has nothing to do with the type's parameters.
pub fn is_open(ty: &syn::Type, own: &Ident, generics: &syn::Generics) -> bool {
    let is_generic = |param: &syn::GenericParam| match param {
        syn::GenericParam::Type(t) => mentions(ty, &t.ident),
        syn::GenericParam::Const(c) => mentions(ty, &c.ident),
        syn::GenericParam::Lifetime(_) => false,
    };
    !users_own(ty).is_empty() && !mentions(ty, own) && !generics.params.iter().any(is_generic)
}

/// The float of a struct whose fields are all of such types.
pub fn base(ty: &syn::Type, root: &TokenStream) -> TokenStream {
    let answer = quote_spanned! {ty.span()=>
        #root::__private::Answer<{
            #[allow(unused_imports)]
            use #root::__private::NotAsked as _;
            #root::__private::Asked::<#ty>::ACTIVE
        }>
    };
    quote!(<#answer as #root::__private::FloatOf<#ty>>::Base)
}

/// A field as derivative code sees it.
pub fn seen(ty: &syn::Type, place: &TokenStream, exclusive: bool) -> TokenStream {
    let syn::Type::Path(syn::TypePath { qself: Some(qself), path }) = ty else { return place.clone() };
    let Some(of) = path.segments.iter().rev().nth(1).filter(|of| of.ident == "PartOf") else { return place.clone() };
    let (answer, of) = (&qself.ty, &of.arguments);
    match exclusive {
        true => quote!((*<#answer as __d::PartOf #of>::seen_mut(&mut #place))),
        false => quote!((*<#answer as __d::PartOf #of>::seen(&#place))),
    }
}
