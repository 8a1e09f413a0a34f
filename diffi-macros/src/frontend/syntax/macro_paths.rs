//! Macros that stand in tokens, also where these are arguments of others.

use crate::frontend::syntax::cuts::path_before;
use proc_macro2::{TokenStream, TokenTree};

/// The paths of all macros that are called, as they are written.
pub fn macro_paths(tokens: TokenStream) -> Vec<syn::Path> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => found.extend(macro_paths(group.stream())),
            TokenTree::Ident(_) if is_called(&trees[at + 1..]) => {
                found.extend(path_before(&trees[..=at]).map(|path| path.path));
            }
            _ => {}
        }
    }
    found
}

/// Whether `!(..)` follows a name.
fn is_called(rest: &[TokenTree]) -> bool {
    matches!(rest, [TokenTree::Punct(bang), TokenTree::Group(_), ..] if bang.as_char() == '!')
}
