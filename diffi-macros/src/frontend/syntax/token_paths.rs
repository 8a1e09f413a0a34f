//! Paths that stand in tokens, also where these are the arguments of macros.

use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// All paths that end in such a name, as they are written; a name is given with the tokens behind it.
pub fn paths(tokens: TokenStream, ends: &dyn Fn(&Ident, &[TokenTree]) -> bool) -> Vec<syn::ExprPath> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => found.extend(paths(group.stream(), ends)),
            TokenTree::Ident(name) if ends(name, &trees[at + 1..]) => found.extend(path_before(&trees[..=at])),
            _ => {}
        }
    }
    found
}

/// The paths of all macros that are called.
pub fn macro_paths(tokens: TokenStream) -> Vec<syn::Path> {
    let is_called = |_: &Ident, rest: &[TokenTree]| matches!(rest, [TokenTree::Punct(bang), TokenTree::Group(_), ..] if bang.as_char() == '!');
    paths(tokens, &is_called).into_iter().map(|path| path.path).collect()
}

/// The names behind a dot.
pub fn methods_in(tokens: TokenStream) -> BTreeSet<String> {
    let (mut found, mut after_dot) = (BTreeSet::new(), false);
    for tree in tokens {
        match &tree {
            TokenTree::Group(group) => found.extend(methods_in(group.stream())),
            TokenTree::Ident(name) if after_dot => {
                found.insert(name.to_string());
            }
            _ => {}
        }
        after_dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
    }
    found
}

/// The longest path at the end of some tokens.
fn path_before(trees: &[TokenTree]) -> Option<syn::ExprPath> {
    let is_colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
    let mut from = trees.len() - 1;
    while from >= 2 && is_colon(&trees[from - 1]) && is_colon(&trees[from - 2]) {
        from -= if matches!(trees.get(from.wrapping_sub(3)), Some(TokenTree::Ident(_))) { 3 } else { 2 };
    }
    syn::parse2(trees[from..].iter().cloned().collect()).ok()
}
