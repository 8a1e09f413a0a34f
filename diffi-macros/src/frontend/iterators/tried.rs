//! `try_fold`: a loop that is left where there is no next value.

use crate::frontend::lower::exit_values::{Look, results_of};
use crate::frontend::syntax::heads::head;
use crate::ir::purity::mentions;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// `chain.try_fold(start, f)` as the loop that it is, in a block with a label.
pub fn written_out(m: &syn::ExprMethodCall) -> syn::Expr {
    let (chain, start, f, span) = (head(&m.receiver), &m.args[0], &m.args[1], m.method.span());
    let tokens = m.to_token_stream();
    let [folded, item, next] = ["folded", "item", "next"].map(|name| unused(name, &tokens, span));
    let label = syn::Lifetime { apostrophe: span, ident: unused("folding", &tokens, span) };
    let whole = match strip_parens(start) {
        syn::Expr::Tuple(t) => {
            let members = (0..t.elems.len()).map(syn::Index::from);
            quote!((#(#folded.#members),*))
        }
        _ => quote!(#folded),
    };
    match fails(f) {
        true => syn::parse_quote_spanned!(span=> #label: {
            let mut #folded = #start;
            for #item in #chain {
                match (#f)(#folded, #item) {
                    Ok(#next) => #folded = #next,
                    Err(error) => break #label Err(error),
                }
            }
            Ok(#whole)
        }),
        false => syn::parse_quote_spanned!(span=> #label: {
            let mut #folded = #start;
            for #item in #chain {
                match (#f)(#folded, #item) {
                    Some(#next) => #folded = #next,
                    None => break #label None,
                }
            }
            Some(#whole)
        }),
    }
}

/// Whether a closure gives `Result`s; else `Option`s are taken for granted, and nothing else compiles.
fn fails(f: &syn::Expr) -> bool {
    match strip_parens(f) {
        syn::Expr::Closure(c) => matches!(Look::of_all(&results_of(&c.body)), Look::Maybe { fails: true, .. }),
        _ => false,
    }
}

/// A name that the tokens do not mention.
fn unused(name: &str, tokens: &TokenStream, span: Span) -> Ident {
    let mut ident = Ident::new(name, span);
    while mentions(tokens, &ident) {
        ident = Ident::new(&format!("{ident}_"), span);
    }
    ident
}
