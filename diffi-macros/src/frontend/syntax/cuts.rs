//! Users' cuts: `stop_gradient(x)` and `constant!(x)`, of which derivative code has the value alone.

use crate::frontend::syntax::token_paths;
use proc_macro2::{Ident, TokenStream};
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
    token_paths::paths(tokens, &|name, _| name == CUT)
}
