//! `#[differentiable]` on one of several `impl From` of a type: the rule of the conversion, which rustc finds by the type that is converted.
//!
//! A type with one `impl From` has derivative functions of its own; those of several would have the same names.

use crate::frontend::projections::definitions::type_name;
use crate::frontend::projections::passing::converted_by_several;
use crate::frontend::syntax::bases::base_of;
use crate::frontend::syntax::types::{self, without_reference};
use crate::item::operator_impls::{at_floats, passed, pull_push_call, replaced};
use crate::pipeline::compile;
use crate::support::options::Options;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

/// Whether the block is one of several that convert numbers into a type, or converts into a type that can have no functions here.
pub fn is_one_of_several(block: &syn::ItemImpl) -> bool {
    let several = type_name(&block.self_ty).and_then(|name| converted_by_several(&name.to_string())).is_some();
    (several || is_made_of_numbers(&block.self_ty)) && function(block).is_ok_and(|f| f.is_some_and(|f| carries(&f)))
}

/// Whether a type is a float of the language, or an array of such.
fn is_made_of_numbers(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => is_made_of_numbers(&array.elem),
        syn::Type::Path(p) => p.path.is_ident("f64") || p.path.is_ident("f32"),
        _ => false,
    }
}

/// The rule, to stand beside the implementation.
pub fn rule(options: &Options, block: &syn::ItemImpl, root: &TokenStream) -> syn::Result<TokenStream> {
    let Some(function) = function(block)? else { return Ok(TokenStream::new()) };
    let code = compile(options, &function, root)?;
    let from = converted(&function).map(without_reference);
    let header = quote!(__d::library::Conversion<#from> for);
    let this = &block.self_ty;
    let content = methods(&function);
    let implemented =
        at_floats(&block.generics, &base_of(&function.sig, None), &quote!(#header #this), &quote!({ #content }));
    Ok(quote! {
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use #root::__private as __d;
            #function
            #code
            #implemented
        };
    })
}

/// The conversion as a function; none if the block is of another trait.
fn function(block: &syn::ItemImpl) -> syn::Result<Option<syn::ItemFn>> {
    let of = block.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    let method = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) => Some(f),
        _ => None,
    });
    let (Some(_), Some(method)) = (of.filter(|of| of.ident == "From"), method) else { return Ok(None) };
    let (ty, inputs, body) = (&block.self_ty, &method.sig.inputs, &method.block);
    let (params, bounds) = (&block.generics.params, &block.generics.where_clause);
    let tokens = quote!(fn converted<#params>(#inputs) -> #ty #bounds #body);
    syn::parse2(replaced(tokens, &ty.to_token_stream(), &TokenStream::new())).map(Some)
}

/// The type that is converted.
fn converted(function: &syn::ItemFn) -> Option<&syn::Type> {
    function.sig.inputs.iter().find_map(|input| match input {
        syn::FnArg::Typed(p) => Some(&*p.ty),
        syn::FnArg::Receiver(_) => None,
    })
}

fn carries(function: &syn::ItemFn) -> bool {
    let base = base_of(&function.sig, None);
    converted(function).is_some_and(|ty| !types::is_passive(&types::describe(ty, &base)))
}

fn methods(function: &syn::ItemFn) -> TokenStream {
    let Some(ty) = converted(function) else { return TokenStream::new() };
    let (given, of) = (passed(&format_ident!("x"), ty), without_reference(ty));
    let base = quote!(<#of as __d::Place>::Base);
    let call = pull_push_call(&quote!(converted), &quote!(x), &given);
    quote! {
        fn value(x: &#of) -> Self {
            converted(#given)
        }
        fn push<A: __d::LinearSpace<#base>>(
            x: &#of, dot: &<#of as __d::Place>::Shadow<A>, memory: &mut __d::library::Memory<#of, A>,
        ) -> __d::library::Tan<Self, A> {
            <converted>::__push(#given, __d::Dot::<__d::On, _>::new(dot), memory).1
        }
        fn pull<A: __d::LinearSpace<#base>>(
            x: &#of, bar: &mut <#of as __d::Place>::Shadow<A>, y_bar: &__d::library::Tan<Self, A>,
            memory: &mut __d::library::Memory<#of, A>,
        ) {
            let (bar, y_bar) = (__d::Bar::<__d::On, __d::Off, _>::new(bar), Some(&mut ::core::clone::Clone::clone(y_bar)));
            let _ = <converted>::__pull(#given, bar, y_bar, memory, __d::Both(__d::Off));
        }
        fn pull_push<A: __d::LinearSpace<#base>>(
            x: &#of, dot: Option<&<#of as __d::Place>::Shadow<A>>,
            (bar, bar_dot): (&mut <#of as __d::Place>::Shadow<#base>, &mut <#of as __d::Place>::Shadow<A>),
            (y_bar, y_bar_dot): (&__d::library::Tan<Self, #base>, &__d::library::Tan<Self, A>),
            memory: &mut __d::library::Memory<#of, A>,
        ) {
            #call
        }
    }
}
