//! `collect()` into types of the user's with an `impl FromIterator`, as far as the source files around show: it is a call of `from_iter`.
//! `Vec::from_iter(iterator)` is a `collect()`.

use super::defined::{Defined, beside};
use super::definitions::type_name;
use crate::support::syntax::strip_parens;
use crate::support::tokens::position;
use proc_macro2::Ident;
use quote::quote;
use std::collections::HashSet;
use std::rc::Rc;
use syn::visit_mut::{self, VisitMut};

/// The function with such calls written so.
pub fn with_from_iter(mut item: syn::ItemFn) -> syn::ItemFn {
    let mut calls = Calls { own: position().map(|at| own(&beside(&at.file))).unwrap_or_default() };
    if let (syn::ReturnType::Type(_, ty), Some(syn::Stmt::Expr(last, None))) =
        (&item.sig.output, item.block.stmts.last_mut())
    {
        calls.write(last, ty);
    }
    calls.visit_block_mut(&mut item.block);
    item
}

/// The types that are collected into. A function `from_iter` beside the trait's may have derivatives that are not the trait's, unless
/// these are there too: rustc refuses both.
fn own(files: &[Rc<Defined>]) -> HashSet<String> {
    let all = || files.iter().flat_map(|file| &file.collected);
    let functions: usize = files.iter().filter_map(|file| file.signatures.get("from_iter")).map(Vec::len).sum();
    let alone = functions == all().count();
    all().filter(|(_, annotated)| *annotated || alone).map(|(name, _)| name.clone()).collect()
}

struct Calls {
    /// The names of the types.
    own: HashSet<String>,
}

impl Calls {
    /// `chain.collect()`, of this type.
    fn write(&self, e: &mut syn::Expr, ty: &syn::Type) {
        let syn::Expr::MethodCall(m) = strip_parens(e) else { return };
        let (syn::Type::Path(path), true) = (ty, m.method == "collect" && m.args.is_empty()) else { return };
        if !type_name(ty).is_some_and(|name| self.own.contains(&name.to_string())) {
            return;
        }
        let (chain, mut path) = (&m.receiver, path.path.clone());
        path.segments.iter_mut().for_each(|s| {
            if let syn::PathArguments::AngleBracketed(arguments) = &mut s.arguments {
                arguments.colon2_token = Some(Default::default());
            }
        });
        let from_iter = Ident::new("from_iter", m.method.span());
        *e = syn::parse_quote!(#path::#from_iter(#chain));
    }
}

/// `iterator.into_iter().collect::<Vec<_>>()` of `Vec::from_iter(iterator)`.
fn of_std(e: &syn::Expr) -> Option<syn::Expr> {
    let syn::Expr::Call(call) = e else { return None };
    let (syn::Expr::Path(path), [iterator]) = (&*call.func, &call.args.iter().collect::<Vec<_>>()[..]) else {
        return None;
    };
    let (owner, name) = (path.path.segments.iter().rev().nth(1)?, path.path.segments.last()?);
    let known = path.qself.is_none() && (owner.ident == "Vec" || owner.ident == "VecDeque");
    let collect = Ident::new("collect", name.ident.span());
    let mut ty = path.path.clone();
    ty.segments.pop();
    ty.segments.pop_punct();
    let items = owner.arguments.is_empty().then(|| quote!(<_>));
    (known && name.ident == "from_iter").then(|| syn::parse_quote!(#iterator.into_iter().#collect::<#ty #items>()))
}

impl VisitMut for Calls {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let (syn::Pat::Type(typed), Some(init)) = (&local.pat, &mut local.init) {
            self.write(&mut init.expr, &typed.ty);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Some(collected) = of_std(e) {
            *e = collected;
        }
        let syn::Expr::MethodCall(m) = &*e else { return };
        if let Some(syn::GenericArgument::Type(ty)) = m.turbofish.as_ref().and_then(|t| t.args.first()) {
            let ty = ty.clone();
            self.write(e, &ty);
        }
    }
}
