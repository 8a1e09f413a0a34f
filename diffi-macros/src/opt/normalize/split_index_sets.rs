//! Index-set splitting (Allen & Kennedy 6; Griebl, Feautrier & Lengauer 2000): iterations at borders that wrap around or are clamped run
//! in loops of their own.
//!
//! ```text
//! for j in 0..n {                      for j in 0..min(n, 1) { .. }
//!     let left = (j + n - 1) % n       for j in min(n, 1)..n {
//!     v[j] = f(u[j], u[left])              let left = j - 1
//! }                                        v[j] = f(u[j], u[left])
//!                                      }
//! ```
//!
//! Between the borders all indices are affine: neither are they computed by divisions, nor are they unknown to the passes that look for
//! rows and neighbours. Every iteration runs once, and in the order in which it did. Only loops of few statements are split that have an
//! index which becomes affine.

use crate::analysis::borders::{Borders, may_have_borders, truth};
use crate::analysis::cost_model::BORDER_BODY;
use crate::analysis::loops::is_innermost;
use crate::analysis::tbr::reshaped;
use crate::ir::affine::literal_index;
use crate::ir::clone::Twins;
use crate::ir::visit::parts::mutable::{self, Part};
use crate::ir::visit::{Access, Vars, blocks, blocks_mut, each_passive, touched};
use crate::ir::*;
use crate::opt::normalize::substitute_indices::substitute_indices;
use crate::support::hash::HashMap;
use crate::support::syntax::mentions;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;

/// Splits innermost loops, and writes out the indices that are affine by then.
pub fn split_index_sets(mut function: Function) -> Function {
    if !has_borders(&function.body) {
        return function;
    }
    let mut body = std::mem::take(&mut function.body);
    let mut values = HashMap::default();
    note_values(&body, &mut values);
    let (written, reshaped) = (touched(&body.stmts, &[Access::Write]), reshaped(&body.stmts));
    let mut split = Split { vars: &mut function.vars, values, written, reshaped, any: false };
    split.block(&mut body);
    let any = split.any;
    function.body = body;
    if any { substitute_indices(function) } else { function }
}

/// Whether a loop may have borders.
fn has_borders(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::For(on) if is_innermost(&on.body) => passive_parts(&on.body).any(|o| may_have_borders(&o.tokens)),
        other => blocks(other).into_iter().any(has_borders),
    })
}

struct Split<'a> {
    vars: &'a mut Vec<VarInfo>,
    /// The right-hand sides of passive lets.
    values: HashMap<Var, PassiveCode>,
    written: Vars,
    /// Arrays whose lengths change.
    reshaped: Vars,
    /// Whether a loop has been split.
    any: bool,
}

impl Split<'_> {
    fn block(&mut self, block: &mut Block) {
        block.replace(|stmt| match stmt {
            Stmt::For(on) if is_innermost(&on.body) => self.parts(on),
            other => {
                blocks_mut(other).into_iter().for_each(|inner| self.block(inner));
                None
            }
        });
    }

    /// The loops that a loop becomes.
    fn parts(&mut self, on: &For) -> Option<Vec<Stmt>> {
        let plain = !on.inclusive && !on.down && on.step.is_none() && on.until.is_none() && on.checkpoint.is_none();
        let small = size(&on.body) <= BORDER_BODY && passive_parts(&on.body).any(|o| may_have_borders(&o.tokens));
        let first = literal_index(&on.lo)?;
        if !plain || !small || self.written.contains(&on.var) {
            return None;
        }
        let mut borders = self.borders(on, first as i64)?;
        let mut between = on.body.clone();
        let iteration =
            Between { vars: self.vars, borders: &mut borders, changed: Vars::new(), answers: HashMap::default() };
        let indexed = iteration.body(&mut between);
        (indexed && borders.any()).then(|| self.written_out(on, between, &borders))
    }

    fn borders(&self, on: &For, first: i64) -> Option<Borders> {
        let mut definitions = Definitions { split: self, seen: Vars::from([on.var]), all: Vec::new() };
        definitions.read(&on.hi);
        passive_parts(&on.body).filter(|o| may_have_borders(&o.tokens)).for_each(|o| definitions.read(o));
        let end = syn::parse2(on.hi.tokens.clone()).ok()?;
        Borders::of(self.name(on.var), first, &end, &definitions.all)
    }

    fn name(&self, var: Var) -> &Ident {
        &self.vars[var.0 as usize].name
    }

    /// The borders, and what is between them.
    fn written_out(&mut self, on: &For, between: Block, borders: &Borders) -> Vec<Stmt> {
        self.any = true;
        let (from, before) = (borders.from, borders.before);
        let (lo, hi) = (&on.lo.tokens, &on.hi.tokens);
        let (mut stmts, mut start) = (Vec::new(), on.lo.clone());
        if borders.has_first() {
            let from = proc_macro2::Literal::i64_unsuffixed(from);
            let end = self.number(on, quote!(::core::cmp::max(::core::cmp::min(#hi, #from), #lo)), &[], &mut stmts);
            stmts.push(self.part(on, &on.body, &start, &end));
            start = end;
        }
        let mut end = on.hi.clone();
        if before > 0 {
            let (at, before) = (&start.tokens, proc_macro2::Literal::i64_unsuffixed(before));
            let inside = quote!(if #hi > #at + #before { #hi - #before } else { #at });
            end = self.number(on, inside, &[&start], &mut stmts);
        }
        stmts.push(self.part(on, &between, &start, &end));
        if before > 0 {
            stmts.push(self.part(on, &on.body, &end, &on.hi));
        }
        stmts
    }

    /// A name for the end of a part.
    fn number(&mut self, on: &For, tokens: TokenStream, reads: &[&PassiveCode], stmts: &mut Vec<Stmt>) -> PassiveCode {
        let code =
            crate::ir::affine::gathered(tokens, [&on.lo, &on.hi].into_iter().chain(reads.iter().copied()), on.hi.span);
        let var = self.fresh(on.var, "end");
        stmts.push(Stmt::Let { var, expr: Expr::Passive(code) });
        PassiveCode::var(var, &self.vars[var.0 as usize])
    }

    fn fresh(&mut self, like: Var, hint: &str) -> Var {
        let (var, old) = (Var(self.vars.len() as u32), &self.vars[like.0 as usize]);
        let name = Ident::new(&format!("__v{}_{hint}", var.0), old.span);
        self.vars.push(VarInfo { name, hint: hint.to_owned(), ..old.clone() });
        var
    }

    /// Some of the iterations, with variables of their own.
    fn part(&mut self, on: &For, body: &Block, lo: &PassiveCode, hi: &PassiveCode) -> Stmt {
        let own = touched(&body.stmts, &[Access::Define]);
        let twin = |v: &Var| {
            let hint = self.vars[v.0 as usize].hint.clone();
            (*v, self.fresh(*v, &hint))
        };
        let map: HashMap<Var, Var> = own.iter().chain([&on.var]).map(twin).collect();
        let twins = Twins { map: &map, vars: self.vars };
        let body = Block { stmts: twins.stmts(&body.stmts) };
        Stmt::For(For { var: map[&on.var], lo: lo.clone(), hi: hi.clone(), body, ..on.clone() })
    }

    /// Whether tokens mean the same wherever they stand in an iteration.
    fn is_fixed(&self, o: &PassiveCode) -> bool {
        o.reads.iter().all(|v| self.stays(*v)) && o.shapes.iter().all(|v| self.has_length(*v))
    }

    fn stays(&self, var: Var) -> bool {
        let info = &self.vars[var.0 as usize];
        !info.mutable && !info.changes && !self.written.contains(&var)
    }

    fn has_length(&self, var: Var) -> bool {
        let sequence = matches!(self.vars[var.0 as usize].ty, Ty::Vec(_) | Ty::Slice(_) | Ty::Array(_));
        self.stays(var) || sequence && !self.reshaped.contains(&var)
    }
}

/// What names stand for, those first of which others are made.
struct Definitions<'a> {
    split: &'a Split<'a>,
    seen: Vars,
    all: Vec<(String, Option<syn::Expr>)>,
}

impl Definitions<'_> {
    fn read(&mut self, o: &PassiveCode) {
        o.reads.iter().for_each(|v| self.name(*v));
    }

    fn name(&mut self, var: Var) {
        if !self.split.stays(var) || !self.seen.insert(var) {
            return;
        }
        let value = self.split.values.get(&var).filter(|o| self.split.is_fixed(o));
        value.into_iter().for_each(|o| self.read(o));
        let value = value.and_then(|o| syn::parse2(o.tokens.clone()).ok());
        self.all.push((self.split.name(var).to_string(), value));
    }
}

/// An iteration between the borders.
struct Between<'a> {
    vars: &'a [VarInfo],
    borders: &'a mut Borders,
    /// What is an affine index there.
    changed: Vars,
    /// Names of conditions that have one answer there.
    answers: HashMap<String, bool>,
}

impl Between<'_> {
    /// Rewrites it; whether an index has become another one.
    fn body(mut self, block: &mut Block) -> bool {
        let mut indexed = false;
        self.block(block, &mut indexed);
        indexed
    }

    fn block(&mut self, block: &mut Block, indexed: &mut bool) {
        block.replace(|stmt| {
            self.stmt(stmt, indexed);
            blocks_mut(stmt).into_iter().for_each(|inner| self.block(inner, indexed));
            self.chosen(stmt)
        });
    }

    fn stmt(&mut self, stmt: &mut Stmt, indexed: &mut bool) {
        if let Stmt::Let { var, expr: Expr::Passive(o) } = stmt {
            if self.rewrite(o) {
                self.changed.insert(*var);
                let answer = syn::parse2(o.tokens.clone()).ok().and_then(|e| truth(&e));
                self.answers.extend(answer.map(|answer| (self.vars[var.0 as usize].name.to_string(), answer)));
            }
            return;
        }
        if !matches!(stmt, Stmt::Effect { .. }) {
            mutable::head(stmt, &mut |part| match part {
                Part::Place(place, _) => place.indices_mut(&mut |o| {
                    let changed = self.rewrite(o);
                    *indexed |= changed || o.depends_on(&self.changed);
                }),
                Part::Passive(o) => _ = self.rewrite(o),
                Part::Lent(_) | Part::Var(..) => {}
            });
        }
    }

    /// The branch that is taken, if there is one answer.
    fn chosen(&self, stmt: &mut Stmt) -> Option<Vec<Stmt>> {
        let Stmt::If { cond, then, els } = stmt else { return None };
        let answer = || truth(&syn::parse2(cond.tokens.clone()).ok()?);
        let answer = self.answers.get(&cond.tokens.to_string()).copied().or_else(answer)?;
        Some(std::mem::take(&mut if answer { then } else { els }.stmts))
    }

    /// Writes tokens as they are between the borders, if that is anything else.
    fn rewrite(&mut self, o: &mut PassiveCode) -> bool {
        if !may_have_borders(&o.tokens) {
            return false;
        }
        let Ok(mut e) = syn::parse2::<syn::Expr>(o.tokens.clone()) else { return false };
        let before = e.clone();
        self.borders.visit_expr_mut(&mut e);
        if e == before {
            return false;
        }
        o.tokens = match e {
            syn::Expr::Paren(inner) => inner.expr.into_token_stream(),
            other => other.into_token_stream(),
        };
        let names = |v: &Var| mentions(&o.tokens, &self.vars[v.0 as usize].name);
        o.reads.retain(names);
        o.shapes.retain(names);
        true
    }
}

/// How many statements a block has, nested ones included.
fn size(block: &Block) -> usize {
    block.stmts.iter().map(|stmt| 1 + blocks(stmt).into_iter().map(size).sum::<usize>()).sum()
}

fn note_values(block: &Block, values: &mut HashMap<Var, PassiveCode>) {
    for stmt in &block.stmts {
        if let Stmt::Let { var, expr: Expr::Passive(o) } = stmt {
            values.insert(*var, o.clone());
        }
        blocks(stmt).into_iter().for_each(|inner| note_values(inner, values));
    }
}

/// The tokens in a block's statements.
fn passive_parts(block: &Block) -> impl Iterator<Item = &PassiveCode> {
    let mut parts = Vec::new();
    note_parts(block, &mut parts);
    parts.into_iter()
}

fn note_parts<'a>(block: &'a Block, parts: &mut Vec<&'a PassiveCode>) {
    for stmt in &block.stmts {
        each_passive(stmt, &mut |o| parts.push(o));
        blocks(stmt).into_iter().for_each(|inner| note_parts(inner, parts));
    }
}

#[cfg(test)]
mod tests;
