//! Tokens as plain data, which may go from thread to thread: rustc's, and ours.

use super::{DOLLAR_CRATE, Seen, line};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A token, and the line that stands for its place: of what closes a group, that of the group's end.
pub struct Plain {
    pub kind: Kind,
    line: Option<usize>,
}

/// What it is.
pub enum Kind {
    Ident(String),
    Punct(char, Spacing),
    Literal(String),
    Open(Delimiter),
    Close,
}

/// One of rustc's tokens, in its line.
pub(super) fn of(seen: &Seen, at: usize) -> Plain {
    let kind = match seen {
        Seen::Ident(ident) => Kind::Ident(ident.to_string()),
        Seen::Punct(punct) => Kind::Punct(punct.as_char(), spacing(punct.spacing())),
        Seen::Literal(literal) => Kind::Literal(literal.to_string()),
        Seen::Open { delimiter, .. } => Kind::Open(own_delimiter(*delimiter)),
        Seen::Close(_) => Kind::Close,
    };
    Plain { kind, line: Some(at) }
}

/// Our tokens as data.
pub fn described(tokens: TokenStream) -> Vec<Plain> {
    let (mut all, mut open) = (Vec::new(), vec![(tokens.into_iter(), None)]);
    while let Some((rest, end)) = open.last_mut() {
        let Some(tree) = rest.next() else {
            all.push(Plain { kind: Kind::Close, line: *end });
            open.pop();
            continue;
        };
        let at = line(tree.span());
        let kind = match tree {
            TokenTree::Ident(ident) => Kind::Ident(ident.to_string()),
            TokenTree::Punct(punct) => Kind::Punct(punct.as_char(), punct.spacing()),
            TokenTree::Literal(literal) => Kind::Literal(literal.to_string()),
            TokenTree::Group(group) => {
                open.push((group.stream().into_iter(), group.span().end().line.checked_sub(2)));
                Kind::Open(group.delimiter())
            }
        };
        all.push(Plain { kind, line: at });
    }
    all.pop(); // what closes the whole
    all
}

/// Our tokens, in these lines.
pub fn built(plain: Vec<Plain>, lines: &[Span]) -> TokenStream {
    let span = |line: Option<usize>| line.and_then(|k| lines.get(k)).copied().unwrap_or_else(Span::call_site);
    // the tokens of the innermost group, and the groups around it, each with what stands before the next
    let (mut all, mut open) = (Vec::<TokenTree>::new(), Vec::new());
    for Plain { kind, line } in plain {
        let at = span(line);
        let mut tree: TokenTree = match kind {
            Kind::Ident(name) => own_ident(&name).into(),
            Kind::Punct(sign, spacing) => Punct::new(sign, spacing).into(),
            Kind::Literal(text) => text.parse::<Literal>().expect("a literal is one").into(),
            Kind::Open(delimiter) => {
                open.push((delimiter, at, std::mem::take(&mut all)));
                continue;
            }
            Kind::Close => {
                let Some((delimiter, start, outer)) = open.pop() else { continue };
                let inner = std::mem::replace(&mut all, outer);
                let mut group = Group::new(delimiter, inner.into_iter().collect());
                group.set_span(start.join(at).unwrap_or(start));
                all.push(group.into());
                continue;
            }
        };
        tree.set_span(at);
        all.push(tree);
    }
    all.into_iter().collect()
}

fn own_ident(name: &str) -> Ident {
    let span = Span::call_site();
    match name.strip_prefix("r#") {
        Some(name) => Ident::new_raw(name, span),
        None if name == "$crate" => Ident::new(DOLLAR_CRATE, span),
        None => Ident::new(name, span),
    }
}

fn spacing(spacing: proc_macro::Spacing) -> Spacing {
    match spacing {
        proc_macro::Spacing::Joint => Spacing::Joint,
        proc_macro::Spacing::Alone => Spacing::Alone,
    }
}

fn own_delimiter(delimiter: proc_macro::Delimiter) -> Delimiter {
    match delimiter {
        proc_macro::Delimiter::Parenthesis => Delimiter::Parenthesis,
        proc_macro::Delimiter::Brace => Delimiter::Brace,
        proc_macro::Delimiter::Bracket => Delimiter::Bracket,
        proc_macro::Delimiter::None => Delimiter::None,
    }
}
