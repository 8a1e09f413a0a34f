//! Variables with names in capitals, as formulas have them: `for T_i in temperatures`, `let (P_sat, Kd) = ..`, `|Re| ..`.
//!
//! What a pattern names in capitals may be a constant or a variant. Where the pattern must fit, it is a variable, and no constant of the name
//! can be there. Such variables get other names, so that nothing takes them for constants.

use crate::support::tokens::names::with_names;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// What the other names begin with.
const PREFIX: &str = "v_";

/// The function with such variables under other names.
pub fn renamed(mut item: syn::ItemFn) -> syn::ItemFn {
    let mut names = Names::default();
    item.sig.inputs.iter().for_each(|input| Words(&mut names.others).visit_fn_arg(input));
    names.visit_block(&item.block);
    let Names { mut bound, others, texts } = names;
    bound.retain(|name| !others.contains(name) && !texts.iter().any(|text| text.contains(name)));
    if bound.is_empty() {
        return item;
    }
    let words = item.block.to_token_stream().to_string();
    let is_taken = |new: &str| words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == new);
    bound.retain(|name| !is_taken(&format!("{PREFIX}{name}")));
    if !bound.is_empty() {
        Renaming(bound).visit_block_mut(&mut item.block);
    }
    item
}

/// What a function's text shows of names.
#[derive(Default)]
struct Names {
    /// Those that patterns bind which must fit.
    bound: BTreeSet<String>,
    /// Those of items, types and functions.
    others: BTreeSet<String>,
    /// Texts in the arguments of macros, which may be formats.
    texts: Vec<String>,
}

impl Names {
    fn bind(&mut self, pattern: &syn::Pat) {
        let mut found = Capitals(Vec::new());
        found.visit_pat(pattern);
        self.bound.extend(found.0);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut name = None;
        for token in tokens {
            match &token {
                TokenTree::Literal(literal) => self.texts.push(literal.to_string()),
                TokenTree::Group(group) => {
                    self.others.extend(name.take());
                    self.tokens(group.stream());
                }
                TokenTree::Punct(p) if p.as_char() == ':' => self.others.extend(name.take()),
                _ => {}
            }
            name = matches!(token, TokenTree::Ident(_)).then(|| token.to_string());
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_local(&mut self, local: &'a syn::Local) {
        if local.init.as_ref().is_none_or(|init| init.diverge.is_none()) {
            self.bind(&local.pat);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_for_loop(&mut self, each: &'a syn::ExprForLoop) {
        self.bind(&each.pat);
        visit::visit_expr_for_loop(self, each);
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        closure.inputs.iter().for_each(|input| self.bind(input));
        visit::visit_expr_closure(self, closure);
    }

    /// A path that is no value alone is that of something else.
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.others.extend(path.segments.iter().map(|s| s.ident.to_string()));
        visit::visit_path(self, path);
    }

    fn visit_expr_path(&mut self, value: &'a syn::ExprPath) {
        if value.path.get_ident().is_none() {
            visit::visit_expr_path(self, value);
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let syn::Expr::Path(function) = &*call.func {
            self.visit_path(&function.path);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_item(&mut self, item: &'a syn::Item) {
        let mut words = Words(&mut self.others);
        words.visit_item(item);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        self.tokens(mac.tokens.clone());
    }
}

/// The names in capitals that a pattern binds.
struct Capitals(Vec<String>);

impl<'a> Visit<'a> for Capitals {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        let name = pattern.ident.to_string();
        self.0.extend(Some(name).filter(|name| name.len() > 1 && name.starts_with(char::is_uppercase)));
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_expr(&mut self, _: &'a syn::Expr) {}
}

/// All names of an item.
struct Words<'n>(&'n mut BTreeSet<String>);

impl<'a> Visit<'a> for Words<'_> {
    fn visit_ident(&mut self, name: &'a Ident) {
        self.0.insert(name.to_string());
    }
}

struct Renaming(BTreeSet<String>);

impl Renaming {
    fn rename(&self, name: &mut Ident) {
        if self.0.contains(&name.to_string()) {
            *name = format_ident!("{PREFIX}{name}", span = name.span());
        }
    }
}

impl VisitMut for Renaming {
    fn visit_expr_path_mut(&mut self, value: &mut syn::ExprPath) {
        if value.qself.is_none() && value.path.get_ident().is_some() {
            self.rename(&mut value.path.segments[0].ident);
        }
        visit_mut::visit_expr_path_mut(self, value);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        self.rename(&mut pattern.ident);
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        field.colon_token.get_or_insert_default();
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        field.colon_token.get_or_insert_default();
        visit_mut::visit_field_pat_mut(self, field);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = with_names(std::mem::take(&mut mac.tokens), &|name| {
            let mut renamed = name.clone();
            self.rename(&mut renamed);
            renamed.into_token_stream()
        });
    }
}
