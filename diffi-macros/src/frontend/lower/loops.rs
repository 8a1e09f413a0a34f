//! `for`, `while` and `loop`.

use crate::frontend::lower::exit_values::{Look, broken_with, tail_of};
use crate::frontend::lower::patterns::Mode;
use crate::frontend::state::context::Lower;
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::value::Value;
use crate::ir::visit::{Access, touched};
use crate::ir::*;
use crate::support::checkpoint_attribute::{self, Written};
use crate::support::errors::Errors;
use crate::support::syntax::strip_parens;
use quote::quote;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

impl Lower {
    /// `for pattern in chain { body }`.
    pub fn for_loop(&mut self, f: &syn::ExprForLoop) -> Value {
        if let Some(by_next) = self.walked_by_next(f) {
            return self.while_loop(&by_next);
        }
        self.checkpointed(&f.attrs, &f.body, |l| l.each_of(f))
    }

    fn each_of(&mut self, f: &syn::ExprForLoop) -> Value {
        let frame = self.enter(f.label.as_ref(), true, f.for_token.span);
        if let Some(chain) = self.chain(&f.expr) {
            self.drive(&chain, Some(frame), &mut |l, item, mark| {
                l.start_iteration(f.for_token.span);
                l.bind_pattern(&f.pat, item, Mode::Alias { mark });
                l.stmts(&f.body.stmts, Dest::Nobody);
            });
        }
        self.leave();
        Value::Unit
    }

    /// `while cond { body }`.
    pub fn while_loop(&mut self, w: &syn::ExprWhile) -> Value {
        if let Some(tested) = self.tested_within(w).or_else(|| self.matched_within(w)) {
            return self.endless_loop(&tested);
        }
        self.checkpointed(&w.attrs, &w.body, |l| l.as_long_as(w))
    }

    fn as_long_as(&mut self, w: &syn::ExprWhile) -> Value {
        let span = w.while_token.span;
        let at = self.enter(w.label.as_ref(), true, span);
        let scope = self.scope.clone();
        let (prelude, (cond, bind)) = self.inside(|l| l.while_cond(&w.cond));
        let (body, _) = self.inside(|l| {
            l.start_iteration(span);
            if let Some((pattern, value)) = bind {
                let mark = l.vars.len();
                l.bind_pattern(&pattern, value, Mode::Alias { mark });
            }
            l.stmts(&w.body.stmts, Dest::Nobody)
        });
        self.scope = scope;
        debug_assert_eq!(self.jumps.depth(), at + 1);
        let frame = self.leave();
        let late = !prelude.stmts.is_empty() && (frame.left || self.changes_active(&prelude));
        let stmt = match (frame.left, late) {
            (false, false) => Stmt::While { prelude, cond, body, checkpoint: None },
            (true, false) => {
                Stmt::While { prelude, cond: self.unless(frame.leave, Some(&cond)), body, checkpoint: None }
            }
            (_, true) => self.late_cond(frame.leave, prelude, cond, body),
        };
        self.emit(stmt);
        Value::Unit
    }

    fn while_cond(&mut self, cond: &syn::Expr) -> (PassiveCode, Option<(syn::Pat, Value)>) {
        let syn::Expr::Let(l) = strip_parens(cond) else {
            let value = self.expr(cond);
            return (self.show(&value.dereferenced_fully(), cond.span()), None);
        };
        let value = self.option(&l.expr);
        let some = matches!(&*l.pat, syn::Pat::TupleStruct(t) if t.path.is_ident("Some"));
        let test = match (&value, some) {
            (Value::Passive(p), true) => {
                let t = &p.passive.tokens;
                Ok(Some(PassiveCode { tokens: quote!(#t.is_some()), ..p.passive.clone() }))
            }
            _ => self.test(&l.pat, &value),
        };
        match test {
            Ok(test) => (test.unwrap_or_else(|| PassiveCode::literal(quote!(true))), Some(((*l.pat).clone(), value))),
            Err(()) => {
                self.errors.pattern(l.pat.span());
                (PassiveCode::literal(quote!(false)), None)
            }
        }
    }

    /// `!done && cond`.
    pub fn unless(&self, flag: Var, cond: Option<&PassiveCode>) -> PassiveCode {
        let name = &self.info(flag).name;
        let tokens = match cond {
            Some(cond) => {
                let c = &cond.tokens;
                quote!(!#name && (#c))
            }
            None => quote!(!#name),
        };
        let mut all = PassiveCode::literal(tokens);
        all.reads.insert(flag);
        if let Some(c) = cond {
            all.reads.extend(&c.reads);
            all.shapes.extend(&c.shapes);
        }
        all
    }

    /// Whether a block changes active variables from outside.
    fn changes_active(&self, block: &Block) -> bool {
        let own = touched(&block.stmts, &[Access::Define]);
        let written = touched(&block.stmts, &[Access::Write]);
        written.difference(&own).any(|v| self.info(*v).ty != Ty::Passive)
    }

    /// The statements of a condition as a part of the iteration: reversed with it, and not run again after a `break`.
    fn late_cond(&mut self, flag: Var, mut prelude: Block, cond: PassiveCode, body: Block) -> Stmt {
        let value = Operand::Passive(PassiveCode::literal(quote!(true)));
        let stop = Stmt::Assign { place: Place::var(flag), op: Assign::Set, value, span: cond.span };
        self.within(&mut prelude, |l| {
            let cond = l.atom("c", cond);
            l.emit(Stmt::If { cond, then: body, els: Block { stmts: vec![stop] } });
        });
        Stmt::While { prelude: Block::default(), cond: self.unless(flag, None), body: prelude, checkpoint: None }
    }

    /// `loop { body }`.
    pub fn endless_loop(&mut self, e: &syn::ExprLoop) -> Value {
        self.checkpointed(&e.attrs, &e.body, |l| l.until_left(e))
    }

    fn until_left(&mut self, e: &syn::ExprLoop) -> Value {
        let span = e.loop_token.span;
        let broken = broken_with(&e.body, e.label.as_ref(), true);
        let value = (!broken.is_empty()).then(|| self.slot_for(&Look::of_all(&broken), &Ty::Float, span));
        self.enter(e.label.as_ref(), true, span);
        value.iter().for_each(|v| self.broken_into(v.clone()));
        let (body, _) = self.inside(|l| {
            l.start_iteration(span);
            l.stmts(&e.body.stmts, Dest::Nobody)
        });
        let frame = self.leave();
        let cond = match frame.left {
            true => self.unless(frame.leave, None),
            false => PassiveCode::literal(quote!(true)),
        };
        value.iter().for_each(|slot| self.declare_slot(slot));
        self.emit(Stmt::While { prelude: Block::default(), cond, body, checkpoint: None });
        value.unwrap_or(Value::Unit)
    }

    /// Lowers a loop, and marks what it becomes as its attribute says.
    fn checkpointed(
        &mut self,
        attributes: &[syn::Attribute],
        body: &syn::Block,
        lower: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let keep = match checkpoint_attribute::checkpoint(attributes) {
            Ok(Some(written)) => self.keep(written),
            _ => return lower(self),
        };
        Unrepeatable { errors: &mut self.errors }.visit_block(body);
        let checkpoint = Checkpoint { keep, id: self.vars.len() };
        let before = self.open.last().map_or(0, |b| b.stmts.len());
        let value = lower(self);
        for stmt in self.open.last_mut().into_iter().flat_map(|b| &mut b.stmts[before..]) {
            if let Stmt::For(For { checkpoint: c, .. }) | Stmt::While { checkpoint: c, .. } = stmt {
                *c = Some(checkpoint.clone());
            }
        }
        value
    }

    fn keep(&mut self, written: Written) -> CheckpointPolicy {
        let (number, make): (syn::Expr, fn(PassiveCode) -> CheckpointPolicy) = match written {
            Written::Alone => return CheckpointPolicy::Root,
            Written::Every(n) => (n, CheckpointPolicy::Every),
            Written::Snapshots(n) => (n, CheckpointPolicy::Snapshots),
        };
        let value = self.expr(&number);
        if value.is_active() {
            self.errors.active_integer(number.span(), "the number of a `#[checkpoint]`");
        }
        let passive = self.show(&value.dereferenced_fully(), number.span());
        make(self.atom("kept", passive))
    }

    /// `{ .. }` and `'a: { .. }`.
    pub fn block_value(&mut self, b: &syn::ExprBlock) -> Value {
        let Some(label) = &b.label else { return self.block_in_scope(&b.block, Dest::Value) };
        let span = label.name.span();
        let mut results = broken_with(&b.block, Some(label), false);
        if results.is_empty() {
            self.enter(b.label.as_ref(), false, span);
            let last = self.block_in_scope(&b.block, Dest::Value);
            self.leave();
            return last;
        }
        results.extend(tail_of(&syn::Expr::Block(b.clone())).cloned());
        let slot = self.slot_for(&Look::of_all(&results), &Ty::Float, span);
        let at = self.enter(b.label.as_ref(), false, span);
        self.broken_into(slot.clone());
        let (block, _) = self.inside(|l| l.block_in_scope(&b.block, Dest::Frame(at)));
        self.leave();
        self.declare_slot(&slot);
        block.stmts.into_iter().for_each(|s| self.emit(s));
        slot
    }
}

/// Refuses clocks and random numbers where iterations are run again.
struct Unrepeatable<'e> {
    errors: &'e mut Errors,
}

impl<'a> Visit<'a> for Unrepeatable<'_> {
    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func
            && let Some(name) = path.path.segments.last().map(|s| &s.ident)
            && ["now", "random", "thread_rng", "rng"].iter().any(|other| name == other)
        {
            self.errors.unrepeatable(name);
        }
        visit::visit_expr_call(self, call);
    }
}
