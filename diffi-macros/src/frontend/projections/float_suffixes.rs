//! Literals as arguments of annotated functions, and as elements of arrays, in functions over `f32`: `scale(v, 0.5, [0.3, 1.5])`.
//!
//! Derivative code asks for the float of an argument before rustc has found out what a literal is, which it then takes for `f64`. Where a
//! function mentions no `f64`, these are `f32`, and are written so. The files around tell which functions have the attribute.

use super::defined::{Defined, beside};
use crate::ir::Base;
use crate::support::syntax::{mentions, strip_parens};
use crate::support::tokens::position;
use proc_macro2::Ident;
use quote::ToTokens;
use std::rc::Rc;
use syn::visit_mut::{self, VisitMut};

/// The function with such literals written out.
pub fn with_suffixes(mut item: syn::ItemFn, base: &Base) -> syn::ItemFn {
    let wide = Ident::new("f64", item.sig.ident.span());
    let is_single = matches!(base, Base::Concrete(name) if name == "f32");
    if is_single && !mentions(&item.to_token_stream(), &wide) {
        let files = position().map(|at| beside(&at.file)).unwrap_or_default();
        Literals { files }.visit_block_mut(&mut item.block);
    }
    item
}

struct Literals {
    files: Vec<Rc<Defined>>,
}

impl Literals {
    fn is_annotated(&self, name: &Ident) -> bool {
        let name = name.to_string();
        self.files.iter().any(|file| {
            let mut functions = file.functions.get(&name).into_iter().flatten();
            let mut methods = file.methods.get(&name).into_iter().flatten();
            functions.any(|f| f.annotated) || methods.any(|m| m.annotated)
        })
    }
}

impl VisitMut for Literals {
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        let syn::Expr::Path(p) = &*call.func else { return };
        if p.path.segments.last().is_some_and(|last| self.is_annotated(&last.ident)) {
            call.args.iter_mut().for_each(single);
        }
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if self.is_annotated(&call.method) {
            call.args.iter_mut().for_each(single);
        }
    }

    fn visit_expr_array_mut(&mut self, array: &mut syn::ExprArray) {
        visit_mut::visit_expr_array_mut(self, array);
        array.elems.iter_mut().for_each(single);
    }

    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        visit_mut::visit_expr_repeat_mut(self, repeat);
        single(&mut repeat.expr);
    }
}

/// A literal with the float's name behind it.
fn single(element: &mut syn::Expr) {
    match element {
        syn::Expr::Unary(u) if matches!(strip_parens(&u.expr), syn::Expr::Lit(_)) => single(&mut u.expr),
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(n), .. }) if n.suffix().is_empty() => {
            *n = syn::LitFloat::new(&format!("{}f32", n.base10_digits()), n.span());
        }
        _ => {}
    }
}
