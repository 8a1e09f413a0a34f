//! Induction-variable substitution (Allen & Kennedy 4.5): an index that an iteration gives a name is written out where it names elements.
//!
//! `let k = i * n + j; u[k - n] + u[k + 1]` becomes `u[i * n + j - n] + u[i * n + j + 1]`. Passes that look for rows and neighbours
//! find them then, as they do where no name was given. Only sums and products of values that never change are written out, in
//! parentheses where the name is no term of a sum, so that every index is computed in the order in which it was.

use crate::analysis::loops::is_innermost;
use crate::ir::visit::places::each_place_mut;
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::BTreeMap;

/// Rewrites the indices in all innermost loops.
pub fn substitute_indices(mut function: Function) -> Function {
    let written = touched(&function.body.stmts, &[Access::Write]);
    let mut pass = Indices { vars: &function.vars, written, named: BTreeMap::new(), counters: Vars::new() };
    pass.block(&mut function.body);
    function
}

struct Indices<'a> {
    vars: &'a [VarInfo],
    written: Vars,
    /// What names stand for, by the names' placeholders.
    named: BTreeMap<String, (Var, PassiveCode)>,
    /// The counters of the loops around, which tell iterations from others.
    counters: Vars,
}

impl Indices<'_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            match stmt {
                Stmt::For(on) => {
                    self.counters.insert(on.var);
                    match is_innermost(&on.body) {
                        true => self.iteration(&mut on.body),
                        false => self.block(&mut on.body),
                    }
                    self.counters.remove(&on.var);
                }
                other => blocks_mut(other).into_iter().for_each(|inner| self.block(inner)),
            }
        }
    }

    /// The statements of an iteration.
    fn iteration(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            if !self.named.is_empty() {
                each_place_mut(stmt, &mut |place| place.indices_mut(&mut |index| self.write_out(index)));
                self.constants(stmt);
            }
            if let Stmt::Let { var, expr: Expr::Passive(o) } = stmt {
                self.learn(*var, o);
            }
            blocks_mut(stmt).into_iter().for_each(|inner| self.iteration(inner));
        }
    }

    /// Elements of constants, which are tokens: `w[k]`.
    fn constants(&self, stmt: &mut Stmt) {
        let Stmt::Let { expr: Expr::Op { args, .. }, .. } = stmt else { return };
        for arg in args {
            if let Operand::Passive(o) = arg
                && is_element(&o.tokens)
            {
                let inside = |tree| match tree {
                    TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), self.sum(g.stream()))),
                    other => other,
                };
                o.tokens = o.tokens.clone().into_iter().map(inside).collect();
                self.read(o);
            }
        }
    }

    fn learn(&mut self, var: Var, o: &PassiveCode) {
        let mut o = o.clone();
        self.write_out(&mut o);
        let fixed = o.reads.is_disjoint(&self.written) && !self.written.contains(&var) && o.shapes.is_empty();
        if fixed && !o.reads.is_disjoint(&self.counters) && is_sum(&o.tokens) {
            self.named.insert(self.vars[var.0 as usize].name.to_string(), (var, o));
        }
    }

    fn write_out(&self, index: &mut PassiveCode) {
        index.tokens = self.sum(index.tokens.clone());
        self.read(index);
    }

    /// The tokens of a sum, in which names are written out.
    fn sum(&self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let sign = |at: Option<usize>| match at.map(|at| trees.get(at)) {
            Some(Some(TokenTree::Punct(p))) => Some(p.as_char()),
            _ => None,
        };
        let mut out = TokenStream::new();
        for (at, tree) in trees.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| sign(Some(at)));
            let starts = matches!(before, None | Some(Some('+')));
            let ends = at + 1 == trees.len() || matches!(sign(Some(at + 1)), Some('+' | '-'));
            let is_operand = |sign: Option<char>| matches!(sign, Some('+' | '-' | '*'));
            let stands = before.is_none_or(is_operand) && (at + 1 == trees.len() || is_operand(sign(Some(at + 1))));
            match tree {
                TokenTree::Ident(name) if stands => match self.named.get(&name.to_string()) {
                    Some((_, value)) if starts && ends || is_name(&value.tokens) => out.extend(value.tokens.clone()),
                    Some((_, value)) => {
                        out.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, value.tokens.clone()))]);
                    }
                    None => out.extend([tree.clone()]),
                },
                _ => out.extend([tree.clone()]),
            }
        }
        out
    }

    /// What the tokens read now.
    fn read(&self, o: &mut PassiveCode) {
        for (name, (var, value)) in &self.named {
            if o.reads.contains(var) && !mentions(&o.tokens, name) {
                o.reads.remove(var);
                o.reads.extend(&value.reads);
            } else if o.reads.contains(var) {
                o.reads.extend(&value.reads);
            }
        }
    }
}

/// Whether tokens are a name and indices.
fn is_element(tokens: &TokenStream) -> bool {
    let mut trees = tokens.clone().into_iter();
    let is_index = |t: &TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
    matches!(trees.next(), Some(TokenTree::Ident(_))) && trees.clone().next().is_some() && trees.all(|t| is_index(&t))
}

fn is_name(tokens: &TokenStream) -> bool {
    let mut trees = tokens.clone().into_iter();
    matches!(trees.next(), Some(TokenTree::Ident(_))) && trees.next().is_none()
}

/// Whether tokens are sums and products of names and numbers alone.
fn is_sum(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().all(|tree| match tree {
        TokenTree::Ident(name) => name != "as",
        TokenTree::Punct(sign) => matches!(sign.as_char(), '+' | '-' | '*'),
        TokenTree::Literal(_) => true,
        TokenTree::Group(g) => g.delimiter() == Delimiter::Parenthesis && is_sum(&g.stream()),
    })
}

fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(i) => i == name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        _ => false,
    })
}
