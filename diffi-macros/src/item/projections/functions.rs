//! Functions that return a reference into one of their arguments: `fn row(x: &[f64], n: usize, i: usize) -> &[f64]`.
//!
//! The function that finds where the reference leads is `row::__where`, on a type of the function's name, which comes into scope with it. The
//! type of the argument leads there by its answer, and so does its tangent: of a list, slices and `Vec`s of such elements.

use super::code::{shadow, word_type};
use super::ways::Ways;
use crate::frontend::projections::kinds::{of_function, reference};
use crate::frontend::syntax::types;
use crate::ir::{Base, Target, Ty};
use crate::item::index_impls::tangent_path;
use crate::support::errors;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

/// What stands beside a function that returns a reference into an argument; nothing beside others.
pub fn code(item: &syn::ItemFn, root: &TokenStream) -> Option<syn::Result<TokenStream>> {
    let syn::ReturnType::Type(_, ty) = &item.sig.output else { return None };
    let (returned, maybe) = reference(ty)?;
    if types::is_passive(&described(&returned.elem)) {
        return None;
    }
    let several = || errors::reference_into_several(item.sig.output.span());
    let generic = item.sig.generics.params.iter().any(|p| !matches!(p, syn::GenericParam::Lifetime(_)));
    let Some((_, at)) = of_function(&item.sig).filter(|_| !generic) else { return Some(Err(several())) };
    let Some(syn::FnArg::Typed(argument)) = item.sig.inputs.iter().nth(at) else { return Some(Err(several())) };
    let (syn::Pat::Ident(name), syn::Type::Reference(of)) = (&*argument.pat, &*argument.ty) else {
        return Some(Err(several()));
    };
    let exclusive = returned.mutability.is_some();
    let emitted =
        |ways| Emitted { item, at, name: &name.ident, of: &of.elem, out: &returned.elem, maybe, exclusive, root, ways };
    Some(match Ways::of(item, maybe, Some(&name.ident)) {
        Ok(ways) => Ok(emitted(ways).items()),
        Err(error) => {
            let (items, error) = (emitted(Ways::none()).items(), error.into_compile_error());
            Ok(quote!(#items #error))
        }
    })
}

fn described(ty: &syn::Type) -> Ty {
    types::describe(ty, &Base::Concrete(Ident::new("f64", Span::call_site())))
}

struct Emitted<'a> {
    item: &'a syn::ItemFn,
    /// Which argument the reference leads into, its name, and its type.
    at: usize,
    name: &'a Ident,
    of: &'a syn::Type,
    /// What the reference leads to.
    out: &'a syn::Type,
    maybe: bool,
    exclusive: bool,
    root: &'a TokenStream,
    ways: Ways,
}

impl Emitted<'_> {
    fn items(&self) -> TokenStream {
        let (root, name, visibility) = (self.root, &self.item.sig.ident, &self.item.vis);
        let (word, find) = (word_type(self.out), self.find());
        let indices: TokenStream = self.forms().iter().map(|form| self.index(form)).collect();
        quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types, missing_docs)]
            #visibility struct #name {}
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, missing_docs)]
            const _: () = {
                use #root::__private as __d;
                #word
                impl #name { #find }
                #indices
            };
        }
    }

    fn find(&self) -> TokenStream {
        let (sig, name, of) = (&self.item.sig, self.name, self.of);
        let inputs = sig.inputs.iter().enumerate().map(|(k, input)| match k == self.at {
            true => quote!(#name: &#of),
            false => quote!(#input),
        });
        let (generics, _, bounds) = sig.generics.split_for_impl();
        let target = if self.maybe { Target::Maybe } else { Target::Part };
        let body = self.ways.found(target);
        quote! {
            #[inline]
            pub fn __where #generics (#(#inputs),*) -> At #bounds { let __self = #name; #body }
        }
    }

    /// The types that the argument may have, each with what the reference leads to there.
    fn forms(&self) -> Vec<Form> {
        let (of, out, exclusive) = (self.of, self.out, self.exclusive);
        let own = Form { generics: quote!(), ty: of.clone(), out: quote!(#out), exclusive };
        let leaf = leaf(of);
        let generics = quote!(Space: __d::LinearSpace<<#leaf as __d::Active>::Base>,);
        let tangent = Form { generics, ty: in_space(of), out: shadow(out), exclusive: true };
        let bare = Form { generics: quote!(Space,), ..tangent.clone() };
        let element = list_element(of);
        let forms = if element.is_some_and(is_of_numbers) { vec![bare] } else { vec![own, tangent] };
        match element {
            Some(_) => forms.iter().flat_map(Form::lists).collect(),
            None => forms,
        }
    }

    fn index(&self, Form { generics, ty, out, exclusive }: &Form) -> TokenStream {
        let shared = self.ways.part(false);
        let exclusive = exclusive.then(|| self.index_mut(generics, ty, out));
        quote! {
            impl<#generics> __d::Leads<At> for #ty {
                type To = #out;
                #[inline]
                fn __lead(&self, at: At) -> &#out { let __self = self; #shared }
            }
            #exclusive
        }
    }

    fn index_mut(&self, generics: &TokenStream, ty: &syn::Type, out: &TokenStream) -> TokenStream {
        let part = self.ways.part(true);
        quote! {
            impl<#generics> __d::LeadsMut<At> for #ty {
                #[inline]
                fn __lead_mut(&mut self, at: At) -> &mut #out { let __self = self; #part }
            }
        }
    }
}

/// A type that an argument may have.
#[derive(Clone)]
struct Form {
    generics: TokenStream,
    ty: syn::Type,
    out: TokenStream,
    /// Its parts can be changed.
    exclusive: bool,
}

impl Form {
    /// The lists of the same elements; std gives arrays what slices have.
    fn lists(&self) -> Vec<Form> {
        let Form { generics, ty, out, exclusive } = self;
        let Some(e) = list_element(ty) else { return vec![self.clone()] };
        let list = |ty: syn::Type| Form { generics: generics.clone(), ty, out: out.clone(), exclusive: *exclusive };
        vec![list(syn::parse_quote!([#e])), list(syn::parse_quote!(::std::vec::Vec<#e>))]
    }
}

/// The elements of a list, by its type.
fn list_element(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Slice(s) => Some(&s.elem),
        syn::Type::Array(a) => Some(&a.elem),
        syn::Type::Path(p) => {
            let last = p.path.segments.last().filter(|s| s.ident == "Vec")?;
            types::first_argument(last)
        }
        _ => None,
    }
}

/// The type that lists of lists hold.
fn leaf(ty: &syn::Type) -> &syn::Type {
    list_element(ty).map_or(ty, leaf)
}

/// Whether a type is a float, or lists of floats.
fn is_of_numbers(ty: &syn::Type) -> bool {
    described(ty) == Ty::Float || list_element(ty).is_some_and(is_of_numbers)
}

/// The tangent of a type, by its name.
fn in_space(ty: &syn::Type) -> syn::Type {
    if described(ty) == Ty::Float {
        return syn::parse_quote!(Space);
    }
    match ty {
        syn::Type::Slice(s) => {
            let element = in_space(&s.elem);
            syn::parse_quote!([#element])
        }
        syn::Type::Array(a) => {
            let (element, length) = (in_space(&a.elem), &a.len);
            syn::parse_quote!([#element; #length])
        }
        ty if list_element(ty).is_some() => {
            let element = list_element(ty).map(in_space);
            syn::parse_quote!(::std::vec::Vec<#element>)
        }
        syn::Type::Path(p) => {
            let path = tangent_path(&p.path);
            syn::parse_quote!(#path)
        }
        other => other.clone(),
    }
}
