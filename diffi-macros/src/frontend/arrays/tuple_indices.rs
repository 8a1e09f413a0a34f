//! Elements of ndarray's arrays by tuples, `u[(i, j)]`, as those by lists, `u[[i, j]]`: what knows rows by their syntax then sees one form.
//!
//! nalgebra's matrices take tuples alone, so this holds for variables whose type stands in the function: parameters, what the type's own
//! functions make, and copies of these.

use crate::frontend::syntax::types::is_of_ndarray;
use crate::support::syntax::strip_parens;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with lists for indices.
pub fn with_listed_indices(mut item: syn::ItemFn) -> syn::ItemFn {
    let mut arrays = Arrays::default();
    arrays.visit_item_fn(&item);
    let known: Vec<String> = arrays.0.into_iter().filter_map(|(name, is_array)| is_array.then_some(name)).collect();
    if !known.is_empty() {
        Listed(known).visit_block_mut(&mut item.block);
    }
    item
}

/// Whether all that has a name is an array of ndarray.
#[derive(Default)]
struct Arrays(BTreeMap<String, bool>);

fn is_array_type(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(lent) => is_array_type(&lent.elem),
        syn::Type::Path(path) => is_array_path(&path.path, 1),
        _ => false,
    }
}

/// Whether the type stands in a path, so many segments before its end.
fn is_array_path(path: &syn::Path, before_end: usize) -> bool {
    let at = path.segments.len().checked_sub(before_end);
    at.is_some_and(|at| is_of_ndarray(&path.segments[at].ident.to_string()))
}

impl Arrays {
    fn bind(&mut self, name: &syn::Ident, is_array: bool) {
        let all = self.0.entry(name.to_string()).or_insert(is_array);
        *all &= is_array;
    }

    fn is_array(&self, value: &syn::Expr) -> bool {
        let is_known = |path: &syn::Path| path.get_ident().is_some_and(|name| self.0.get(&name.to_string()) == Some(&true));
        match strip_parens(value) {
            syn::Expr::Path(variable) => is_known(&variable.path),
            syn::Expr::Reference(lent) => self.is_array(&lent.expr),
            syn::Expr::MethodCall(copy) => {
                ["clone", "to_owned", "view", "view_mut"].iter().any(|name| copy.method == name)
                    && self.is_array(&copy.receiver)
            }
            syn::Expr::Call(call) => {
                matches!(&*call.func, syn::Expr::Path(function) if is_array_path(&function.path, 2))
            }
            _ => false,
        }
    }
}

impl<'ast> Visit<'ast> for Arrays {
    fn visit_fn_arg(&mut self, arg: &'ast syn::FnArg) {
        let syn::FnArg::Typed(typed) = arg else { return };
        match &*typed.pat {
            syn::Pat::Ident(name) => self.bind(&name.ident, is_array_type(&typed.ty)),
            other => self.visit_pat(other),
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let (pattern, typed) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, is_array_type(&typed.ty)),
            other => (other, false),
        };
        let init = local.init.as_ref().map(|init| &*init.expr);
        init.into_iter().for_each(|init| self.visit_expr(init));
        match pattern {
            syn::Pat::Ident(name) => self.bind(&name.ident, typed || init.is_some_and(|init| self.is_array(init))),
            other => self.visit_pat(other),
        }
    }

    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.bind(&name.ident, false);
        visit::visit_pat_ident(self, name);
    }
}

/// The variables.
struct Listed(Vec<String>);

impl VisitMut for Listed {
    fn visit_expr_index_mut(&mut self, element: &mut syn::ExprIndex) {
        let of = matches!(strip_parens(&element.expr), syn::Expr::Path(p)
            if p.path.get_ident().is_some_and(|name| self.0.contains(&name.to_string())));
        if let (true, syn::Expr::Tuple(parts)) = (of, strip_parens(&element.index)) {
            let parts = &parts.elems;
            *element.index = syn::parse_quote!([#parts]);
        }
        visit_mut::visit_expr_index_mut(self, element);
    }
}
