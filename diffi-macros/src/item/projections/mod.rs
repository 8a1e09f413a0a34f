//! The attribute on a method that returns a reference into `self`: where the reference leads.
//!
//! `at__where` is the method's body, with a word in the place of the reference: which way the body went, and the indices on that way. By
//! this word a value of the type leads to the place (`Leads` of the runtime), and its tangent alike, so that `m.at(i)` is a place to the
//! function that calls it. The indices are taken from the value: the tangent has none of the fields that carry no derivative.

mod code;
pub mod functions;
mod routes;
mod ways;

use crate::ir::{Owner, Projection, Target};
use code::Emitted;
use proc_macro2::TokenStream;
use quote::quote;
use ways::Ways;

/// What stands beside the block that defines the method. Callers of one that is refused have no errors of their own.
pub fn code(item: &syn::ItemFn, projection: Projection, owner: &Owner, root: &TokenStream) -> TokenStream {
    let maybe = projection.target == Target::Maybe;
    let (ways, error) = match Ways::of(item, maybe, None) {
        Ok(ways) => (ways, None),
        Err(error) => (Ways::none(), Some(error.into_compile_error())),
    };
    let items = Emitted { item, projection, owner, root, ways }.items();
    quote!(#items #error)
}
