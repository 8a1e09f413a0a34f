//! `match`, `if let` and `let .. else`.
//!
//! A passive scrutinee becomes a `Switch` with the user's patterns. An active one is taken apart
//! into tests and bindings, arm by arm.

use crate::frontend::lower::branches::{Body, Finish};
use crate::frontend::lower::patterns::Mode;
use crate::frontend::option_result::fallible::is_pattern;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::value::{Refs, Value};
use crate::frontend::syntax::alternatives::alternatives;
use crate::frontend::syntax::effects;
use crate::frontend::syntax::pattern_names::names_of;
use crate::ir::purity::is_borrow;
use crate::ir::*;
use quote::quote;
use syn::spanned::Spanned;
use syn::visit::Visit;

/// Whether a pattern says itself how its names are bound: `&k`, `ref k`, `mut k`, `all @ ..`.
fn says_how(pattern: &syn::Pat) -> bool {
    struct How(bool);
    impl<'a> Visit<'a> for How {
        fn visit_pat_reference(&mut self, _: &'a syn::PatReference) {
            self.0 = true;
        }
        fn visit_pat_ident(&mut self, name: &'a syn::PatIdent) {
            self.0 |= name.by_ref.is_some() || name.mutability.is_some() || name.subpat.is_some();
        }
    }
    let mut how = How(false);
    how.visit_pat(pattern);
    how.0
}

/// Pattern, guard, and which arm it is.
type ArmOf<'a, T> = (&'a syn::Pat, Option<&'a syn::Expr>, T);

/// Whether a pattern holds integers: `0`, `1 | 2`, `3..`.
fn names_integer(pattern: &syn::Pat) -> bool {
    let number = |e: &syn::Expr| matches!(e, syn::Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(_)));
    match pattern {
        syn::Pat::Lit(l) => matches!(&l.lit, syn::Lit::Int(_)),
        syn::Pat::Or(o) => o.cases.iter().any(names_integer),
        syn::Pat::Range(r) => [&r.start, &r.end].into_iter().flatten().any(|e| number(e)),
        syn::Pat::Paren(p) => names_integer(&p.pat),
        _ => false,
    }
}

impl Lower {
    /// `match`.
    pub fn split_match(&mut self, m: &syn::ExprMatch, finish: &mut Finish) -> Value {
        let arms: Vec<ArmOf<&syn::Expr>> =
            m.arms.iter().map(|a| (&a.pat, a.guard.as_ref().map(|(_, g)| &**g), &*a.body)).collect();
        self.split_arms(&m.expr, &arms, &mut |l, body| finish(l, Body::Expr(body)))
    }

    /// Arms over one scrutinee.
    pub fn split_arms<T: Copy>(
        &mut self,
        scrutinee: &syn::Expr,
        arms: &[ArmOf<T>],
        finish: &mut dyn FnMut(&mut Lower, T) -> Value,
    ) -> Value {
        let value = self.expecting(None, |l| if once(arms) { l.option(scrutinee) } else { l.expr(scrutinee) });
        let exclusive = arms.iter().any(|(pattern, ..)| binds_exclusively(pattern));
        let carries = arms.iter().any(|(pattern, ..)| is_pattern(pattern));
        let value = match value {
            Value::Active(_) if carries && !exclusive => {
                let value = self.copied(value, "on", scrutinee.span());
                self.as_carrier(value.clone(), scrutinee.span()).map_or(value, Value::Maybe)
            }
            other => other,
        };
        match value {
            Value::Never => Value::Never,
            Value::Poison => Value::Poison,
            Value::Active(_) if arms.iter().any(|a| names_integer(a.0)) && self.is_used_as_integer(&value) => {
                Value::Poison
            }
            Value::Passive(p)
                if arms
                    .iter()
                    .all(|(_, guard, _)| guard.is_none_or(|g| effects::of_expr(&self.scope, g).is_pure())) =>
            {
                let lender = p.root.filter(|_| p.refs.exclusive || exclusive);
                if let Some(root) = lender {
                    // an arm may change it through what it binds
                    self.info_mut(root).mutable = true;
                    self.emit(Stmt::Effect { tokens: PassiveCode::literal(quote!()), writes: [root].into() });
                }
                let scrutinee = self.show(&Value::Passive(p), scrutinee.span());
                self.switch(scrutinee, lender, arms, finish)
            }
            value @ Value::Tuple(_) if !exclusive && !value.is_active() && arms.iter().all(|a| is_tuple(a.0)) => {
                let scrutinee = self.show(&value, scrutinee.span());
                self.switch(scrutinee, None, arms, finish)
            }
            value => {
                let value = if exclusive { value } else { self.copied(value, "on", scrutinee.span()) };
                let split: Vec<Vec<syn::Pat>> = arms.iter().map(|(pattern, ..)| alternatives(pattern)).collect();
                let arms = arms.iter().zip(&split);
                let arms: Vec<ArmOf<T>> =
                    arms.flat_map(|((_, guard, which), all)| all.iter().map(|p| (p, *guard, *which))).collect();
                self.chain_of_tests(value, &arms, finish)
            }
        }
    }

    /// A guard as tokens, which change nothing that carries derivatives.
    fn guard(&mut self, guard: &syn::Expr) -> PassiveCode {
        if self.argument_changes(guard) {
            let instead = "take the value with `let` before, or use `if`";
            self.errors.order(guard.span(), "a guard that changes an active value", instead);
        }
        self.passive_code(guard)
    }

    /// `lender`: the variable that the arms may change through what they bind.
    fn switch<T: Copy>(
        &mut self,
        scrutinee: PassiveCode,
        lender: Option<Var>,
        arms: &[ArmOf<T>],
        finish: &mut dyn FnMut(&mut Lower, T) -> Value,
    ) -> Value {
        let span = scrutinee.span;
        let lent = is_borrow(&scrutinee.tokens);
        let before = self.jumps.pending_before();
        let mut done = Vec::new();
        let mut parts = Vec::new();
        let moves = self.is_moving_with(&scrutinee);
        for (pattern, guard, which) in arms {
            let (block, (arm, value)) = self.inside(|l| {
                let binds = l.bind_passive_names(pattern, lent && !says_how(pattern));
                binds.iter().for_each(|v| l.fact_mut(*v).lends = lender);
                binds.iter().for_each(|v| l.fact_mut(*v).moves = moves);
                let guard = guard.map(|g| l.guard(g));
                let pattern = l.passive_pattern(pattern);
                let arm = Arm { pattern, guard, binds, body: Block::default() };
                (arm, finish(l, *which))
            });
            done.push(arm);
            parts.push((block, value));
        }
        let partial = self.jumps.left_since(before);
        let value = self.deliver(&mut parts, partial, span);
        let arms = done.into_iter().zip(parts).map(|(arm, (body, _))| Arm { body, ..arm }).collect();
        self.emit(Stmt::Switch { scrutinee, arms });
        value
    }

    /// `lent`: what is matched is a reference, and so are the parts that the pattern names.
    fn bind_passive_names(&mut self, pattern: &syn::Pat, lent: bool) -> Vec<Var> {
        let mut binds = Vec::new();
        for name in names_of(pattern) {
            let hint = name.to_string();
            let var = self.new_var(New::temp(&hint, name.span(), Ty::Passive));
            self.fact_mut(var).given = !lent;
            self.jumps.claimed.insert(var); // another name for it is another variable, which may change
            let value = self.value_of(var);
            self.scope.bind(&name, if lent { value.dereferenced().behind(Refs::SHARED) } else { value });
            binds.push(var);
        }
        binds.sort();
        binds.dedup();
        binds
    }

    fn chain_of_tests<T: Copy>(
        &mut self,
        value: Value,
        arms: &[ArmOf<T>],
        finish: &mut dyn FnMut(&mut Lower, T) -> Value,
    ) -> Value {
        let Some(((pattern, guard, which), rest)) = arms.split_first() else {
            let tokens = PassiveCode::literal(quote!(::core::unreachable!();));
            self.emit(Stmt::Effect { tokens, writes: Default::default() });
            return Value::Never;
        };
        if rest.is_empty() && guard.is_none() {
            return self.guarded_arm(value, pattern, None, *which, rest, finish);
        }
        let test = match self.test(pattern, &value) {
            Ok(test) => test,
            Err(()) => {
                self.bad_pattern(pattern);
                return Value::Poison;
            }
        };
        let Some(test) = test else {
            return self.guarded_arm(value, pattern, *guard, *which, rest, finish);
        };
        let cond = self.atom("c", test);
        let before = self.jumps.pending_before();
        let (then, a) = self.inside(|l| l.guarded_arm(value.clone(), pattern, *guard, *which, rest, finish));
        let (els, b) = self.inside(|l| l.chain_of_tests(value.clone(), rest, finish));
        self.join_if(cond, before, (then, a), (els, b))
    }

    fn bad_pattern(&mut self, pattern: &syn::Pat) {
        match is_option(pattern) {
            true => self.errors.option(pattern.span()),
            false => self.errors.pattern(pattern.span()),
        }
    }

    /// An arm whose pattern fits; if its guard does not hold the next arms are tried.
    fn guarded_arm<T: Copy>(
        &mut self,
        value: Value,
        pattern: &syn::Pat,
        guard: Option<&syn::Expr>,
        which: T,
        rest: &[ArmOf<T>],
        finish: &mut dyn FnMut(&mut Lower, T) -> Value,
    ) -> Value {
        let scope = self.scope.clone();
        let mark = self.vars.len();
        self.bind_pattern(pattern, value.clone(), Mode::Alias { mark });
        let result = match guard {
            None => finish(self, which),
            Some(guard) => {
                let cond = self.condition(guard);
                let before = self.jumps.pending_before();
                let (then, a) = self.inside(|l| finish(l, which));
                let outer = scope.clone();
                let (els, b) = self.inside(|l| {
                    l.scope = outer;
                    l.chain_of_tests(value, rest, finish)
                });
                self.join_if(cond, before, (then, a), (els, b))
            }
        };
        self.scope = scope;
        result
    }

    /// `let pattern = init else { els }` of which `els` panics.
    pub fn let_else(&mut self, pattern: &syn::Pat, init: &syn::Expr, els: &syn::Expr) -> Value {
        let mut value = self.option(init);
        if let Value::Active(_) = value
            && is_pattern(pattern)
            && let Some(maybe) = self.as_carrier(value.clone(), init.span())
        {
            value = Value::Maybe(maybe);
        }
        if let Value::Passive(p) = &value {
            let p = p.clone();
            return self.passive_let_else(pattern, Value::Passive(p), els);
        }
        match self.test(pattern, &value) {
            Ok(Some(test)) => {
                let t = &test.tokens;
                let missing = PassiveCode { tokens: quote!(!(#t)), ..test.clone() };
                let cond = self.atom("c", missing);
                let (then, _) = self.inside(|l| l.body(Body::Expr(els), Dest::Value));
                self.emit(Stmt::If { cond, then, els: Block::default() });
            }
            Ok(None) => {}
            Err(()) => self.errors.pattern(pattern.span()),
        }
        if effects::of_expr(&self.scope, els).jumps {
            return Value::Unit; // nothing comes after it, and what is missing must not be asked for
        }
        let mark = self.vars.len();
        self.bind_pattern(pattern, value, Mode::Let { mark, ty: None });
        Value::Unit
    }

    pub fn passive_let_else(&mut self, pattern: &syn::Pat, value: Value, els: &syn::Expr) -> Value {
        let scrutinee = self.show(&value, pattern.span());
        let names = names_of(pattern);
        let mut targets = Vec::new();
        for name in &names {
            let hint = name.to_string();
            let var = self.new_var(New::temp(&hint, name.span(), Ty::Passive));
            self.emit(Stmt::Declare { var });
            targets.push(var);
        }
        let wild: syn::Pat = syn::parse_quote!(_);
        let arms = [(pattern, None, true), (&wild, None, false)];
        let outer = targets.clone();
        self.switch(scrutinee, None, &arms, &mut |l, fits| {
            if !fits {
                return l.body(Body::Expr(els), Dest::Value);
            }
            for (name, var) in names.iter().zip(&outer) {
                if let Some(inner) = l.scope.get(name).cloned() {
                    let target = l.value_of(*var);
                    l.store(target, inner, name.span());
                }
            }
            Value::Unit
        });
        for (name, var) in names.iter().zip(targets) {
            let value = self.value_of(var);
            self.scope.bind(name, value);
        }
        Value::Unit
    }

    /// The same, where `els` jumps: the rest of the block is done where the pattern fits.
    pub fn let_else_or_rest(
        &mut self,
        pattern: &syn::Pat,
        init: &syn::Expr,
        els: &syn::Expr,
        rest: &[syn::Stmt],
        dest: Dest,
    ) -> Value {
        let wild: syn::Pat = syn::parse_quote!(_);
        let arms = [(pattern, None, true), (&wild, None, false)];
        self.split_arms(init, &arms, &mut |l, fits| match fits {
            true => l.stmts(rest, dest),
            false => l.body(Body::Expr(els), Dest::Value),
        })
    }
}

/// Patterns that a tuple of values can be matched against as it stands.
fn is_tuple(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Tuple(_) | syn::Pat::Wild(_) => true,
        syn::Pat::Or(o) => o.cases.iter().all(is_tuple),
        syn::Pat::Paren(p) => is_tuple(&p.pat),
        _ => false,
    }
}

fn is_option(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::TupleStruct(t) => t.path.is_ident("Some"),
        syn::Pat::Ident(i) => i.ident == "None",
        _ => false,
    }
}

/// Whether the arms ask for what an option holds once if it is there, and never otherwise.
fn once<T>(arms: &[ArmOf<T>]) -> bool {
    let some = |p: &syn::Pat| matches!(p, syn::Pat::TupleStruct(t) if t.path.is_ident("Some") || t.path.is_ident("Ok"));
    match arms {
        [(a, None, _), (b, None, _)] => some(a) && !some(b) || some(b) && is_option(a) && !some(a),
        _ => false,
    }
}

/// Whether a pattern binds a place itself: `ref mut v`.
fn binds_exclusively(pattern: &syn::Pat) -> bool {
    struct Exclusive(bool);
    impl<'a> Visit<'a> for Exclusive {
        fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
            self.0 |= p.by_ref.is_some() && p.mutability.is_some();
            syn::visit::visit_pat_ident(self, p);
        }
    }
    let mut exclusive = Exclusive(false);
    exclusive.visit_pat(pattern);
    exclusive.0
}
