//! Sums, differences and products of passive code, with numbers folded.

use crate::ir::affine::{gathered, literal, literal_index};
use crate::ir::*;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// `a + b`.
pub fn add(a: &PassiveCode, b: &PassiveCode) -> PassiveCode {
    match (literal_index(a), literal_index(b)) {
        (Some(a), Some(b)) => literal(a + b),
        (Some(0), _) => b.clone(),
        (_, Some(0)) => a.clone(),
        (Some(_), _) => sum_of(b, a),
        _ => sum_of(a, b),
    }
}

pub fn sum_of(a: &PassiveCode, b: &PassiveCode) -> PassiveCode {
    let (x, y) = (&a.tokens, factor(b));
    gathered(quote!(#x + #y), [a, b].into_iter(), a.span)
}

/// `a - b`.
pub fn sub(a: &PassiveCode, b: &PassiveCode) -> PassiveCode {
    if literal_index(b) == Some(0) {
        return a.clone();
    }
    let (x, y) = (&a.tokens, factor(b));
    gathered(quote!(#x - #y), [a, b].into_iter(), a.span)
}

/// `a * b`.
pub fn mul(a: &PassiveCode, b: &PassiveCode) -> PassiveCode {
    match (literal_index(a), literal_index(b)) {
        (Some(a), Some(b)) => literal(a * b),
        (Some(1), _) => b.clone(),
        (_, Some(1)) => a.clone(),
        _ => {
            let (x, y) = (factor(a), factor(b));
            gathered(quote!(#x * #y), [a, b].into_iter(), a.span)
        }
    }
}

/// `a.method(b)`.
pub fn method(a: &PassiveCode, name: &str, b: &PassiveCode) -> PassiveCode {
    let name = proc_macro2::Ident::new(name, a.span);
    let (x, y) = (factor(a), &b.tokens);
    let x = if literal_index(a).is_some() { quote!((#x as usize)) } else { x };
    gathered(quote!(#x.#name(#y)), [a, b].into_iter(), a.span)
}

/// The tokens, in parentheses unless they are one name, literal, path or group.
pub fn factor(o: &PassiveCode) -> TokenStream {
    let tokens = &o.tokens;
    let atomic = syn::parse2::<syn::Expr>(tokens.clone()).is_ok_and(|e| {
        matches!(
            e,
            syn::Expr::Path(_)
                | syn::Expr::Lit(_)
                | syn::Expr::Paren(_)
                | syn::Expr::MethodCall(_)
                | syn::Expr::Index(_)
                | syn::Expr::Field(_)
                | syn::Expr::Call(_)
                | syn::Expr::Tuple(_)
        )
    });
    if atomic { quote!(#tokens) } else { quote!((#tokens)) }
}

/// Only names, literals and arithmetic.
pub fn is_simple(o: &PassiveCode) -> bool {
    o.shapes.is_empty() && (place::type_of_index(o).is_some() || simple_tokens(o.tokens.clone()))
}

pub fn simple_tokens(tokens: TokenStream) -> bool {
    let mut after_name = false;
    for tree in tokens {
        match &tree {
            TokenTree::Ident(name) if name == "as" => return false,
            TokenTree::Punct(p) if !"+-*/%,".contains(p.as_char()) => return false,
            TokenTree::Group(g) => {
                let call = after_name || g.delimiter() == Delimiter::Brace;
                if call || !simple_tokens(g.stream()) {
                    return false;
                }
            }
            _ => {}
        }
        after_name = matches!(tree, TokenTree::Ident(_));
    }
    true
}
