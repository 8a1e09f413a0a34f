//! Names for what is written around a user's code: the code does not mention them, so that they capture nothing.

use crate::support::syntax::mentions;
use proc_macro2::{Ident, Span, TokenStream};

/// A name that the tokens do not mention.
pub fn unused(name: &str, tokens: &TokenStream, span: Span) -> Ident {
    let mut ident = Ident::new(name, span);
    while mentions(tokens, &ident) {
        ident = Ident::new(&format!("{ident}_"), span);
    }
    ident
}
