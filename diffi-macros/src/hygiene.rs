//! Variables of the same name that are different ones: one written in a macro by example, and one in what it was given.
//!
//! rustc tells them apart by where they were written. This compiler goes by names, and so refuses them.

use crate::errors::Errors;
use crate::hash::{HashMap, HashSet};
use crate::host;
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// Refuses such variables in a function that a macro made.
pub fn check(item: &syn::ItemFn, errors: &mut Errors) {
    if host::context(item.block.brace_token.span.open()).is_none_or(|context| context == host::USERS) {
        return;
    }
    let mut names = Names::default();
    names.visit_item_fn(item);
    for name in names.mixed.iter().filter(|name| names.bound.contains(&name.to_string())) {
        errors.two_of_a_name(name);
    }
}

/// The variables of a function.
#[derive(Default)]
struct Names {
    bound: HashSet<String>,
    /// Where each name was written first.
    contexts: HashMap<String, String>,
    /// Names that were written elsewhere as well, once each.
    mixed: Vec<Ident>,
}

impl Names {
    fn note(&mut self, name: &Ident) {
        let Some(context) = host::context(name.span()) else { return };
        let first = self.contexts.entry(name.to_string()).or_insert_with(|| context.clone());
        if *first != context && !self.mixed.contains(name) {
            self.mixed.push(name.clone());
        }
    }

    fn note_all(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => self.note(&name),
                TokenTree::Group(group) => self.note_all(group.stream()),
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
        self.note(&p.ident);
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        p.path.get_ident().into_iter().for_each(|name| self.note(name));
    }

    fn visit_macro(&mut self, m: &'a syn::Macro) {
        self.note_all(m.tokens.clone());
    }
}
