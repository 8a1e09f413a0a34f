//! Checks that iterations which are run again see the values that they saw at first.
//!
//! Only what a function gives without derivatives is looked at: its state may be hidden. Each iteration is reversed once, right after it was
//! run again; there a second sum grows like the one of the forward sweep, whatever the order.

use super::Reverse;
use super::control::set;
use crate::ir::purity::is_look;
use crate::ir::symbols::Role;
use crate::ir::visit::{blocks, blocks_mut};
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::TokenTree;
use quote::quote;
use syn::visit::{self, Visit};

/// Whether any of the statements has a value that may be another one when it is computed again.
pub fn may_differ(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| !hidden(stmt).is_empty() || blocks(stmt).into_iter().any(|inner| may_differ(&inner.stmts)))
}

impl Reverse<'_> {
    /// The statements, which add up in `sum` what they see in the iteration of this number.
    pub(super) fn adding_up(&mut self, stmts: &[Stmt], sum: Var, iteration: Var) -> Vec<Stmt> {
        let mut all = Vec::new();
        for stmt in stmts {
            let mut stmt = stmt.clone();
            let seen =
                hidden(&stmt).into_iter().map(|var| self.held_apart(var, &mut stmt, &mut all)).collect::<Vec<_>>();
            for inner in blocks_mut(&mut stmt) {
                inner.stmts = self.adding_up(&inner.stmts, sum, iteration);
            }
            all.push(stmt);
            all.extend(seen.into_iter().map(|var| self.added(var, sum, iteration)));
        }
        all
    }

    /// The value that a variable gets, before it gets that: where no iteration reads the variable, it is not assigned to again.
    fn held_apart(&mut self, var: Var, stmt: &mut Stmt, before: &mut Vec<Stmt>) -> Var {
        let Stmt::Assign { value: Operand::Passive(value), .. } = stmt else { return var };
        let given = self.table.fresh("given", Ty::Passive, Role::Primal, value.span);
        let expr = Expr::Passive(std::mem::replace(value, self.table.read(given)));
        before.push(Stmt::Let { var: given, expr });
        given
    }

    fn added(&self, var: Var, sum: Var, iteration: Var) -> Stmt {
        let [v, s, n] = [var, sum, iteration].map(|v| &self.table.info(v).name);
        let tokens = quote!({ use __d::{ WitnessedBits as _, Unwitnessed as _ }; #s.wrapping_add((&__d::Witnessed(&#v)).mixed(#n)) });
        set(sum, Operand::Passive(PassiveCode { reads: [var, sum, iteration].into(), ..PassiveCode::literal(tokens) }))
    }

    /// Compares the sums.
    pub(super) fn compared(&self, first: Var, again: Var) -> Stmt {
        let [a, b] = [first, again].map(|v| &self.table.info(v).name);
        let tokens =
            PassiveCode { reads: [first, again].into(), ..PassiveCode::literal(quote!(__d::replayed(#a, #b);)) };
        Stmt::Effect { tokens, writes: Default::default() }
    }
}

/// The variables that a statement gives values of a function with a state that may be hidden.
fn hidden(stmt: &Stmt) -> Vec<Var> {
    match stmt {
        Stmt::Let { var, expr: Expr::Passive(o) } if calls(o) => vec![*var],
        Stmt::Assign { place, value: Operand::Passive(o), op: Assign::Set, .. }
            if place.path.is_empty() && calls(o) =>
        {
            vec![place.root]
        }
        Stmt::Effect { tokens, writes } if is_assignment(tokens) && calls(tokens) => writes.iter().copied().collect(),
        _ => Vec::new(),
    }
}

/// `held = queue.next();`: what a call gives that changes something besides.
fn is_assignment(o: &PassiveCode) -> bool {
    let mut trees = o.tokens.clone().into_iter();
    let first = (trees.next(), trees.next());
    matches!(first, (Some(TokenTree::Ident(_)), Some(TokenTree::Punct(sign))) if sign.as_char() == '=')
}

/// Whether tokens call a function by its path, or a method that std's values do not have.
fn calls(o: &PassiveCode) -> bool {
    let tokens = &o.tokens;
    let mut calls = Calls(false);
    if let Ok(block) = syn::parse2(quote!({ #tokens })) {
        calls.visit_block(&block);
    }
    calls.0
}

struct Calls(bool);

impl<'a> Visit<'a> for Calls {
    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        if let syn::Expr::Path(p) = strip_parens(&c.func) {
            let generated = p.path.segments.first().is_some_and(|s| s.ident == "__d");
            let made = p.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase));
            self.0 |= !generated && !made;
        }
        visit::visit_expr_call(self, c);
    }

    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        let name = m.method.to_string();
        let of_numbers = names::is_scalar(&name, m.args.len()) || names::QUERIES.contains(&&name[..]);
        self.0 |= !(of_numbers || is_look(&m.method) || OF_ITERATORS.contains(&&name[..]));
        visit::visit_expr_method_call(self, m);
    }
}

/// Methods of iterators and sequences, which have no state of their own.
const OF_ITERATORS: &[&str] = &[
    "map",
    "filter",
    "filter_map",
    "flat_map",
    "zip",
    "enumerate",
    "rev",
    "skip",
    "take",
    "step_by",
    "chain",
    "copied",
    "cloned",
    "sum",
    "product",
    "fold",
    "collect",
    "max_by",
    "min_by",
    "max_by_key",
    "min_by_key",
    "find",
    "into_iter",
    "flatten",
    "concat",
    "unwrap_or",
    "expect",
    "push",
    "pop",
    "insert",
    "remove",
    "clear",
    "swap",
    "sort",
    "sort_by",
    "sort_unstable",
    "extend",
    "extend_from_slice",
    "fill",
    "reverse",
    "truncate",
    "iter_mut",
    "copy_from_slice",
    "wrapping_mul",
    "checked_sub",
    "checked_add",
    "checked_mul",
    "isqrt",
    "ilog2",
    "trailing_zeros",
    "leading_zeros",
    "split_first",
    "split_last",
    "to_owned",
];
