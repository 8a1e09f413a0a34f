//! Passive values that cannot be kept on the tape, references and objects, and are found or made once more.

use crate::ir::PassiveCode;
use crate::ir::purity::{LOOKING, is_maker, is_plain, lends, names_fields, plain};
use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Whether it chooses among references to places, by conditions that may be evaluated a second time.
pub fn chooses_references(o: &PassiveCode) -> bool {
    let first = o.tokens.clone().into_iter().next();
    let chooses = matches!(first, Some(TokenTree::Ident(word)) if word == "if" || word == "match");
    chooses && syn::parse2(o.tokens.clone()).is_ok_and(|expr| is_reference(&expr))
}

fn is_reference(expr: &syn::Expr) -> bool {
    let only = |block: &syn::Block| matches!(&block.stmts[..], [syn::Stmt::Expr(e, None)] if is_reference(e));
    match strip_parens(expr) {
        syn::Expr::If(i) => {
            let condition = !matches!(*i.cond, syn::Expr::Let(_)) && plain(i.cond.to_token_stream());
            condition && only(&i.then_branch) && i.else_branch.as_ref().is_some_and(|(_, other)| is_reference(other))
        }
        syn::Expr::Match(m) => {
            let arm = |arm: &syn::Arm| arm.guard.is_none() && is_reference(&arm.body);
            plain(m.expr.to_token_stream()) && m.arms.iter().all(arm)
        }
        syn::Expr::Block(b) => b.label.is_none() && only(&b.block),
        other => matches!(other, syn::Expr::Reference(_)) && lends(other),
    }
}

/// Whether it makes trait objects or an `Rc`, given the type that is written for them: most of these cannot be kept, and are made once more.
pub fn makes_objects(o: &PassiveCode, written: Option<&TokenStream>) -> bool {
    let word = |tokens: &TokenStream, word| mentions(tokens, &Ident::new(word, Span::call_site()));
    let object = |tokens: &TokenStream| ["dyn", "Rc"].iter().any(|name| word(tokens, name));
    let shares = written.is_some_and(object) || object(&o.tokens);
    shares
        && !written.is_some_and(names_a_cell)
        && !names_a_cell(&o.tokens)
        && makes_or_shares(without_vec(o.tokens.clone()))
}

/// Whether a type is named that may change behind a shared reference.
fn names_a_cell(tokens: &TokenStream) -> bool {
    const CELLS: &[&str] = &["Cell", "Mutex", "RwLock", "Atomic", "Once", "Lazy"];
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => names_a_cell(&group.stream()),
        TokenTree::Ident(name) => CELLS.iter().any(|cell| name.to_string().contains(cell)),
        _ => false,
    })
}

/// The same as [`makes`], where an `Rc` is cloned besides.
fn makes_or_shares(tokens: TokenStream) -> bool {
    is_plain(tokens, LOOKING, &|name, parts| is_maker(name) || name == "clone" || names_fields(parts))
}

/// `vec![..]` as an array.
fn without_vec(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let of_macro = |at: usize| {
        let name = matches!(trees.get(at), Some(TokenTree::Ident(name)) if name == "vec");
        name && matches!(trees.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == '!')
    };
    let kept = (0..trees.len()).filter(|at| !(of_macro(*at) || *at > 0 && of_macro(at - 1)));
    let inner = kept.map(|at| match &trees[at] {
        TokenTree::Group(g) => Group::new(g.delimiter(), without_vec(g.stream())).into(),
        other => other.clone(),
    });
    inner.collect()
}
