//! The tangents of structs.

use super::fields::{Field, Fields, Part, Style};
use super::impls::Bodies;
use super::{Derived, asked};
use crate::frontend::projections::field_types::list_of;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Derived<'_> {
    /// `struct ParamsTangent<Space> { .. }`.
    pub fn struct_tangent(&self, fields: &Fields) -> TokenStream {
        let (vis, name, text, bounds) = (self.vis, &self.tangent, self.documentation(), &self.generics.where_clause);
        let generics = self.declared_generics();
        let mut all: Vec<TokenStream> = fields.all.iter().map(|f| self.declared(f)).collect();
        let marker = self.marker();
        let body = match fields.style {
            Style::Named => {
                all.extend(marker.map(|ty| quote!(#[doc(hidden)] __space: #ty)));
                quote!(#bounds { #(#all,)* })
            }
            Style::Unnamed | Style::Unit => {
                all.extend(marker.map(|ty| quote!(#[doc(hidden)] #ty)));
                quote!((#(#all,)*) #bounds;)
            }
        };
        quote! {
            #[doc = #text]
            #[allow(dead_code)]
            #vis struct #name #generics #body
        }
    }

    fn declared(&self, field: &Field) -> TokenStream {
        let (vis, ty) = (&field.vis, field.part.shadow(&field.ty, &self.space, self.root));
        let text = match (&field.member, field.part.is_passive()) {
            (syn::Member::Named(name), true) => format!("`{name}` carries no derivative."),
            (syn::Member::Named(name), false) => format!("The tangent of `{name}`."),
            (syn::Member::Unnamed(k), true) => format!("Member {} carries no derivative.", k.index),
            (syn::Member::Unnamed(k), false) => format!("The tangent of member {}.", k.index),
        };
        let name = match &field.member {
            syn::Member::Named(name) => quote!(#name:),
            syn::Member::Unnamed(_) => quote!(),
        };
        quote!(#[doc = #text] #vis #name #ty)
    }

    /// A tangent made of what stands for each field.
    fn tangent_of(&self, fields: &Fields, mut values: Vec<TokenStream>) -> TokenStream {
        let name = &self.tangent;
        let marker = self.marker().map(|_| quote!(::core::marker::PhantomData));
        if let (Style::Named, Some(marker)) = (fields.style, &marker) {
            let members = fields.all.iter().map(|f| &f.member);
            return quote!(#name { #(#members: #values,)* __space: #marker });
        }
        values.extend(marker);
        match fields.style {
            Style::Named => {
                let members = fields.all.iter().map(|f| &f.member);
                quote!(#name { #(#members: #values,)* })
            }
            Style::Unnamed | Style::Unit => quote!(#name(#(#values,)*)),
        }
    }

    /// What is done field by field.
    pub fn struct_bodies(&self, fields: &Fields) -> Bodies {
        let each = |make: &dyn Fn(&syn::Type, &TokenStream, &TokenStream) -> TokenStream| -> TokenStream {
            let paired = |ty: &syn::Type, steps: &TokenStream| make(ty, &quote!(self #steps), &quote!(other #steps));
            fields.all.iter().map(|f| f.part.each(&f.ty, &step(f), &paired)).collect()
        };
        let of_value = |exclusive: bool, make: &dyn Fn(&TokenStream) -> TokenStream| {
            each(&|ty, a, _| make(&asked::seen(ty, a, exclusive)))
        };
        let members: Vec<_> = fields.all.iter().map(|f| &f.member).collect();
        let cloned = members.iter().map(|member| quote!(::core::clone::Clone::clone(&self.#member)));
        let zeros = |f: &Field| {
            let member = &f.member;
            f.part.built(&quote!(self.#member), &|a| quote!(__d::Active::zeros(&#a, pool)))
        };
        let release = |ty: &syn::Type, t: &TokenStream| quote!(<#ty as __d::Active>::release(t #t, pool););
        let fixed: TokenStream = fields.all.iter().map(|f| f.part.fixed(&f.ty)).collect();
        let space = &self.space;
        Bodies {
            acc: each(&|_, a, b| quote!(__d::Tangent::<#space>::acc(&mut #a, &#b);)),
            set: each(&|_, a, b| quote!(__d::Tangent::<#space>::set(&mut #a, &#b);)),
            clear: each(&|_, a, _| quote!(__d::Tangent::<#space>::clear(&mut #a);)),
            shadow_shape: each(&|_, a, _| quote!(__d::Tangent::<#space>::shape(&#a, dim);)),
            shadow_each: each(&|_, a, _| quote!(__d::Tangent::<#space>::each(&#a, f);)),
            shadow_each_mut: each(&|_, a, _| quote!(__d::Tangent::<#space>::each_mut(&mut #a, f);)),
            recycle: each(&|_, a, _| quote!(__d::Tangent::<#space>::recycle(#a, pool);)),
            clone: self.tangent_of(fields, cloned.collect()),
            eq: quote!(true #(&& self.#members == other.#members)*),
            debug: self.debug_struct(fields),
            zeros: self.tangent_of(fields, fields.all.iter().map(zeros).collect()),
            empty: self.tangent_of(fields, fields.all.iter().map(|f| f.part.empty(&f.ty, &self.space)).collect()),
            release: fields.all.iter().map(|f| f.part.each(&f.ty, &step(f), &release)).collect(),
            copied: self.copied(fields, &quote!(Self), &|f| {
                let member = &f.member;
                quote!(self.#member)
            }),
            same_constants: {
                let same = fields
                    .all
                    .iter()
                    .zip(&members)
                    .map(|(f, member)| self.same_constants(f, &quote!(self.#member), &quote!(other.#member)));
                quote!(true #(&& #same)*)
            },
            given_back: fields.all.iter().map(lists_given_back).collect(),
            shape: of_value(false, &|a| quote!(__d::Active::shape(&#a, dim);)),
            each: of_value(false, &|a| quote!(__d::Active::each(&#a, f);)),
            each_mut: of_value(true, &|a| quote!(__d::Active::each_mut(&mut #a, f);)),
            fixed: quote!(true #fixed),
            frame: self.frame(fields),
            save: {
                let all: TokenStream =
                    fields.all.iter().zip(&members).map(|(f, member)| self.saved(f, &quote!(&self.#member))).collect();
                quote! {
                    if let ::core::option::Option::Some(width) = <Self as __d::Whole<__F>>::WIDTH {
                        return __d::Whole::write(self, &mut parts.frame(width));
                    }
                    #all
                }
            },
            give: {
                let all: TokenStream = fields.all.iter().map(|f| self.given(f)).collect();
                quote! {
                    if <Self as __d::Whole<__F>>::WIDTH.is_some() {
                        return __d::Whole::save(&self, parts);
                    }
                    #all
                }
            },
            restore: {
                let all = self.restored(fields, &quote!(Self));
                quote! {
                    if let ::core::option::Option::Some(width) = <Self as __d::Whole<__F>>::WIDTH {
                        return __d::Whole::read(&mut parts.recorded(width));
                    }
                    #all
                }
            },
            blank: self.blank(fields, &quote!(Self)),
            unread: self.unread(fields),
        }
    }

    /// Pushes a field that is not needed any more: a list may be moved.
    fn given(&self, field: &Field) -> TokenStream {
        let member = &field.member;
        match is_list(field) && !self.is_foreign(field) {
            true => quote!(__d::Whole::give(::core::mem::take(&mut self.#member), parts);),
            false => self.saved(field, &quote!(&self.#member)),
        }
    }

    fn debug_struct(&self, fields: &Fields) -> TokenStream {
        let name = self.tangent.to_string();
        let fields = fields.all.iter().map(|f| {
            let member = &f.member;
            match member {
                syn::Member::Named(name) => {
                    let name = name.to_string();
                    quote!(.field(#name, &self.#member))
                }
                syn::Member::Unnamed(_) => quote!(.field(&self.#member)),
            }
        });
        let kind = match &self.data_style() {
            Style::Named => format_ident!("debug_struct"),
            _ => format_ident!("debug_tuple"),
        };
        quote!(f.#kind(#name) #(#fields)* .finish())
    }

    fn data_style(&self) -> Style {
        match &self.data {
            super::fields::Data::Struct(fields) => fields.style,
            super::fields::Data::Enum(_) => Style::Named,
        }
    }

    /// The fields from the tape, last in first out, put together by a constructor.
    pub fn restored(&self, fields: &Fields, constructor: &TokenStream) -> TokenStream {
        let names = fields.names("field_");
        let lets = names.iter().zip(&fields.all).rev().map(|(name, f)| {
            let popped = self.popped(f);
            quote!(let #name = #popped;)
        });
        let values: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
        let written = fields.written(&values);
        quote!({ #(#lets)* #constructor #written })
    }

    /// A constructor with some value in each field.
    pub fn blank(&self, fields: &Fields, constructor: &TokenStream) -> TokenStream {
        let values: Vec<TokenStream> = fields.all.iter().map(|f| self.blank_field(f)).collect();
        let written = fields.written(&values);
        quote!(#constructor #written)
    }
}

/// The step from a value to a field.
fn step(field: &Field) -> TokenStream {
    let member = &field.member;
    quote!(.#member)
}

/// The buffers of a list.
fn lists_given_back(field: &Field) -> TokenStream {
    let (ty, member) = (&field.ty, &field.member);
    match is_list(field) {
        true => quote!(<#ty as __d::Active>::recycle(::core::mem::take(&mut self.#member), pool);),
        false => TokenStream::new(),
    }
}

/// Whether a field can be taken out of its struct, which may have a `Drop`.
fn is_list(field: &Field) -> bool {
    matches!(field.part, Part::Active) && matches!(&field.ty, syn::Type::Path(p) if list_of(p).is_some())
}
