//! The names that a file defines or imports, and how its functions are called.

use crate::support::source_files;
use crate::support::tokens::position;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

/// The parameters of a free function.
pub type Params = Vec<syn::Type>;

/// What has the name of a function in the function's own module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Collision {
    /// A function.
    Function,
    /// A type, a trait or a module, which the handle would hide.
    Type,
}

/// What stands in one module, trait or block, by its name.
#[derive(Default)]
struct Items {
    functions: HashMap<String, usize>,
    types: HashSet<String>,
    /// Those that stand under conditions.
    conditional: HashSet<String>,
}

/// What a file's text shows of names.
#[derive(Debug, Default)]
pub struct FileNames {
    defined: HashSet<String>,
    imported: HashSet<String>,
    /// By the name, the parameters of each function of it; none of a method.
    functions: HashMap<String, Vec<Option<Params>>>,
    /// Names of another file may be there without being written.
    open: bool,
    /// Functions that are in one module with a type, a module or another function of the name.
    colliding: HashMap<String, Collision>,
    /// Traits, and whether all of a name have no attribute.
    traits: HashMap<String, bool>,
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Option<Rc<FileNames>>>> = RefCell::default();
}

impl FileNames {
    /// Those of the file that is compiled.
    pub fn here() -> Option<Rc<Self>> {
        let file = position()?.file;
        let read = |path: &Path| Some(Rc::new(Self::of(source_files::text(path)?.parse().ok()?)));
        FILES.with_borrow_mut(|known| known.entry(file.clone()).or_insert_with(|| read(&file)).clone())
    }

    /// Those of a text.
    pub fn of(tokens: TokenStream) -> Self {
        let mut names = Self::default();
        names.read(tokens, false);
        names
    }

    /// Whether no item of this name can be there.
    pub fn lacks(&self, name: &str) -> bool {
        !self.open && !self.defined.contains(name) && !self.imported.contains(name)
    }

    /// Whether an item of this name can be there that another file defines.
    pub fn imports(&self, name: &str) -> bool {
        !self.defined.contains(name) && !self.lacks(name)
    }

    /// The parameters of the one function that a name stands for.
    pub fn function(&self, name: &str) -> Option<&Params> {
        match self.functions.get(name)?.as_slice() {
            [Some(params)] if !self.open && !self.imported.contains(name) => Some(params),
            _ => None,
        }
    }

    /// Whether the file has a function of this name that no macro writes.
    pub fn has_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// What collides with a function of this name.
    pub fn collision(&self, name: &str) -> Option<Collision> {
        self.colliding.get(name).copied()
    }

    /// Whether a trait has no attribute.
    pub fn has_plain_trait(&self, name: &str) -> bool {
        self.traits.get(name) == Some(&true) && !self.imported.contains(name)
    }

    fn collide(&mut self, items: Items) {
        for (name, number) in items.functions {
            let collision = match number {
                _ if items.conditional.contains(&name) => continue,
                _ if items.types.contains(&name) => Collision::Type,
                1 => continue,
                _ => Collision::Function,
            };
            self.colliding.insert(name, collision);
        }
    }

    fn read(&mut self, tokens: TokenStream, in_a_module: bool) {
        const ITEMS: &[&str] =
            &["const", "static", "mut", "fn", "mod", "struct", "enum", "union", "trait", "type", "crate"];
        let mut tokens = tokens.into_iter();
        let (mut before, mut last) = (String::new(), String::new());
        let (mut items, mut attributes) = (Items::default(), HashSet::new());
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Ident(name) if name == "use" => {
                    let path = tokens.by_ref().take_while(|t| !matches!(t, TokenTree::Punct(p) if p.as_char() == ';'));
                    let path = path.collect();
                    self.import(path, in_a_module);
                }
                TokenTree::Ident(name) if ITEMS.contains(&last.as_str()) => {
                    self.defined.insert(name.to_string());
                    if last == "fn" {
                        let params = parameters(tokens.clone());
                        self.functions.entry(name.to_string()).or_default().push(params);
                    }
                    self.item(&last, name.to_string(), std::mem::take(&mut attributes), &mut items);
                }
                TokenTree::Group(group) if last == "#" && group.delimiter() == Delimiter::Bracket => {
                    all(group.stream(), &mut attributes);
                }
                TokenTree::Group(group) if last == "!" || before == "!" => all(group.stream(), &mut self.defined),
                TokenTree::Group(group) => {
                    let module = before == "mod" && group.delimiter() == Delimiter::Brace;
                    self.read(group.stream(), in_a_module || module);
                }
                _ => {}
            }
            before = std::mem::replace(&mut last, token.to_string());
        }
        self.collide(items);
    }

    /// An item, by its keyword, its name and the words of its attributes.
    fn item(&mut self, kind: &str, name: String, attributes: HashSet<String>, items: &mut Items) {
        if attributes.contains("cfg") || attributes.contains("cfg_attr") {
            items.conditional.insert(name.clone());
        }
        match kind {
            "fn" => *items.functions.entry(name).or_default() += 1,
            "trait" => {
                let is_plain = attributes.iter().all(|word| word == "doc");
                let all = self.traits.entry(name.clone()).or_insert(true);
                *all &= is_plain;
                items.types.insert(name);
            }
            "mod" | "struct" | "enum" | "union" | "type" => _ = items.types.insert(name),
            _ => {}
        }
    }

    fn import(&mut self, path: TokenStream, in_a_module: bool) {
        let text = path.to_string().replace(' ', "");
        let known = text == "diffi::prelude::*" || in_a_module && text == "super::*";
        self.open |= text.contains('*') && !known;
        all(path, &mut self.imported);
    }
}

/// All names in a text.
fn all(tokens: TokenStream, found: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => _ = found.insert(name.to_string()),
            TokenTree::Group(group) => all(group.stream(), found),
            _ => {}
        }
    }
}

/// The types of a function's parameters, which come next, or behind its generics.
fn parameters(tokens: impl Iterator<Item = TokenTree>) -> Option<Params> {
    let (mut depth, mut arrow) = (0, false);
    let list = tokens.take(200).find_map(|token| {
        if let TokenTree::Punct(p) = &token {
            depth += i32::from(p.as_char() == '<') - i32::from(p.as_char() == '>' && !arrow);
            arrow = p.as_char() == '-';
        }
        match token {
            TokenTree::Group(group) if depth == 0 && group.delimiter() == Delimiter::Parenthesis => {
                Some(group.stream())
            }
            _ => None,
        }
    })?;
    let mut names = HashSet::new();
    all(list.clone(), &mut names);
    if names.contains("cfg") || names.contains("cfg_attr") {
        return None; // rustc knows which of them are there
    }
    let inputs = Punctuated::<syn::FnArg, syn::Token![,]>::parse_terminated.parse2(list).ok()?;
    let types = inputs.into_iter().map(|input| match input {
        syn::FnArg::Typed(param) => Some(*param.ty),
        syn::FnArg::Receiver(_) => None,
    });
    types.collect()
}
