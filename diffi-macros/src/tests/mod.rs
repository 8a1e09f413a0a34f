//! Tests of the whole macro, from tokens to tokens.

use crate::{expanded, facade, item};
use proc_macro2::{TokenStream, TokenTree};

mod error_codes;
mod expansions;
mod fuzzing;
mod interpreter;

/// What rustc would ask for, by the kind of item.
fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    if is_type(&item) { derived(item) } else { expanded(options, item) }
}

fn derived(item: TokenStream) -> TokenStream {
    let code = syn::parse2(item).and_then(|input| item::derive::derive(&input, &facade()));
    code.unwrap_or_else(|error| error.into_compile_error())
}

fn is_type(item: &TokenStream) -> bool {
    let words = ["struct", "enum", "union"];
    item.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(i) if words.iter().any(|word| i == word)))
}
