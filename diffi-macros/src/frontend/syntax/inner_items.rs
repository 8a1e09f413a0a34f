//! Items in inner blocks: derivative code has them in front of its body, where their names must not mean anything else.
//!
//! `K * x + { const K: f64 = 3.0; K * x }` has two `K`s, the module's and the block's. Every use of a name is led to the innermost block
//! around it that declares the name; a name that is led to two items, or to one and out of the function, is refused. So are imports of
//! inner blocks whose names nothing reads, which may be traits with methods, and macros that may declare a name that is read elsewhere.
//! A macro of the user's as a statement may declare any constant that the function finds outside.

use crate::support::errors::Errors;
use crate::support::names::{is_known_macro, is_logging};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Refuses names of items that have two meanings in a function; `around` are the generics of the block around it.
pub fn check(item: &syn::ItemFn, around: Option<&syn::Generics>, errors: &mut Errors) {
    let mut names = Names::default();
    names.visit_block(&item.block);
    let Names { meanings, declared, imports, hidden, passive, constants, reads, .. } = names;
    declared.iter().filter(|(name, _)| meanings[*name].len() > 1).for_each(|(_, at)| errors.item_of_a_block(at));
    let is_read = |name: &Ident| reads.contains_key(&name.to_string());
    imports.iter().filter(|import| !import.name.as_ref().is_some_and(is_read)).for_each(|import| {
        errors.import_of_a_block(import.span);
    });
    let elsewhere = |(name, own): &&(Ident, usize)| reads.get(&name.to_string()).is_some_and(|all| all > own);
    let named: Vec<&Ident> = hidden.iter().filter(elsewhere).map(|(name, _)| name).collect();
    named.iter().for_each(|name| errors.item_of_a_macro(name));
    let Some(at) = passive.filter(|_| named.is_empty()) else { return };
    let generic = |name: &str| {
        let mut generics = [Some(&item.sig.generics), around].into_iter().flatten();
        generics.any(|generics| generics.const_params().any(|p| p.ident == name))
    };
    let outer = |name: &str| meanings.get(name).is_some_and(|all| all.contains(&None)) && !generic(name);
    let constant = constants.iter().find(|name| outer(name));
    constant.into_iter().for_each(|name| errors.item_of_a_macro(&Ident::new(name, at)));
}

/// The names of items of inner blocks that mean something else elsewhere in the function.
pub fn of_two_meanings(item: &syn::ItemFn) -> BTreeSet<String> {
    let mut names = Names::default();
    names.visit_block(&item.block);
    let several = |name: &&String| names.meanings[*name].len() > 1;
    names.declared.keys().filter(several).cloned().collect()
}

/// Whether a name is written as constants are.
fn is_constant(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains(|c: char| c.is_ascii_lowercase())
}

/// What an inner block imports or declares that may have methods: its name, if it has one.
struct Import {
    name: Option<Ident>,
    span: Span,
}

#[derive(Default)]
struct Names {
    /// By block around the place at hand: the items, by name, as text.
    blocks: Vec<BTreeMap<String, String>>,
    /// By name: the items that its uses mean; none where it is declared outside of the function.
    meanings: BTreeMap<String, BTreeSet<Option<String>>>,
    /// The names of items of inner blocks, and of items that their own block declares twice.
    declared: BTreeMap<String, Ident>,
    /// What inner blocks import from elsewhere than std.
    imports: Vec<Import>,
    /// Names in the arguments of macros that may declare items, and how often they stand there.
    hidden: Vec<(Ident, usize)>,
    /// The first macro of the user's that stands as a statement: it may declare items that no argument names.
    passive: Option<Span>,
    /// The names in expressions that are written as constants are.
    constants: BTreeSet<String>,
    /// How often each name is read.
    reads: BTreeMap<String, usize>,
}

impl Names {
    fn read(&mut self, name: &Ident) {
        let text = name.to_string();
        *self.reads.entry(text.clone()).or_default() += 1;
        let meaning = self.blocks.iter().rev().find_map(|items| items.get(&text)).cloned();
        self.meanings.entry(text).or_default().insert(meaning);
    }

    /// The words of a macro's arguments, those behind one dot left out.
    fn words(&mut self, tokens: TokenStream) {
        let mut dots = 0;
        for token in tokens {
            match &token {
                TokenTree::Ident(name) if dots != 1 => self.read(name),
                TokenTree::Group(group) => self.words(group.stream()),
                _ => {}
            }
            dots = if matches!(&token, TokenTree::Punct(p) if p.as_char() == '.') { dots + 1 } else { 0 };
        }
    }

    fn declare(&mut self, item: &syn::Item) {
        let text = item.to_token_stream().to_string();
        let inner = self.blocks.len() > 1;
        if inner {
            self.note_methods(item);
        }
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

impl Names {
    /// Notes an item by which methods may come into scope.
    fn note_methods(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Trait(i) => self.imports.push(Import { name: None, span: i.ident.span() }),
            syn::Item::Use(i) if !is_of_std(&i.tree) => {
                let names = imported(&i.tree).into_iter().cloned();
                self.imports.extend(names.map(|name| Import { span: name.span(), name: Some(name) }));
                self.imports.extend(glob(&i.tree).map(|span| Import { name: None, span }));
            }
            _ => {}
        }
    }

    /// Notes a macro that may declare items, and the names in capitals that it is given.
    fn note_hidden(&mut self, mac: &syn::Macro) {
        if is_known_macro(mac) || is_logging(mac) {
            return;
        }
        self.passive.get_or_insert_with(|| mac.path.span());
        let mut words = Names::default();
        words.words(mac.tokens.clone());
        let named = words.reads.into_iter().filter(|(name, _)| name.starts_with(char::is_uppercase));
        self.hidden.extend(named.map(|(name, own)| (Ident::new(&name, mac.path.span()), own)));
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_stmt_macro(&mut self, stmt: &'a syn::StmtMacro) {
        self.note_hidden(&stmt.mac);
        visit::visit_stmt_macro(self, stmt);
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        self.blocks.push(BTreeMap::new());
        block.stmts.iter().filter_map(item_of).for_each(|item| self.declare(item));
        visit::visit_block(self, block);
        self.blocks.pop();
    }

    fn visit_expr_path(&mut self, e: &'a syn::ExprPath) {
        self.constants.extend(e.path.get_ident().map(Ident::to_string).filter(|name| is_constant(name)));
        visit::visit_expr_path(self, e);
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

/// Whether an import is from std, or of our own items.
fn is_of_std(tree: &syn::UseTree) -> bool {
    matches!(tree, syn::UseTree::Path(p) if ["std", "core", "alloc", "diffi"].iter().any(|name| p.ident == name))
}

/// The place of a `*` in an import, unless it is that of an enum's variants.
fn glob(tree: &syn::UseTree) -> Option<Span> {
    match tree {
        syn::UseTree::Path(p) => {
            let variants =
                matches!(*p.tree, syn::UseTree::Glob(_)) && p.ident.to_string().starts_with(char::is_uppercase);
            glob(&p.tree).filter(|_| !variants)
        }
        syn::UseTree::Group(g) => g.items.iter().find_map(glob),
        syn::UseTree::Glob(g) => Some(g.star_token.span()),
        _ => None,
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
