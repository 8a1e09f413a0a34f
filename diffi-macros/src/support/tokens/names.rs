//! Names in the arguments of macros, which nobody has parsed.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

/// Tokens with something else in place of each name that is no part of a path, no member and no method.
pub fn with_names(tokens: TokenStream, of: &dyn Fn(&Ident) -> TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |k: usize, sign: char| matches!(trees.get(k), Some(TokenTree::Punct(p)) if p.as_char() == sign);
    let is_member = |k: usize| k > 0 && is(k - 1, '.') && (k < 2 || !is(k - 2, '.'));
    let is_path = |k: usize| k > 1 && is(k - 1, ':') && is(k - 2, ':') || is(k + 1, ':') && is(k + 2, ':');
    let written = trees.iter().enumerate().map(|(k, tree)| match tree {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), with_names(group.stream(), of));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        TokenTree::Ident(name) if !is_member(k) && !is_path(k) => of(name),
        _ => tree.clone().into(),
    });
    written.collect()
}
