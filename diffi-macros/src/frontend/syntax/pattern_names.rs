//! The names that patterns bind.

use proc_macro2::Ident;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

/// The names that a pattern binds.
pub fn names_of(pattern: &syn::Pat) -> Vec<Ident> {
    names_with_mutability(pattern).into_iter().map(|(name, _)| name).collect()
}

/// The same, and whether each is declared `mut`.
pub fn names_with_mutability(pattern: &syn::Pat) -> Vec<(Ident, bool)> {
    let mut found = PatternNames(Vec::new());
    found.visit_pat(pattern);
    found.0
}

struct PatternNames(Vec<(Ident, bool)>);

impl<'a> Visit<'a> for PatternNames {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        if binds(pattern) {
            self.0.push((pattern.ident.clone(), pattern.mutability.is_some()));
        }
        syn::visit::visit_pat_ident(self, pattern);
    }
    fn visit_expr(&mut self, _: &'a syn::Expr) {}
}

/// Whether an identifier pattern binds a name (and is not a constant or a unit variant).
pub fn binds(pattern: &syn::PatIdent) -> bool {
    let plain = pattern.by_ref.is_none() && pattern.mutability.is_none() && pattern.subpat.is_none();
    let name = pattern.ident.to_string();
    let item = name.len() > 1 && name.starts_with(char::is_uppercase);
    !(plain && item)
}

/// A pattern that names nothing.
pub fn without_names(pattern: &syn::Pat) -> syn::Pat {
    let mut pattern = pattern.clone();
    Nameless.visit_pat_mut(&mut pattern);
    pattern
}

struct Nameless;

impl VisitMut for Nameless {
    fn visit_pat_mut(&mut self, pattern: &mut syn::Pat) {
        visit_mut::visit_pat_mut(self, pattern);
        let syn::Pat::Ident(name) = &*pattern else { return };
        *pattern = match &name.subpat {
            Some((_, inner)) => (**inner).clone(),
            None if name.ident.to_string().starts_with(char::is_lowercase) => syn::parse_quote!(_),
            None => return,
        };
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        field.colon_token.get_or_insert_with(Default::default);
        visit_mut::visit_field_pat_mut(self, field);
    }
}
