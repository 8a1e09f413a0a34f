//! The names that a file defines or imports, and how its functions are called.

use crate::support::source_files;
use crate::support::tokens::position;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
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
    functions: HashMap<String, Vec<TokenStream>>,
    types: HashSet<String>,
    /// Those that stand under conditions.
    conditional: HashSet<String>,
}

impl Items {
    /// The functions, and what each collides with.
    fn collide(self, found: &mut Vec<Occurrence>) {
        for (name, texts) in self.functions {
            let collision = match texts.len() {
                _ if self.conditional.contains(&name) => None,
                _ if self.types.contains(&name) => Some(Collision::Type),
                1 => None,
                _ => Some(Collision::Function),
            };
            found.extend(texts.into_iter().map(|text| (name.clone(), text, collision)));
        }
    }
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
    /// Names of functions that are in one module with a type, a module or another function of the name: the text of each function of
    /// such a name, in whatever module, and what collides with it.
    colliding: HashMap<String, Vec<(String, Option<Collision>)>>,
    /// Traits, and whether all of a name have no attribute.
    traits: HashMap<String, bool>,
}

/// A function of a file, by its name and what comes after that, and what collides with it.
type Occurrence = (String, TokenStream, Option<Collision>);

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
        let mut functions = Vec::new();
        names.read(tokens, false, &mut functions);
        names.colliding =
            functions.iter().filter(|(.., c)| c.is_some()).map(|(name, ..)| (name.clone(), Vec::new())).collect();
        for (name, text, collision) in functions {
            if let Some(all) = names.colliding.get_mut(&name) {
                all.push((without_spaces(&text), collision));
            }
        }
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

    /// What collides with a function. Functions of the same name in other modules are told apart by their texts.
    pub fn collision(&self, item: &syn::ItemFn) -> Option<Collision> {
        let all = self.colliding.get(&item.sig.ident.to_string())?;
        let text = without_spaces(&behind_name(item));
        let mut own = all.iter().filter(|(other, _)| *other == text).peekable();
        match own.peek() {
            None => all.iter().find_map(|(_, collision)| *collision),
            Some(_) => own.map(|(_, collision)| *collision).reduce(Option::and).flatten(),
        }
    }

    /// Whether a trait has no attribute.
    pub fn has_plain_trait(&self, name: &str) -> bool {
        self.traits.get(name) == Some(&true) && !self.imported.contains(name)
    }

    fn read(&mut self, tokens: TokenStream, in_a_module: bool, functions: &mut Vec<Occurrence>) {
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
                        items.functions.entry(name.to_string()).or_default().push(to_body(tokens.clone()));
                    }
                    self.item(&last, name.to_string(), std::mem::take(&mut attributes), &mut items);
                }
                TokenTree::Group(group) if last == "#" && group.delimiter() == Delimiter::Bracket => {
                    all(group.stream(), &mut attributes);
                }
                TokenTree::Group(group) if last == "!" || before == "!" => all(group.stream(), &mut self.defined),
                TokenTree::Group(group) => {
                    let module = before == "mod" && group.delimiter() == Delimiter::Brace;
                    self.read(group.stream(), in_a_module || module, functions);
                }
                _ => {}
            }
            before = std::mem::replace(&mut last, token.to_string());
        }
        items.collide(functions);
    }

    /// An item, by its keyword, its name and the words of its attributes.
    fn item(&mut self, kind: &str, name: String, attributes: HashSet<String>, items: &mut Items) {
        if attributes.contains("cfg") || attributes.contains("cfg_attr") {
            items.conditional.insert(name.clone());
        }
        match kind {
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

/// A function's tokens behind its name.
fn to_body(tokens: impl Iterator<Item = TokenTree>) -> TokenStream {
    let mut ended = false;
    let own = tokens.take_while(|token| {
        let body = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        !std::mem::replace(&mut ended, body)
    });
    own.collect()
}

/// The same of a function that is read.
fn behind_name(item: &syn::ItemFn) -> TokenStream {
    let tokens = item.sig.to_token_stream().into_iter().chain(item.block.to_token_stream());
    tokens.skip_while(|token| !matches!(token, TokenTree::Ident(word) if word == "fn")).skip(2).collect()
}

fn without_spaces(tokens: &TokenStream) -> String {
    tokens.to_string().split_whitespace().collect()
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

#[cfg(test)]
mod tests {
    use super::{Collision, FileNames};
    use syn::visit::{self, Visit};

    /// What collides with each free function of a file, in their order.
    fn collisions(text: &str) -> Vec<Option<Collision>> {
        struct Functions<'n>(&'n FileNames, Vec<Option<Collision>>);
        impl<'a> Visit<'a> for Functions<'_> {
            fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
                self.1.push(self.0.collision(item));
                visit::visit_item_fn(self, item);
            }
        }
        let names = FileNames::of(text.parse().expect("tokens"));
        let mut found = Functions(&names, Vec::new());
        found.visit_file(&syn::parse_file(text).expect("a file"));
        found.1
    }

    #[test]
    fn a_function_collides_with_what_its_own_module_has() {
        let (fun, ty) = (Some(Collision::Function), Some(Collision::Type));
        let rows: &[(&str, &[Option<Collision>])] = &[
            ("struct gas; fn gas(x: f64) -> f64 { x }", &[ty]),
            ("fn gas(x: f64) -> f64 { x } mod m { pub struct gas; pub fn gas(x: f64) -> f64 { x * x } }", &[None, ty]),
            ("mod m { pub struct gas; } fn gas(x: f64) -> f64 { x }", &[None]),
            (
                "mod a { fn f() {} fn f() {} } mod b { fn f() { f(); } } mod c { type f = u8; fn f(x: u8) {} }",
                &[fun, fun, None, ty],
            ),
            ("fn f<'a>(x: &'a [f64]) -> f64 where u8: Copy { x[0] } fn g() { struct f; }", &[None, None]),
            ("fn g() { struct f; fn f() {} } pub const unsafe fn f() -> u8 { 1 }", &[None, ty, None]),
            (
                "#[cfg(test)] fn f() {} #[cfg(not(test))] fn f() { () } mod m { trait f {} fn f() -> u8 { 2 } }",
                &[None, None, ty],
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(collisions(text), *expected, "{text}");
        }
    }
}
