//! Conditions as they were written: comparisons joined by `&&` and `||`.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A part of a condition.
pub enum Part {
    /// `left < right` and the like.
    Comparison(TokenStream, String, TokenStream),
    /// `&&`, `||` or `!`.
    Word(&'static str),
    /// A condition in parentheses.
    Nested(Vec<Part>),
    /// Anything else.
    Other(TokenStream),
}

/// The parts of a condition.
pub fn parts(tokens: &TokenStream) -> Vec<Part> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 0..=trees.len() {
        let word = pair(&trees, at, '&').map(|()| "&&").or_else(|| pair(&trees, at, '|').map(|()| "||"));
        if (word.is_some() || at == trees.len()) && start <= at {
            operand(&trees[start..at], &mut parts);
            parts.extend(word.map(Part::Word));
            start = at + 2;
        }
    }
    parts
}

/// Whether `&&` or `||` begins here.
fn pair(trees: &[TokenTree], at: usize, sign: char) -> Option<()> {
    let is = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == sign);
    let joint = matches!(trees.get(at)?, TokenTree::Punct(p) if p.spacing() == Spacing::Joint);
    (joint && is(&trees[at]) && is(trees.get(at + 1)?)).then_some(())
}

fn operand(trees: &[TokenTree], parts: &mut Vec<Part>) {
    match trees {
        [TokenTree::Punct(not), rest @ ..] if not.as_char() == '!' && matches!(rest, [TokenTree::Group(_)]) => {
            parts.push(Part::Word("!"));
            operand(rest, parts);
        }
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis && !is_tuple(&group.stream()) => {
            parts.push(Part::Nested(self::parts(&group.stream())));
        }
        _ => parts.push(comparison(trees)),
    }
}

/// Whether what stands in parentheses are several values.
fn is_tuple(inside: &TokenStream) -> bool {
    inside.clone().into_iter().any(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ','))
}

fn comparison(trees: &[TokenTree]) -> Part {
    let other = || Part::Other(trees.iter().cloned().collect());
    let signs: Vec<usize> = (0..trees.len()).filter(|at| is_sign(&trees[*at])).collect();
    let (first, operator) = match signs[..] {
        [at] => (at, text(&trees[at])),
        [at, next] if next == at + 1 => (at, text(&trees[at]) + &text(&trees[next])),
        _ => return other(),
    };
    let (left, right) = (&trees[..first], &trees[first + operator.len()..]);
    let known = ["<", ">", "<=", ">=", "==", "!="].contains(&operator.as_str());
    let path = matches!(left.last(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    match known && !path && !left.is_empty() && !right.is_empty() {
        true => Part::Comparison(left.iter().cloned().collect(), operator, right.iter().cloned().collect()),
        false => other(),
    }
}

fn is_sign(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(p) if ['<', '>', '=', '!'].contains(&p.as_char()))
}

fn text(tree: &TokenTree) -> String {
    tree.to_string()
}
