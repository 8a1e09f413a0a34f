//! `Option` methods: an option is a passive flag and a content.

use crate::frontend::lower::std_methods::Called;
use crate::frontend::option_result::fallible;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::option_shapes::Held;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Failure, Maybe, Passive, Refs, Value, as_maybe};
use crate::frontend::syntax::{effects, types};
use crate::ir::affine::gathered;
use crate::ir::visit::{Access, touched};
use crate::ir::*;
use proc_macro2::{Ident, Span};
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// A method of an option.
    pub fn maybe_method(&mut self, maybe: Maybe, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        if fallible::tells_context(m) {
            return self.with_context(maybe, m);
        }
        self.only_method_of_options(&Called::of(m));
        match (m.method.to_string().as_str(), m.args.len()) {
            ("unwrap", 0) | ("expect", 1) => self.unwrap(&maybe),
            ("unwrap_or" | "unwrap_or_else", 1) | ("unwrap_or_default", 0) | ("map_or" | "map_or_else", 2) => {
                self.content_or(maybe, m)
            }
            ("map", 1) => {
                let failure = maybe.failure.clone();
                let changes = self.changes_in_closure(&m.args[0]);
                let mapped = self.mapped(maybe, &m.args[0]);
                let mapped = if changes { self.mapped_now(mapped, span) } else { mapped };
                Value::Maybe(mapped.or_fails(failure))
            }
            ("copied", 0) => {
                let content = maybe.content;
                let content = move |l: &mut Lower| content(l).dereferenced();
                Value::Maybe(Maybe::new(maybe.present, content).or_fails(maybe.failure))
            }
            ("cloned", 0) => {
                let content = maybe.content;
                let content = move |l: &mut Lower| {
                    let content = content(l).dereferenced();
                    l.owned_part(content, span)
                };
                Value::Maybe(Maybe::new(maybe.present, content).or_fails(maybe.failure))
            }
            ("take", 0) | ("replace", 1) if maybe.cells.is_some() => {
                let new = m.args.first().map_or_else(Maybe::none, |value| Maybe::some(self.expr(value)));
                let now = self.option_now(maybe.clone(), span);
                self.store(Value::Maybe(maybe), Value::Maybe(new), span);
                now
            }
            ("as_mut", 0) => {
                let content = maybe.content;
                Value::Maybe(Maybe::new(maybe.present, move |l| content(l).borrowed(true)).or_fails(maybe.failure))
            }
            ("as_ref", 0) => Value::Maybe(maybe),
            ("clone", 0) => self.owned_option(maybe, span),
            ("or", 1) => {
                let other = self.expr(&m.args[0]);
                self.or(maybe, other)
            }
            ("zip", 1) => {
                let other = self.expr(&m.args[0]);
                match self.as_carrier(other, span) {
                    Some(other) => Value::Maybe(both(maybe, other)),
                    None => self.refuse(span, "this `zip`", "use `match`"),
                }
            }
            ("is_some_and" | "is_ok_and", 1) => {
                let holds = self.mapped(maybe, &m.args[0]);
                self.either(holds, &mut |_| Value::passive(PassiveCode { span, ..PassiveCode::literal(quote!(false)) }))
            }
            ("and_then", 1) => self.and_then(maybe, &m.args[0]),
            ("filter", 1) => self.kept(maybe, &m.args[0]),
            ("ok_or" | "ok_or_else" | "ok" | "map_err", _) => self.with_failure(maybe, m),
            ("is_some" | "is_ok", 0) => Value::passive(maybe.present),
            ("is_none" | "is_err", 0) => Value::passive(maybe.present.map(|p| quote!(!(#p)))),
            _ => self.rarer_option_method(maybe, m),
        }
    }

    /// The content, or what stands in its place: `unwrap_or` and its kind.
    fn content_or(&mut self, maybe: Maybe, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let Some(other) = m.args.first() else {
            let before = self.snapshot_state();
            let (_, content) = self.inside(|l| (maybe.content)(l));
            let is_number = matches!(self.value_ty(&content), Ty::Float | Ty::Passive);
            let root = match &content {
                Value::Active(a) if a.place.path.is_empty() => self.info(a.place.root).written.clone(),
                _ => None,
            };
            let ty = self.type_made(&content).or(root).unwrap_or_else(|| quote!(_));
            self.restore_state(before);
            let zero = PassiveCode { span, ..PassiveCode::literal(quote!(0.0)) };
            return self.either(maybe, &mut |l| match is_number {
                true => Value::passive(zero.clone()),
                false => {
                    let default = PassiveCode::literal(quote!(<#ty as ::core::default::Default>::default()));
                    l.made(Value::passive(PassiveCode { span, ..default }), true)
                }
            });
        };
        if m.method.to_string().ends_with("else") {
            let other = self.callee(other);
            let content = self.mapped_by(maybe.clone(), m.args.get(1));
            return self.either(content, &mut |l| l.apply_to_error(&other, &maybe));
        }
        let other = self.expr(other);
        let content = self.mapped_by(maybe, m.args.get(1));
        self.either(content, &mut |_| other.clone())
    }

    fn mapped_by(&mut self, maybe: Maybe, f: Option<&syn::Expr>) -> Maybe {
        match f {
            Some(f) => self.mapped(maybe, f),
            None => maybe,
        }
    }

    /// What it holds; the function panics where it holds nothing.
    fn unwrap(&mut self, maybe: &Maybe) -> Value {
        if maybe.known().is_none() && !maybe.present.tokens.is_empty() {
            let p = &maybe.present.tokens;
            let tokens = quote!(::core::assert!(#p, "called `Option::unwrap()` on a `None` value"););
            self.emit(Stmt::Effect {
                tokens: PassiveCode { tokens, ..maybe.present.clone() },
                writes: Default::default(),
            });
        }
        (maybe.content)(self)
    }

    pub fn mapped(&mut self, maybe: Maybe, function: &syn::Expr) -> Maybe {
        let function = self.callee(function);
        let content = maybe.content;
        let content = move |l: &mut Lower| {
            let value = content(l);
            l.apply(&function, vec![value])
        };
        Maybe::new(maybe.present, content)
    }

    /// Whether a function that is applied to the content changes something, or the content itself.
    pub fn changes_in_closure(&self, function: &syn::Expr) -> bool {
        !effects::of_expr(&self.scope, function).is_pure() || effects::assigns_in_closures(function)
    }

    /// An option whose content is made once, where this stands, because that changes something.
    pub fn mapped_now(&mut self, maybe: Maybe, span: Span) -> Maybe {
        let (_, value) = self.inside(|l| (maybe.content)(l));
        let ty = match value {
            Value::Unit | Value::Never | Value::Poison => Ty::Tuple(Vec::new()),
            value => self.value_ty(&value),
        };
        if ty == Ty::Tuple(Vec::new()) {
            let present = self.hold("is_some", maybe.present.clone());
            let (then, _) = self.inside(|l| (maybe.content)(l));
            self.emit(Stmt::If { cond: present.clone(), then, els: Block::default() });
            return Maybe::new(present, |_| Value::Unit);
        }
        if !is_kept(&ty) {
            let instead = "use `match` or `if let`, and make the value there";
            self.errors.changing_closure(span, "a closure that changes something, given to an `Option`", instead);
            return Maybe::none();
        }
        self.happened(maybe, &ty, span)
    }

    /// Its content, or another value.
    pub fn either(&mut self, maybe: Maybe, other: &mut dyn FnMut(&mut Lower) -> Value) -> Value {
        match maybe.known() {
            Some(true) => return (maybe.content)(self),
            Some(false) => return other(self),
            None => {}
        }
        let cond = self.atom("c", maybe.present.clone());
        let before = self.jumps.pending_before();
        let (then, a) = self.inside(|l| (maybe.content)(l));
        let (els, b) = self.inside(|l| other(l));
        self.join_if(cond, before, (then, a), (els, b))
    }

    fn or(&mut self, maybe: Maybe, other: Value) -> Value {
        let Some(other) = as_maybe(&other) else { return Value::Poison };
        let (a, b) = (&maybe.present.tokens, &other.present.tokens);
        let present = gathered(quote!((#a) || (#b)), [&maybe.present, &other.present].into_iter(), maybe.present.span);
        let failure = other.failure.clone();
        let content = move |l: &mut Lower| {
            let other = other.clone();
            l.either(maybe.clone(), &mut |l| (other.content)(l))
        };
        Value::Maybe(Maybe::new(present, content).or_fails(failure))
    }

    fn and_then(&mut self, maybe: Maybe, function: &syn::Expr) -> Value {
        let failure = maybe.failure.clone();
        let changes = self.changes_in_closure(function);
        let mapped = self.mapped(maybe, function);
        if !changes && self.leads_to_a_part(&mapped) {
            return Value::Maybe(self.part_there(mapped).or_fails(failure));
        }
        let none = Value::Maybe(Maybe::none().or_fails(failure));
        self.either(mapped, &mut |_| none.clone())
    }

    /// Whether an option holds an option of a reference to several elements, of which there is no copy.
    fn leads_to_a_part(&mut self, outer: &Maybe) -> bool {
        let (_, inner) = self.inside(|l| match (outer.content)(l) {
            Value::Maybe(inner) if inner.known() != Some(false) => (inner.content)(l),
            _ => Value::Unit,
        });
        inner.refs().depth > 0 && types::is_sequence(&self.value_ty(&inner))
    }

    /// What an option holds that an option holds: the place is found again where it is asked for.
    fn part_there(&mut self, outer: Maybe) -> Maybe {
        let content = outer.content.clone();
        let asked = Maybe::new(outer.present.clone(), move |l| match content(l) {
            Value::Maybe(inner) => Value::passive(inner.present),
            other => other,
        });
        let missing = Value::passive(PassiveCode::literal(quote!(false)));
        let present = self.either(asked, &mut |_| missing.clone());
        let present = self.show(&present, outer.present.span);
        let present = self.hold("is_some", present);
        let content = outer.content;
        Maybe::new(present, move |l| match content(l) {
            Value::Maybe(inner) => (inner.content)(l),
            other => other,
        })
    }

    fn kept(&mut self, maybe: Maybe, predicate: &syn::Expr) -> Value {
        let function = self.callee(predicate);
        let none = Value::Maybe(Maybe::none());
        let content = maybe.content;
        let tested = Maybe::new(maybe.present, move |l: &mut Lower| {
            let value = content(l);
            let holds = l.apply(&function, vec![value.clone().borrowed(false)]);
            let present = l.show(&holds, proc_macro2::Span::call_site());
            let present = l.atom("c", present);
            Value::Maybe(Maybe::new(present, move |_| value.clone()))
        });
        self.either(tested, &mut |_| none.clone())
    }

    /// `cond.then(|| value)`, `cond.then_some(value)`.
    pub fn then(&mut self, present: PassiveCode, m: &syn::ExprMethodCall) -> Value {
        let present = self.atom("c", present);
        let content: Rc<dyn Fn(&mut Lower) -> Value> = if m.method == "then" {
            let function = self.callee(&m.args[0]);
            Rc::new(move |l: &mut Lower| l.apply(&function, Vec::new()))
        } else {
            let value = self.expr(&m.args[0]);
            Rc::new(move |_: &mut Lower| value.clone())
        };
        let maybe = Maybe { present, content, cells: None, failure: None, lent: None, name: None };
        let changes = m.method == "then" && self.changes_in_closure(&m.args[0]);
        Value::Maybe(if changes { self.mapped_now(maybe, m.span()) } else { maybe })
    }
}

/// `a.zip(b)`.
fn both(a: Maybe, b: Maybe) -> Maybe {
    let (p, q) = (&a.present.tokens, &b.present.tokens);
    let present = gathered(quote!((#p) && (#q)), [&a.present, &b.present].into_iter(), a.present.span);
    Maybe::new(present, move |l| {
        let first = (a.content)(l);
        Value::Tuple(vec![first, (b.content)(l)])
    })
}

impl Lower {
    /// A mutable option: a flag and a content, each a variable of its own.
    pub fn option_cells(&mut self, name: &Ident, inner: Option<&syn::Type>, start: Maybe) -> Value {
        let site = Site::of(name);
        let held = match inner {
            Some(written) => Held { ty: types::describe(written, &self.base), written: None },
            None => {
                let given = if start.known() == Some(false) { None } else { self.held(&start) };
                let known = self.option_shapes.of(&site).cloned();
                known.into_iter().chain(given).reduce(Held::join).unwrap_or(Held { ty: Ty::Float, written: None })
            }
        };
        let made = held.written.and_then(|name| syn::parse_str::<syn::Type>(&name).ok());
        let content = self.option_content(name, &held.ty, inner.or(made.as_ref()));
        let seen = inner.map(|written| self.seen_through(&content, written));
        let mut maybe = self.cells(&name.to_string(), &start, content, name.span());
        if let Some(seen) = seen {
            maybe.content = Rc::new(move |_| seen.clone());
        }
        if let (None, Some(presence)) = (inner, presence(&maybe)) {
            self.option_shapes.declare(presence, site);
        }
        Value::Maybe(maybe)
    }

    /// What an option's variables hold, as its type has it: a copy stands in for what a shared reference leads to, and is read through one.
    fn seen_through(&self, content: &Value, written: &syn::Type) -> Value {
        match (content, types::reference_to_named(written)) {
            (Value::Tuple(all), _) => {
                let member = |(k, value): (usize, &Value)| match types::written_member(written, k) {
                    Some(written) => self.seen_through(value, written),
                    None => value.clone(),
                };
                Value::Tuple(all.iter().enumerate().map(member).collect())
            }
            (Value::Active(a), Some(_)) if self.is_open_type(&a.place) => content.clone().borrowed(false),
            _ => content.clone(),
        }
    }

    /// Whether a place is of a type that only rustc knows.
    fn is_open_type(&self, place: &Place) -> bool {
        matches!(self.ty_of(place), Ty::Unknown | Ty::Struct(_))
    }

    /// What an option holds, if it is a tuple, a list or a struct.
    fn held(&mut self, maybe: &Maybe) -> Option<Held> {
        let before = self.snapshot_state();
        let (_, value) = self.inside(|l| (maybe.content)(l));
        let written = self.type_made(&value).map(|ty| ty.to_string());
        let ty = match &value {
            Value::Tuple(_) => Some(self.held_ty(&value)),
            Value::Active(a) if a.refs.depth == 0 && matches!(self.ty_of(&a.place), Ty::Vec(_) | Ty::Struct(_)) => {
                Some(self.held_ty(&value))
            }
            Value::Active(a) if a.refs.depth == 0 && written.is_some() => Some(Ty::Unknown),
            Value::Passive(p) => self.list_of_constants(&p.passive),
            _ => None,
        };
        self.restore_state(before);
        ty.map(|ty| Held { ty, written })
    }

    /// The type of a variable that holds a value: of what only rustc knows, a number is taken for granted.
    fn held_ty(&self, value: &Value) -> Ty {
        match value {
            Value::Active(a) => match self.ty_of(&a.place) {
                Ty::Unknown => Ty::Float,
                ty => ty,
            },
            Value::Tuple(all) => Ty::Tuple(all.iter().map(|v| self.held_ty(v)).collect()),
            Value::Ref(inner) => self.held_ty(inner),
            _ => Ty::Passive,
        }
    }

    /// A flag beside a content that is a variable, or several; both are set to what the option is to begin with.
    pub fn cells(&mut self, name: &str, start: &Maybe, content: Value, span: Span) -> Maybe {
        let hint = format!("{name}_is_some");
        let flag = self.new_var(New { hint: &hint, span, ty: Ty::Passive, changes: true, site: None });
        self.emit(Stmt::Let { var: flag, expr: Expr::Passive(start.present.clone()) });
        let flag = self.value_of(flag);
        let failure = start.failure.as_ref().map(|failure| match failure {
            Failure::Never(error) => self.failure_cell_of(error.as_ref(), span),
            _ => self.failure_cell(span),
        });
        failure.iter().for_each(|cell| self.store_failure(*cell, start));
        self.store_content(start, &content, span);
        let present = self.show(&flag, span);
        let held = content.clone();
        let mut maybe = Maybe::new(present, move |_| held.clone());
        maybe.cells = Some(Rc::new((flag, content)));
        maybe.or_fails(failure.map(Failure::Cell))
    }

    /// Variables for what an option may hold.
    pub fn option_content(&mut self, name: &Ident, ty: &Ty, written: Option<&syn::Type>) -> Value {
        if let Ty::Tuple(all) = ty {
            let member = |k: usize| written.and_then(|w| types::written_member(w, k));
            return Value::Tuple((0..all.len()).map(|k| self.option_content(name, &all[k], member(k))).collect());
        }
        let written = written.map(|written| types::reference_to_named(written).unwrap_or(written));
        let var = self.unset(&name.to_string(), ty, written, name.span());
        let expr = self.blank(var);
        self.emit(Stmt::Let { var, expr });
        self.value_of(var)
    }

    fn store_content(&mut self, from: &Maybe, to: &Value, span: Span) {
        match from.known() {
            Some(false) => {}
            Some(true) => {
                let value = (from.content)(self);
                self.store(to.clone(), value, span);
            }
            None => {
                let cond = self.atom("c", from.present.clone());
                let (then, ()) = self.inside(|l| {
                    let value = (from.content)(l);
                    l.store(to.clone(), value, span);
                });
                self.emit(Stmt::If { cond, then, els: Block::default() });
            }
        }
    }

    /// `option = value`.
    pub fn store_option(&mut self, (cells, cell): (&(Value, Value), Option<Failure>), value: Value, span: Span) {
        let Some(from) = self.as_carrier(value, span) else { return self.errors.pattern(span) };
        let held = if from.known() == Some(false) { None } else { self.held(&from) };
        if let (Some(held), Value::Passive(Passive { root: Some(presence), .. })) = (held, &cells.0)
            && self.option_shapes.note(*presence, held)
        {
            return; // the next round declares the option for it
        }
        if let Some(Failure::Cell(cell)) = cell {
            self.store_failure(cell, &from);
        }
        let present = self.presence_now(&from);
        let from = Maybe { present: present.clone(), ..from };
        self.store_content(&from, &cells.1, span);
        self.store(cells.0.clone(), Value::passive(present), span);
    }

    /// Whether it holds something now.
    fn presence_now(&mut self, maybe: &Maybe) -> PassiveCode {
        match maybe.known() {
            Some(_) => maybe.present.clone(),
            None => self.hold("is_some", maybe.present.clone()),
        }
    }

    /// A clone: what it holds is copied.
    pub fn owned_option(&mut self, maybe: Maybe, span: Span) -> Value {
        if maybe.cells.is_some() {
            return self.option_now(maybe, span);
        }
        let content = maybe.content;
        let content = move |l: &mut Lower| {
            let content = content(l);
            l.owned_part(content, span)
        };
        Value::Maybe(Maybe::new(maybe.present, content).or_fails(maybe.failure))
    }

    /// A mutable option with the same content, in variables of its own.
    pub fn copied_cells(&mut self, maybe: Maybe, name: &Ident) -> Value {
        let ty = maybe.cells.as_ref().map_or(Ty::Unknown, |cells| self.value_ty(&cells.1));
        if !is_kept(&ty) || ty == Ty::Unknown {
            let instead = "bind what the option holds to a name before the closure";
            return self.refuse(name.span(), "a `move` closure that captures an option which changes", instead);
        }
        let content = self.option_content(name, &ty, None);
        Value::Maybe(self.cells(&name.to_string(), &maybe, content, name.span()))
    }

    /// What an option holds now: a content that is found when it is asked for, and may have changed by then, is found at once.
    pub fn option_now(&mut self, maybe: Maybe, span: Span) -> Value {
        if let Some(cells) = &maybe.cells {
            let content = self.snapshot(cells.1.clone(), span);
            let present = self.hold("is_some", maybe.present.clone());
            return Value::Maybe(Maybe::new(present, move |_| content.clone()).or_fails(maybe.failure.clone()));
        }
        match self.fleeting(&maybe) {
            Some(kind) => self.option_held(maybe, kind, span),
            None => Value::Maybe(maybe),
        }
    }

    /// A name for an option. What it holds is computed here if passive code asks for the whole option.
    pub fn option_by_name(&mut self, maybe: Maybe, name: &Ident) -> Value {
        let site = Site::of(name);
        let value = match self.whole_options.contains(&site) {
            true => self.whole_option(maybe, name.span()),
            false => self.option_now(maybe, name.span()),
        };
        match value {
            Value::Maybe(maybe) => Value::Maybe(Maybe { name: Some(site), ..maybe }),
            value => value,
        }
    }

    /// An option as passive code can show it: what it holds is a variable, and needs no statements. Of a user's type only the presence is shown.
    pub fn whole_option(&mut self, maybe: Maybe, span: Span) -> Value {
        if maybe.cells.is_some() || maybe.known() == Some(false) {
            return self.option_now(maybe, span);
        }
        match self.tried_content(&maybe) {
            (ty, refs, _) if is_kept(&ty) && !refs.exclusive => self.option_held(maybe, (ty, refs), span),
            _ => self.option_now(maybe, span),
        }
    }

    /// An option whose content is found at once.
    fn option_held(&mut self, maybe: Maybe, (ty, refs): (Ty, Refs), span: Span) -> Value {
        if maybe.known() == Some(true) && !refs.exclusive {
            let content = (maybe.content)(self);
            let content = self.snapshot(content, span).behind(refs);
            return Value::Maybe(Maybe { content: Rc::new(move |_| content.clone()), ..maybe });
        }
        if !is_kept(&ty) || refs.exclusive {
            let found = "an option whose value is found where it is used, and may have changed by then";
            return self.refuse(
                span,
                found,
                "use `match` or `if let` where the option is made, or `if` with the value itself",
            );
        }
        let present = self.presence_now(&maybe);
        let content = self.option_content(&Ident::new("held", span), &ty, None);
        let (failure, maybe) = (maybe.failure.clone(), Maybe { present: present.clone(), ..maybe });
        self.store_content(&maybe, &content, span);
        Value::Maybe(Maybe::new(present, move |_| content.clone().behind(refs)).or_fails(failure))
    }

    /// The type of a content that reads what may change.
    fn fleeting(&mut self, maybe: &Maybe) -> Option<(Ty, Refs)> {
        if maybe.known() == Some(false) {
            return None;
        }
        let (ty, refs, fleeting) = self.tried_content(maybe);
        fleeting.then_some((ty, refs))
    }

    /// The type of a content, the references before it, and whether it reads what may change: it is tried, and taken back.
    fn tried_content(&mut self, maybe: &Maybe) -> (Ty, Refs, bool) {
        let before = self.snapshot_state();
        let (block, value) = self.inside(|l| (maybe.content)(l));
        let ty = self.value_ty(&value);
        let reads = touched(&block.stmts, &[Access::Read]);
        let fleeting =
            reads.into_iter().any(|v| (v.0 as usize) < before.1 && self.fact(v).changes) || self.passes(&value);
        self.restore_state(before);
        let refs = if let Value::Active(a) = &value { a.refs } else { Refs::default() };
        (ty, refs, fleeting)
    }

    /// Whether a value may be another one later, or a reference to another place.
    fn passes(&self, value: &Value) -> bool {
        match value {
            Value::Active(a) if a.refs.depth == 0 => self.may_change(&a.place),
            Value::Active(a) => self.may_move(&a.place),
            Value::Passive(p) => p.refs.depth == 0 && !self.is_settled(&p.passive),
            Value::Tuple(all) => all.iter().any(|v| self.passes(v)),
            _ => false,
        }
    }
}

/// The variable that says whether an option is there.
fn presence(maybe: &Maybe) -> Option<Var> {
    match &maybe.cells.as_ref()?.0 {
        Value::Passive(p) => p.root,
        _ => None,
    }
}

/// Whether a variable for a value of this type can be declared before there is one; of what only rustc knows, a number is taken for
/// granted, and nothing else compiles.
fn is_kept(ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(all) => all.iter().all(is_kept),
        Ty::Vec(inner) => is_kept(inner),
        ty => matches!(ty, Ty::Float | Ty::Passive | Ty::Unknown),
    }
}
