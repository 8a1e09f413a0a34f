//! `return`, `break` and `continue`, as nested branches and flags.
//!
//! `if c { return a; } rest` becomes `if c { result = a } else { rest }`. Where that is not
//! possible a passive flag is set at the jump, and the rest is done unless it is set.

use crate::analysis::definite_assignment::{into_branches, is_read_unset};
use crate::frontend::lower::branches::Body;
use crate::frontend::lower::exit_values::{Look, results_of};
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::jumps::{Dest, Frame, Jump};
use crate::frontend::state::value::Value;
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::{effects, types};
use crate::ir::purity::{blank, blank_of};
use crate::ir::visit::{Vars, blocks_mut};
use crate::ir::*;
use crate::support::syntax::mentions;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

impl Lower {
    /// `let flag = false`
    pub fn flag(&mut self, hint: &str, span: Span) -> Var {
        let new = New { hint, span, ty: Ty::Passive, changes: true, site: None };
        let var = self.new_var(new);
        self.info_mut(var).mutable = true;
        let value = Expr::Passive(PassiveCode { span, ..PassiveCode::literal(quote!(false)) });
        self.emit(Stmt::Let { var, expr: value });
        self.jumps.flags.insert(var);
        var
    }

    /// `flag = true`
    pub fn raise(&mut self, flag: Var, span: Span) {
        let value = Operand::Passive(PassiveCode { span, ..PassiveCode::literal(quote!(true)) });
        self.assign(Place::var(flag), Assign::Set, value, span);
    }

    /// Opens a loop or labelled block; its flag is declared before it.
    pub fn enter(&mut self, label: Option<&syn::Label>, is_loop: bool, span: Span) -> usize {
        let leave = self.flag("done", span);
        let label = label.map(|l| l.name.ident.clone());
        self.jumps.frames.push(Frame { label, is_loop, leave, left: false, skip: None, broken: None, source: false });
        self.jumps.frames.len() - 1
    }

    /// Opens the source of an iterator that may be left before it ends.
    pub fn enter_source(&mut self, span: Span) -> usize {
        let at = self.enter(None, false, span);
        self.jumps.frames[at].source = true;
        at
    }

    /// Leaves a source and those that it takes from, if the condition holds.
    pub fn stop(&mut self, source: Option<usize>, cond: PassiveCode, span: Span) {
        let Some(source) = source else { return };
        self.guarded(Some(cond), &mut |l| l.stop_here(source, span));
    }

    /// Leaves a source and those that it takes from.
    pub fn stop_here(&mut self, source: usize, span: Span) {
        let sources = self.jumps.frames[source..].iter_mut().take_while(|f| f.source);
        let flags: Vec<Var> = sources
            .map(|f| {
                f.left = true;
                f.leave
            })
            .collect();
        flags.iter().for_each(|flag| self.raise(*flag, span));
    }

    /// Declares the flag of `continue`, at the start of an iteration.
    pub fn start_iteration(&mut self, span: Span) {
        let skip = self.flag("skip", span);
        let frame = self.jumps.frames.iter_mut().rfind(|f| !f.source);
        frame.expect("a loop is open").skip = Some(skip);
    }

    /// Closes a loop or labelled block; the value that it was left with.
    pub fn leave(&mut self) -> Frame {
        self.jumps.frames.pop().expect("it was entered")
    }

    fn jump(&mut self, target: usize, how: How, span: Span) -> Value {
        let depth = self.jumps.frames.len();
        let mut cuts = Vec::new();
        let sources = self.jumps.frames.iter().skip(target + 1).take_while(|f| f.source).count();
        for f in (target..depth).rev() {
            if how == How::Continue && f > target && f <= target + sources {
                continue;
            }
            let frame = &mut self.jumps.frames[f];
            let flag = match how == How::Continue && f == target {
                true => frame.skip.expect("it is a loop"),
                false => {
                    frame.left = true;
                    frame.leave
                }
            };
            self.raise(flag, span);
            cuts.push((f, flag));
        }
        self.jumps.log.push(Jump { cuts, returns: how == How::Return });
        Value::Never
    }

    /// `break`.
    pub fn break_(&mut self, b: &syn::ExprBreak) -> Value {
        let Some(target) = self.jumps.find(&b.label) else {
            return self.refuse(b.span(), "this `break`", "break out of a loop of this function");
        };
        if let Some(e) = &b.expr {
            let value = self.expr(e);
            self.break_with(target, value, b.span());
        }
        self.jump(target, How::Break, b.span())
    }

    fn break_with(&mut self, target: usize, value: Value, span: Span) {
        match self.jumps.frames[target].broken.clone() {
            Some(slot) => self.leave_with(slot, value, span),
            None => self.errors.unsupported(
                span,
                "`break` with an active value",
                "assign it to a variable declared before the loop",
            ),
        }
    }

    /// Prepares a place for the value of `break value`.
    pub fn broken_into(&mut self, slot: Value) {
        if let Some(frame) = self.jumps.frames.last_mut() {
            frame.broken = Some(slot);
        }
    }

    /// `continue`.
    pub fn continue_(&mut self, c: &syn::ExprContinue) -> Value {
        match self.jumps.find(&c.label) {
            Some(target) => self.jump(target, How::Continue, c.span()),
            None => self.refuse(c.span(), "this `continue`", "continue a loop of this function"),
        }
    }

    /// `return`.
    pub fn return_(&mut self, r: &syn::ExprReturn) -> Value {
        if let Some(at) = self.jumps.closures.last().copied() {
            return self.return_from_closure(at, r);
        }
        if self.inlining > 0 {
            return self.refuse(r.span(), "`return` inside this closure", "make the value its last expression");
        }
        if let Some(e) = &r.expr {
            let value = self.result_value(e);
            if matches!(value, Value::Never) {
                return Value::Never;
            }
            self.deliver_to(value, Dest::Result, r.span());
        }
        if let Some(flag) = self.jumps.returned {
            self.raise(flag, r.span());
        }
        self.jump(0, How::Return, r.span())
    }

    fn return_from_closure(&mut self, at: usize, r: &syn::ExprReturn) -> Value {
        if let Some(e) = &r.expr {
            let value = self.expr(e);
            if matches!(value, Value::Never) {
                return value;
            }
            self.deliver_to(value, Dest::Frame(at), r.span());
        }
        self.jump(at, How::Break, r.span())
    }

    /// A closure's body that may be left early: a labelled block, whose value goes into a variable.
    pub fn returning(&mut self, code: &syn::ExprClosure, body: &syn::Expr) -> Value {
        let span = code.or1_token.span;
        let at = self.enter(None, false, span);
        let slot = self.slot_for(&Look::of_all(&results_of(body)), &Ty::Unknown, span);
        if !matches!(slot, Value::Unit) {
            self.broken_into(slot.clone());
        }
        self.jumps.closures.push(at);
        let (block, ()) = self.inside(|l| {
            l.body(Body::Expr(body), Dest::Frame(at));
        });
        self.jumps.closures.pop();
        self.leave();
        self.declare_slot(&slot);
        block.stmts.into_iter().for_each(|s| self.emit(s));
        slot
    }

    /// Declares the flag of `return`, at the start of the function.
    pub fn start_function(&mut self, span: Span) {
        let flag = self.flag("returned", span);
        self.jumps.returned = Some(flag);
    }

    /// A value on its way to the function's result, or to whoever asked.
    pub fn deliver_to(&mut self, value: Value, dest: Dest, span: Span) -> Value {
        match (dest, value, self.jumps.result.clone()) {
            (Dest::Value, value, _) => value,
            (_, Value::Never, _) => Value::Never,
            (Dest::Nobody, ..) => Value::Unit,
            (Dest::Frame(at), value, _) => {
                if let Some(slot) = self.jumps.frames[at].broken.clone() {
                    self.leave_with(slot, value, span);
                }
                Value::Unit
            }
            (_, Value::Unit, _) | (_, _, None) => Value::Unit,
            (_, value, Some(slot)) => {
                self.store(slot, value, span);
                Value::Unit
            }
        }
    }

    /// A value for the function's result.
    pub fn result_value(&mut self, expr: &syn::Expr) -> Value {
        let holds = |value: &Value| matches!(value, Value::Active(a) if !matches!(self.ty_of(&a.place), Ty::Float));
        let active = self.jumps.result.as_ref().is_some_and(|r| match r {
            Value::Tuple(members) => members.iter().any(holds),
            value => holds(value),
        });
        if active { self.active_value(expr) } else { self.expr(expr) }
    }

    /// The rest of a block, unless one of the flags is set.
    pub fn guarded_rest(&mut self, flags: Vars, rest: &[syn::Stmt], dest: Dest) -> Value {
        self.guarded_by(flags, &mut |l| l.stmts(rest, dest))
    }

    /// What comes after code that may have jumped since the mark `before`.
    fn unless_left_since(&mut self, before: usize, f: &mut dyn FnMut(&mut Self) -> Value) -> Value {
        let flags = self.jumps.taken_since(before);
        if flags.is_empty() { f(self) } else { self.guarded_by(flags, f) }
    }

    fn guarded_by(&mut self, flags: Vars, f: &mut dyn FnMut(&mut Self) -> Value) -> Value {
        let cond = self.none_of(&flags);
        let (then, value) = self.inside(|l| f(l));
        let mut parts = [(then, value)];
        let value = self.deliver(&mut parts, true, Span::call_site());
        let [(then, _)] = parts;
        self.emit(Stmt::If { cond, then, els: Block::default() });
        value
    }

    /// Does what only happens if no jump since the mark `before` was taken: where an expression that may jump is stored.
    pub fn unless_left(&mut self, before: usize, f: impl FnOnce(&mut Self)) {
        let flags = self.jumps.taken_since(before);
        if flags.is_empty() {
            return f(self);
        }
        let cond = self.none_of(&flags);
        let (then, ()) = self.inside(f);
        self.emit(Stmt::If { cond, then, els: Block::default() });
    }

    fn none_of(&mut self, flags: &Vars) -> PassiveCode {
        let names = flags.iter().map(|f| &self.info(*f).name);
        let cond = PassiveCode { reads: flags.clone(), ..PassiveCode::literal(quote!(!(#(#names)||*))) };
        self.hold("go_on", cond)
    }

    /// A statement that may jump, of which only one branch goes on: the rest is done there.
    pub fn jump_or_rest(&mut self, stmt: &syn::Stmt, rest: &[syn::Stmt], dest: Dest) -> Option<Value> {
        if !effects::of_stmt(&self.scope, stmt).jumps {
            return None;
        }
        match stmt {
            syn::Stmt::Expr(e @ (syn::Expr::If(_) | syn::Expr::Match(_)), _) if goes_on(e) == 1 => {
                Some(self.split(e, &mut |l, body| {
                    let (goes_on, before) = (!body.diverges(), l.jumps.pending_before());
                    match l.body(body, Dest::Nobody) {
                        Value::Never => Value::Never,
                        _ if goes_on => l.unless_left_since(before, &mut |l| l.stmts(rest, dest)),
                        value => value,
                    }
                }))
            }
            syn::Stmt::Local(local) => self.let_or_rest(local, rest, dest),
            _ => None,
        }
    }

    /// `{ a; b; } rest` as `a; b; rest`, where the block may jump, and names nothing that the rest mentions.
    pub fn opened(&self, stmt: &syn::Stmt, rest: &[syn::Stmt]) -> Option<Vec<syn::Stmt>> {
        let syn::Stmt::Expr(syn::Expr::Block(b), _) = stmt else { return None };
        if rest.is_empty() {
            return None;
        }
        if b.label.is_some() || !b.attrs.is_empty() || !effects::of_stmt(&self.scope, stmt).jumps {
            return None;
        }
        let own = |s: &syn::Stmt| match s {
            syn::Stmt::Local(l) => Some(names_of(&l.pat)),
            syn::Stmt::Item(_) => None,
            _ => Some(Vec::new()),
        };
        let own: Vec<Ident> = b.block.stmts.iter().map(own).collect::<Option<Vec<_>>>()?.concat();
        let after = rest.iter().map(ToTokens::to_token_stream).collect();
        if own.iter().any(|name| mentions(&after, name)) {
            return None;
        }
        let done = b.block.stmts.iter().cloned().map(|s| match s {
            syn::Stmt::Expr(e, None) => syn::Stmt::Expr(e, Some(Default::default())),
            other => other,
        });
        Some(done.chain(rest.iter().cloned()).collect())
    }

    fn let_or_rest(&mut self, local: &syn::Local, rest: &[syn::Stmt], dest: Dest) -> Option<Value> {
        let init = local.init.as_ref()?;
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            p => (p, None),
        };
        if let Some((_, els)) = &init.diverge {
            return Some(self.let_else_or_rest(pattern, &init.expr, els, rest, dest));
        }
        let e = &*init.expr;
        if !matches!(e, syn::Expr::If(_) | syn::Expr::Match(_)) || goes_on(e) != 1 {
            return None;
        }
        let mark = self.vars.len();
        Some(self.split(e, &mut |l, body| {
            let before = l.jumps.pending_before();
            let value = l.body(body, Dest::Value);
            if matches!(value, Value::Never) {
                return value;
            }
            l.unless_left_since(before, &mut |l| {
                l.bind_pattern(pattern, value.clone(), crate::frontend::lower::patterns::Mode::Let { mark, ty });
                l.stmts(rest, dest)
            })
        }))
    }

    /// Removes the flags that nothing reads, and gives the result a first value if a flag
    /// decides whether it is assigned. Declarations move to where the variables live.
    pub fn tidy_flags(&mut self, body: &mut Block, result: &Output) {
        let mut read = Vars::new();
        note_reads(body, &mut read);
        let guarded = self.jumps.returned.is_some_and(|r| read.contains(&r));
        if guarded {
            for stmt in &mut body.stmts {
                self.first_value(stmt);
            }
        }
        self.first_values(body, result);
        let idle: Vars = self.jumps.flags.difference(&read).copied().collect();
        remove(body, &idle);
        into_branches(body, result);
    }

    fn first_value(&self, stmt: &mut Stmt) {
        let Stmt::Declare { var } = *stmt else { return };
        let is_result = self.jumps.result.as_ref().is_some_and(|r| leaves(r).contains(&var));
        if is_result {
            *stmt = Stmt::Let { var, expr: self.blank(var) };
        }
    }

    /// The same for variables that are assigned before a loop is left by a jump, which rustc no longer sees.
    fn first_values(&mut self, block: &mut Block, result: &Output) {
        for k in 0..block.stmts.len() {
            if let Stmt::Declare { var } = block.stmts[k]
                && is_read_unset(&block.stmts[k + 1..], result, var)
            {
                block.stmts[k] = Stmt::Let { var, expr: self.blank(var) };
                self.info_mut(var).mutable = true;
            }
            blocks_mut(&mut block.stmts[k]).into_iter().for_each(|inner| self.first_values(inner, result));
        }
    }

    /// A variable of this type, which gets its value later; how the type is written says what it may hold until then.
    pub fn unset(&mut self, hint: &str, ty: &Ty, written: Option<&syn::Type>, span: Span) -> Var {
        let kind = if types::is_passive(ty) { Ty::Passive } else { ty.clone() };
        let var = self.new_var(New { hint, span, ty: kind, changes: true, site: None });
        self.info_mut(var).written = written.filter(|t| types::is_named(t)).map(|t| quote!(#t));
        var
    }

    /// Some value of a variable's type, to be overwritten.
    pub fn blank(&self, var: Var) -> Expr {
        let info = self.info(var);
        match (&info.ty, &info.written, &self.base) {
            (Ty::Vec(_), ..) => Expr::VecNew(PassiveCode::literal(quote!(::std::vec::Vec::new()))),
            (Ty::Float, _, Base::Concrete(_)) | (Ty::Unknown, None, Base::Concrete(_)) => {
                Expr::Operand(Operand::Passive(PassiveCode::literal(quote!(0.0))))
            }
            (_, Some(written), base) => Expr::Passive(blank_of(written, base)),
            _ => Expr::Passive(blank()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Break,
    Continue,
    Return,
}

/// How many branches do not end in a jump or a panic.
fn goes_on(expr: &syn::Expr) -> usize {
    match expr {
        syn::Expr::If(i) => {
            let els = i.else_branch.as_ref().map_or(1, |(_, e)| match &**e {
                e @ syn::Expr::If(_) => goes_on(e),
                e => usize::from(!effects::expr_diverges(e)),
            });
            usize::from(!effects::diverges(&i.then_branch)) + els
        }
        syn::Expr::Match(m) => m.arms.iter().filter(|a| !effects::expr_diverges(&a.body)).count(),
        _ => 1,
    }
}

fn leaves(value: &Value) -> Vec<Var> {
    match value {
        Value::Active(a) => vec![a.place.root],
        Value::Passive(p) => p.root.into_iter().collect(),
        Value::Tuple(all) => all.iter().flat_map(leaves).collect(),
        _ => Vec::new(),
    }
}

fn note_reads(block: &Block, read: &mut Vars) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Let { expr: Expr::Passive(o), .. } => read.extend(&o.reads),
            Stmt::Assign { value: Operand::Passive(o), .. } => read.extend(&o.reads),
            Stmt::Effect { tokens, .. } => read.extend(&tokens.reads),
            Stmt::If { cond, then, els } => {
                read.extend(&cond.reads);
                note_reads(then, read);
                note_reads(els, read);
            }
            Stmt::Switch { scrutinee, arms } => {
                read.extend(&scrutinee.reads);
                for arm in arms {
                    arm.guard.iter().for_each(|g| read.extend(&g.reads));
                    note_reads(&arm.body, read);
                }
            }
            Stmt::For(f) => {
                read.extend(f.until);
                note_reads(&f.body, read);
            }
            Stmt::While { prelude, cond, body, .. } => {
                read.extend(&cond.reads);
                note_reads(prelude, read);
                note_reads(body, read);
            }
            _ => {}
        }
    }
}

fn remove(block: &mut Block, idle: &Vars) {
    block.stmts.retain(|s| match s {
        Stmt::Let { var, .. } => !idle.contains(var),
        Stmt::Assign { place, .. } => !idle.contains(&place.root),
        _ => true,
    });
    for stmt in &mut block.stmts {
        match stmt {
            Stmt::If { cond, then, els } => {
                remove(then, idle);
                remove(els, idle);
                if then.stmts.is_empty() {
                    let t = crate::ir::affine::arithmetic::factor(cond);
                    cond.tokens = quote!(!#t);
                    std::mem::swap(then, els);
                }
            }
            Stmt::Switch { arms, .. } => arms.iter_mut().for_each(|a| remove(&mut a.body, idle)),
            Stmt::For(f) => remove(&mut f.body, idle),
            Stmt::While { prelude, body, .. } => {
                remove(prelude, idle);
                remove(body, idle);
            }
            _ => {}
        }
    }
    block.stmts.retain(|s| !matches!(s, Stmt::If { then, els, .. } if then.stmts.is_empty() && els.stmts.is_empty()));
}
