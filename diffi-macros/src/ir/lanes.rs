//! An iteration as part of a block of iterations: the loop's variable is the block's first one and a lane.

use crate::ir::affine::atom;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::places::{each_place, each_place_mut};
use crate::ir::visit::{Access, blocks, blocks_mut, replaced, touched};
use crate::ir::*;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;

/// A passive variable.
pub fn passive(table: &mut Table, hint: &str) -> Var {
    table.fresh(hint, Ty::Passive, Role::Primal, Span::call_site())
}

/// Whether the loop's variable is a `usize`, as it is where it is a part of an index, by itself or in arithmetic.
pub fn is_index(table: &Table, on: &For) -> bool {
    on.body.stmts.iter().any(|stmt| has_index(table, stmt, on.var))
}

fn has_index(table: &Table, stmt: &Stmt, var: Var) -> bool {
    let name = table.info(var).name.to_string();
    let mut found = false;
    each_place(stmt, &mut |place, _| {
        place.indices(&mut |o| found |= o.reads.contains(&var) && is_arithmetic(o.tokens.clone(), &name));
    });
    found || blocks(stmt).iter().any(|b| b.stmts.iter().any(|s| has_index(table, s, var)))
}

/// Sums and products of names and numbers, the variable's among them: all of one type.
fn is_arithmetic(tokens: TokenStream, name: &str) -> bool {
    let plain = tokens.clone().into_iter().all(|tree| match tree {
        TokenTree::Punct(sign) => matches!(sign.as_char(), '+' | '-' | '*'),
        TokenTree::Ident(word) => word != "as",
        TokenTree::Literal(_) => true,
        TokenTree::Group(_) => false,
    });
    plain && tokens.into_iter().any(|tree| matches!(tree, TokenTree::Ident(word) if word == name))
}

/// An iteration, `lane` iterations after the first of its block.
pub struct Iteration {
    /// The loop's variable.
    pub var: Var,
    /// What it is.
    pub index: PassiveCode,
}

impl Iteration {
    /// The iteration in which the variable is `first + lane`.
    pub fn new(table: &Table, var: Var, first: Var, lane: Var) -> Self {
        let index = table.read(first).map(|first| {
            let lane = &table.info(lane).name;
            quote!(#first + #lane)
        });
        Iteration { var, index: PassiveCode { reads: [first, lane].into(), ..index } }
    }

    /// Writes the variable out in indices, so that it can be seen which slice a block goes through.
    pub fn write_out(&self, table: &Table, stmts: &mut [Stmt]) {
        for stmt in stmts {
            each_place_mut(stmt, &mut |place| place.indices_mut(&mut |o| self.written_out(table, o)));
            blocks_mut(stmt).into_iter().for_each(|block| self.write_out(table, &mut block.stmts));
        }
    }

    /// Declares the variable where it is still read.
    pub fn declare(&self, stmts: &mut Vec<Stmt>) {
        if touched(stmts, &[Access::Read]).contains(&self.var) {
            stmts.insert(0, Stmt::Let { var: self.var, expr: Expr::Passive(self.index.clone()) });
        }
    }

    fn written_out(&self, table: &Table, o: &mut PassiveCode) {
        if !o.reads.contains(&self.var) {
            return;
        }
        let name = table.info(self.var).name.to_string();
        let own = [self.var].into();
        let is_term = crate::ir::affine::shift::Shift::of(table, o, self.var, &own).is_some_and(|s| s.stride == 1);
        let index = if is_term { self.index.tokens.clone() } else { atom(&self.index) };
        o.tokens = replaced(o.tokens.clone(), &name, &|_| index.clone());
        o.reads.remove(&self.var);
        o.reads.extend(&self.index.reads);
    }
}
