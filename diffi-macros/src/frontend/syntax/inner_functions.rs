//! Functions inside of a function: derivative code has them as closures, whose bodies stand where they are called.
//!
//! `{ fn square(t: f64) -> f64 { t * t } square(x) }` is lowered as `{ let square = |t: f64| -> f64 { t * t }; square(x) }`: such a function
//! sees nothing of the variables around it, and its text is there. A function that calls itself, that is generic, that uses `?` or
//! has options of its own stays an item, which gets the attribute where active values are given to it (`lower/called_items.rs`). So does one
//! that only takes and gives integers, text and the like.

use crate::frontend::syntax::{bases, types};
use crate::ir::Base;
use crate::support::syntax::{is_attribute, mentions};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function as derivative code has it.
pub fn as_closures(mut item: syn::ItemFn) -> syn::ItemFn {
    InnerFunctions.visit_block_mut(&mut item.block);
    item
}

struct InnerFunctions;

impl VisitMut for InnerFunctions {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let functions: Vec<syn::ItemFn> = block.stmts.iter().filter_map(function_of).cloned().collect();
        let known = in_order(functions);
        if known.is_empty() {
            return;
        }
        let stmts = std::mem::take(&mut block.stmts).into_iter();
        let stays =
            |stmt: &syn::Stmt| function_of(stmt).is_none_or(|f| known.iter().all(|k| k.sig.ident != f.sig.ident));
        let (items, rest): (Vec<_>, Vec<_>) = stmts.filter(stays).partition(is_item);
        block.stmts = items.into_iter().chain(known.iter().map(closure)).chain(rest).collect();
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let syn::Item::Fn(function) = item {
            visit_mut::visit_item_fn_mut(self, function);
        }
    }
}

/// What may stand in front of everything else in its block: macros are seen only behind them.
fn is_item(stmt: &syn::Stmt) -> bool {
    matches!(stmt, syn::Stmt::Item(item) if !matches!(item, syn::Item::Macro(_)))
}

/// The functions that may be closures, each behind those that it calls.
pub fn in_order(mut functions: Vec<syn::ItemFn>) -> Vec<syn::ItemFn> {
    let mut known = Vec::new();
    let rules: Vec<syn::Attribute> = functions.iter().flat_map(|f| f.attrs.clone()).filter(is_attribute).collect();
    let is_rule = |f: &syn::ItemFn| rules.iter().any(|rule| mentions(&rule.to_token_stream(), &f.sig.ident));
    while let Some(next) = functions.iter().position(|f| is_plain(f) && !is_rule(f) && stands_alone(f, &functions)) {
        known.push(functions.remove(next));
    }
    known
}

/// Whether a function calls none of these functions.
fn stands_alone(function: &syn::ItemFn, functions: &[syn::ItemFn]) -> bool {
    let body = function.block.to_token_stream();
    !functions.iter().any(|other| mentions(&body, &other.sig.ident))
}

/// Whether a closure can say the same as a function, which may carry derivatives.
pub fn is_plain(function: &syn::ItemFn) -> bool {
    let sig = &function.sig;
    let options = function.attrs.iter().any(|a| is_attribute(a) && !matches!(a.meta, syn::Meta::Path(_)));
    let qualified = sig.unsafety.is_some() || sig.asyncness.is_some() || sig.abi.is_some();
    let mut asks = Asks::default();
    asks.visit_item_fn(function);
    sig.generics.params.is_empty() && !qualified && !options && !asks.found && carries(function)
}

/// Whether anything in the signature may carry a derivative.
fn carries(function: &syn::ItemFn) -> bool {
    let base: Base = bases::base_of(&function.sig, None);
    let inputs = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(p) => Some(&*p.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let output = match &function.sig.output {
        syn::ReturnType::Type(_, ty) => Some(&**ty),
        syn::ReturnType::Default => None,
    };
    inputs.chain(output).any(|ty| !types::is_passive(&types::describe(ty, &base)))
}

/// `?` in a function's body, and `impl` in its signature.
#[derive(Default)]
struct Asks {
    found: bool,
}

impl<'a> Visit<'a> for Asks {
    fn visit_expr_try(&mut self, _: &'a syn::ExprTry) {
        self.found = true;
    }

    fn visit_type_impl_trait(&mut self, _: &'a syn::TypeImplTrait) {
        self.found = true;
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        visit::visit_signature(self, &function.sig);
        visit::visit_block(self, &function.block);
    }
}

pub fn function_of(stmt: &syn::Stmt) -> Option<&syn::ItemFn> {
    match stmt {
        syn::Stmt::Item(syn::Item::Fn(function)) => Some(function),
        _ => None,
    }
}

/// `let name = |parameters| -> result { body };`
fn closure(function: &syn::ItemFn) -> syn::Stmt {
    let syn::ItemFn { sig, block, .. } = function;
    let (name, inputs) = (&sig.ident, sig.inputs.iter());
    match &sig.output {
        syn::ReturnType::Default => syn::parse_quote!(let #name = |#(#inputs),*| #block;),
        output => syn::parse_quote!(let #name = |#(#inputs),*| #output #block;),
    }
}
