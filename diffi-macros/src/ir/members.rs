//! Members of aggregates: their steps in places, and in the tokens of passive code.

use crate::ir::Proj;
use crate::ir::place::field_name;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// A step that leads to a member, as text; none of a step that may lead to one member or another.
pub fn step_key(step: &Proj) -> Option<String> {
    match step {
        Proj::Field(member) => Some(field_name(member)),
        Proj::Index(index) => number(&index.tokens).map(|k| format!("[{k}]")),
        _ => None,
    }
}

/// The same of an element by its number.
pub fn element_key(k: usize) -> String {
    format!("[{k}]")
}

/// What stands for a member in the name of a variable.
pub fn label(step: &Proj) -> String {
    let key = step_key(step).unwrap_or_default();
    key.trim_matches(['[', ']']).trim_start_matches("r#").to_owned()
}

/// A step as tokens.
pub fn tokens_of(step: &Proj) -> TokenStream {
    match step {
        Proj::Field(member) => quote!(.#member),
        Proj::Index(index) => {
            let tokens = &index.tokens;
            quote!([#tokens])
        }
        _ => TokenStream::new(),
    }
}

/// The number that tokens are.
pub fn number(tokens: &TokenStream) -> Option<usize> {
    tokens.to_string().trim_end_matches("usize").trim_end_matches('_').parse().ok()
}

/// The members of a variable that tokens mention; none if they mention it in another way.
pub fn mentioned(tokens: &TokenStream, name: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut clear = true;
    walk(tokens.clone(), name, &mut |key| match key {
        Some(key) => {
            found.push(key.to_owned());
            None
        }
        None => {
            clear = false;
            None
        }
    });
    clear.then_some(found)
}

/// The tokens with other names for the members of a variable, of which they mention nothing else.
pub fn rewritten(tokens: TokenStream, name: &str, by: &mut dyn FnMut(&str) -> TokenStream) -> TokenStream {
    walk(tokens, name, &mut |key| key.map(&mut *by))
}

/// Each mention of a variable: the member's key, if it is one of a member.
fn walk(tokens: TokenStream, name: &str, f: &mut dyn FnMut(Option<&str>) -> Option<TokenStream>) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    while at < trees.len() {
        let is_it = names(&trees[at], name) && !is_behind_dot(&trees, at);
        let member = key_at(&trees[at + 1..]);
        match &trees[at] {
            found if is_it => {
                let new = f(member.as_ref().map(|(key, _)| key.as_str()));
                match (new, member) {
                    (Some(new), Some((_, length))) => {
                        out.extend(respanned(new, found.span()));
                        at += 1 + length;
                        continue;
                    }
                    _ => trees[at].to_tokens(&mut out),
                }
            }
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), walk(group.stream(), name, f));
                new.set_span(group.span());
                new.to_tokens(&mut out);
            }
            other => other.to_tokens(&mut out),
        }
        at += 1;
    }
    out
}

/// Whether a tree is the name, or a reference to it in parentheses.
fn names(tree: &TokenTree, name: &str) -> bool {
    match tree {
        TokenTree::Ident(found) => found == name,
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            let trees: Vec<TokenTree> = group.stream().into_iter().collect();
            matches!(&trees[..], [TokenTree::Punct(and), TokenTree::Ident(found)] if and.as_char() == '&' && found == name)
        }
        _ => false,
    }
}

/// Tokens that stand where others stood.
fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let stand = |mut tree: TokenTree| {
        tree.set_span(span);
        tree
    };
    tokens.into_iter().map(stand).collect()
}

fn is_behind_dot(trees: &[TokenTree], at: usize) -> bool {
    at > 0
        && matches!(&trees[at - 1], TokenTree::Punct(p) if p.as_char() == '.')
        && !(at > 1 && matches!(&trees[at - 2], TokenTree::Punct(p) if p.as_char() == '.'))
}

/// The member that stands behind a variable, `.x`, `.0` or `[1]`, and how many trees that is.
fn key_at(rest: &[TokenTree]) -> Option<(String, usize)> {
    match rest {
        [TokenTree::Group(index), ..] if index.delimiter() == Delimiter::Bracket => {
            Some((element_key(number(&index.stream())?), 1))
        }
        [TokenTree::Punct(dot), member, next @ ..] if dot.as_char() == '.' => {
            let is_call = matches!(next.first(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
            let is_turbofish = matches!(next.first(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
            match member {
                TokenTree::Ident(field) if !is_call && !is_turbofish => Some((field.to_string(), 2)),
                TokenTree::Literal(k) => Some((k.to_string().parse::<usize>().ok()?.to_string(), 2)),
                _ => None,
            }
        }
        _ => None,
    }
}
