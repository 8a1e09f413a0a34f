//! Variables of macros by example are not those of their callers, though they have the same name.
//!
//! Every word that a macro writes itself is marked. In the end the variables among them get names that nothing else has, and the rest
//! its own name back. What is read without being bound by the macro must not be found among the caller's variables.

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The words of macros, marked.
pub struct Marks {
    /// The text of the function, in which no mark may stand.
    text: String,
    /// By marked word: the word itself, and the macro's name, if it stands in the function.
    words: BTreeMap<String, (String, Option<String>)>,
    count: usize,
    /// The texts that macros write.
    texts: Vec<(String, String)>,
}

/// Marks the words of one expansion.
pub struct Marker<'m> {
    marks: &'m mut Marks,
    suffix: String,
    inner: Option<String>,
    pub span: Span,
}

impl Marks {
    pub fn of(item: &syn::ItemFn) -> Self {
        let text = item.to_token_stream().to_string();
        Marks { text, words: BTreeMap::new(), count: 0, texts: Vec::new() }
    }

    /// The word itself.
    pub fn unmarked(&self, name: &Ident) -> String {
        let text = name.to_string();
        self.words.get(&text).map_or(text, |(word, _)| word.clone())
    }

    /// For an expansion of a macro, called at a place.
    pub fn marker(&mut self, name: &str, inner: bool, span: Span) -> Marker<'_> {
        let suffix = loop {
            self.count += 1;
            let suffix = format!("_of_{name}_{}", self.count);
            if !self.text.contains(&suffix) {
                break suffix;
            }
        };
        Marker { marks: self, suffix, inner: inner.then(|| name.to_owned()), span }
    }

    /// Gives all marked words their names; false if one of them would be taken for another one.
    pub fn resolve(&self, item: &mut syn::ItemFn) -> bool {
        let mut bound = Bound::of(self);
        bound.visit_item_fn(item);
        let shown = |(suffix, text): &(String, String)| {
            let is_shown = |name: &&String| name.ends_with(suffix.as_str()) && text.contains(&self.words[*name].0);
            bound.own.iter().any(|name| is_shown(&name))
        };
        if bound.in_doubt || self.texts.iter().any(shown) {
            return false;
        }
        let mut names = Naming { bound: &bound, taken: false };
        names.visit_block_mut(&mut item.block);
        !names.taken
    }
}

impl Marker<'_> {
    /// A token of the macro's own text.
    pub fn own(&mut self, mut tree: TokenTree) -> TokenTree {
        tree.set_span(self.span);
        match &tree {
            TokenTree::Ident(name) => self.word(name).into(),
            TokenTree::Literal(literal) => {
                self.text(literal);
                tree
            }
            _ => tree,
        }
    }

    fn text(&mut self, literal: &Literal) {
        let text = literal.to_string();
        if text.contains('{') {
            self.marks.texts.push((self.suffix.clone(), text));
        }
    }

    fn word(&mut self, name: &Ident) -> Ident {
        let text = name.to_string();
        if is_keyword(&text) {
            return name.clone();
        }
        let marked = format!("{text}{}", self.suffix);
        self.marks.words.insert(marked.clone(), (text, self.inner.clone()));
        Ident::new(&marked, name.span())
    }
}

fn is_keyword(text: &str) -> bool {
    text == "macro_rules" || syn::parse_str::<Ident>(text).is_err()
}

/// Drops the definitions of macros, if none of them is called any more.
pub fn drop_definitions(block: &mut syn::Block) {
    let mut without = block.clone();
    Definitions(Vec::new()).visit_block_mut(&mut without);
    let mut definitions = Definitions(Vec::new());
    let mut kept = block.clone();
    definitions.visit_block_mut(&mut kept);
    let text = format!(" {}", without.to_token_stream());
    if !definitions.0.iter().any(|name| text.contains(&format!(" {name} !"))) {
        *block = kept;
    }
}

/// Takes out definitions, and notes their names.
struct Definitions(Vec<String>);

impl VisitMut for Definitions {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain(|stmt| match stmt {
            syn::Stmt::Item(syn::Item::Macro(item)) => match &item.ident {
                Some(name) => {
                    self.0.push(name.to_string());
                    false
                }
                None => true,
            },
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }
}

/// What patterns bind.
struct Bound<'m> {
    marks: &'m Marks,
    /// Marked words that are variables.
    own: BTreeSet<String>,
    /// How often each other name is bound.
    times: BTreeMap<String, usize>,
    /// By macro of the function: the names that are bound before it.
    before: BTreeMap<String, BTreeSet<String>>,
    /// A macro's pattern names something in capitals: a variable, or a constant.
    in_doubt: bool,
}

/// What a pattern names in capitals, and is no variable.
const NONE: &str = "None";

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

impl<'m> Bound<'m> {
    fn of(marks: &'m Marks) -> Self {
        Bound { marks, own: BTreeSet::new(), times: BTreeMap::new(), before: BTreeMap::new(), in_doubt: false }
    }

    /// Whether a macro's word might be taken for a variable that it does not mean. In a function's own macro it means the one before it.
    fn is_taken(&self, word: &str, inner: Option<&String>) -> bool {
        match (self.times.get(word), inner) {
            (None, _) => false,
            (Some(1), Some(name)) => !self.before.get(name).is_some_and(|names| names.contains(word)),
            _ => true,
        }
    }
}

impl<'a> Visit<'a> for Bound<'_> {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        let name = p.ident.to_string();
        match self.marks.words.get(&name) {
            Some((word, _)) if is_capital(word) => self.in_doubt |= word != NONE,
            Some(_) => _ = self.own.insert(name),
            None if name != NONE => *self.times.entry(name).or_default() += 1,
            None => {}
        }
        visit::visit_pat_ident(self, p);
    }

    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        let names: BTreeSet<String> = self.times.keys().cloned().collect();
        let name = item.ident.iter().map(ToString::to_string);
        name.for_each(|name| self.before.entry(name).or_insert_with(|| names.clone()).retain(|n| names.contains(n)));
    }
}

/// Gives marked words their names.
struct Naming<'m> {
    bound: &'m Bound<'m>,
    /// A word that the macro does not bind is a variable of the caller's.
    taken: bool,
}

impl Naming<'_> {
    fn word(&self, name: &Ident) -> Option<&(String, Option<String>)> {
        self.bound.marks.words.get(&name.to_string())
    }

    fn is_marked(&self, member: &syn::Member) -> bool {
        matches!(member, syn::Member::Named(name) if self.word(name).is_some())
    }

    /// A word where a variable may be read.
    fn read(&mut self, name: &mut Ident) {
        if self.bound.own.contains(&name.to_string()) {
            return;
        }
        let taken = self.word(name).is_some_and(|(word, inner)| self.bound.is_taken(word, inner.as_ref()));
        self.taken |= taken;
        self.visit_ident_mut(name);
    }

    fn arguments(&mut self, tokens: TokenStream) -> TokenStream {
        let mut dots = 0;
        let tree = |tree: TokenTree| {
            let of = dots == 1;
            dots = if matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.') { dots + 1 } else { 0 };
            match tree {
                TokenTree::Ident(mut name) => {
                    if of {
                        self.visit_ident_mut(&mut name)
                    } else {
                        self.read(&mut name)
                    }
                    name.into()
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.arguments(group.stream()));
                    inner.set_span(group.span());
                    inner.into()
                }
                tree => tree,
            }
        };
        tokens.into_iter().map(tree).collect()
    }
}

impl VisitMut for Naming<'_> {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        if let Some((word, _)) = self.word(name) {
            *name = Ident::new(word, name.span());
        }
    }

    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        self.read(&mut p.ident);
        p.subpat.iter_mut().for_each(|(_, inner)| self.visit_pat_mut(inner));
    }

    fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
        match p.path.get_ident().is_some() && p.qself.is_none() {
            true => self.read(&mut p.path.segments[0].ident),
            false => visit_mut::visit_expr_path_mut(self, p),
        }
    }

    fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
        if f.colon_token.is_none() && self.is_marked(&f.member) {
            f.colon_token = Some(Default::default());
        }
        visit_mut::visit_field_value_mut(self, f);
    }

    fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
        if f.colon_token.is_none() && self.is_marked(&f.member) {
            f.colon_token = Some(Default::default());
        }
        visit_mut::visit_field_pat_mut(self, f);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.visit_path_mut(&mut mac.path);
        mac.tokens = self.arguments(mac.tokens.clone());
    }

    fn visit_item_macro_mut(&mut self, _: &mut syn::ItemMacro) {}
}
