//! `#[derive(Differentiable)]`: the tangent type of a struct or enum, and what the runtime asks of both.
//!
//! A tangent has the same fields, with elements of a linear space instead of floats; what carries no derivative has the shadow
//! `()`. The tangent of an enum has the same variants, and one more for a shadow that nobody looks at.
//!
//! Enters: a struct or an enum. Leaves: its tangent type, and implementations of the runtime's traits.
//! Imports: the floors below `item`.

mod asked;
mod clones;
mod copied;
mod enums;
mod fields;
mod impls;
mod kept;
mod structs;

use crate::frontend::projections::clones::{Cloning, cloning};
use crate::support::errors;
use fields::Data;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

/// A type that derives `Differentiable`.
struct Derived<'a> {
    /// The path of the crate `diffi`.
    root: &'a TokenStream,
    /// The type's name.
    name: &'a Ident,
    /// Its visibility.
    vis: &'a syn::Visibility,
    /// Its tangent's name.
    tangent: Ident,
    /// The tangent's linear space.
    space: Ident,
    /// Its generics.
    generics: syn::Generics,
    /// Its float, as a type.
    base: TokenStream,
    /// What is active in it.
    data: Data,
    /// How its values are cloned.
    cloning: Cloning,
}

/// The items for one type.
pub fn derive(input: &syn::DeriveInput, root: &TokenStream) -> syn::Result<TokenStream> {
    if let Some(lifetime) = input.generics.lifetimes().next() {
        return Err(errors::borrowed_data(lifetime.span()));
    }
    let mut data = Data::of(input)?;
    let generics = data.bounded(&input.generics, root);
    let taken = generics.type_params().any(|p| p.ident == "Space");
    let base = data.base(&input.ident, &generics, root);
    data.ask(&input.ident, &generics, &base, root);
    let derived = Derived {
        root,
        name: &input.ident,
        vis: &input.vis,
        tangent: format_ident!("{}Tangent", input.ident),
        space: format_ident!("{}", if taken { "__Space" } else { "Space" }),
        base,
        generics,
        data,
        cloning: cloning(&input.ident),
    };
    Ok(derived.items())
}

impl Derived<'_> {
    fn items(&self) -> TokenStream {
        let root = self.root;
        let (tangent, bodies, accessors) = match &self.data {
            Data::Struct(fields) => (self.struct_tangent(fields), self.struct_bodies(fields), TokenStream::new()),
            Data::Enum(variants) => (self.enum_tangent(variants), self.enum_bodies(variants), self.accessors(variants)),
        };
        let impls = self.impls(&bodies);
        let checks = [self.data.checks(&self.generics), self.copies()];
        let questions = self.data.questions(self.name, root);
        quote! {
            #questions
            #tangent
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
            const _: () = {
                use #root::__private as __d;
                #impls
                #accessors
                #(#checks)*
            };
        }
    }

    /// Code that compiles only if the type has no function of its own where derivative code takes the copies of its traits, if it
    /// has these.
    fn copies(&self) -> TokenStream {
        let name = self.name;
        let mut checked = self.generics.clone();
        let (_, own, _) = self.generics.split_for_impl();
        // a bound over all lifetimes, for rustc refuses plain ones that no type meets
        checked.make_where_clause().predicates.push(syn::parse_quote!(for<'copy> #name #own: ::core::clone::Clone));
        let (generics, _, bounds) = checked.split_for_impl();
        let functions = ["clone", "to_owned"].map(|copy| Ident::new(copy, name.span()));
        let [clone, to_owned] = &functions;
        let turbofish = own.as_turbofish();
        quote! {
            fn copies #generics () #bounds {
                __d::is_of_std(#name #turbofish::#clone, <#name #own as ::core::clone::Clone>::clone);
                __d::is_of_std(#name #turbofish::#to_owned, <#name #own as ::std::borrow::ToOwned>::to_owned);
            }
        }
    }

    /// The generics with a linear space behind them, as parameters of an impl.
    fn generics_in_space(&self) -> syn::Generics {
        let (root, base, space) = (self.root, &self.base, &self.space);
        let mut generics = self.generics.clone();
        let space: syn::TypeParam = syn::parse_quote!(#space: #root::__private::LinearSpace<#base>);
        generics.params.push(syn::GenericParam::Type(space));
        generics
    }

    /// `ParamsTangent<T, Space>` for this space.
    fn tangent_in(&self, space: &TokenStream) -> TokenStream {
        let own = self.generics.params.iter().map(|p| match p {
            syn::GenericParam::Type(t) => &t.ident,
            syn::GenericParam::Const(c) => &c.ident,
            syn::GenericParam::Lifetime(l) => &l.lifetime.ident,
        });
        let tangent = &self.tangent;
        quote!(#tangent<#(#own,)* #space>)
    }

    /// The tangent's own generics, with the base float as its usual space.
    fn declared_generics(&self) -> TokenStream {
        let (root, base, space) = (self.root, &self.base, &self.space);
        let own = self.generics.params.iter();
        quote!(<#(#own,)* #space: #root::__private::LinearSpace<#base> = #base>)
    }

    /// A field for what stands in no other one.
    fn marker(&self) -> Option<TokenStream> {
        let (own, space) = (self.generics.type_params().map(|p| &p.ident), &self.space);
        let marker = quote!(::core::marker::PhantomData<fn() -> (#(#own,)* #space,)>);
        self.data.has_spare_parameters(&self.generics).then_some(marker)
    }

    /// What the documentation of the tangent says.
    fn documentation(&self) -> String {
        format!("The tangent of [`{}`]: a gradient by it, or a direction in which it changes.", self.name)
    }
}
