//! `Option::Some(x)` and `Result::Err(e)` in patterns, as `Some(x)` and `Err(e)`, and `Option::None` as `None`. Where the name is that of
//! another type, generated code does not compile.

use super::types::first_argument;
use syn::visit_mut::{self, VisitMut};

/// The function with such paths written so.
pub fn with_plain_variants(mut item: syn::ItemFn) -> syn::ItemFn {
    Variants.visit_item_fn_mut(&mut item);
    item
}

/// Whether a path names a variant of std's `Option` or `Result` behind its type.
fn is_behind_its_type(path: &syn::Path) -> bool {
    let names: Vec<String> = path.segments.iter().rev().take(2).map(|s| s.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(names[..], ["Some" | "None", "Option"] | ["Ok" | "Err", "Result"])
}

fn is_none(path: &syn::Path) -> bool {
    is_behind_its_type(path) && path.segments.last().is_some_and(|last| last.ident == "None")
}

struct Variants;

impl Variants {
    fn shorten(path: &mut syn::Path) {
        if let Some(last) = path.segments.last().filter(|_| is_behind_its_type(path)).cloned() {
            *path = syn::Path::from(last.ident);
        }
    }
}

impl VisitMut for Variants {
    fn visit_pat_mut(&mut self, pattern: &mut syn::Pat) {
        match pattern {
            syn::Pat::TupleStruct(t) => Self::shorten(&mut t.path),
            syn::Pat::Path(p) if is_behind_its_type(&p.path) => {
                let name = &p.path.segments[p.path.segments.len() - 1].ident;
                *pattern = syn::parse_quote!(#name);
            }
            _ => {}
        }
        visit_mut::visit_pat_mut(self, pattern);
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let (syn::Pat::Ident(_), Some(init)) = (&local.pat, &local.init)
            && let syn::Expr::Path(none) = &*init.expr
            && let Some(content) = none.path.segments.iter().find_map(first_argument).filter(|_| is_none(&none.path))
        {
            let name = &local.pat;
            let syn::Stmt::Local(typed) = syn::parse_quote!(let #name: ::core::option::Option<#content> = None;) else {
                unreachable!("a declaration")
            };
            *local = typed;
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Path(p) = expr
            && is_none(&p.path)
        {
            Self::shorten(&mut p.path);
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}
