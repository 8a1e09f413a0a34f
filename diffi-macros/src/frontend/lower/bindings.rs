//! `let`: names for values.

use crate::frontend::containers::deques::is_queue;
use crate::frontend::iterators::totals::with_its_type;
use crate::frontend::leaks::opens;
use crate::frontend::lower::arithmetic::kept_sequence;
use crate::frontend::lower::patterns::Mode;
use crate::frontend::lower::structs;
use crate::frontend::option_result::fallible::with_error_of;
use crate::frontend::projections::passing::is_made_of_own;
use crate::frontend::state::context::{Lower, New, Origin};
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Failure, Maybe, Passive, Value};
use crate::frontend::syntax::{bases, effects, literals, types};
use crate::ir::affine;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// `let pattern: type = value else { .. };`
    pub fn local(&mut self, local: &syn::Local) -> Value {
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            p => (p, None),
        };
        let Some(init) = &local.init else {
            self.deferred(pattern, ty);
            return Value::Unit;
        };
        if let Some((_, els)) = &init.diverge {
            return self.let_else(pattern, &init.expr, els);
        }
        if matches!(pattern, syn::Pat::Wild(_)) && effects::of_expr(&self.scope, &init.expr).speaks {
            return self.stmt(&syn::Stmt::Expr((*init.expr).clone(), Some(Default::default())));
        }
        let parts = self.write_backs.len();
        let value = self.kept_local(local);
        self.refuse_kept_parts(parts, init.expr.span());
        value
    }

    /// The same, where what the pattern names may be a part that is written back later.
    pub fn kept_local(&mut self, local: &syn::Local) -> Value {
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            p => (p, None),
        };
        let Some(init) = &local.init else { return Value::Unit };
        let lent = self.lent_value(pattern, &init.expr);
        let init = lent.as_ref().map_or(&init.expr, |lent| lent);
        let mark = self.vars.len();
        if self.refuses_other_float(ty, init) {
            return Value::Unit;
        }
        let Some(ty) = self.without_object(ty, init) else { return Value::Unit };
        let moved = self.moved_guard(pattern, init);
        let (given, value) = match moved {
            Some((var, value)) => (Some(var), value),
            None => (None, self.initial(pattern, ty, init)),
        };
        let value = match value {
            Value::Closure(closure) if matches!(strip_parens(init), syn::Expr::Path(_)) => {
                Value::Closure(self.copied_closure(&closure))
            }
            value => value,
        };
        if matches!(value, Value::Never) {
            return Value::Never;
        }
        self.bind_pattern(pattern, value, Mode::Let { mark, ty });
        self.annotate(pattern, init);
        self.note_iterator(pattern, init);
        self.note_maker(pattern, init);
        self.note_guard(pattern, init);
        if let Some(var) = given {
            self.given_away(var);
        }
        Value::Unit
    }

    /// Refuses `let wide: f64 = x.into();` of an active value in a function of another float type.
    fn refuses_other_float(&mut self, ty: Option<&syn::Type>, init: &syn::Expr) -> bool {
        let fixed = |ty: &&syn::Type| bases::is_of_fixed_float(ty, &self.base);
        let other = ty.and_then(|ty| {
            bases::other_float(ty, &self.base).or_else(|| Some(ty).filter(fixed).and_then(bases::first_float))
        });
        let Some(other) = other.filter(|_| self.act(init).any()) else { return false };
        self.errors.float_cast(init.span(), &other.to_string());
        true
    }

    /// `&mut array` of `&mut [0.0; 3]`, where that value gets a name of its own.
    fn lent_value(&mut self, pattern: &syn::Pat, init: &syn::Expr) -> Option<Box<syn::Expr>> {
        let syn::Expr::Reference(r) = strip_parens(init) else { return None };
        if r.mutability.is_none() || !is_new(strip_parens(&r.expr)) || !matches!(pattern, syn::Pat::Ident(_)) {
            return None;
        }
        let (name, value) = (Ident::new("__lent", r.expr.span()), &r.expr);
        let syn::Stmt::Local(local) = syn::parse_quote!(let mut #name = #value;) else { return None };
        self.local(&local);
        Some(syn::parse_quote!(&mut #name))
    }

    /// A name for a value of a type that its maker names, `Mean::new()`: methods of it are that type's.
    fn note_maker(&mut self, pattern: &syn::Pat, init: &syn::Expr) {
        let origin = match init {
            _ if structs::is_made_by_its_type(init) => Origin::Maker,
            _ if structs::lists_made(init) => Origin::Makers,
            _ => return,
        };
        if let syn::Pat::Ident(name) = pattern
            && let Some(var) = self.scope.get(&name.ident).and_then(root_of)
            && matches!(self.fact(var).origin, Origin::Unknown)
        {
            self.fact_mut(var).origin = origin;
        }
    }

    /// A name for an iterator over what carries no derivative.
    fn note_iterator(&mut self, pattern: &syn::Pat, init: &syn::Expr) {
        if let syn::Pat::Ident(name) = pattern
            && let Some(Value::Passive(Passive { root: Some(var), .. })) = self.scope.get(&name.ident)
            && let (var, true) = (*var, self.is_chain(init))
        {
            self.fact_mut(var).iterator = true;
        }
    }

    /// The right-hand side of a `let`.
    fn initial(&mut self, pattern: &syn::Pat, ty: Option<&syn::Type>, init: &syn::Expr) -> Value {
        if let (syn::Pat::Slice(s), syn::Expr::Array(a)) = (pattern, strip_parens(init))
            && s.elems.len() == a.elems.len()
        {
            return Value::Tuple(a.elems.iter().map(|e| self.expr(e)).collect());
        }
        let expected = ty.map(|ty| types::describe_variable(ty, &self.base));
        let is_own = |ty: &&syn::Type| matches!(ty, syn::Type::Path(p) if p.path.get_ident().is_some_and(|name| is_made_of_own(&name.to_string())));
        let converts = |ty: &&syn::Type| expected == Some(Ty::Unknown) || is_own(ty);
        if let Some(call) = ty.filter(converts).and_then(|ty| conversion(ty, init)) {
            return self.expr(&call);
        }
        let total = ty.filter(|_| expected == Some(Ty::Unknown)).and_then(|ty| with_its_type(init, ty));
        let init = total.as_ref().unwrap_or(init);
        let active = self.is_assumed(pattern);
        if active && self.is_chain(init) {
            return self.chain(init).map_or(Value::Poison, |chain| Value::Chain(Rc::new(chain)));
        }
        if let (syn::Pat::Tuple(p), syn::Expr::Tuple(t)) = (pattern, strip_parens(init))
            && p.elems.len() == t.elems.len()
        {
            let mut parts = p.elems.iter();
            return self.expecting(expected, |l| {
                l.members(t, &mut |l, e| {
                    let active = parts.next().is_some_and(|part| l.is_assumed(part)) && !l.is_chain(e);
                    if active { l.active_value(e) } else { l.expr(e) }
                })
            });
        }
        self.expecting(expected, |l| if active { l.active_value(init) } else { l.expr(init) })
    }

    /// Whether a name stands for what carries derivatives.
    fn is_assumed(&self, pattern: &syn::Pat) -> bool {
        matches!(pattern, syn::Pat::Ident(i) if self.assumed.contains(&Site::of(&i.ident)))
    }

    /// `let x;`
    fn deferred(&mut self, pattern: &syn::Pat, ty: Option<&syn::Type>) {
        if let syn::Pat::Tuple(t) = pattern {
            let member = |at| ty.and_then(|ty| types::written_member(ty, at));
            return t.elems.iter().enumerate().for_each(|(at, part)| self.deferred(part, member(at)));
        }
        let syn::Pat::Ident(name) = pattern else { return self.errors.pattern(pattern.span()) };
        let site = Site::of(&name.ident);
        let active = self.assumed.contains(&site);
        let known = ty.map_or(Ty::Unknown, |t| types::describe_variable(t, &self.base));
        let hint = name.ident.to_string();
        let ty_of_var = if active { known } else { Ty::Passive };
        let changes = name.mutability.is_some();
        let new = New { hint: &hint, span: name.ident.span(), ty: ty_of_var, changes, site: Some(site) };
        let var = self.new_var(new);
        self.info_mut(var).written = ty.map(|t| quote!(#t));
        self.emit(Stmt::Declare { var });
        let value = self.value_of(var);
        self.scope.bind(&name.ident, value);
    }

    /// Gives a value a name of the user's.
    pub fn declare(&mut self, name: &syn::PatIdent, value: Value, mark: usize, ty: Option<&syn::Type>) -> Value {
        let mutable = name.mutability.is_some();
        let site = Site::of(&name.ident);
        let value = with_error_of(value, ty);
        self.note_error(&value, ty);
        self.note_struct(&value, ty);
        match value {
            Value::Active(_) if is_queue(ty) => self.queue_from(value, name.ident.span()).unwrap_or(Value::Poison),
            Value::Passive(p) if is_queue(ty) && self.assumed.contains(&site) => self.queue_of_constants(p.passive),
            Value::Active(a) if mutable && self.is_moving(&a, &name.ident) => self.moving(a, &name.ident),
            Value::Active(a) if a.refs.depth > 0 => self.settled(Value::Active(a)),
            Value::Active(a) => {
                let ty = ty.filter(|ty| !types::is_boxed_slice(ty));
                self.declare_active(&name.ident, mutable, a.place, mark, ty)
            }
            function @ (Value::Passive(_) | Value::Closure(_)) if self.as_function(&function).is_some() => {
                self.as_function(&function).map_or(Value::Poison, |f| self.of_function_type(f, ty))
            }
            Value::Passive(p)
                if structs::is_none(&p.passive)
                    && self.holds_active(&site, ty)
                    && self.is_lent_whole(&name.ident, ty) =>
            {
                self.declare_whole_option(name, &Maybe::none(), mark, ty)
            }
            Value::Passive(p) if structs::is_none(&p.passive) && self.holds_active(&site, ty) => {
                self.option_cells(&name.ident, ty.and_then(types::carried), Maybe::none())
            }
            Value::Passive(p) if mutable && self.holds_active(&site, ty) && gives_option(&p.passive) => {
                match self.as_carrier(Value::Passive(p), name.ident.span()) {
                    Some(start) if start.failure.is_none() && self.is_lent_whole(&name.ident, ty) => {
                        self.declare_whole_option(name, &start, mark, ty)
                    }
                    Some(start) => self.option_cells(&name.ident, ty.and_then(types::carried), start),
                    None => Value::Poison,
                }
            }
            Value::Passive(p) => {
                let value = self.declare_passive(&name.ident, mutable, p, mark, ty, site);
                self.value_of_or(value)
            }
            Value::Tuple(all) => {
                let member = |i: usize| Ident::new(&format!("{}_{i}", name.ident), name.ident.span());
                let members = all.into_iter().enumerate().map(|(i, v)| {
                    let part = syn::PatIdent { ident: member(i), ..name.clone() };
                    self.declare(&part, v, mark, None)
                });
                Value::Tuple(members.collect())
            }
            Value::Unit => Value::passive(PassiveCode::literal(quote!(()))),
            Value::Maybe(m) if m.lent.is_some() && mutable => {
                self.errors.exclusive_kept(name.ident.span());
                Value::Poison
            }
            Value::Maybe(m) if m.lent.is_some() => Value::Maybe(m),
            Value::Maybe(m) if mutable && m.failure.is_none() && self.is_lent_whole(&name.ident, ty) => {
                self.declare_whole_option(name, &m, mark, ty)
            }
            Value::Maybe(m) if mutable => {
                let inner = ty.and_then(types::carried);
                self.option_cells(&name.ident, inner, m)
            }
            Value::Chain(chain) if mutable => self.run_in_parts(chain, &name.ident),
            Value::Maybe(m) => self.option_by_name(m, &name.ident),
            other => other,
        }
    }

    /// An option as a variable that holds it as a whole.
    fn declare_whole_option(
        &mut self,
        name: &syn::PatIdent,
        option: &Maybe,
        mark: usize,
        ty: Option<&syn::Type>,
    ) -> Value {
        let place = self.whole_option_variable(option, name.ident.span());
        let value = self.declare_active(&name.ident, true, place, mark, ty);
        if let Value::Active(a) = &value {
            self.fact_mut(a.place.root).option = true;
        }
        value
    }

    /// The type of a result's error where it is written: nothing else may tell what a literal in it is.
    fn note_error(&mut self, value: &Value, ty: Option<&syn::Type>) {
        if let (Value::Maybe(Maybe { failure: Some(Failure::Cell(cell)), .. }), Some(error)) =
            (value, ty.and_then(types::error_of))
        {
            self.info_mut(*cell).written = Some(quote!(__d::Failure<#error>));
        }
    }

    /// Whether an option that starts as `None` is of active values.
    fn holds_active(&self, site: &Site, ty: Option<&syn::Type>) -> bool {
        let written = ty.and_then(types::option_of).map(|t| types::describe_variable(t, &self.base));
        self.assumed.contains(site) || written.is_some_and(|t| !types::is_passive(&t))
    }

    fn value_of_or(&self, value: Result<Var, Value>) -> Value {
        value.map_or_else(|v| v, |var| self.value_of(var))
    }

    fn declare_active(
        &mut self,
        name: &Ident,
        mutable: bool,
        place: Place,
        mark: usize,
        ty: Option<&syn::Type>,
    ) -> Value {
        let place = self.copy_of_a_part(place);
        let fresh = place.path.is_empty() && place.root.0 as usize >= mark && !self.jumps.claimed.contains(&place.root);
        let known = ty.map(|t| types::describe_variable(t, &self.base));
        if known == Some(Ty::Float) {
            self.show_number(&place);
        }
        let kind = types::join(known.clone().unwrap_or(Ty::Unknown), self.ty_of(&place));
        if fresh {
            let var = place.root;
            self.jumps.claimed.insert(var);
            self.fact_mut(var).changes = mutable;
            self.info_mut(var).changes = mutable;
            self.fact_mut(var).site = Some(Site::of(name));
            let info = self.info_mut(var);
            info.hint = name.to_string().trim_start_matches("r#").to_string();
            info.span = name.span();
            info.named = true;
            info.ty = kind;
            info.written = types::written(ty);
            return self.value_of(var);
        }
        let steady = !self.fact(place.root).changes;
        let unknown = kind == Ty::Unknown && place.path.iter().any(|p| matches!(p, Proj::Field(_) | Proj::Payload(..)));
        if let (true, Some(copy)) = (unknown, self.passive_copy(name, mutable, &place, ty)) {
            return copy;
        }
        let aggregate = place.path.is_empty() || unknown || kind != Ty::Float && kind != Ty::Unknown;
        if steady && !mutable && aggregate {
            return self.settled(Value::place(place));
        }
        let moved = matches!(kind, Ty::Vec(_)) && place.path.is_empty() && steady;
        if moved {
            self.fact_mut(place.root).changes = mutable;
            return Value::place(place);
        }
        let hint = name.to_string();
        let new = New { hint: &hint, span: name.span(), ty: kind, changes: mutable, site: Some(Site::of(name)) };
        let var = self.new_var(new);
        self.info_mut(var).written = types::written(ty);
        self.fact_mut(var).part = unknown;
        if self.is_box(&place) {
            self.fact_mut(var).origin = Origin::Boxed;
        }
        self.emit(Stmt::Let { var, expr: Expr::Operand(Operand::Place(place)) });
        self.value_of(var)
    }

    /// A part of a list that is an array, `pairs[k]` of `as_chunks::<2>()`, by value: a copy, unless nothing changes.
    fn copy_of_a_part(&mut self, place: Place) -> Place {
        let part = matches!(place.path.last(), Some(Proj::Range(..))) && self.fact(place.root).changes;
        if !part {
            return place;
        }
        match self.vec_of(place.clone(), Span::call_site()) {
            Value::Active(copy) => copy.place,
            _ => place,
        }
    }

    /// A copy of a part that turned out to carry no derivative.
    fn passive_copy(&mut self, name: &Ident, mutable: bool, place: &Place, ty: Option<&syn::Type>) -> Option<Value> {
        let hint = name.to_string();
        let new = New { hint: &hint, span: name.span(), ty: Ty::Passive, changes: mutable, site: Some(Site::of(name)) };
        if !self.is_passive_name(&hint, name.span()) {
            return None;
        }
        let shown = self.show_place(place, Default::default()).map(|t| quote!(__d::integer(#t)));
        let var = self.new_var(new);
        self.fact_mut(var).part = true;
        self.info_mut(var).written = types::written(ty);
        self.emit(Stmt::Let { var, expr: Expr::Passive(shown) });
        Some(self.value_of(var))
    }

    #[expect(clippy::result_large_err, reason = "the other case is no error")]
    fn declare_passive(
        &mut self,
        name: &Ident,
        mutable: bool,
        p: Passive,
        mark: usize,
        ty: Option<&syn::Type>,
        site: Site,
    ) -> Result<Var, Value> {
        let integer = || literals::is_integer(&p.passive).then_some(Ty::Passive);
        let known = ty.map(|t| types::describe_variable(t, &self.base)).or_else(integer);
        let active = self.assumed.contains(&site) && !known.as_ref().is_some_and(types::is_passive);
        if active && syn::parse2(p.passive.tokens.clone()).is_ok_and(|e: syn::Expr| opens(&e)) {
            self.errors.stored(name.span(), &name.to_string());
        }
        // while the reference lives, its place does not change; only what finds the place might
        let found_again = p.passive.reads.iter().all(|v| Some(*v) == p.root || !self.fact(*v).changes);
        if p.refs.depth > 0 && found_again && !mutable {
            return Err(Value::Passive(p));
        }
        let evident = || if p.ty == Ty::Passive { literals::sequence(&p.passive, &self.base) } else { None };
        let known = known.or_else(evident).unwrap_or(p.ty.clone());
        let fresh = p.passive.reads.len() == 1
            && p.root.is_some_and(|r| r.0 as usize >= mark && !self.jumps.claimed.contains(&r))
            && syn::parse2::<Ident>(p.passive.tokens.clone()).is_ok();
        let hint = name.to_string();
        if let (true, false, Some(var)) = (fresh, active, p.root) {
            self.jumps.claimed.insert(var);
            self.fact_mut(var).changes = mutable;
            self.info_mut(var).changes = mutable;
            self.fact_mut(var).site = Some(site);
            self.fact_mut(var).shape = known;
            self.info_mut(var).hint = hint.trim_start_matches("r#").to_string();
            if let Some(ty) = ty {
                self.info_mut(var).written = Some(quote!(#ty));
            }
            return Ok(var);
        }
        let made = p.root.is_some_and(|root| self.fact(root).is_constructed()) || may_be_struct(&p.passive);
        let unknown = known == Ty::Unknown || known == Ty::Passive && made;
        let scalar = !unknown && matches!(known, Ty::Passive | Ty::Float);
        let struct_given = if active && unknown { self.struct_given(p.passive.tokens.clone()) } else { None };
        let kind = match (active, scalar) {
            (true, _) if unknown => struct_given.unwrap_or(Ty::Unknown),
            (false, _) => Ty::Passive,
            (true, true) => Ty::Float,
            (true, false) => floats(&known),
        };
        let lends = p.passive.reads.iter().find_map(|v| self.fact(*v).lends);
        let given = p.refs.depth == 0 && ty.is_none() && p.root.is_some_and(|root| self.fact(root).given);
        let item = !mutable && crate::ir::purity::is_item(&p.passive.tokens);
        let begins_as_scalar = self.is_scalar_by_name(&p);
        let (moves, begins) = (self.is_moving_with(&p.passive), mutable.then(|| p.clone()));
        let owned = p.refs.depth == 0;
        let value = self.show(&Value::Passive(p), name.span());
        let value = if owned { kept_sequence(value, &known) } else { value };
        let new = New { hint: &hint, span: name.span(), ty: kind, changes: mutable, site: Some(site) };
        let var = self.new_var(new);
        self.fact_mut(var).counter = affine::is_no_float(&value);
        self.fact_mut(var).scalar = begins_as_scalar;
        self.fact_mut(var).length = self.is_count(&value);
        self.fact_mut(var).counters = affine::is_list_of_integers(&value);
        self.fact_mut(var).lends = lends;
        self.fact_mut(var).given = given;
        self.fact_mut(var).item = item;
        self.fact_mut(var).moves = moves;
        begins.iter().for_each(|p| self.note_moving(var, p));
        self.info_mut(var).written = ty.map(|t| quote!(#t));
        if !active {
            self.fact_mut(var).shape = known;
        }
        let expr = match active && scalar {
            true => Expr::Operand(Operand::Passive(value)),
            false => Expr::Passive(value),
        };
        self.emit(Stmt::Let { var, expr });
        Ok(var)
    }
}

/// The variable that a value is.
fn root_of(value: &Value) -> Option<Var> {
    match value {
        Value::Active(a) if a.place.path.is_empty() => Some(a.place.root),
        Value::Passive(p) => p.root,
        _ => None,
    }
}

/// Whether a passive expression plainly gives an `Option`: `Some(x)`, `if c { None } else { Some(x) }`.
fn gives_option(o: &PassiveCode) -> bool {
    syn::parse2::<syn::Expr>(o.tokens.clone()).is_ok_and(|e| is_option(&e))
}

fn is_option(expr: &syn::Expr) -> bool {
    let block = |b: &syn::Block| matches!(b.stmts.last(), Some(syn::Stmt::Expr(e, None)) if is_option(e));
    match strip_parens(expr) {
        syn::Expr::Path(p) => p.path.is_ident("None"),
        syn::Expr::Call(c) => matches!(&*c.func, syn::Expr::Path(p) if p.path.is_ident("Some")),
        syn::Expr::Block(b) => block(&b.block),
        syn::Expr::If(i) => block(&i.then_branch) || i.else_branch.as_ref().is_some_and(|(_, e)| is_option(e)),
        syn::Expr::Match(m) => m.arms.iter().any(|arm| is_option(&arm.body)),
        _ => false,
    }
}

/// Whether a passive expression may be of any type: a constant of a type, or what a function gives.
fn may_be_struct(o: &PassiveCode) -> bool {
    syn::parse2::<syn::Expr>(o.tokens.clone()).is_ok_and(|e| is_of_a_type(&e))
}

fn is_of_a_type(expr: &syn::Expr) -> bool {
    let of_type = |path: &syn::Path| {
        let owner = path.segments.iter().rev().nth(1).map(|s| s.ident.to_string());
        let name = owner.or_else(|| path.get_ident().map(ToString::to_string));
        name.is_some_and(|name| name.starts_with(char::is_uppercase))
    };
    let last = |b: &syn::Block| matches!(b.stmts.last(), Some(syn::Stmt::Expr(e, None)) if is_of_a_type(e));
    match strip_parens(expr) {
        syn::Expr::Path(p) => of_type(&p.path),
        syn::Expr::Call(c) => matches!(&*c.func, syn::Expr::Path(p) if of_type(&p.path)),
        syn::Expr::Struct(_) => true,
        syn::Expr::MethodCall(m) => hands_on(&m.method) && is_of_a_type(&m.receiver),
        syn::Expr::Try(t) => is_of_a_type(&t.expr),
        syn::Expr::Block(b) => last(&b.block),
        syn::Expr::If(i) => last(&i.then_branch) || i.else_branch.as_ref().is_some_and(|(_, e)| is_of_a_type(e)),
        syn::Expr::Match(m) => m.arms.iter().any(|arm| is_of_a_type(&arm.body)),
        _ => false,
    }
}

/// Whether a method gives what it is called on, or what that holds: `Filter::new(3).unwrap()`.
fn hands_on(method: &Ident) -> bool {
    const NAMES: &[&str] = &["unwrap", "expect", "unwrap_or_else", "unwrap_or_default", "ok", "clone", "to_owned"];
    NAMES.iter().any(|name| method == name)
}

/// The same structure, with floats at the leaves that are not known.
pub fn floats(ty: &Ty) -> Ty {
    match ty {
        Ty::Vec(t) => Ty::Vec(Box::new(floats(t))),
        Ty::Array(t) => Ty::Array(Box::new(floats(t))),
        Ty::Slice(t) => Ty::Slice(Box::new(floats(t))),
        Ty::Tuple(_) | Ty::Struct(_) | Ty::Unknown | Ty::Library => ty.clone(),
        Ty::Float | Ty::Passive => Ty::Float,
    }
}

/// `T::from(e)` of `let x: T = e.into()`.
fn conversion(ty: &syn::Type, init: &syn::Expr) -> Option<syn::Expr> {
    let (syn::Type::Path(ty), syn::Expr::MethodCall(m)) = (ty, strip_parens(init)) else { return None };
    let receiver = &m.receiver;
    let plain = ty.path.segments.iter().all(|s| s.arguments.is_none());
    (m.method == "into" && m.args.is_empty() && plain)
        .then(|| syn::parse_quote_spanned!(m.span()=> #ty::from(#receiver)))
}

/// Whether an expression makes a value, and is no place.
fn is_new(e: &syn::Expr) -> bool {
    use syn::Expr::{Array, Call, Lit, Macro, Repeat, Struct};
    matches!(e, Array(_) | Repeat(_) | Macro(_) | Lit(_) | Struct(_) | Call(_))
}
