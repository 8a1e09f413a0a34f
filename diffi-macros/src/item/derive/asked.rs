//! Fields of types of which only rustc knows whether they carry derivatives: `kind: Kind`.
//!
//! Derivative code sees such a field as the type [`Seen`](PartOf::Seen), which is the field's own, or nothing.

use super::fields::{Data, Field, Part, mentions};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

impl Data {
    /// Leaves it to rustc which fields of types without arguments carry derivatives.
    pub fn ask(&mut self, own: &Ident, generics: &syn::Generics, base: &TokenStream, root: &TokenStream) {
        let of = |field: &Field| matches!(field.part, Part::Active) && is_open(&field.ty, own, generics);
        for field in self.fields_mut().into_iter().filter(|field| of(field)) {
            let (ty, answer) = (&field.ty, answer(&field.ty, "ACTIVE", root));
            let seen = syn::parse_quote!(<#answer as #root::__private::PartOf<#ty, #base>>::Seen);
            field.part = Part::Asked(Box::new(seen));
        }
    }

    /// Code that compiles only if these fields carry derivatives, or cannot.
    pub fn known(&self, root: &TokenStream) -> TokenStream {
        let asked = self.fields().into_iter().filter(|field| matches!(field.part, Part::Asked(_)));
        let questions = asked.map(|field| {
            let (ty, answer) = (&field.ty, answer(&field.ty, "KNOWN", root));
            quote_spanned!(ty.span()=> __d::is_known::<#ty, #answer>();)
        });
        quote!(const _: fn() = || { #(#questions)* };)
    }
}

/// Whether a type is a name alone, and not one of the type's parameters.
pub fn is_open(ty: &syn::Type, own: &Ident, generics: &syn::Generics) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    let plain = p.qself.is_none() && p.path.segments.iter().all(|s| s.arguments.is_none());
    let last = p.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    let is_float = last == "f64" || last == "f32";
    plain && !is_float && !mentions(ty, own) && !generics.type_params().any(|g| mentions(ty, &g.ident))
}

/// The float of a struct whose fields are all of such types.
pub fn base(ty: &syn::Type, root: &TokenStream) -> TokenStream {
    let answer = answer(ty, "ACTIVE", root);
    quote!(<#answer as #root::__private::FloatOf<#ty>>::Base)
}

fn answer(ty: &syn::Type, question: &str, root: &TokenStream) -> TokenStream {
    let (question, span) = (Ident::new(question, Span::call_site()), ty.span());
    quote_spanned! {span=>
        #root::__private::Answer<{
            #[allow(unused_imports)]
            use #root::__private::NotAsked as _;
            #root::__private::Asked::<#ty>::#question
        }>
    }
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
