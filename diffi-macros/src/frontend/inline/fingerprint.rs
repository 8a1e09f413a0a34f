//! A number for a function's signature and body, by which rustc confirms that a text is that function's.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// The number (FNV-1a, Fowler, Noll & Vo 1991), which spaces and attributes have no part in.
pub fn fingerprint(function: &syn::ItemFn) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    add(function.sig.to_token_stream(), &mut hash);
    add(function.block.to_token_stream(), &mut hash);
    hash
}

fn add(tokens: TokenStream, hash: &mut u64) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                add_text(open, hash);
                add(group.stream(), hash);
                add_text(close, hash);
            }
            tree => add_text(&tree.to_string(), hash),
        }
    }
}

fn add_text(text: &str, hash: &mut u64) {
    for byte in text.bytes().chain([0]) {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}
