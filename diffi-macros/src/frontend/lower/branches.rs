//! `if` and `match`: as statements, and as values.

use crate::frontend::lower::structs;
use crate::frontend::state::context::{Lower, New, Origin};
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Failure, Maybe, Refs, Value};
use crate::frontend::syntax::{effects, types};
use crate::ir::purity::blank_of;
use crate::ir::visit::{Access, touched};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

/// What a branch does.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    /// An arm's expression.
    Expr(&'a syn::Expr),
    /// A block.
    Block(&'a syn::Block),
    /// A missing `else`.
    Nothing,
}

impl Body<'_> {
    /// Whether it always ends in a jump or a panic.
    pub fn diverges(&self) -> bool {
        match self {
            Body::Expr(e) => effects::expr_diverges(e),
            Body::Block(b) => effects::diverges(b),
            Body::Nothing => false,
        }
    }
}

/// Lowers a branch in its own block.
pub type Finish<'f> = dyn FnMut(&mut Lower, Body) -> Value + 'f;

impl Lower {
    /// `if` or `match` as a value.
    pub fn branches(&mut self, expr: &syn::Expr) -> Value {
        self.split(expr, &mut |l, body| l.body(body, Dest::Value))
    }

    /// `if` or `match` whose value goes to the function's result.
    pub fn branches_to(&mut self, expr: &syn::Expr, dest: Dest) -> Value {
        self.split(expr, &mut |l, body| l.body(body, dest))
    }

    /// `if` or `match` whose value nobody wants.
    pub fn branch_stmt(&mut self, expr: &syn::Expr) -> Value {
        self.split(expr, &mut |l, body| l.body(body, Dest::Nobody))
    }

    /// A branch's body.
    pub fn body(&mut self, body: Body, dest: Dest) -> Value {
        if let Body::Expr(e) = body
            && effects::of_expr(&self.scope, e).jumps
            && let Some(stmts) = self.operands_first(&syn::Stmt::Expr(e.clone(), None))
        {
            return self.block_in_scope(&syn::parse_quote!({ #(#stmts)* }), dest);
        }
        match body {
            Body::Block(b) => self.block_in_scope(b, dest),
            Body::Nothing => Value::Unit,
            Body::Expr(syn::Expr::Block(b)) if b.label.is_none() => self.block_in_scope(&b.block, dest),
            Body::Expr(e) if dest == Dest::Nobody => {
                let value = self.expr_stmt(e, &syn::Stmt::Expr(e.clone(), Some(Default::default())));
                self.deliver_to(value, dest, e.span())
            }
            Body::Expr(e @ (syn::Expr::If(_) | syn::Expr::Match(_))) if dest != Dest::Value => {
                self.branches_to(e, dest)
            }
            Body::Expr(e) => {
                let value = if dest == Dest::Value { self.arm_value(e) } else { self.value_for(e, dest) };
                self.deliver_to(value, dest, e.span())
            }
        }
    }

    fn arm_value(&mut self, e: &syn::Expr) -> Value {
        match strip_parens(e) {
            syn::Expr::MethodCall(m) if self.change(m) => Value::Unit,
            syn::Expr::Macro(m) => match self.is_effect_macro(&m.mac) {
                true => self.macro_stmt(&m.mac, &syn::Stmt::Expr(e.clone(), Some(Default::default()))),
                false => self.expr(e),
            },
            e => self.expr(e),
        }
    }

    /// Branches; each is finished by `finish`, and their values are joined.
    pub fn split(&mut self, expr: &syn::Expr, finish: &mut Finish) -> Value {
        match strip_parens(expr) {
            syn::Expr::If(i) => self.split_if(i, finish),
            syn::Expr::Match(m) => self.split_match(m, finish),
            other => finish(self, Body::Expr(other)),
        }
    }

    fn split_if(&mut self, i: &syn::ExprIf, finish: &mut Finish) -> Value {
        let els = i.else_branch.as_ref().map(|(_, e)| &**e);
        self.split_cond(
            &i.cond,
            &mut |l, holds, finish| match (holds, els) {
                (true, _) => finish(l, Body::Block(&i.then_branch)),
                (false, None) => finish(l, Body::Nothing),
                (false, Some(e @ syn::Expr::If(_))) => l.split(e, finish),
                (false, Some(e)) => finish(l, Body::Expr(e)),
            },
            finish,
        )
    }

    #[allow(clippy::type_complexity)]
    fn split_cond(
        &mut self,
        cond: &syn::Expr,
        branch: &mut dyn FnMut(&mut Lower, bool, &mut Finish) -> Value,
        finish: &mut Finish,
    ) -> Value {
        match strip_parens(cond) {
            syn::Expr::Let(l) => {
                let wild: syn::Pat = syn::parse_quote!(_);
                let arms = [(&*l.pat, None, true), (&wild, None, false)];
                self.split_arms(&l.expr, &arms, &mut |low, holds| branch(low, holds, finish))
            }
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) && has_let(cond) => {
                let right = (*b.right).clone();
                self.split_cond(
                    &b.left,
                    &mut |low, holds, finish| match holds {
                        true => low.split_cond(&right, branch, finish),
                        false => branch(low, false, finish),
                    },
                    finish,
                )
            }
            cond => {
                let cond = self.condition(cond);
                let before = self.jumps.pending_before();
                let (then, a) = self.inside(|l| branch(l, true, finish));
                let (els, b) = self.inside(|l| branch(l, false, finish));
                self.join_if(cond, before, (then, a), (els, b))
            }
        }
    }

    /// `if cond { then } else { els }`, and the value of both. A branch that jumped has none:
    /// `before` marks the jumps up to here.
    pub fn join_if(&mut self, cond: PassiveCode, before: usize, then: (Block, Value), els: (Block, Value)) -> Value {
        let span = cond.span;
        let mut parts = [then, els];
        let partial = self.jumps.left_since(before);
        let value = self.deliver(&mut parts, partial, span);
        let [(then, _), (els, _)] = parts;
        self.emit(Stmt::If { cond, then, els });
        value
    }

    /// A condition, as an immutable passive bool.
    pub fn condition(&mut self, cond: &syn::Expr) -> PassiveCode {
        let value = self.expr(cond);
        let o = self.show(&value.dereferenced_fully(), cond.span());
        self.atom("c", o)
    }

    /// Several branches' values as one; `partial` if there is a way around all of them.
    pub fn deliver(&mut self, parts: &mut [(Block, Value)], partial: bool, span: Span) -> Value {
        let live: Vec<usize> = (0..parts.len()).filter(|i| !matches!(parts[*i].1, Value::Never)).collect();
        let values: Vec<&Value> = live.iter().map(|i| &parts[*i].1).collect();
        if values.is_empty() {
            return Value::Never;
        }
        if values.iter().any(|v| matches!(v, Value::Poison)) {
            return Value::Poison;
        }
        if values.iter().any(|v| matches!(v, Value::Unit)) {
            return Value::Unit;
        }
        if values.iter().any(|v| matches!(v, Value::Maybe(_))) {
            return self.deliver_maybe(parts, &live, span);
        }
        if let Some(function) = self.deliver_functions(parts, &live, partial, span) {
            return function;
        }
        if let [only] = live[..]
            && let Some(place) = self.lent_by_branch(&mut parts[only], span)
        {
            return place;
        }
        let values: Vec<&Value> = live.iter().map(|i| &parts[*i].1).collect();
        let arity = values.iter().find_map(|v| match v {
            Value::Tuple(all) => Some(all.len()),
            _ => None,
        });
        match arity {
            Some(n) => Value::Tuple((0..n).map(|i| self.deliver_member(parts, i, partial, span)).collect()),
            None if live.iter().any(|i| self.lends_slice(&parts[*i].1)) => {
                self.copy_slices(parts, &live, span);
                self.deliver_leaf(parts, &live, partial, span).borrowed(false)
            }
            None => self.deliver_leaf(parts, &live, partial, span),
        }
    }

    /// Whether a value is a shared reference to a part of a list.
    fn lends_slice(&self, value: &Value) -> bool {
        let part = |p: &Place| matches!(p.path.last(), Some(Proj::Range(..))) || matches!(self.ty_of(p), Ty::Slice(_));
        matches!(value, Value::Active(a) if a.refs == Refs::SHARED && part(&a.place))
    }

    /// What shared references to parts of lists lead to, which cannot change as long as these are there, in lists of the branches' own.
    fn copy_slices(&mut self, parts: &mut [(Block, Value)], live: &[usize], span: Span) {
        for i in live {
            let (block, value) = &mut parts[*i];
            *value = match value.clone() {
                Value::Active(a) => self.within(block, |l| l.vec_of(a.place, span)),
                value @ Value::Passive(_) => {
                    Value::passive(self.show(&value, span).map(|list| quote!(<[_]>::to_vec(&#list[..]))))
                }
                other => other,
            };
        }
    }

    /// The shared reference that the only branch with a value gives, if what it leads to is there outside of the branch.
    fn lent_by_branch(&mut self, (block, value): &mut (Block, Value), span: Span) -> Option<Value> {
        let lent = matches!(value, Value::Active(a) if a.refs == Refs::SHARED);
        let place = lent.then(|| self.within(block, |l| l.settled(value.clone())))?;
        let inside = touched(&block.stmts, &[Access::Define]);
        (!self.sees(&place, &inside, span)).then_some(place)
    }

    fn deliver_member(&mut self, parts: &mut [(Block, Value)], i: usize, partial: bool, span: Span) -> Value {
        let mut members: Vec<(Block, Value)> = Vec::new();
        for (block, value) in parts.iter_mut() {
            let member = match value.clone() {
                Value::Never => Value::Never,
                whole => self.within(block, |l| l.member(whole, &syn::Member::from(i), span)),
            };
            members.push((std::mem::take(block), member));
        }
        let value = self.deliver(&mut members, partial, span);
        for (part, (block, _)) in parts.iter_mut().zip(members) {
            part.0 = block;
        }
        value
    }

    fn deliver_leaf(&mut self, parts: &mut [(Block, Value)], live: &[usize], partial: bool, span: Span) -> Value {
        let active = live.iter().any(|i| parts[*i].1.is_active());
        let constructed = live.iter().any(|i| self.is_constructed(&parts[*i].1));
        let variant = |i: &usize| matches!(&parts[*i].1, Value::Passive(p) if structs::is_made(&p.passive));
        let constructed = constructed || !active && live.iter().any(variant);
        for i in live.iter().filter(|_| active) {
            let (block, value) = &mut parts[*i];
            let made = self.within(block, |l| l.made(value.clone(), constructed));
            *value = made;
        }
        let ty = match active {
            true => {
                let tys = live.iter().map(|i| match &parts[*i].1 {
                    Value::Active(a) => self.ty_of(&a.place),
                    _ => Ty::Unknown,
                });
                let joined = tys.fold(Ty::Unknown, types::join);
                let floats =
                    live.iter().any(|i| matches!(&parts[*i].1, Value::Passive(p) if !types::is_sequence(&p.ty)));
                if joined == Ty::Unknown && floats { Ty::Float } else { joined }
            }
            false => Ty::Passive,
        };
        let new = New { hint: "v", span, ty, changes: false, site: Some(Site::at(span)) };
        let var = self.new_var(new);
        let made_as = live.iter().find_map(|i| self.type_made(&parts[*i].1)).filter(|_| constructed);
        if constructed {
            self.fact_mut(var).origin = Origin::Fields(made_as.clone());
        }
        let doubt = |i: &usize| match &parts[*i].1 {
            Value::Active(a) => self.doubt(&a.place).cloned(),
            _ => None,
        };
        self.fact_mut(var).doubt = live.iter().find_map(doubt);
        match partial {
            true => {
                let expr = match made_as {
                    Some(ty) => Expr::Passive(blank_of(&ty, &self.base)),
                    None => self.blank(var),
                };
                self.info_mut(var).mutable = true;
                self.emit(Stmt::Let { var, expr });
            }
            false => self.emit(Stmt::Declare { var }),
        }
        for i in live {
            let (block, value) = &mut parts[*i];
            let value = value.clone();
            let target = self.value_of(var);
            self.within(block, |l| l.store(target, value, span));
        }
        self.value_of(var)
    }

    /// Options: a flag, and the content.
    fn deliver_maybe(&mut self, parts: &mut [(Block, Value)], live: &[usize], span: Span) -> Value {
        let mut contents: Vec<(Block, Value)> = Vec::new();
        let mut flags: Vec<(Block, Value)> = Vec::new();
        let fails = live.iter().any(|i| fails(&parts[*i].1));
        let cell = fails.then(|| self.failure_cell(span));
        let never = live.iter().find_map(|i| if let Value::Maybe(m) = &parts[*i].1 { m.failure.clone() } else { None });
        for (i, (block, value)) in parts.iter_mut().enumerate() {
            let value = live.contains(&i).then(|| value.clone());
            let maybe = value.and_then(|value| self.within(block, |l| l.as_carrier(value, span)));
            if let (Some(cell), Some(maybe)) = (cell, &maybe) {
                self.within(block, |l| l.store_failure(cell, maybe));
            }
            let content = match &maybe {
                Some(m) if m.known() == Some(true) => self.within(block, |l| (m.content)(l)),
                Some(m) if m.known().is_none() => self.within(block, |l| l.content_if_there(m, span)),
                _ => Value::Never,
            };
            let flag = maybe.map_or(Value::Never, |m| Value::passive(m.present));
            contents.push((std::mem::take(block), content));
            flags.push((Block::default(), flag));
        }
        let lent = all_lent(&contents);
        let content = self.deliver(&mut contents, true, span);
        let content = if lent { content.borrowed(false) } else { content };
        for (flag, (block, _)) in flags.iter_mut().zip(&mut contents) {
            flag.0 = std::mem::take(block);
        }
        let present = self.deliver(&mut flags, false, span);
        for (part, (block, _)) in parts.iter_mut().zip(flags) {
            part.0 = block;
        }
        let present = self.show(&present, span);
        Value::Maybe(Maybe::new(present, move |_| content.clone()).or_fails(cell.map(Failure::Cell).or(never)))
    }
}

impl Lower {
    /// What an option holds; anything where it holds nothing.
    fn content_if_there(&mut self, maybe: &Maybe, span: Span) -> Value {
        let cond = self.atom("c", maybe.present.clone());
        let then = self.inside(|l| (maybe.content)(l));
        let mut parts = [then, (Block::default(), Value::Never)];
        let value = self.deliver(&mut parts, true, span);
        let [(then, _), (els, _)] = parts;
        self.emit(Stmt::If { cond, then, els });
        value
    }
}

/// Whether all contents are references, by which nothing is changed.
fn all_lent(contents: &[(Block, Value)]) -> bool {
    let mut there = contents.iter().map(|(_, content)| content).filter(|c| !matches!(c, Value::Never)).peekable();
    there.peek().is_some() && there.all(|c| c.refs() == Refs::SHARED)
}

/// Whether a value may be an `Err`.
fn fails(value: &Value) -> bool {
    match value {
        Value::Maybe(m) => m.error().is_some(),
        Value::Passive(p) => {
            matches!(p.passive.tokens.clone().into_iter().next(), Some(proc_macro2::TokenTree::Ident(i)) if i == "Err")
        }
        _ => false,
    }
}

/// Whether `let` stands in a condition.
pub fn has_let(cond: &syn::Expr) -> bool {
    match strip_parens(cond) {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}
