//! Index expressions: sums of loop variables, invariants and numbers.
//!
//! Enters: the tokens of an index. Leaves: its affine form, or nothing.
//! Imports: `ir`.

use crate::ir::*;
use proc_macro2::{Delimiter, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
pub mod arithmetic;
pub mod polynomial;
pub mod shift;

/// The tokens, in parentheses where there are several.
pub fn atom(o: &PassiveCode) -> TokenStream {
    let tokens = &o.tokens;
    if tokens.clone().into_iter().count() > 1 { quote!((#tokens)) } else { quote!(#tokens) }
}

/// `o + offset`; of a number, the other number.
pub fn shifted(o: &PassiveCode, offset: i64) -> PassiveCode {
    let (tokens, size) = (atom(o), Literal::i64_unsuffixed(offset.abs()));
    let tokens = match (number(o).map(|n| n + offset), offset) {
        (_, 0) => tokens,
        (Some(n @ 0..), _) => Literal::i64_unsuffixed(n).into_token_stream(),
        (_, 1..) => quote!(#tokens + #size),
        _ => quote!(#tokens - #size),
    };
    PassiveCode { tokens, ..o.clone() }
}

/// The distance from the variable of that name: of `i`, `i + 2`, `2 + i` or `i - 2`.
pub fn offset(name: &str, index: &PassiveCode) -> Option<i64> {
    let trees: Vec<TokenTree> = index.tokens.clone().into_iter().collect();
    let is_var = |t: &TokenTree| matches!(t, TokenTree::Ident(i) if i == name);
    let number = |t: &TokenTree| match t {
        TokenTree::Literal(l) => l.to_string().trim_end_matches("usize").parse::<i64>().ok(),
        _ => None,
    };
    match &trees[..] {
        [v] if is_var(v) => Some(0),
        [v, TokenTree::Punct(p), n] if is_var(v) && p.as_char() == '+' => number(n),
        [v, TokenTree::Punct(p), n] if is_var(v) && p.as_char() == '-' => number(n).map(|n| -n),
        [n, TokenTree::Punct(p), v] if is_var(v) && p.as_char() == '+' => number(n),
        _ => None,
    }
}

/// Whether an index is the variable of that name, and something else added or subtracted.
pub fn is_shifted(name: &str, index: &PassiveCode) -> bool {
    let mut times = 0;
    let sum = index.tokens.clone().into_iter().all(|tree| match tree {
        TokenTree::Ident(i) => {
            times += usize::from(i == name);
            true
        }
        TokenTree::Punct(sign) => matches!(sign.as_char(), '+' | '-'),
        TokenTree::Literal(_) => true,
        TokenTree::Group(_) => false,
    });
    sum && times == 1
}

/// Whether one is less than the other.
pub fn less(lo: &PassiveCode, hi: &PassiveCode) -> PassiveCode {
    runs(lo, hi, false)
}

/// `end` if the loop runs at all, else `start`.
pub fn end_or(lo: &PassiveCode, hi: &PassiveCode, end: &PassiveCode, start: &PassiveCode) -> PassiveCode {
    let mut cond = less(lo, hi);
    let (test, end, start) = (&cond.tokens, &end.tokens, &start.tokens);
    cond.tokens = quote!(if #test { #end } else { #start });
    cond
}

/// The number that tokens are, written without a type.
pub fn number(o: &PassiveCode) -> Option<i64> {
    if !o.reads.is_empty() {
        return None;
    }
    let mut trees = o.tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Literal(l)), None) => l.to_string().parse().ok(),
        _ => None,
    }
}

/// Whether a loop from `lo` to `hi` has an iteration at all.
pub fn runs(lo: &PassiveCode, hi: &PassiveCode, inclusive: bool) -> PassiveCode {
    let (a, b) = (atom(lo), atom(hi));
    gathered(if inclusive { quote!(#a <= #b) } else { quote!(#a < #b) }, [lo, hi].into_iter(), lo.span)
}

/// The literal that the tokens are.
pub fn literal_index(o: &PassiveCode) -> Option<usize> {
    let lit: syn::LitInt = syn::parse2(o.tokens.clone()).ok()?;
    lit.base10_parse().ok()
}

/// A literal.
pub fn literal(n: usize) -> PassiveCode {
    let n = proc_macro2::Literal::usize_unsuffixed(n);
    PassiveCode::literal(quote!(#n))
}

/// A literal that is no float: `true`, `3`, `'a'`.
pub fn is_no_float(o: &PassiveCode) -> bool {
    match syn::parse2::<syn::Lit>(o.tokens.clone()) {
        Ok(syn::Lit::Int(n)) => !n.suffix().starts_with('f'),
        Ok(lit) => !matches!(lit, syn::Lit::Float(_)),
        Err(_) => false,
    }
}

/// A list whose first element is a literal that is no float: `[0; 3]`, `vec![1, 2]`.
pub fn is_list_of_integers(o: &PassiveCode) -> bool {
    let mut trees: Vec<TokenTree> = o.tokens.clone().into_iter().collect();
    let Some(TokenTree::Group(list)) = trees.pop() else { return false };
    let before: String = trees.iter().map(TokenTree::to_string).collect();
    let is_list = matches!(&before[..], "vec!" | "std::vec!" | "::std::vec!") || before.is_empty();
    let first = list.stream().into_iter().next().map(|first| PassiveCode::literal(first.into()));
    is_list && (!before.is_empty() || list.delimiter() == Delimiter::Bracket) && first.is_some_and(|o| is_no_float(&o))
}

/// Tokens that read what these parts read.
pub fn gathered<'a>(tokens: TokenStream, parts: impl Iterator<Item = &'a PassiveCode>, span: Span) -> PassiveCode {
    let mut all = PassiveCode { span, ..PassiveCode::literal(tokens) };
    for part in parts {
        all.reads.extend(&part.reads);
        all.shapes.extend(&part.shapes);
    }
    all
}
