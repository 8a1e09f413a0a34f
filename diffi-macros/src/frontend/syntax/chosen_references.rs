//! `let w = if c { &mut a } else { &mut b };` as `if c { let w = &mut a; .. } else { let w = &mut b; .. }`: a reference is another name for
//! a place, and where a condition chooses the place, each of its branches has the statements that use the name (tail duplication).
//!
//! It is done where no name in a branch hides one that these statements use, and where they are not too many.

use crate::analysis::cost_model::DUPLICATED_TOKENS;
use crate::frontend::syntax::pattern_names::names_of;
use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with its chosen references written so.
pub fn with_branches(mut item: syn::ItemFn) -> syn::ItemFn {
    Blocks.visit_block_mut(&mut item.block);
    item
}

struct Blocks;

impl VisitMut for Blocks {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        for at in (0..block.stmts.len()).rev() {
            if let Some((spread, end)) = spread(&block.stmts, at) {
                let semicolon = (end < block.stmts.len()).then(<syn::Token![;]>::default);
                block.stmts.splice(at..end, [syn::Stmt::Expr(spread, semicolon)]);
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The choice around the statements that use the reference which one declares, and where they end.
fn spread(stmts: &[syn::Stmt], at: usize) -> Option<(syn::Expr, usize)> {
    let syn::Stmt::Local(local) = &stmts[at] else { return None };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none() && local.attrs.is_empty())?;
    let (pattern, annotated) = match &local.pat {
        syn::Pat::Type(typed) => (&*typed.pat, matches!(&*typed.ty, syn::Type::Reference(_))),
        pattern => (pattern, false),
    };
    let syn::Pat::Ident(name) = pattern else { return None };
    let choice = strip_parens(&init.expr);
    let branches = matches!(choice, syn::Expr::If(_) | syn::Expr::Match(_));
    let mut leaves = Leaves::default();
    leaves.value(choice);
    if !branches || leaves.references == 0 && !annotated || leaves.plain {
        return None;
    }
    let end = end_of_uses(stmts, at, &name.ident);
    let rest = &stmts[at + 1..end];
    let hidden = leaves.names.iter().any(|hidden| rest.iter().any(|stmt| mentions(&stmt.to_token_stream(), hidden)));
    let tokens = rest.iter().map(|stmt| count(stmt.to_token_stream())).sum::<usize>() * leaves.count;
    if hidden || tokens > DUPLICATED_TOKENS || rest.iter().any(is_unique) {
        return None;
    }
    let mut spread = choice.clone();
    Copies { local, rest }.value(&mut spread);
    Some((spread, end))
}

/// Where the statements end that use a name, or a name that one of these declares.
fn end_of_uses(stmts: &[syn::Stmt], at: usize, name: &Ident) -> usize {
    let mut names = vec![name.clone()];
    let mut end = at + 1;
    while let Some(next) = (end..stmts.len()).rev().find(|k| {
        let tokens = stmts[*k].to_token_stream();
        names.iter().any(|name| mentions(&tokens, name))
    }) {
        for stmt in &stmts[end..=next] {
            if let syn::Stmt::Local(local) = stmt {
                names.extend(names_of(&local.pat));
            }
        }
        end = next + 1;
    }
    // what has a name only so that it lasts ends with the block
    let lasts = names[1..].iter().any(|name| name.to_string().starts_with('_'));
    if lasts { stmts.len() } else { end }
}

/// Whether a statement may stand in a function once.
fn is_unique(stmt: &syn::Stmt) -> bool {
    struct Unique(bool);
    impl<'a> Visit<'a> for Unique {
        fn visit_item(&mut self, _: &'a syn::Item) {
            self.0 = true;
        }
        fn visit_attribute(&mut self, _: &'a syn::Attribute) {
            self.0 = true;
        }
    }
    let mut unique = Unique(false);
    unique.visit_stmt(stmt);
    unique.0
}

fn count(tokens: TokenStream) -> usize {
    tokens.into_iter().map(|tree| if let TokenTree::Group(g) = tree { 2 + count(g.stream()) } else { 1 }).sum()
}

/// The values of a choice.
#[derive(Default)]
struct Leaves {
    count: usize,
    /// How many of them are references by their text; the others are of the same type.
    references: usize,
    /// Whether all are `&name`, which is a copy of the value by now.
    plain: bool,
    /// The names that the branches bind.
    names: Vec<Ident>,
}

impl Leaves {
    fn value(&mut self, e: &syn::Expr) {
        match strip_parens(e) {
            syn::Expr::If(i) => {
                let mut bound = Bound(Vec::new());
                bound.visit_expr(&i.cond);
                self.names.extend(bound.0);
                self.block(&i.then_branch);
                i.else_branch.iter().for_each(|(_, other)| self.value(other));
            }
            syn::Expr::Match(m) => {
                for arm in &m.arms {
                    self.names.extend(names_of(&arm.pat));
                    self.value(&arm.body);
                }
            }
            syn::Expr::Block(b) if b.label.is_none() => self.block(&b.block),
            e if leaves(e) => {}
            e => {
                let reference = matches!(e, syn::Expr::Reference(_));
                let plain = matches!(e, syn::Expr::Reference(r) if r.mutability.is_none() && matches!(*r.expr, syn::Expr::Path(_)));
                self.plain = plain && (self.plain || self.count == 0);
                self.count += 1;
                self.references += usize::from(reference);
            }
        }
    }

    fn block(&mut self, block: &syn::Block) {
        let mut bound = Bound(Vec::new());
        bound.visit_block(block);
        self.names.extend(bound.0);
        match block.stmts.last() {
            Some(syn::Stmt::Expr(tail, None)) => self.value(tail),
            Some(syn::Stmt::Expr(tail, Some(_))) if leaves(tail) => {}
            Some(syn::Stmt::Macro(_)) => {}
            _ => self.count += 1, // no reference
        }
    }
}

/// Whether control does not come back from an expression.
fn leaves(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => true,
        syn::Expr::Macro(m) => {
            ["panic", "unreachable", "todo", "unimplemented"].iter().any(|name| m.mac.path.is_ident(name))
        }
        _ => false,
    }
}

/// The names that patterns bind.
struct Bound(Vec<Ident>);

impl<'a> Visit<'a> for Bound {
    fn visit_pat(&mut self, pattern: &'a syn::Pat) {
        self.0.extend(names_of(pattern));
        visit::visit_pat(self, pattern);
    }
}

/// Puts the declaration, and the statements behind it, where the values of a choice are.
struct Copies<'a> {
    local: &'a syn::Local,
    rest: &'a [syn::Stmt],
}

impl Copies<'_> {
    fn value(&self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Paren(p) => self.value(&mut p.expr),
            syn::Expr::If(i) => {
                self.block(&mut i.then_branch);
                i.else_branch.iter_mut().for_each(|(_, other)| self.value(other));
            }
            syn::Expr::Match(m) => m.arms.iter_mut().for_each(|arm| self.value(&mut arm.body)),
            syn::Expr::Block(b) if b.label.is_none() => self.block(&mut b.block),
            e if leaves(e) => {}
            e => {
                let stmts = self.declared(e);
                *e = syn::parse_quote!({ #(#stmts)* });
            }
        }
    }

    fn block(&self, block: &mut syn::Block) {
        match block.stmts.pop() {
            Some(syn::Stmt::Expr(mut tail, None)) => {
                match strip_parens(&tail) {
                    syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) => {
                        self.value(&mut tail);
                        block.stmts.push(syn::Stmt::Expr(tail, None));
                    }
                    e if leaves(e) => block.stmts.push(syn::Stmt::Expr(tail, None)),
                    _ => block.stmts.extend(self.declared(&tail)),
                };
            }
            other => block.stmts.extend(other),
        }
    }

    fn declared(&self, value: &syn::Expr) -> Vec<syn::Stmt> {
        let mut local = self.local.clone();
        if let Some(init) = &mut local.init {
            *init.expr = value.clone();
        }
        [syn::Stmt::Local(local)].into_iter().chain(self.rest.iter().cloned()).collect()
    }
}
