//! Elements of ndarray's arrays by tuples, `u[(i, j)]`, and those of arrays with one axis, `v[i]`, as those by lists, `u[[i, j]]` and
//! `v[[i]]`: what knows rows by their syntax then sees one form.
//!
//! nalgebra's matrices take no lists, so this holds for variables whose type stands in the function: parameters, what the type's own
//! functions make, and copies of these.

use crate::frontend::syntax::ndarray_types::stands_for_ndarray;
use crate::support::syntax::strip_parens;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with lists for indices.
pub fn with_listed_indices(mut item: syn::ItemFn) -> syn::ItemFn {
    let mut arrays = Arrays::default();
    arrays.visit_item_fn(&item);
    if arrays.0.values().any(|kind| *kind != Kind::Other) {
        Listed(arrays.0).visit_block_mut(&mut item.block);
    }
    item
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An array of ndarray with one axis.
    Line,
    /// One with any number of axes.
    Array,
    Other,
}

/// What all that has a name is.
#[derive(Default)]
struct Arrays(BTreeMap<String, Kind>);

fn kind_of_type(ty: &syn::Type) -> Kind {
    match ty {
        syn::Type::Reference(lent) => kind_of_type(&lent.elem),
        syn::Type::Path(path) => kind_of_path(&path.path, 1),
        _ => Kind::Other,
    }
}

/// By the type in a path, so many segments before its end.
fn kind_of_path(path: &syn::Path, before_end: usize) -> Kind {
    let at = path.segments.len().checked_sub(before_end);
    let name = at.map(|at| path.segments[at].ident.to_string()).filter(|name| stands_for_ndarray(name));
    match name {
        Some(name) if name.ends_with('1') => Kind::Line,
        Some(_) => Kind::Array,
        None => Kind::Other,
    }
}

impl Arrays {
    fn bind(&mut self, name: &syn::Ident, kind: Kind) {
        let all = self.0.entry(name.to_string()).or_insert(kind);
        if *all != kind {
            *all = Kind::Other;
        }
    }

    fn kind(&self, value: &syn::Expr) -> Kind {
        let known = |path: &syn::Path| path.get_ident().and_then(|name| self.0.get(&name.to_string()).copied());
        match strip_parens(value) {
            syn::Expr::Path(variable) => known(&variable.path).unwrap_or(Kind::Other),
            syn::Expr::Reference(lent) => self.kind(&lent.expr),
            syn::Expr::MethodCall(copy)
                if ["clone", "to_owned", "view", "view_mut"].iter().any(|name| copy.method == name) =>
            {
                self.kind(&copy.receiver)
            }
            syn::Expr::Call(call) => match &*call.func {
                syn::Expr::Path(function) => kind_of_path(&function.path, 2),
                _ => Kind::Other,
            },
            _ => Kind::Other,
        }
    }
}

impl<'ast> Visit<'ast> for Arrays {
    fn visit_fn_arg(&mut self, arg: &'ast syn::FnArg) {
        let syn::FnArg::Typed(typed) = arg else { return };
        match &*typed.pat {
            syn::Pat::Ident(name) => self.bind(&name.ident, kind_of_type(&typed.ty)),
            other => self.visit_pat(other),
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let (pattern, typed) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(kind_of_type(&typed.ty))),
            other => (other, None),
        };
        let init = local.init.as_ref().map(|init| &*init.expr);
        init.into_iter().for_each(|init| self.visit_expr(init));
        match pattern {
            syn::Pat::Ident(name) => {
                let kind = typed.or_else(|| init.map(|init| self.kind(init)));
                self.bind(&name.ident, kind.unwrap_or(Kind::Other));
            }
            other => self.visit_pat(other),
        }
    }

    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.bind(&name.ident, Kind::Other);
        visit::visit_pat_ident(self, name);
    }
}

struct Listed(BTreeMap<String, Kind>);

impl VisitMut for Listed {
    fn visit_expr_index_mut(&mut self, element: &mut syn::ExprIndex) {
        visit_mut::visit_expr_index_mut(self, element);
        let syn::Expr::Path(array) = strip_parens(&element.expr) else { return };
        let kind = array.path.get_ident().and_then(|name| self.0.get(&name.to_string()));
        match (kind, strip_parens(&element.index)) {
            (Some(Kind::Array), syn::Expr::Tuple(parts)) => {
                let parts = &parts.elems;
                *element.index = syn::parse_quote!([#parts]);
            }
            (Some(Kind::Line), at)
                if !matches!(at, syn::Expr::Array(_) | syn::Expr::Tuple(_) | syn::Expr::Range(_)) =>
            {
                *element.index = syn::parse_quote!([#at]);
            }
            _ => {}
        }
    }
}
