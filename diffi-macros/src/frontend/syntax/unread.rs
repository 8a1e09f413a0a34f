//! Variables that nothing reads: they are bound, assigned to, moved and dropped, for what their end does.

use crate::frontend::syntax::pattern_names::names_of;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// The names of these variables in a function.
pub fn names(item: &syn::ItemFn) -> BTreeSet<String> {
    let mut uses = Uses::default();
    uses.visit_block(&item.block);
    &uses.bound - &uses.read
}

#[derive(Default)]
struct Uses {
    bound: BTreeSet<String>,
    read: BTreeSet<String>,
}

impl<'a> Visit<'a> for Uses {
    fn visit_local(&mut self, local: &'a syn::Local) {
        self.bound.extend(names_of(&local.pat).iter().map(Ident::to_string));
        if let Some(init) = &local.init {
            self.visit_moved(&init.expr);
            init.diverge.iter().for_each(|(_, other)| self.visit_expr(other));
        }
    }

    fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
        self.visit_moved(&a.left);
        self.visit_moved(&a.right);
    }

    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        match (&*c.func, c.args.first()) {
            (syn::Expr::Path(p), Some(ended)) if c.args.len() == 1 && is_drop(&p.path) => self.visit_moved(ended),
            _ => visit::visit_expr_call(self, c),
        }
    }

    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        self.read.extend(p.path.get_ident().map(Ident::to_string));
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        note_words(mac.tokens.clone(), &mut self.read);
    }
}

impl Uses {
    /// An expression that is no read where it is a name alone.
    fn visit_moved(&mut self, expr: &syn::Expr) {
        if !matches!(strip_parens(expr), syn::Expr::Path(p) if p.path.get_ident().is_some()) {
            self.visit_expr(expr);
        }
    }
}

fn is_drop(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| s.ident == "drop")
}

/// All words of a macro's input, those in format strings, too: `"{depth}"`.
fn note_words(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => note_words(group.stream(), found),
            TokenTree::Ident(name) => _ = found.insert(name.to_string()),
            TokenTree::Literal(text) => {
                let text = text.to_string();
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
                found.extend(words.map(str::to_owned));
            }
            TokenTree::Punct(_) => {}
        }
    }
}
