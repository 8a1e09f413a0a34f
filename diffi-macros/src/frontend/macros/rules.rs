//! The rules of a macro by example, read.

use super::pieces::{Kind, Piece, pieces};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// `(pattern) => { body }`.
#[derive(Debug)]
pub struct Rule {
    pub pattern: Vec<Pattern>,
    pub body: Vec<Part>,
}

/// A part of a pattern.
#[derive(Debug)]
pub enum Pattern {
    Piece(Piece),
    Group(Delimiter, Vec<Pattern>),
    /// `$name:kind`.
    Fragment {
        name: String,
        kind: String,
    },
    /// `$(..),*`.
    Repeat {
        inner: Vec<Pattern>,
        separator: Option<Piece>,
        times: Times,
    },
}

/// A part of what a rule gives.
#[derive(Debug)]
pub enum Part {
    Piece(Piece),
    Group(Delimiter, Vec<Part>),
    Fragment(String),
    Repeat { inner: Vec<Part>, separator: Option<Piece> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    Any,
    Some,
    Optional,
}

/// The rules of a definition; none where one of them is not understood.
pub fn rules(tokens: TokenStream) -> Option<Vec<Rule>> {
    let mut rest = &pieces(tokens)[..];
    let mut all = Vec::new();
    while let [pattern, arrow, body, tail @ ..] = rest {
        if !arrow.is_sign("=>") {
            return None;
        }
        let pattern = patterns(&pieces(pattern.group()?.stream()))?;
        let body = parts(&pieces(body.group()?.stream()), &names(&pattern))?;
        all.push(Rule { pattern, body });
        rest = match tail {
            [end, tail @ ..] if end.is_sign(";") => tail,
            tail => tail,
        };
    }
    (rest.is_empty() && !all.is_empty()).then_some(all)
}

fn patterns(mut rest: &[Piece]) -> Option<Vec<Pattern>> {
    let mut all = Vec::new();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        all.push(match (first.group(), tail) {
            (Some(group), _) => Pattern::Group(group.delimiter(), patterns(&pieces(group.stream()))?),
            (None, [name, colon, kind, tail @ ..]) if first.is_sign("$") && colon.is_sign(":") => {
                rest = tail;
                Pattern::Fragment { name: word(name)?, kind: word(kind)? }
            }
            (None, [group, tail @ ..]) if first.is_sign("$") => {
                let inner = patterns(&pieces(parenthesised(group)?))?;
                let (separator, times, tail) = end_of_repeat(tail)?;
                rest = tail;
                Pattern::Repeat { inner, separator, times }
            }
            _ if first.is_sign("$") => return None,
            _ => Pattern::Piece(first.clone()),
        });
    }
    Some(all)
}

/// The names of the fragments of a pattern.
pub fn names(patterns: &[Pattern]) -> Vec<String> {
    let of = |pattern: &Pattern| match pattern {
        Pattern::Fragment { name, .. } => vec![name.clone()],
        Pattern::Group(_, inner) | Pattern::Repeat { inner, .. } => names(inner),
        Pattern::Piece(_) => Vec::new(),
    };
    patterns.iter().flat_map(of).collect()
}

fn parts(mut rest: &[Piece], known: &[String]) -> Option<Vec<Part>> {
    let mut all = Vec::new();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        all.push(match (first.group(), tail) {
            (Some(group), _) => Part::Group(group.delimiter(), parts(&pieces(group.stream()), known)?),
            (None, [next, tail @ ..]) if first.is_sign("$") => {
                rest = tail;
                match (&next.kind, next.group()) {
                    (Kind::Word(name), _) if name == "crate" => Part::Piece(next.clone()),
                    (Kind::Word(name), _) if known.contains(name) => Part::Fragment(name.clone()),
                    (_, Some(_)) => {
                        let inner = parts(&pieces(parenthesised(next)?), known)?;
                        let (separator, _, tail) = end_of_repeat(tail)?;
                        rest = tail;
                        Part::Repeat { inner, separator }
                    }
                    _ => return None,
                }
            }
            _ if first.is_sign("$") || is_opaque(first) => return None,
            _ => Part::Piece(first.clone()),
        });
    }
    Some(all)
}

/// Labels are kept apart by rustc, and conditions are evaluated by it.
fn is_opaque(piece: &Piece) -> bool {
    match &piece.kind {
        Kind::Lifetime => !matches!(&piece.trees[..], [_, TokenTree::Ident(name)] if name == "static" || name == "_"),
        Kind::Word(name) => name == "cfg" || name == "cfg_attr" || name == "macro_rules" || name.starts_with("r#"),
        _ => false,
    }
}

/// The separator and the sign behind `$(..)`.
fn end_of_repeat(rest: &[Piece]) -> Option<(Option<Piece>, Times, &[Piece])> {
    let times = |piece: &Piece| match &piece.kind {
        Kind::Sign(sign) if sign == "*" => Some(Times::Any),
        Kind::Sign(sign) if sign == "+" => Some(Times::Some),
        Kind::Sign(sign) if sign == "?" => Some(Times::Optional),
        _ => None,
    };
    match rest {
        [sign, tail @ ..] if times(sign).is_some() => Some((None, times(sign)?, tail)),
        [separator, sign, tail @ ..] if separator.group().is_none() => {
            Some((Some(separator.clone()), times(sign).filter(|times| *times != Times::Optional)?, tail))
        }
        _ => None,
    }
}

fn parenthesised(piece: &Piece) -> Option<TokenStream> {
    piece.group().filter(|group| group.delimiter() == Delimiter::Parenthesis).map(|group| group.stream())
}

fn word(piece: &Piece) -> Option<String> {
    match &piece.kind {
        Kind::Word(word) => Some(word.clone()),
        _ => None,
    }
}

/// Whether an expression is one operand wherever it stands.
pub fn is_whole(e: &syn::Expr) -> bool {
    use syn::Expr::{Array, Call, Field, Index, Lit, MethodCall, Paren, Path, Tuple};
    matches!(e, Array(_) | Call(_) | Field(_) | Index(_) | Lit(_) | MethodCall(_) | Paren(_) | Path(_) | Tuple(_))
}
