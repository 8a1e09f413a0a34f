//! The names that patterns bind.

use proc_macro2::Ident;
use syn::visit::Visit;

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
