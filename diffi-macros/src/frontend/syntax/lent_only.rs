//! Variables without derivative that calls change through `&mut name`: generators of random numbers, and tables of what is known.
//!
//! rustc confirms it: the functions to which they are lent have to declare the parameter `constant(..)`.

use crate::frontend::syntax::pattern_names::binds;
use crate::support::syntax::{mentions, referred_name, strip_parens};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// What a name says that draws random numbers.
const GENERATORS: &[&str] = &["rng", "rand"];

/// Types of std that hold no numbers through which derivatives flow.
const TABLES: &[&str] = &["HashMap", "BTreeMap", "HashSet", "BTreeSet", "String"];

/// The names of these variables in a block: they are bound once, asked by methods, and read in no other way.
pub fn names(block: &syn::Block) -> BTreeSet<String> {
    let mut uses = Uses::default();
    uses.visit_block(block);
    &uses.made - &uses.spoilt
}

#[derive(Default)]
struct Uses {
    made: BTreeSet<String>,
    /// Read, assigned to, or bound otherwise.
    spoilt: BTreeSet<String>,
}

impl<'a> Visit<'a> for Uses {
    fn visit_local(&mut self, local: &'a syn::Local) {
        let made = declared(&local.pat).zip(local.init.as_ref()).filter(|(name, init)| is_made(name, &init.expr));
        match made {
            Some((name, init)) if self.made.insert(name.to_string()) => visit::visit_local_init(self, init),
            _ => visit::visit_local(self, local),
        }
    }

    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.spoilt.extend(binds(pattern).then(|| pattern.ident.to_string()));
    }

    fn visit_expr_reference(&mut self, e: &'a syn::ExprReference) {
        if e.mutability.is_none() || !matches!(strip_parens(&e.expr), syn::Expr::Path(_)) {
            visit::visit_expr_reference(self, e);
        }
    }

    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        match referred_name(&m.receiver).is_some_and(|name| self.made.contains(&name.to_string())) {
            true => m.args.iter().for_each(|arg| self.visit_expr(arg)),
            false => visit::visit_expr_method_call(self, m),
        }
    }

    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        self.spoilt.extend(p.path.get_ident().map(Ident::to_string));
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        let named = self.made.iter().filter(|name| mentions(&mac.tokens, &Ident::new(name, Span::call_site())));
        self.spoilt.extend(named.cloned().collect::<Vec<_>>());
    }
}

/// The name of `let mut name` and `let mut name: Type`.
fn declared(pattern: &syn::Pat) -> Option<&Ident> {
    match pattern {
        syn::Pat::Ident(p) if p.mutability.is_some() && p.by_ref.is_none() => Some(&p.ident),
        syn::Pat::Type(p) => declared(&p.pat),
        _ => None,
    }
}

/// Whether a call or a literal makes a generator or a table.
fn is_made(name: &Ident, init: &syn::Expr) -> bool {
    let path = match strip_parens(init) {
        syn::Expr::Struct(s) => &s.path,
        syn::Expr::Call(c) => match &*c.func {
            syn::Expr::Path(p) => &p.path,
            _ => return false,
        },
        _ => return false,
    };
    let text = format!("{name} {}", path.to_token_stream()).to_lowercase();
    let table = path.segments.iter().any(|s| TABLES.iter().any(|table| s.ident == table));
    table || GENERATORS.iter().any(|word| text.contains(word))
}
