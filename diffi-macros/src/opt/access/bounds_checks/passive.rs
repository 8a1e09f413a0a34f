//! Passive elements as places: elements of passive slices, which are tokens, are cut to size like the others.

use crate::ir::affine::shift::narrow;
use crate::ir::symbols::Table;
use crate::ir::visit::blocks_mut;
use crate::ir::*;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Makes them places throughout a block.
pub fn places(table: &Table, block: &mut Block) {
    for stmt in &mut block.stmts {
        if let Stmt::Let { expr: Expr::Op { args, .. }, .. } = stmt {
            for arg in args {
                if let Operand::Passive(o) = arg
                    && let Some(place) = place(table, o)
                {
                    *arg = Operand::Place(place);
                }
            }
        }
        blocks_mut(stmt).into_iter().for_each(|inner| places(table, inner));
    }
}

/// `w[i]` of a slice parameter, or `w[lo..hi][i]`.
fn place(table: &Table, o: &PassiveCode) -> Option<Place> {
    let mut trees = o.tokens.clone().into_iter();
    let TokenTree::Ident(name) = trees.next()? else { return None };
    let root = o.reads.iter().copied().find(|v| table.info(*v).name == name)?;
    let part = |tokens: TokenStream| {
        let mut part = PassiveCode { tokens, ..o.clone() };
        narrow(table, &mut part);
        part
    };
    let mut path = Vec::new();
    for tree in trees {
        let TokenTree::Group(group) = tree else { return None };
        if group.delimiter() != Delimiter::Bracket {
            return None;
        }
        path.push(match split_range(group.stream()) {
            Some((lo, hi)) => Proj::Range(lo.map(&part), hi.map(&part)),
            None => Proj::Index(part(group.stream())),
        });
    }
    let ranged = path.iter().any(|p| matches!(p, Proj::Range(..)));
    let sliced = table.is_slice(root) || ranged;
    (sliced && matches!(path.last(), Some(Proj::Index(_)))).then_some(Place { root, path })
}

/// The ends of `lo..hi`; none if the tokens are no range, or one that includes its end.
fn split_range(tokens: TokenStream) -> Option<(Option<TokenStream>, Option<TokenStream>)> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_dot =
        |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == '.' && p.spacing() == Spacing::Joint);
    let at = trees.iter().position(is_dot)?;
    let rest = trees.get(at + 2..)?;
    if matches!(rest.first(), Some(TokenTree::Punct(p)) if matches!(p.as_char(), '=' | '.')) {
        return None;
    }
    let end = |trees: &[TokenTree]| (!trees.is_empty()).then(|| trees.iter().cloned().collect());
    Some((end(&trees[..at]), end(rest)))
}
