//! Functions inside of a function that stay items, since they call themselves, take functions or use `?`: where they are called with active
//! values, derivative code has them with the attribute.

use crate::frontend::state::context::Lower;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

impl Lower {
    /// The items of a function; one that derivative code calls is annotated.
    pub fn annotated_items(&self, items: Vec<TokenStream>) -> Vec<TokenStream> {
        items
            .into_iter()
            .map(|item| if self.wants_attribute(&item) { quote!(#[__d::differentiable] #item) } else { item })
            .collect()
    }

    fn wants_attribute(&self, item: &TokenStream) -> bool {
        let Ok(function) = syn::parse2::<syn::ItemFn>(item.clone()) else { return false };
        let name = function.sig.ident.to_string();
        let called = self.callees.iter().any(|(path, _)| *path == name);
        called && !function.attrs.iter().any(|a| a.path().to_token_stream().to_string().ends_with("differentiable"))
    }
}
