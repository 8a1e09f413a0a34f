//! The compiler inside `#[differentiable]`: tokens in, tokens out.
//!
//! Follow [`pipeline`] for the order of the passes, and [`ir`] for what they work on.

#![forbid(unsafe_code)]

mod activity;
mod buffers;
mod desugar;
mod emit;
mod errors;
mod forward;
mod ir;
mod opaque;
mod options;
mod outputs;
mod parse;
mod parts;
mod partials;
mod pipeline;
mod print;
mod reverse;
mod rows;
mod sink;
mod stability;
mod stencils;
mod table;
mod versions;
mod walk;

use proc_macro::TokenStream;
use quote::{ToTokens, quote};

/// Adds derivative code beside a function; see the crate `diffi`.
#[proc_macro_attribute]
pub fn differentiable(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let function = match syn::parse::<syn::ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let item = item.into();
            let error = errors::item(&item, error).into_compile_error();
            return quote!(#item #error).into();
        }
    };
    let beside = syn::parse2::<options::Options>(arguments.into())
        .and_then(|options| pipeline::compile(&options, &function, &facade()))
        .unwrap_or_else(|error| error.into_compile_error());
    let function = function.into_token_stream();
    quote!(#function #beside).into()
}

/// The path of the crate `diffi` in the crate at hand.
fn facade() -> proc_macro2::TokenStream {
    match proc_macro_crate::crate_name("diffi") {
        Ok(proc_macro_crate::FoundCrate::Name(name)) => {
            let name = quote::format_ident!("{name}");
            quote!(::#name)
        }
        _ => quote!(::diffi),
    }
}
