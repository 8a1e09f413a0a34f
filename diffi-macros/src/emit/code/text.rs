//! Generated code as text, with holes for the user's tokens.
//!
//! rustc's lexer is compiled with optimisations; this crate, in most builds, is not. So what has no place in the user's code is
//! written as text and parsed at once. The user's own tokens keep their spans, so that errors point at them: in the text, a hole
//! stands for them.

use crate::ir::Function;
use crate::ir::purity::PLAIN;
use crate::support::tokens::{self, DOLLAR_CRATE};
use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::quote;
use std::cell::RefCell;

/// What begins a hole in the text (its number follows), and what ends it.
const BEGIN: char = '\u{1}';
const END: char = '\u{2}';

/// The tokens that belong into the holes.
#[derive(Default)]
pub struct Holes {
    all: RefCell<Vec<TokenStream>>,
    /// The name that stands for the float of a type, and what is written in its place.
    float: Option<(Ident, TokenStream)>,
}

/// What an identifier becomes, if anything else.
pub type Words<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Holes {
    /// Those of a function: the float of a type is written out.
    pub fn of(function: &Function) -> Self {
        let written = |(name, ty): &(Ident, syn::Type)| (name.clone(), quote!(<#ty as __d::Active>::Base));
        Holes { all: RefCell::default(), float: function.projected.as_ref().map(written) }
    }

    /// A hole for tokens.
    pub fn put(&self, tokens: TokenStream) -> String {
        let tokens = match &self.float {
            Some((name, float)) => with_float(tokens, name, float),
            None => tokens,
        };
        let mut all = self.all.borrow_mut();
        all.push(tokens);
        format!("{BEGIN}{}{END}", all.len() - 1)
    }

    /// Tokens with other words: as text if they are [plain](Plain), else as a hole.
    pub fn tokens(&self, tokens: &TokenStream, words: Words<'_>) -> String {
        let mut out = String::new();
        match (Plain { words, out: &mut out, last: Last::Nothing }.write(tokens.clone())) {
            Some(()) => out,
            None => self.put(replaced(tokens.clone(), words)),
        }
    }

    /// A type: as text if it is made of floats.
    pub fn ty(&self, tokens: &TokenStream) -> String {
        self.plain_ty(tokens).unwrap_or_else(|| self.put(tokens.clone()))
    }

    /// A type as text, if it is made of floats.
    pub fn plain_ty(&self, tokens: &TokenStream) -> Option<String> {
        let mut out = String::new();
        is_numeric(tokens.clone(), &mut out).then_some(out)
    }

    /// What belongs into the hole that is this word, as text.
    pub fn read(&self, word: &str) -> Option<String> {
        let number: usize = word.strip_prefix(BEGIN)?.strip_suffix(END)?.parse().ok()?;
        Some(self.all.borrow()[number].to_string())
    }

    /// The text as tokens for rustc, with all holes filled. Who looks at them takes [those that are here](Self::fill_here).
    pub fn fill(&self, text: &str) -> TokenStream {
        self.filled(text, tokens::lexed)
    }

    /// The same in tokens that can be looked at.
    pub fn fill_here(&self, text: &str) -> TokenStream {
        self.filled(text, tokens::lexed_here)
    }

    fn filled(&self, text: &str, lexed: fn(&str) -> TokenStream) -> TokenStream {
        let Some((name, float)) = &self.float else { return self.parsed(text, lexed) };
        let (name, float) = (name.to_string(), self.put(float.clone()));
        let text = text.replace(&format!("{name}::"), &format!("<{float}>::")).replace(&name, &float);
        self.parsed(&text, lexed)
    }

    fn parsed(&self, text: &str, lexed: fn(&str) -> TokenStream) -> TokenStream {
        Filling { text, lexed, holes: &self.all.borrow(), events: events(text).into_iter() }.stream(0, text.len())
    }
}

/// The float type in place of the name that stands for it; `<..>` around it, where a path goes on.
fn with_float(tokens: TokenStream, name: &Ident, float: &TokenStream) -> TokenStream {
    let is_joint = |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Joint);
    let (mut trees, mut out) = (tokens.into_iter().peekable(), TokenStream::new());
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(found) if found == *name && is_joint(trees.peek()) => out.extend(quote!(<#float>)),
            TokenTree::Ident(found) if found == *name => out.extend(float.clone()),
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), with_float(group.stream(), name, float));
                new.set_span(group.span());
                out.extend([TokenTree::Group(new)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// The names, numbers, holes and signs of a text, in order.
pub fn words(text: &str) -> Vec<&str> {
    let (bytes, mut all, mut at) = (text.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        at = word_end(bytes, start);
        if !matches!(bytes[start], b' ' | b'\n') {
            all.push(&text[start..at]);
        }
    }
    all
}

/// Where the word that starts here ends.
fn word_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start + 1..];
    let length = match bytes[start] {
        1 => rest.iter().take_while(|b| **b != 2).count() + 1,
        first if inside(first) => rest.iter().take_while(|b| inside(**b)).count(),
        _ => 0,
    };
    start + 1 + length
}

/// Of a name or a number.
pub fn inside(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 128..)
}

/// Whether the text is one name, number or path.
pub fn is_word(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
}

/// Where text is not taken as it is.
#[derive(Clone, Copy)]
struct Event {
    at: usize,
    /// For a group with holes in it, its closing bracket; none for a hole.
    close: Option<usize>,
}

/// The holes, and the groups with holes in them, in order.
fn events(text: &str) -> Vec<Event> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    let mut torn = 0; // how many of the open groups, from the outside, have holes
    if !text.contains(BEGIN) {
        return found;
    }
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => {
                let start = open.pop().expect("brackets match");
                if open.len() < torn {
                    torn = open.len();
                    found.push(Event { at: start, close: Some(at) });
                }
            }
            1 => {
                torn = open.len();
                found.push(Event { at, close: None });
            }
            _ => {}
        }
    }
    found.sort_by_key(|event| event.at);
    found
}

/// Text on its way to tokens.
struct Filling<'a> {
    text: &'a str,
    lexed: fn(&str) -> TokenStream,
    holes: &'a [TokenStream],
    events: std::vec::IntoIter<Event>,
}

impl Filling<'_> {
    fn stream(&mut self, start: usize, end: usize) -> TokenStream {
        let (mut parts, mut run) = (Vec::new(), start);
        while let Some(event) = self.events.as_slice().first().copied().filter(|event| event.at < end) {
            self.events.next();
            self.run(run, event.at, &mut parts);
            let (part, after) = match event.close {
                None => self.hole(event.at),
                Some(close) => self.group(event.at, close),
            };
            parts.push(part);
            run = after;
        }
        self.run(run, end, &mut parts);
        parts.into_iter().collect()
    }

    fn run(&self, start: usize, end: usize, parts: &mut Vec<TokenStream>) {
        if start < end {
            parts.push((self.lexed)(&self.text[start..end]));
        }
    }

    fn hole(&self, at: usize) -> (TokenStream, usize) {
        let end = at + self.text[at..].find(END).expect("a hole ends");
        let number: usize = self.text[at + 1..end].parse().expect("a hole has a number");
        (self.holes[number].clone(), end + 1)
    }

    fn group(&mut self, open: usize, close: usize) -> (TokenStream, usize) {
        let delimiter = match self.text.as_bytes()[open] {
            b'(' => Delimiter::Parenthesis,
            b'[' => Delimiter::Bracket,
            _ => Delimiter::Brace,
        };
        let group = Group::new(delimiter, self.stream(open + 1, close));
        (TokenTree::Group(group).into(), close + 1)
    }
}

/// Plain tokens on their way to text: names, numbers, operators, indices and cheap methods, in which rustc finds no error that it
/// does not find in the user's function itself. Each gives what it is for the next; none if it is not plain.
struct Plain<'a> {
    words: Words<'a>,
    out: &'a mut String,
    last: Last,
}

impl Plain<'_> {
    fn write(&mut self, tokens: TokenStream) -> Option<()> {
        tokens.into_iter().try_for_each(|tree| {
            self.last = match tree {
                TokenTree::Ident(ident) => self.name(&ident.to_string())?,
                TokenTree::Literal(literal) => self.literal(&literal.to_string())?,
                TokenTree::Punct(punct) => self.sign(punct.as_char(), punct.spacing() == Spacing::Joint)?,
                TokenTree::Group(group) => self.group(&group)?,
            };
            Some(())
        })
    }

    fn name(&mut self, name: &str) -> Option<Last> {
        if name == DOLLAR_CRATE {
            return None;
        }
        if matches!(self.last, Last::Operand | Last::Name | Last::Keyword | Last::Method(_)) {
            self.out.push(' ');
        }
        self.out.push_str((self.words)(name).as_deref().unwrap_or(name));
        Some(match self.last {
            Last::Dot => Last::Method(PLAIN.contains(&name)),
            _ if ["as", "in", "if", "return", "match"].contains(&name) => Last::Keyword,
            _ => Last::Name,
        })
    }

    fn literal(&mut self, literal: &str) -> Option<Last> {
        if literal.contains(['"', '\'']) {
            return None;
        }
        if matches!(self.last, Last::Operand | Last::Name | Last::Keyword) {
            self.out.push(' ');
        }
        self.out.push_str(literal);
        Some(Last::Operand)
    }

    fn sign(&mut self, sign: char, joint: bool) -> Option<Last> {
        let closure = sign == '|' && matches!(self.last, Last::Nothing | Last::Sign | Last::Keyword);
        let macro_call = sign == '!' && matches!(self.last, Last::Name | Last::Method(_)) && !joint;
        if closure || macro_call || matches!(sign, '?' | ';' | '#' | '$' | '\'' | '@') {
            return None;
        }
        self.out.push(sign);
        match sign {
            '.' if !joint && self.last != Last::Sign => return Some(Last::Dot),
            '|' if joint => return Some(Last::Bar),
            _ if !joint => self.out.push(' '),
            _ => {}
        }
        Some(Last::Sign)
    }

    fn group(&mut self, group: &Group) -> Option<Last> {
        let call = matches!(self.last, Last::Name | Last::Method(false));
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis if call => return None,
            delimiter => brackets(delimiter)?,
        };
        if self.last == Last::Keyword {
            self.out.push(' ');
        }
        self.out.push(open);
        Plain { words: self.words, out: self.out, last: Last::Nothing }.write(group.stream())?;
        self.out.push(close);
        Some(Last::Operand)
    }
}

/// The brackets around arguments, elements and operands.
fn brackets(delimiter: Delimiter) -> Option<(char, char)> {
    match delimiter {
        Delimiter::Parenthesis => Some(('(', ')')),
        Delimiter::Bracket => Some(('[', ']')),
        Delimiter::Brace | Delimiter::None => None,
    }
}

/// What stands before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Name,
    Keyword,
    /// A name after a dot, and whether it is a cheap method's.
    Method(bool),
    Operand,
    Dot,
    /// The first half of `||`.
    Bar,
    Sign,
}

/// Writes a type as text, if it is made of floats.
fn is_numeric(tokens: TokenStream, out: &mut String) -> bool {
    const KNOWN: &[&str] = &["f64", "f32", "__Number", "Vec", "mut"];
    tokens.into_iter().all(|tree| match tree {
        TokenTree::Ident(ident) => {
            let name = ident.to_string();
            out.push_str(&name);
            out.push_str(if name == "mut" { " " } else { "" });
            KNOWN.contains(&&name[..])
        }
        TokenTree::Literal(literal) => {
            out.push_str(&literal.to_string());
            true
        }
        TokenTree::Punct(punct) => {
            out.push(punct.as_char());
            matches!(punct.as_char(), '&' | '<' | '>' | ',' | ';')
        }
        TokenTree::Group(group) => brackets(group.delimiter()).is_some_and(|(open, close)| {
            out.push(open);
            let numeric = is_numeric(group.stream(), out);
            out.push(close);
            numeric
        }),
    })
}

/// Tokens with other words in the same places.
fn replaced(tokens: TokenStream, words: Words<'_>) -> TokenStream {
    let one = |tree| match tree {
        TokenTree::Ident(ident) => match words(&ident.to_string()) {
            Some(word) if is_word(&word) => {
                TokenTree::Ident(Ident::new(&word, tokens::resolved_here(ident.span()))).into()
            }
            Some(word) => tokens::lexed_here(&word),
            None => TokenStream::from(TokenTree::Ident(ident)),
        },
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), replaced(group.stream(), words));
            new.set_span(group.span());
            TokenTree::Group(new).into()
        }
        other => other.into(),
    };
    tokens.into_iter().map(one).collect()
}
