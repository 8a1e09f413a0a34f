//! Enums without floats, `enum Activation { Relu, Tanh }` or `enum Phase { Boost { left: u32 }, Coast }`: their values carry no derivative.
//!
//! A type is known by its name. The source files around tell which enum that is, and rustc confirms that it carries no derivative.

use crate::frontend::syntax::file_names::FileNames;
use crate::support::source_files;
use crate::support::tokens::position;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Whether a type of this name is such an enum at hand.
pub fn has_no_floats(name: &str) -> bool {
    at_hand(name, &|found| found.without_floats).unwrap_or_default()
}

/// A variant that holds nothing, of an enum at hand that derives no derivatives.
pub fn empty_variant(name: &str) -> Option<String> {
    at_hand(name, &|found| found.empty_variant.clone())?
}

/// What is asked of the type of a name: of the innermost module that has an enum or another type of the name, or the only one of the files
/// around where this file imports the name.
fn at_hand<R>(name: &str, ask: &dyn Fn(&Type) -> R) -> Option<R> {
    if !name.starts_with(char::is_uppercase) {
        return None;
    }
    let at = position()?;
    let here = Enums::of(&at.file)?;
    let near = here.types.get(name).into_iter().flatten().filter(|found| found.module.contains(&at.line));
    match near.min_by_key(|found| found.module.len()) {
        Some(found) => (here.module_of(at.line) == Some(&found.module)).then(|| ask(found)),
        None => imported(&at.file, name, ask),
    }
}

fn imported<R>(file: &Path, name: &str, ask: &dyn Fn(&Type) -> R) -> Option<R> {
    if !FileNames::here()?.imports(name) {
        return None;
    }
    let files: Vec<Rc<Enums>> = source_files::around(file).iter().filter_map(|path| Enums::of(path)).collect();
    let mut all = files.iter().filter_map(|file| file.types.get(name)).flatten();
    match (all.next(), all.next()) {
        (Some(only), None) => Some(ask(only)),
        _ => None,
    }
}

/// A type, and the lines of the module that it stands in.
#[derive(Debug)]
struct Type {
    /// It is an enum, its variants hold no floats, and it derives no derivatives.
    without_floats: bool,
    /// The first variant that holds nothing, of an enum that derives no derivatives.
    empty_variant: Option<String>,
    module: Range<usize>,
}

/// The types of a file, by their names.
#[derive(Debug, Default)]
struct Enums {
    types: HashMap<String, Vec<Type>>,
    modules: Vec<Range<usize>>,
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Option<Rc<Enums>>>> = RefCell::default();
}

impl Enums {
    fn of(file: &Path) -> Option<Rc<Self>> {
        FILES.with_borrow_mut(|known| known.entry(file.to_owned()).or_insert_with(|| Self::read(file)).clone())
    }

    fn read(file: &Path) -> Option<Rc<Self>> {
        let tokens = source_files::text(file)?.parse().ok()?;
        let mut enums = Self::default();
        enums.module(tokens, 0..usize::MAX);
        Some(Rc::new(enums))
    }

    fn module_of(&self, line: usize) -> Option<&Range<usize>> {
        self.modules.iter().filter(|module| module.contains(&line)).min_by_key(|module| module.len())
    }

    fn module(&mut self, tokens: TokenStream, lines: Range<usize>) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            let TokenTree::Ident(keyword) = tree else { continue };
            let Some(TokenTree::Ident(name)) = trees.get(at + 1) else { continue };
            match (keyword.to_string().as_str(), trees.get(at + 2)) {
                ("mod", Some(TokenTree::Group(body))) => {
                    let span = body.span();
                    self.module(body.stream(), span.start().line..span.end().line + 1);
                }
                (word @ ("enum" | "struct" | "union" | "type"), body) => {
                    let variants = body.filter(|_| word == "enum" && is_plain(&trees[..at]));
                    let without_floats = variants.is_some_and(are_without_floats);
                    let empty_variant = variants.and_then(first_empty);
                    let found = Type { without_floats, empty_variant, module: lines.clone() };
                    self.types.entry(name.to_string()).or_default().push(found);
                }
                _ => {}
            }
        }
        self.modules.push(lines);
    }
}

/// Whether no attribute in front of an item derives derivatives, or is a condition.
fn is_plain(before: &[TokenTree]) -> bool {
    let is_visibility = |tree: &TokenTree| match tree {
        TokenTree::Ident(word) => word == "pub",
        TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis,
        _ => false,
    };
    let mut rest = before.iter().rev().skip_while(|tree| is_visibility(tree));
    while let Some(TokenTree::Group(attribute)) = rest.next() {
        let text = attribute.stream().to_string();
        let hash = matches!(rest.next(), Some(TokenTree::Punct(sign)) if sign.as_char() == '#');
        if !hash || attribute.delimiter() != Delimiter::Bracket {
            return true;
        }
        if ["Differentiable", "differentiable", "cfg"].iter().any(|word| text.contains(word)) {
            return false;
        }
    }
    true
}

/// Whether variants hold nothing, or only integers, truth values, text, and lists and options of such.
fn are_without_floats(body: &TokenTree) -> bool {
    let payload = |tree: TokenTree| match tree {
        TokenTree::Group(group) if group.delimiter() != Delimiter::Bracket => has_plain_types(&group),
        _ => true,
    };
    matches!(body, TokenTree::Group(body) if body.delimiter() == Delimiter::Brace && body.stream().into_iter().all(payload))
}

/// The first variant that holds nothing, and is there under no condition.
fn first_empty(body: &TokenTree) -> Option<String> {
    let TokenTree::Group(body) = body else { return None };
    let trees: Vec<TokenTree> = body.stream().into_iter().collect();
    let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ',');
    let of_variant = |variant: &[TokenTree]| match variant {
        [TokenTree::Ident(name)] => Some(name.to_string()),
        _ => None,
    };
    trees.split(is_comma).find_map(of_variant)
}

/// Whether the types of a variant's members are among these.
fn has_plain_types(members: &Group) -> bool {
    const PLAIN: &[&str] = &[
        "bool", "char", "str", "String", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
        "usize", "Vec", "Option", "Box", "static", "pub",
    ];
    let trees: Vec<TokenTree> = members.stream().into_iter().collect();
    let is_colon = |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
    trees.iter().enumerate().all(|(at, tree)| match tree {
        TokenTree::Ident(name) => {
            let is_field = is_colon(trees.get(at + 1)) && !is_colon(trees.get(at + 2));
            is_field || PLAIN.iter().any(|plain| name == plain)
        }
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Bracket
                if at > 0 && matches!(&trees[at - 1], TokenTree::Punct(sign) if sign.as_char() == '#') =>
            {
                true
            }
            _ => has_plain_types(group),
        },
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_of_integers_and_text_are_plain() {
        let plain = |text: &str| are_without_floats(&text.parse::<TokenStream>().unwrap().into_iter().next().unwrap());
        assert!(plain("{ Relu, Power(i32), Steps { left: u32, names: Vec<String> }, Pair([usize; 2], (bool, char)) }"));
        assert!(plain("{ A(&'static str), #[default] B, C(Option<Box<usize>>) = 3 }"));
        assert!(
            !plain("{ Leaky(f64) }")
                && !plain("{ A { k: Real } }")
                && !plain("{ A([Own; 2]) }")
                && !plain("{ A(a::usize) }")
        );
    }

    #[test]
    fn a_variant_that_holds_nothing_is_found() {
        let first = |text: &str| first_empty(&text.parse::<TokenStream>().unwrap().into_iter().next().unwrap());
        assert_eq!(first("{ A(u8, u8), #[cfg(test)] B, C, D }").as_deref(), Some("C"));
        assert_eq!(first("{ A { k: f64 } }"), None);
    }
}
