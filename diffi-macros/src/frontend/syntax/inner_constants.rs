//! Constants of inner blocks, `{ const K: f64 = 3.0; K * x }`: derivative code has them in front of its body, and so each has a name of its own.
//!
//! A name that a text in a macro's arguments mentions, which may be a format, or that is a parameter of some generics, keeps its meanings.

use crate::frontend::syntax::inner_items;
use crate::support::tokens::names::with_names;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with such constants under other names, where something else has their name.
pub fn renamed(mut item: syn::ItemFn) -> syn::ItemFn {
    let mut inner = inner_items::of_two_meanings(&item);
    if inner.is_empty() {
        return item;
    }
    let mut names = Names::default();
    names.visit_block(&item.block);
    inner.retain(|name| names.inner.contains(name) && !names.kept.iter().any(|text| text.contains(name)));
    Renaming { inner, taken: names.words, depth: 0, blocks: Vec::new() }.visit_block_mut(&mut item.block);
    item
}

/// What a function's text shows of names.
#[derive(Default)]
struct Names {
    depth: usize,
    /// The constants of inner blocks.
    inner: BTreeSet<String>,
    /// Texts whose words keep their meanings.
    kept: Vec<String>,
    /// All words.
    words: BTreeSet<String>,
}

impl Names {
    fn texts(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Literal(literal) => self.kept.push(literal.to_string()),
                TokenTree::Group(group) => self.texts(group.stream()),
                TokenTree::Ident(name) => _ = self.words.insert(name.to_string()),
                TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let is_inner = self.depth > 0;
        self.inner.extend(block.stmts.iter().filter_map(constant).filter(|_| is_inner).map(ToString::to_string));
        self.depth += 1;
        visit::visit_block(self, block);
        self.depth -= 1;
    }

    fn visit_generics(&mut self, generics: &'ast syn::Generics) {
        self.kept.extend(generics.const_params().map(|p| p.ident.to_string()));
    }

    fn visit_ident(&mut self, name: &'ast Ident) {
        self.words.insert(name.to_string());
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.texts(mac.tokens.clone());
    }
}

/// The name of a constant that a statement declares.
fn constant(stmt: &syn::Stmt) -> Option<&Ident> {
    match stmt {
        syn::Stmt::Item(syn::Item::Const(item)) if item.ident != "_" => Some(&item.ident),
        syn::Stmt::Item(syn::Item::Static(item)) => Some(&item.ident),
        _ => None,
    }
}

struct Renaming {
    inner: BTreeSet<String>,
    taken: BTreeSet<String>,
    depth: usize,
    /// By block around the place at hand: the names of its constants, and what they are called instead. The innermost is the last.
    blocks: Vec<BTreeMap<String, String>>,
}

impl Renaming {
    /// A name that nothing in the function has.
    fn fresh(&mut self, name: &str) -> String {
        let fresh = (1..).map(|k| format!("{name}_INSIDE{k}")).find(|fresh| !self.taken.contains(fresh));
        let fresh = fresh.expect("there are names without end");
        self.taken.insert(fresh.clone());
        fresh
    }

    fn rename(&self, name: &mut Ident) {
        let text = name.to_string();
        if let Some(other) = self.blocks.iter().rev().find_map(|names| names.get(&text)).filter(|other| **other != text)
        {
            *name = format_ident!("{other}", span = name.span());
        }
    }
}

impl VisitMut for Renaming {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let own: Vec<String> = block.stmts.iter().filter_map(constant).map(ToString::to_string).collect();
        let is_inner = self.depth > 0;
        let mut names = BTreeMap::new();
        for name in own {
            let other = if is_inner && self.inner.contains(&name) { self.fresh(&name) } else { name.clone() };
            names.insert(name, other);
        }
        self.blocks.push(names);
        self.depth += 1;
        visit_mut::visit_block_mut(self, block);
        self.depth -= 1;
        self.blocks.pop();
    }

    fn visit_item_const_mut(&mut self, item: &mut syn::ItemConst) {
        self.rename(&mut item.ident);
        visit_mut::visit_item_const_mut(self, item);
    }

    fn visit_item_static_mut(&mut self, item: &mut syn::ItemStatic) {
        self.rename(&mut item.ident);
        visit_mut::visit_item_static_mut(self, item);
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() == 1 {
            self.rename(&mut path.segments[0].ident);
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_pat_ident_mut(&mut self, name: &mut syn::PatIdent) {
        self.rename(&mut name.ident);
        visit_mut::visit_pat_ident_mut(self, name);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        field.colon_token.get_or_insert_default();
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = with_names(std::mem::take(&mut mac.tokens), &|name| {
            let mut renamed = name.clone();
            self.rename(&mut renamed);
            renamed.into_token_stream()
        });
    }
}
