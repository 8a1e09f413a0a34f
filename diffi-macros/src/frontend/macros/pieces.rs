//! Tokens as a macro by example counts them: `->`, `..=` and `'a` are one each.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// The operators of several signs, the longest first.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "^=", "&=", "|=", "<<", ">>", "..",
];

/// One token.
#[derive(Clone, Debug)]
pub struct Piece {
    pub trees: Vec<TokenTree>,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Word(String),
    Literal,
    Sign(String),
    Lifetime,
    Group(Delimiter),
}

impl Piece {
    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(&self.kind, Kind::Sign(own) if own == sign)
    }

    pub fn group(&self) -> Option<&Group> {
        match &self.trees[..] {
            [TokenTree::Group(group)] => Some(group),
            _ => None,
        }
    }

    pub fn tokens(&self) -> TokenStream {
        self.trees.iter().cloned().collect()
    }
}

pub fn pieces(tokens: TokenStream) -> Vec<Piece> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut all, mut at) = (Vec::new(), 0);
    while at < trees.len() {
        let (kind, count) = first(&trees[at..]);
        all.push(Piece { trees: trees[at..at + count].to_vec(), kind });
        at += count;
    }
    all
}

/// The first token, and of how many trees it is.
fn first(trees: &[TokenTree]) -> (Kind, usize) {
    match &trees[0] {
        TokenTree::Ident(name) => (Kind::Word(name.to_string()), 1),
        TokenTree::Literal(_) => (Kind::Literal, 1),
        TokenTree::Group(group) => (Kind::Group(group.delimiter()), 1),
        TokenTree::Punct(p) if p.as_char() == '\'' => (Kind::Lifetime, trees.len().min(2)),
        TokenTree::Punct(p) => {
            let signs = signs(trees);
            let operator = OPERATORS.iter().find(|operator| signs.starts_with(**operator));
            let sign = operator.map_or_else(|| p.as_char().to_string(), |operator| (*operator).to_owned());
            let count = sign.len();
            (Kind::Sign(sign), count)
        }
    }
}

/// The signs at the head that stand without spaces, three at most.
fn signs(trees: &[TokenTree]) -> String {
    let mut signs = String::new();
    for tree in trees.iter().take(3) {
        let TokenTree::Punct(p) = tree else { break };
        signs.push(p.as_char());
        if p.spacing() == Spacing::Alone {
            break;
        }
    }
    signs
}
