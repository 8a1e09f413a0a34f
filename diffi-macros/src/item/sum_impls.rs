//! `#[differentiable]` on `impl Sum` and `impl Product`: that a total of a user's type is made by `+`, or by `*`, one item after another.
//!
//! What `.sum::<Point>()` does is known where the body is `items.fold(start, |sum, item| sum + item)`; the block says so by a trait, with the
//! value that it starts from, and callers write the fold.

use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Whether the block implements `Sum`, or `Product`.
pub fn is_total(block: &syn::ItemImpl) -> bool {
    operator(block).is_some()
}

/// What stands beside the implementation.
pub fn code(block: &syn::ItemImpl, root: &TokenStream) -> syn::Result<TokenStream> {
    let Some((op, item)) = operator(block) else { return Ok(TokenStream::new()) };
    let start = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) => start_of(f, &op),
        _ => None,
    });
    let Some(start) = start else { return Err(crate::support::errors::total_of_a_type(op.span(), &op)) };
    let (generics, _, bounds) = block.generics.split_for_impl();
    let ty = &block.self_ty;
    let item = item.unwrap_or_else(|| quote!(#ty));
    Ok(quote! {
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use #root::__private as __d;
            impl #generics __d::library::Total<__d::library::op::#op, #item> for #ty #bounds {
                #[inline]
                fn start() -> Self {
                    #start
                }
            }
        };
    })
}

/// The operator by which items are put together, and their type, if that is written.
fn operator(block: &syn::ItemImpl) -> Option<(Ident, Option<TokenStream>)> {
    let (_, path, _) = block.trait_.as_ref()?;
    let last = path.segments.last()?;
    let op = match last.ident.to_string().as_str() {
        "Sum" => "Add",
        "Product" => "Mul",
        _ => return None,
    };
    let item = match &last.arguments {
        syn::PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
            syn::GenericArgument::Type(ty) => Some(quote!(#ty)),
            _ => None,
        }),
        _ => None,
    };
    Some((Ident::new(op, last.ident.span()), item))
}

/// What the function's body starts from, if it is a fold by the operator.
fn start_of(f: &syn::ImplItemFn, op: &Ident) -> Option<syn::Expr> {
    let [syn::Stmt::Expr(body, None)] = &f.block.stmts[..] else { return None };
    let (syn::Expr::MethodCall(m), [syn::FnArg::Typed(given)]) =
        (strip_parens(body), &f.sig.inputs.iter().collect::<Vec<_>>()[..])
    else {
        return None;
    };
    let syn::Pat::Ident(items) = &*given.pat else { return None };
    let by = m.args.iter().nth(1)?;
    let folds = m.method == "fold" && m.args.len() == 2 && is_name(&m.receiver, &items.ident);
    (folds && is_operator(by, op)).then(|| m.args[0].clone())
}

/// `|sum, item| sum + item`, `Add::add`.
fn is_operator(by: &syn::Expr, op: &Ident) -> bool {
    let sums = op == "Add";
    match strip_parens(by) {
        syn::Expr::Closure(c) => {
            let [Some(sum), Some(item)] = [0, 1].map(|k| c.inputs.iter().nth(k).and_then(pattern_name)) else {
                return false;
            };
            let syn::Expr::Binary(b) = strip_parens(&c.body) else { return false };
            let combines = if sums { matches!(b.op, syn::BinOp::Add(_)) } else { matches!(b.op, syn::BinOp::Mul(_)) };
            combines && is_name(&b.left, sum) && is_name(&b.right, item)
        }
        syn::Expr::Path(p) => {
            let names: Vec<String> = p.path.segments.iter().rev().take(2).map(|s| s.ident.to_string()).collect();
            let [method, of] = if sums { ["add", "Add"] } else { ["mul", "Mul"] };
            names == [method, of]
        }
        _ => false,
    }
}

fn pattern_name(pattern: &syn::Pat) -> Option<&Ident> {
    match pattern {
        syn::Pat::Ident(p) => Some(&p.ident),
        syn::Pat::Type(t) => pattern_name(&t.pat),
        _ => None,
    }
}

/// Whether an expression is a variable, or what it refers to.
fn is_name(expr: &syn::Expr, name: &Ident) -> bool {
    match strip_parens(expr) {
        syn::Expr::Path(p) => p.path.is_ident(name),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => is_name(&u.expr, name),
        syn::Expr::MethodCall(m) if m.method == "clone" || m.method == "to_owned" => is_name(&m.receiver, name),
        _ => false,
    }
}
