//! `#[cfg]` and `#[cfg_attr]` within an annotated item: rustc evaluates them before the item is read.
//!
//! An attribute sees its item before rustc has evaluated what stands inside of it, and only rustc knows the answers. A derive sees an
//! item that rustc has gone through, down to the bodies of its constants. So an item that mentions either attribute first becomes the
//! body of a constant in a carrier under a derive. The derive expands the item as the attribute would have done, and the carrier is
//! thrown away.

use crate::support::errors::{self, Errors};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

/// Whether an item mentions conditions. Methods without their block are refused, and no item may stand beside them.
pub fn is_needed(item: &TokenStream) -> bool {
    let is_method = |f: syn::ItemFn| f.sig.receiver().is_some();
    conditions(item).is_some() && !syn::parse2(item.clone()).is_ok_and(is_method)
}

/// The carrier of an item that is to be expanded after rustc has evaluated the conditions in it.
///
/// Its first statement is there only if rustc has not evaluated them.
pub fn carrier(options: &TokenStream, item: TokenStream, root: &TokenStream) -> TokenStream {
    let item = enclosed(item);
    quote! {
        #[derive(#root::__private::Configured)]
        #[#root::__private::carrier(#options)]
        enum Carrier { Item = { #[cfg(any())] {} { #item } 0 } }
    }
}

/// Puts calls with conditions in blocks. rustc takes a call away without its semicolon, which would then follow another statement.
fn enclosed(item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(mut item) => {
            Enclose.visit_item_mut(&mut item);
            item.into_token_stream()
        }
        Err(_) => item,
    }
}

struct Enclose;

impl VisitMut for Enclose {
    fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
        use syn::Expr::{Await, Call, MethodCall, Try};
        visit_mut::visit_stmt_mut(self, stmt);
        if matches!(stmt, syn::Stmt::Expr(Call(_) | MethodCall(_) | Try(_) | Await(_), Some(_))) {
            let parts = |input: ParseStream| Ok((input.call(syn::Attribute::parse_outer)?, input.parse()?));
            let (attributes, call): (Vec<syn::Attribute>, TokenStream) =
                parts.parse2(stmt.to_token_stream()).expect("attributes come first");
            if attributes.iter().any(is_condition) {
                *stmt = syn::parse_quote!(#(#attributes)* { #call });
            }
        }
    }
}

/// The options and the item in a carrier.
pub fn carried(carrier: TokenStream) -> syn::Result<[TokenStream; 2]> {
    let attribute = groups(carrier.clone()).next();
    let options = attribute.and_then(last_group).map(|options| options.stream());
    let value = groups(carrier).last().and_then(last_group).map(|value| value.stream().into_iter().collect::<Vec<_>>());
    match (options, value.as_deref()) {
        (Some(options), Some([TokenTree::Group(item), TokenTree::Literal(_)])) => Ok([options, closed_up(item)]),
        _ => Err(errors::conditions_are_left()),
    }
}

/// The inside of a group without the commas of parameters that rustc has taken away.
fn closed_up(group: &Group) -> TokenStream {
    let is = |tree: Option<&TokenTree>, mark: char| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == mark);
    let mut out: Vec<TokenTree> = Vec::new();
    for tree in group.stream() {
        let begins = out.is_empty() && group.delimiter() == Delimiter::Parenthesis;
        match tree {
            TokenTree::Group(inner) if !is(out.last(), '!') => {
                let mut inside = Group::new(inner.delimiter(), closed_up(&inner));
                inside.set_span(inner.span());
                out.push(inside.into());
            }
            comma if is(Some(&comma), ',') && (begins || is(out.last(), ',')) => {}
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

fn groups(tokens: TokenStream) -> impl Iterator<Item = Group> {
    tokens.into_iter().filter_map(|tree| match tree {
        TokenTree::Group(group) => Some(group),
        _ => None,
    })
}

fn last_group(outer: Group) -> Option<Group> {
    groups(outer.stream()).last()
}

/// The place of the first condition within tokens, in the arguments of macros too.
fn conditions(tokens: &TokenStream) -> Option<Span> {
    let mut marked = false;
    for tree in tokens.clone() {
        match tree {
            TokenTree::Punct(mark) if mark.as_char() == '#' || marked && mark.as_char() == '!' => marked = true,
            TokenTree::Group(group) => {
                let attribute = marked && group.delimiter() == Delimiter::Bracket;
                let name = first_name(group.stream()).filter(|name| attribute && says_condition(name));
                if let Some(found) = name.map(|name| name.span()).or_else(|| conditions(&group.stream())) {
                    return Some(found);
                }
                marked = false;
            }
            _ => marked = false,
        }
    }
    None
}

/// The first name of an attribute, which a macro by example may have been given as one piece.
fn first_name(attribute: TokenStream) -> Option<Ident> {
    match attribute.into_iter().next()? {
        TokenTree::Ident(name) => Some(name),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => first_name(group.stream()),
        _ => None,
    }
}

fn is_condition(attribute: &syn::Attribute) -> bool {
    attribute.path().get_ident().is_some_and(says_condition)
}

fn says_condition(name: &Ident) -> bool {
    name == "cfg" || name == "cfg_attr"
}

/// The function without the conditions that hold. Those in the arguments of macros are still to be evaluated.
pub fn settled(mut item: syn::ItemFn) -> syn::ItemFn {
    Settle.visit_item_fn_mut(&mut item);
    item
}

struct Settle;

impl VisitMut for Settle {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        attributes.retain(|a| !is_condition(a));
    }
}

/// Refuses conditions in the arguments of macros, which rustc evaluates when the macros are expanded.
pub fn check(item: &syn::ItemFn, errors: &mut Errors) {
    Arguments { errors }.visit_block(&item.block);
}

struct Arguments<'e> {
    errors: &'e mut Errors,
}

impl<'a> Visit<'a> for Arguments<'_> {
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        if let Some(span) = conditions(&m.tokens) {
            self.errors.condition_in_a_macro(span);
        }
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}
}

#[cfg(test)]
mod tests;
