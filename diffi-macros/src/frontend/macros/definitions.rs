//! Where macros by example are defined in a source file, and which of them a call finds.
//!
//! A macro is found from its definition on, in the module around that and in those within. One that is defined twice in a file, or under a
//! condition, or may come from another file in between, is none that this compiler knows.

use super::rules::{Rule, rules};
use crate::support::source_files;
use crate::support::tokens::{Position, without_places};
use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A macro by example.
#[derive(Debug)]
pub struct Definition {
    /// None where they are not understood.
    pub rules: Option<Vec<Rule>>,
    /// Whether it stands in the function.
    pub inner: bool,
}

impl Definition {
    pub fn of(tokens: TokenStream, plain: bool, inner: bool) -> Rc<Self> {
        Rc::new(Definition { rules: if plain { rules(tokens) } else { None }, inner })
    }
}

/// A definition in a file.
struct Found {
    name: String,
    definition: Rc<Definition>,
    at: Place,
    /// The module around it.
    module: Range<Place>,
    exported: bool,
}

/// A line and a column.
type Place = (usize, usize);

/// The definitions of a file.
#[derive(Default)]
struct Definitions {
    found: Vec<Found>,
    /// How often a name is defined, wherever that is.
    times: HashMap<String, usize>,
    /// Where macros of other modules come in.
    imports: Vec<Place>,
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Option<Rc<Definitions>>>> = RefCell::default();
}

/// The macro that a call at a place stands for, if it is defined above.
pub fn above(at: &Position, name: &str, is_path: bool) -> Option<Rc<Definition>> {
    let file = definitions(&at.file)?;
    if file.times.get(name) != Some(&1) {
        return None;
    }
    let found = file.found.iter().find(|found| found.name == name)?;
    let here = (at.line, at.column.checked_sub(1)?);
    let hidden = file.imports.iter().any(|import| (found.at..here).contains(import));
    let by_order = !is_path && found.at < here && found.module.contains(&here) && !hidden;
    (by_order || is_path && found.exported).then(|| found.definition.clone())
}

fn definitions(path: &Path) -> Option<Rc<Definitions>> {
    let read = || {
        let tokens: TokenStream = source_files::text(path)?.parse().ok()?;
        let mut all = Definitions::default();
        count(&tokens, &mut all.times);
        all.add(tokens, &((0, 0)..(usize::MAX, 0)));
        Some(Rc::new(all))
    };
    FILES.with_borrow_mut(|files| files.entry(path.to_owned()).or_insert_with(read).clone())
}

/// Counts the definitions of each name.
fn count(tokens: &TokenStream, times: &mut HashMap<String, usize>) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        if let Some((name, _)) = defined(&trees[at..]) {
            *times.entry(name).or_default() += 1;
        }
        if let TokenTree::Group(group) = tree {
            count(&group.stream(), times);
        }
    }
}

/// The name and the rules of a definition at the head of tokens.
fn defined(trees: &[TokenTree]) -> Option<(String, TokenStream)> {
    match trees {
        [TokenTree::Ident(word), TokenTree::Punct(sign), TokenTree::Ident(name), TokenTree::Group(rules), ..]
            if word == "macro_rules" && sign.as_char() == '!' =>
        {
            Some((name.to_string(), rules.stream()))
        }
        _ => None,
    }
}

impl Definitions {
    /// Adds those of a module.
    fn add(&mut self, tokens: TokenStream, module: &Range<Place>) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut plain, mut exported) = (true, false);
        for (at, tree) in trees.iter().enumerate() {
            if let Some((name, rules)) = defined(&trees[at..]) {
                let definition = Definition::of(without_places(rules), plain, false);
                let (at, module) = (end(trees[at + 3].span()), module.clone());
                self.found.push(Found { name, definition, at, module, exported });
            }
            match (at.checked_sub(1).map(|before| &trees[before]), tree) {
                (Some(TokenTree::Punct(sign)), TokenTree::Group(attribute)) if sign.as_char() == '#' => {
                    let text = attribute.stream().to_string();
                    plain &= is_plain(&text);
                    exported |= text.starts_with("macro_export");
                    self.imports.extend(text.contains("macro_use").then(|| end(tree.span())));
                    continue;
                }
                (Some(TokenTree::Ident(_)), TokenTree::Group(inside)) if is_module(&trees[..at]) => {
                    self.add(inside.stream(), &(begin(tree.span())..end(tree.span())));
                }
                _ => {}
            }
            let ends = matches!(tree, TokenTree::Punct(p) if p.as_char() == ';')
                || matches!(tree, TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace);
            if ends {
                (plain, exported) = (true, false);
            }
        }
    }
}

/// `mod name`.
fn is_module(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Ident(word), TokenTree::Ident(_)] if word == "mod")
}

/// Whether an attribute leaves a definition as it is.
fn is_plain(attribute: &str) -> bool {
    ["doc", "allow", "expect", "macro_export", "rustfmt", "deprecated", "inline"].iter().any(|name| {
        attribute.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

fn begin(span: Span) -> Place {
    place(span.start())
}

fn end(span: Span) -> Place {
    place(span.end())
}

fn place(at: LineColumn) -> Place {
    (at.line, at.column)
}
