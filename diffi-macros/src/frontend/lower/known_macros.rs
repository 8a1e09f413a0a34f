//! Macros that rustc confirms to be std's, ndarray's or ours: a user's of the same name may come before them.
//!
//! A block imports the user's macro under one name, and a block in it imports the known macro under the same name, by a glob: rustc
//! finds that name ambiguous (E0659), unless both are the same macro. Nothing of this is expanded, but for two names of modules.

use crate::frontend::state::context::Lower;
use crate::frontend::syntax::token_paths::macro_paths;
use crate::support::names;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// The name under which both are imported, which rustc shows.
const BOTH: &str = "diffi_takes_this_macro_for_the_known_one_of_its_name";

impl Lower {
    /// Compiles only if macros with names of std's, or of ours, are these, and those of `approx` compare, by the paths that the user writes.
    pub fn only_known_macros(&mut self, item: &syn::ItemFn) {
        for path in macro_paths(item.block.to_token_stream()) {
            let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
            if names::is_macro_of_std(&name) {
                self.only_known_macro(&path);
            } else if let Some(answer) = names::answer_of_approx(&name) {
                self.confirm(quote_spanned!(path.span()=> let _: fn() -> #answer = || #path!(0.0f64, 0.0f64);));
            }
        }
    }

    /// Compiles only if a macro is the known one of its name.
    pub fn only_known_macro(&mut self, path: &syn::Path) {
        let Some(name) = path.segments.last().map(|s| s.ident.to_string()) else { return };
        let both = Ident::new(BOTH, path.span());
        let named = match name.as_str() {
            // the names of modules, too, which an import would find
            "vec" => quote!(let _: ::std::vec::Vec<()> = #both![];),
            "panic" => quote!(let _ = || -> () { #both!() };),
            _ => quote!(#[allow(unused_imports)] use #both as _;),
        };
        let name = Ident::new(&name, Span::call_site());
        let users = quote_spanned!(path.span()=> #[allow(unused_imports)] use #path as #both;);
        self.confirm(quote!({ #users { #[allow(unused_imports)] use __d::known_macros::#name::*; #named } }));
    }
}
