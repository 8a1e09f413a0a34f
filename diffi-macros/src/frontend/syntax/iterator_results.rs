//! Results that are iterators: derivative code gives a list of the elements in their place.
//!
//! `fn squares(x: &[f64]) -> impl Iterator<Item = f64> + '_ { x.iter().map(|v| v * v) }` is lowered as
//! `fn squares(x: &[f64]) -> Vec<f64> { x.iter().map(|v| v * v).collect() }`; callers walk over either in the same way.

use crate::frontend::syntax::iterator_params::{borrows, items_of};
use crate::support::syntax::{has_return, is_box, strip_parens};

/// The function as derivative code has it.
pub fn with_listed_result(mut item: syn::ItemFn) -> syn::ItemFn {
    let Some(items) = items_given(&item.sig.output) else { return item };
    let body = syn::Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: (*item.block).clone() });
    if has_return(&body) {
        return item;
    }
    collected_at_end(&mut item.block, &items);
    item.sig.output = syn::parse_quote!(-> ::std::vec::Vec<#items>);
    item.attrs.push(syn::parse_quote!(#[listed]));
    item
}

/// The items of a result that is an iterator, if they can stand in a list.
pub fn items_given(output: &syn::ReturnType) -> Option<syn::Type> {
    let syn::ReturnType::Type(_, ty) = output else { return None };
    given(ty).filter(|items| !borrows(items))
}

/// Whether the user's function gives an iterator.
pub fn is_listed(item: &syn::ItemFn) -> bool {
    item.attrs.iter().any(|a| a.path().is_ident("listed"))
}

/// The items of `impl Iterator<Item = T>`, or of a `Box<dyn Iterator<Item = T>>`.
fn given(ty: &syn::Type) -> Option<syn::Type> {
    match ty {
        syn::Type::ImplTrait(t) => t.bounds.iter().find_map(items_of),
        syn::Type::TraitObject(t) => t.bounds.iter().find_map(items_of),
        syn::Type::Paren(p) => given(&p.elem),
        syn::Type::Path(p) => {
            let last = p.path.segments.last().filter(|s| s.ident == "Box")?;
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            match arguments.args.first()? {
                syn::GenericArgument::Type(ty @ syn::Type::TraitObject(_)) => given(ty),
                _ => None,
            }
        }
        _ => None,
    }
}

fn collected_at_end(block: &mut syn::Block, items: &syn::Type) {
    if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last_mut() {
        collected(last, items);
    }
}

/// The list of what an expression gives, in each of its branches.
fn collected(expr: &mut syn::Expr, items: &syn::Type) {
    match expr {
        syn::Expr::If(i) => {
            collected_at_end(&mut i.then_branch, items);
            i.else_branch.iter_mut().for_each(|(_, other)| collected(other, items));
        }
        syn::Expr::Match(m) => m.arms.iter_mut().for_each(|arm| collected(&mut arm.body, items)),
        syn::Expr::Block(b) => collected_at_end(&mut b.block, items),
        e => {
            let inner = unboxed(e);
            *e = syn::parse_quote!(#inner.collect::<::std::vec::Vec<#items>>());
        }
    }
}

/// `iterator` of `Box::new(iterator)`.
fn unboxed(expr: &syn::Expr) -> &syn::Expr {
    match strip_parens(expr) {
        syn::Expr::Call(c) if is_box(c) => &c.args[0],
        _ => expr,
    }
}
