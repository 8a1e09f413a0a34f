//! Users' cuts: `stop_gradient(x)` and `constant!(x)`, of which derivative code has the value alone.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::spanned::Spanned;

/// The function's name.
pub const CUT: &str = "stop_gradient";

/// Whether a function's path is that of a cut.
pub fn is_cut(function: &syn::Expr) -> bool {
    matches!(function, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == CUT))
}

/// The value of a cut, whose argument stays where it is.
pub fn value(argument: &syn::Expr) -> syn::Expr {
    let span = argument.span();
    syn::Expr::Verbatim(quote_spanned!(span=> __d::constant_of(&(#argument))))
}

/// `constant!(x)` as a call.
pub fn call_of(mac: &syn::Macro) -> Option<syn::Expr> {
    if mac.path.segments.last().is_none_or(|s| s.ident != "constant") {
        return None;
    }
    let argument: syn::Expr = mac.parse_body().ok()?;
    let name = Ident::new(CUT, mac.path.span());
    Some(syn::parse_quote_spanned!(mac.path.span()=> __d::#name(#argument)))
}

/// All paths that end in a cut's name, as they are written.
pub fn paths(tokens: TokenStream) -> Vec<syn::ExprPath> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => found.extend(paths(group.stream())),
            TokenTree::Ident(name) if name == CUT => found.extend(path_before(&trees[..=at])),
            _ => {}
        }
    }
    found
}

/// The longest path at the end of some tokens.
pub fn path_before(trees: &[TokenTree]) -> Option<syn::ExprPath> {
    let is_colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
    let mut from = trees.len() - 1;
    while from >= 2 && is_colon(&trees[from - 1]) && is_colon(&trees[from - 2]) {
        from -= if matches!(trees.get(from.wrapping_sub(3)), Some(TokenTree::Ident(_))) { 3 } else { 2 };
    }
    syn::parse2(trees[from..].iter().cloned().collect()).ok()
}
