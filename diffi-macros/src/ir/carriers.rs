//! Options, results and structs that passive code gives: how derivative code holds them, asks them, and takes them apart.

use crate::ir::PassiveCode;
use crate::ir::purity::{PART, looks_up};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// The value of a passive expression, in a form from which an error can be taken.
pub fn landing(value: &TokenStream) -> TokenStream {
    quote!({ use __d::Landed as _; __d::Landing(#value).landed() })
}

/// Whether a held option or result has a content.
pub fn is_there(held: &TokenStream) -> TokenStream {
    quote!(__d::Carrier::is_there(&#held))
}

/// A copy of the content of a held option or result.
pub fn content(held: &TokenStream) -> TokenStream {
    quote!(::core::clone::Clone::clone(__d::Carrier::content(&#held)))
}

/// A part of a passive value, which is a reference where the value is one.
pub fn part(whole: &TokenStream, part: &TokenStream) -> TokenStream {
    quote!((&&__d::TakenApart(&#whole)).taken_part(&#part))
}

/// Whether it is a [`part`].
pub fn is_part(o: &PassiveCode) -> bool {
    let trees: Vec<TokenTree> = o.tokens.clone().into_iter().collect();
    matches!(&trees[..], [.., TokenTree::Ident(method), TokenTree::Group(_)] if method == PART)
}

/// Whether it is a [`landing`] of what is looked up in a place, or what such a one
/// [`is_there`] or has for its [`content`]: references, perhaps, which cannot be kept, and are found again as they were.
pub fn is_found(o: &PassiveCode) -> bool {
    let landed = || landed_in(&o.tokens).is_some_and(|value| looks_up(&PassiveCode { tokens: value, ..o.clone() }));
    asks(&o.tokens) || landed()
}

fn asks(tokens: &TokenStream) -> bool {
    let Ok(syn::Expr::Call(call)) = syn::parse2(tokens.clone()) else { return false };
    asked(&call) || matches!(call.args.first(), Some(syn::Expr::Call(inner)) if asked(inner) && is_copy(&call))
}

fn is_copy(call: &syn::ExprCall) -> bool {
    call.func.to_token_stream().to_string() == ":: core :: clone :: Clone :: clone"
}

fn asked(call: &syn::ExprCall) -> bool {
    let function = call.func.to_token_stream().to_string();
    let held = call
        .args
        .first()
        .is_some_and(|held| matches!(held, syn::Expr::Reference(r) if matches!(&*r.expr, syn::Expr::Path(_))));
    held && matches!(function.as_str(), "__d :: Carrier :: is_there" | "__d :: Carrier :: content")
}

/// The value of a [`landing`].
fn landed_in(tokens: &TokenStream) -> Option<TokenStream> {
    let Ok(syn::Expr::Block(b)) = syn::parse2(tokens.clone()) else { return None };
    let [_, syn::Stmt::Expr(syn::Expr::MethodCall(landed), None)] = &b.block.stmts[..] else { return None };
    let syn::Expr::Call(landing) = &*landed.receiver else { return None };
    let named = landing.func.to_token_stream().to_string() == "__d :: Landing";
    (named && landed.method == "landed").then(|| landing.args.to_token_stream())
}
