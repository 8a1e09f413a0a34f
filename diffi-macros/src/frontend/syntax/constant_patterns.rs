//! Constants and unit variants of one letter in patterns: `match n { N => a, _ => b }`, where `N` could be a new name.
//!
//! A longer name in capitals is taken for a constant, as Rust's own style has it. One of one letter is often a variable of a formula:
//! then its arm reads it. In front of other arms, and in a condition that could not fail, it is no new name even so.

use crate::frontend::syntax::pattern_names::binds;
use crate::support::syntax::mentions;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with such patterns as paths, which are no new names.
pub fn as_paths(item: &syn::ItemFn) -> syn::ItemFn {
    let mut item = item.clone();
    AsPaths.visit_item_fn_mut(&mut item);
    item
}

/// The same of one `match`.
pub fn as_paths_in(e: &mut syn::ExprMatch) {
    AsPaths.visit_expr_match_mut(e);
}

struct AsPaths;

impl VisitMut for AsPaths {
    fn visit_expr_match_mut(&mut self, e: &mut syn::ExprMatch) {
        let last = e.arms.len().saturating_sub(1);
        for (at, arm) in e.arms.iter_mut().enumerate() {
            let mut read = arm.body.to_token_stream();
            read.extend(arm.guard.iter().map(|(_, guard)| guard.to_token_stream()));
            Constants { is_constant: &|name| !mentions(&read, name) }.visit_pat_mut(&mut arm.pat);
            if at < last && arm.guard.is_none() {
                whole(&mut arm.pat);
            }
        }
        visit_mut::visit_expr_match_mut(self, e);
    }

    fn visit_expr_let_mut(&mut self, e: &mut syn::ExprLet) {
        whole(&mut e.pat);
        visit_mut::visit_expr_let_mut(self, e);
    }
}

/// A pattern that is such a name, or offers it among others.
fn whole(pattern: &mut syn::Pat) {
    match pattern {
        syn::Pat::Paren(p) => whole(&mut p.pat),
        syn::Pat::Or(o) => o.cases.iter_mut().for_each(whole),
        syn::Pat::Ident(_) => Constants { is_constant: &|_| true }.visit_pat_mut(pattern),
        _ => {}
    }
}

/// Makes letters paths, if they are constants.
struct Constants<'a> {
    is_constant: &'a dyn Fn(&Ident) -> bool,
}

impl VisitMut for Constants<'_> {
    fn visit_pat_mut(&mut self, pattern: &mut syn::Pat) {
        match pattern {
            syn::Pat::Ident(name) if is_letter(name) && (self.is_constant)(&name.ident) => {
                let path = syn::Path::from(name.ident.clone());
                *pattern = syn::Pat::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path });
            }
            _ => visit_mut::visit_pat_mut(self, pattern),
        }
    }
}

/// A letter in capitals, without `ref`, `mut` or `@`.
fn is_letter(pattern: &syn::PatIdent) -> bool {
    let plain = pattern.by_ref.is_none() && pattern.mutability.is_none() && pattern.subpat.is_none();
    let name = pattern.ident.to_string();
    plain && binds(pattern) && name.starts_with(char::is_uppercase)
}

/// The letters in capitals that are taken for new names in patterns that may not fit.
pub fn letters(item: &syn::ItemFn) -> Vec<Ident> {
    let mut letters = Letters { found: Vec::new() };
    letters.visit_item_fn(item);
    letters.found
}

struct Letters {
    found: Vec<Ident>,
}

impl<'a> Visit<'a> for Letters {
    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.names(&arm.pat);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_let(&mut self, e: &'a syn::ExprLet) {
        self.names(&e.pat);
        visit::visit_expr_let(self, e);
    }
}

impl Letters {
    fn names(&mut self, pattern: &syn::Pat) {
        struct Names<'n>(&'n mut Vec<Ident>);
        impl<'a> Visit<'a> for Names<'_> {
            fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
                self.0.extend(is_letter(pattern).then(|| pattern.ident.clone()));
                visit::visit_pat_ident(self, pattern);
            }
        }
        Names(&mut self.found).visit_pat(pattern);
    }
}
