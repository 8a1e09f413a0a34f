//! Vectors of slices that grow: `let mut rows: Vec<&[f64]> = Vec::new(); rows.push(&x[i..j]);`.
//!
//! The IR has no references in vectors. What a shared slice leads to cannot change while the vector has it, so derivative code has a copy
//! instead, `Vec<Vec<f64>>`. This holds for a vector that is pushed to, read by `for`, `len`, `iter` and indices, and used in no other way.

use crate::frontend::syntax::types;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with copies in such vectors.
pub fn with_copied_slices(mut item: syn::ItemFn) -> syn::ItemFn {
    let mut found = Found::default();
    found.visit_item_fn(&item);
    let Found { slices, bound, used, copied, .. } = found;
    let alone = |name: &String| bound.get(name) == Some(&1) && used.get(name) == copied.get(name);
    let names: Vec<String> = slices.into_iter().filter(alone).collect();
    if !names.is_empty() {
        Copies(names).visit_block_mut(&mut item.block);
    }
    item
}

/// The variables of a function.
#[derive(Default)]
struct Found {
    /// Those that are vectors of slices, and begin empty.
    slices: Vec<String>,
    /// How often each name is bound, and is used, and is used in a way that a copy can be.
    bound: BTreeMap<String, usize>,
    used: BTreeMap<String, usize>,
    copied: BTreeMap<String, usize>,
}

/// `T` of `Vec<&[T]>`.
fn element(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(p) = ty else { return None };
    let last = p.path.segments.last().filter(|s| s.ident == "Vec")?;
    let syn::Type::Reference(lent) = types::first_argument(last)? else { return None };
    let syn::Type::Slice(slice) = &*lent.elem else { return None };
    lent.mutability.is_none().then_some(&slice.elem)
}

/// The vector's type in `Vec::<&[T]>::new()`.
fn made(value: &syn::Expr) -> Option<syn::Type> {
    let syn::Expr::Call(call) = strip_parens(value) else { return None };
    let syn::Expr::Path(p) = &*call.func else { return None };
    let [vec, new] = &p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    let empty = new.ident == "new" || new.ident == "with_capacity";
    (vec.ident == "Vec" && empty).then(|| syn::parse_quote!(#vec))
}

/// The variable of a statement that declares such a vector, and its elements' type.
fn declared(local: &syn::Local) -> Option<(&Ident, syn::Type)> {
    let own = made(&local.init.as_ref()?.expr)?;
    let (pattern, ty) = match &local.pat {
        syn::Pat::Type(typed) => (&*typed.pat, (*typed.ty).clone()),
        pattern => (pattern, own),
    };
    let syn::Pat::Ident(name) = pattern else { return None };
    Some((&name.ident, element(&ty)?.clone()))
}

impl Found {
    /// A use of a variable that a copy fits.
    fn fits(&mut self, e: &syn::Expr) {
        let inner = match strip_parens(e) {
            syn::Expr::Reference(r) if r.mutability.is_none() => strip_parens(&r.expr),
            e => e,
        };
        if let syn::Expr::Path(p) = inner
            && let Some(name) = p.path.get_ident()
        {
            *self.copied.entry(name.to_string()).or_default() += 1;
        }
    }

    /// `rows[i]`.
    fn row(e: &syn::Expr) -> Option<&syn::Expr> {
        match strip_parens(e) {
            syn::Expr::Index(i) if !matches!(strip_parens(&i.index), syn::Expr::Range(_)) => Some(&i.expr),
            _ => None,
        }
    }
}

impl<'a> Visit<'a> for Found {
    fn visit_local(&mut self, local: &'a syn::Local) {
        self.slices.extend(declared(local).map(|(name, _)| name.to_string()));
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        *self.bound.entry(p.ident.to_string()).or_default() += 1;
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        if let Some(name) = p.path.get_ident() {
            *self.used.entry(name.to_string()).or_default() += 1;
        }
    }

    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        if m.method == "push" || m.method == "len" || m.method == "iter" {
            self.fits(&m.receiver);
        }
        if let Some(rows) = Found::row(&m.receiver)
            && (m.method == "len" || m.method == "iter")
        {
            self.fits(rows);
        }
        visit::visit_expr_method_call(self, m);
    }

    fn visit_expr_index(&mut self, i: &'a syn::ExprIndex) {
        Found::row(&i.expr).into_iter().for_each(|rows| self.fits(rows));
        visit::visit_expr_index(self, i);
    }

    fn visit_expr_for_loop(&mut self, on: &'a syn::ExprForLoop) {
        if matches!(&*on.pat, syn::Pat::Ident(_)) {
            self.fits(&on.expr);
        }
        visit::visit_expr_for_loop(self, on);
    }

    fn visit_macro(&mut self, m: &'a syn::Macro) {
        let text = m.tokens.to_string();
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.for_each(|word| *self.used.entry(word.to_owned()).or_default() += 1);
    }
}

/// Writes the copies.
struct Copies(Vec<String>);

impl VisitMut for Copies {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        let Some((name, element)) = declared(local).filter(|(name, _)| self.0.contains(&name.to_string())) else {
            return;
        };
        let name = name.clone();
        local.pat = syn::parse_quote!(mut #name);
        local.pat = syn::Pat::Type(syn::PatType {
            attrs: Vec::new(),
            pat: Box::new(local.pat.clone()),
            colon_token: Default::default(),
            ty: syn::parse_quote!(::std::vec::Vec<::std::vec::Vec<#element>>),
        });
        local.init.iter_mut().for_each(|init| *init.expr = syn::parse_quote!(::std::vec::Vec::new()));
    }

    fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, m);
        let named = self.0.contains(&m.receiver.to_token_stream().to_string());
        if let (true, true, Some(row)) = (named, m.method == "push", m.args.first_mut()) {
            let slice = match strip_parens(row) {
                syn::Expr::Reference(r) => (*r.expr).clone(),
                e => e.clone(),
            };
            *row = syn::parse_quote!(#slice.to_vec());
        }
    }
}
