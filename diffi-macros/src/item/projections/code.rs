//! The functions and indices of a method that returns a reference, for the type and for its tangent.

use super::routes::part_function;
use super::ways::Ways;
use crate::frontend::projections::kinds::{reference, type_of};
use crate::frontend::projections::where_function;
use crate::frontend::syntax::types;
use crate::ir::{Base, Owner, OwnerKind, Projection, place};
use crate::item::index_impls::tangent_path;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// What is emitted of one method.
pub struct Emitted<'a> {
    pub item: &'a syn::ItemFn,
    pub projection: Projection,
    pub owner: &'a Owner,
    pub root: &'a TokenStream,
    pub ways: Ways,
}

impl Emitted<'_> {
    /// All items.
    pub fn items(&self) -> TokenStream {
        let (root, of_value, of_tangent) = (self.root, self.of_value(), self.of_tangent());
        let (word, own) = (self.referred().map(word_type), self.is_found_by_name());
        quote! {
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, missing_docs)]
            const _: () = {
                use #root::__private as __d;
                #word
                #of_value
                #of_tangent
                #own
            };
        }
    }

    /// Code that compiles only if a method of a trait is the one that a call by its name finds: the type may have one of its own.
    fn is_found_by_name(&self) -> Option<TokenStream> {
        let OwnerKind::Implementation(of) = &self.owner.kind else { return None };
        let (ty, name) = (&self.owner.ty, &self.item.sig.ident);
        let plain = self.item.sig.generics.type_params().next().is_none();
        let (generics, _, bounds) = self.owner.generics.split_for_impl();
        plain.then(|| quote!(fn own #generics () #bounds { __d::is_of_std(<#ty>::#name, <#ty as #of>::#name); }))
    }

    fn of_value(&self) -> TokenStream {
        let (ty, (generics, _, bounds)) = (&self.owner.ty, self.owner.generics.split_for_impl());
        let (find, out) = (self.find(), self.target());
        let parts = self.parts(&out, self.projection.exclusive);
        let indices = self.indices(&quote!(#generics), &quote!(#ty #bounds), &out, self.projection.exclusive);
        quote! {
            impl #generics #ty #bounds { #find #parts }
            #indices
        }
    }

    /// The function that finds where the reference leads.
    fn find(&self) -> TokenStream {
        let sig = &self.item.sig;
        let (name, inputs) = (where_function(&sig.ident), sig.inputs.iter().skip(1));
        let (generics, _, bounds) = sig.generics.split_for_impl();
        let body = self.ways.found(self.projection.target);
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn #name #generics (&self, #(#inputs),*) -> At #bounds { let __self = self; #body }
        }
    }

    /// The functions that lead there.
    fn parts(&self, out: &TokenStream, exclusive: bool) -> TokenStream {
        let part = |exclusive: bool| {
            let name = part_function(&self.item.sig.ident, exclusive);
            let this = if exclusive { quote!(&mut) } else { quote!(&) };
            let body = self.ways.part(exclusive);
            quote! {
                #[doc(hidden)]
                #[inline]
                pub fn #name(#this self, word: u64) -> #this #out { let (__self, at) = (self, At(word)); #body }
            }
        };
        let shared = part(false);
        let exclusive = exclusive.then(|| part(true));
        quote!(#shared #exclusive)
    }

    /// The indices.
    fn indices(&self, generics: &TokenStream, of: &TokenStream, out: &TokenStream, exclusive: bool) -> TokenStream {
        let [part, part_mut] = [false, true].map(|exclusive| part_function(&self.item.sig.ident, exclusive));
        let exclusive = exclusive.then(|| {
            quote! {
                impl #generics __d::LeadsMut<At> for #of {
                    #[inline]
                    fn __lead_mut(&mut self, at: At) -> &mut #out { self.#part_mut(at.0) }
                }
            }
        });
        quote! {
            impl #generics __d::Leads<At> for #of {
                type To = #out;
                #[inline]
                fn __lead(&self, at: At) -> &#out { self.#part(at.0) }
            }
            #exclusive
        }
    }

    /// The same of the tangent, whose parts can always be changed.
    fn of_tangent(&self) -> TokenStream {
        let syn::Type::Path(ty) = &self.owner.ty else { return TokenStream::new() };
        let (own, tangent) = (&self.owner.ty, tangent_path(&ty.path));
        let mut generics = self.owner.generics.clone();
        let mut first: Option<Ident> = None;
        for param in generics.type_params_mut() {
            match &first {
                None => param.bounds.push(syn::parse_quote!(__d::Active)),
                Some(of) => param.bounds.push(syn::parse_quote!(__d::Active<Base = <#of as __d::Active>::Base>)),
            }
            first.get_or_insert_with(|| param.ident.clone());
        }
        generics.params.push(syn::parse_quote!(Space: __d::LinearSpace<<#own as __d::Active>::Base>));
        let (generics, _, bounds) = generics.split_for_impl();
        let out = self.shadow();
        let parts = self.parts(&out, true);
        let indices = self.indices(&quote!(#generics), &quote!(#tangent #bounds), &out, true);
        quote! {
            impl #generics #tangent #bounds { #parts }
            #indices
        }
    }

    /// What the reference leads to.
    fn referred(&self) -> Option<&syn::Type> {
        match &self.item.sig.output {
            syn::ReturnType::Type(_, ty) => reference(ty).map(|(reference, _)| &*reference.elem),
            syn::ReturnType::Default => None,
        }
    }

    fn target(&self) -> TokenStream {
        self.referred().map(ToTokens::to_token_stream).unwrap_or_default()
    }

    fn shadow(&self) -> TokenStream {
        self.referred().map(shadow).unwrap_or_default()
    }
}

/// The type of the word that leads to something of a type.
pub fn word_type(to: &syn::Type) -> TokenStream {
    let leads = place::leads_to(type_of(to).as_deref().unwrap_or("any"));
    let leads = quote!(pub fn #leads(self) -> At { self });
    quote! {
        #[derive(Clone, Copy, Default)]
        pub struct At(u64);
        impl At {
            #leads
            pub fn is_some(self) -> bool { self.0 != u64::MAX }
            pub fn unwrap(self) -> At {
                ::core::assert!(self.is_some(), "a reference that is not there");
                self
            }
        }
        impl __d::Word for At {
            fn to_word(self) -> u64 { self.0 }
            fn from_word(word: u64) -> At { At(word) }
        }
    }
}

/// The type of a tangent.
pub fn shadow(ty: &syn::Type) -> TokenStream {
    let base = Base::Concrete(Ident::new("f64", Span::call_site()));
    match ty {
        syn::Type::Paren(p) => shadow(&p.elem),
        syn::Type::Group(g) => shadow(&g.elem),
        syn::Type::Slice(s) => {
            let element = shadow(&s.elem);
            quote!([#element])
        }
        ty if types::describe(ty, &base) == crate::ir::Ty::Float => quote!(Space),
        ty => quote!(<#ty as __d::Active>::Tangent<Space>),
    }
}
