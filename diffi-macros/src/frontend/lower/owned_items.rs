//! Items that a walk takes out of a list of constants, `for edge in edges`: derivative code copies them, as the list stays there for the
//! reverse sweep.
//!
//! `let edge = edges[k]` copies numbers. It is written as a clone where the item is no number by its uses: it has a field, an element or a
//! method that numbers do not have, a pattern takes it apart, it is compared with text, or handed to a function.

use crate::ir::purity::note_structs;
use crate::ir::visit::{blocks, blocks_mut, each_passive};
use crate::ir::*;
use crate::support::hash::HashSet;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote_spanned;

/// Writes such items as clones.
pub fn clone_items(vars: &[VarInfo], body: &mut Block) {
    let mut names = HashSet::default();
    note(body, &mut names);
    if !names.is_empty() {
        write(vars, body, &names);
    }
}

fn write(vars: &[VarInfo], block: &mut Block, names: &HashSet<String>) {
    for stmt in &mut block.stmts {
        if let Stmt::Let { var, expr: Expr::Passive(o) } = stmt
            && is_element(&o.tokens)
            && names.contains(&vars[var.0 as usize].name.to_string())
        {
            let (element, span) = (&o.tokens, vars[var.0 as usize].span);
            o.tokens = quote_spanned!(span=> __d::list_item(&#element));
        }
        blocks_mut(stmt).into_iter().for_each(|inner| write(vars, inner, names));
    }
}

/// `list[k]`, `table.rows[k]`, `pairs[k].0`.
fn is_element(tokens: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_index = |tree: &TokenTree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
    let is_path = |tree: &TokenTree| match tree {
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        TokenTree::Punct(dot) => dot.as_char() == '.',
        TokenTree::Group(_) => is_index(tree),
    };
    matches!(trees.first(), Some(TokenTree::Ident(_))) && trees.iter().all(is_path) && trees.iter().any(is_index)
}

/// Notes the names of what is no number.
fn note(block: &Block, names: &mut HashSet<String>) {
    for stmt in &block.stmts {
        if let Stmt::Switch { scrutinee, .. } = stmt {
            note_single(scrutinee.tokens.clone(), names);
        }
        each_passive(stmt, &mut |o| {
            note_structs(&o.tokens, names);
            note_texts(o.tokens.clone(), names);
        });
        blocks(stmt).into_iter().for_each(|inner| note(inner, names));
    }
}

fn note_single(tokens: TokenStream, names: &mut HashSet<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    if let [TokenTree::Ident(name)] = &trees[..] {
        names.insert(name.to_string());
    }
}

/// What is compared with text, given to a function, or walked by rustc's choice.
fn note_texts(tokens: TokenStream, names: &mut HashSet<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for at in 0..trees.len() {
        match &trees[at..] {
            [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Punct(equals), TokenTree::Literal(text), ..]
                if equals.as_char() == '=' && text.to_string().starts_with('"') =>
            {
                names.insert(name.to_string());
            }
            [TokenTree::Ident(_), TokenTree::Group(args), ..] if args.delimiter() == Delimiter::Parenthesis => {
                note_single(args.stream(), names);
            }
            [TokenTree::Punct(equals), TokenTree::Ident(name), TokenTree::Punct(end), ..]
                if equals.as_char() == '=' && end.as_char() == ';' =>
            {
                names.insert(name.to_string());
            }
            _ => {}
        }
        if let TokenTree::Group(group) = &trees[at] {
            note_texts(group.stream(), names);
        }
    }
}
