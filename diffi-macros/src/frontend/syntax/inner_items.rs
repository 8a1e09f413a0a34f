//! Items in inner blocks: derivative code has them in front of its body, where their names must not mean anything else.
//!
//! `K * x + { const K: f64 = 3.0; K * x }` has two `K`s, the module's and the block's. Every use of a name is led to the innermost block
//! around it that declares the name; a name that is led to two items, or to one and out of the function, is refused.

use crate::support::errors::Errors;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// Refuses names of items that have two meanings in a function.
pub fn check(item: &syn::ItemFn, errors: &mut Errors) {
    let mut names = Names::default();
    names.visit_block(&item.block);
    let Names { meanings, declared, .. } = names;
    declared.iter().filter(|(name, _)| meanings[*name].len() > 1).for_each(|(_, at)| errors.item_of_a_block(at));
}

#[derive(Default)]
struct Names {
    /// By block around the place at hand: the items, by name, as text.
    blocks: Vec<BTreeMap<String, String>>,
    /// By name: the items that its uses mean; none where it is declared outside of the function.
    meanings: BTreeMap<String, BTreeSet<Option<String>>>,
    /// The names of items of inner blocks, and of items that their own block declares twice.
    declared: BTreeMap<String, Ident>,
}

impl Names {
    fn read(&mut self, name: &Ident) {
        let text = name.to_string();
        let meaning = self.blocks.iter().rev().find_map(|items| items.get(&text)).cloned();
        self.meanings.entry(text).or_default().insert(meaning);
    }

    /// The words of a macro's arguments, those behind a dot left out.
    fn words(&mut self, tokens: TokenStream) {
        let mut member = false;
        for token in tokens {
            match &token {
                TokenTree::Ident(name) if !member => self.read(name),
                TokenTree::Group(group) => self.words(group.stream()),
                _ => {}
            }
            member = matches!(&token, TokenTree::Punct(p) if p.as_char() == '.');
        }
    }

    fn declare(&mut self, item: &syn::Item) {
        let text = item.to_token_stream().to_string();
        let inner = self.blocks.len() > 1;
        for name in names_of(item) {
            let known = self.blocks.last_mut().and_then(|items| items.insert(name.to_string(), text.clone()));
            let other = known.filter(|known| *known != text);
            if inner || other.is_some() {
                self.declared.entry(name.to_string()).or_insert_with(|| name.clone());
            }
            let meanings = self.meanings.entry(name.to_string()).or_default();
            meanings.extend([Some(text.clone())].into_iter().chain(other.map(Some)));
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_block(&mut self, block: &'a syn::Block) {
        self.blocks.push(BTreeMap::new());
        block.stmts.iter().filter_map(item_of).for_each(|item| self.declare(item));
        visit::visit_block(self, block);
        self.blocks.pop();
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if let (None, Some(first)) = (path.leading_colon, path.segments.first()) {
            self.read(&first.ident);
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        if pattern.ident.to_string().starts_with(char::is_uppercase) {
            self.read(&pattern.ident);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        self.words(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }

    fn visit_item_macro(&mut self, _: &'a syn::ItemMacro) {}
}

fn item_of(stmt: &syn::Stmt) -> Option<&syn::Item> {
    match stmt {
        syn::Stmt::Item(item) => Some(item),
        _ => None,
    }
}

/// The names that an item declares.
fn names_of(item: &syn::Item) -> Vec<&Ident> {
    match item {
        syn::Item::Const(i) => vec![&i.ident],
        syn::Item::Static(i) => vec![&i.ident],
        syn::Item::Fn(i) => vec![&i.sig.ident],
        syn::Item::Struct(i) => vec![&i.ident],
        syn::Item::Enum(i) => vec![&i.ident],
        syn::Item::Type(i) => vec![&i.ident],
        syn::Item::Trait(i) => vec![&i.ident],
        syn::Item::Macro(i) => i.ident.iter().collect(),
        syn::Item::Use(i) => imported(&i.tree),
        _ => Vec::new(),
    }
}

fn imported(tree: &syn::UseTree) -> Vec<&Ident> {
    match tree {
        syn::UseTree::Path(p) => imported(&p.tree),
        syn::UseTree::Name(n) => vec![&n.ident],
        syn::UseTree::Rename(r) => vec![&r.rename],
        syn::UseTree::Group(g) => g.items.iter().flat_map(imported).collect(),
        syn::UseTree::Glob(_) => Vec::new(),
    }
}
