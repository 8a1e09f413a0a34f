//! Methods that take elements out of a `Vec`, or put some in between: pops, pushes and swaps.
//!
//! An element leaves at the end only, so that reverse code has one thing to undo: see `Expr::Pop`.

use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Active, Maybe, Passive, Refs, Value};
use crate::frontend::syntax::types;
use crate::ir::affine::{self, arithmetic, gathered};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

/// Methods that change the length of their receiver.
const REMOVALS: &[&str] = &[
    "pop",
    "truncate",
    "clear",
    "insert",
    "remove",
    "swap_remove",
    "resize",
    "append",
    "split_off",
    "retain",
    "dedup",
];

/// Those of them that give what they take out.
const GIVING: &[&str] = &["pop", "remove", "swap_remove", "split_off"];

/// A condition for keeping element `k`, of which the first so many have been kept.
type Keep<'f> = dyn FnMut(&mut Lower, &PassiveCode, &PassiveCode) -> PassiveCode + 'f;

impl Lower {
    /// A method that changes the length of active data.
    pub fn removal(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let name = m.method.to_string();
        if !REMOVALS.contains(&name.as_str()) || self.is_chain(&m.receiver) {
            return None;
        }
        let target = self.expr(&m.receiver);
        Some(match &target {
            Value::Active(a) if matches!(self.ty_of(&a.place), Ty::Vec(_)) => {
                let place = a.place.clone();
                self.only_method_of_std(&target, &Called::of(m));
                let target = target.dereferenced_fully();
                self.remove_from(&target, place, &name, m)
            }
            Value::Passive(p) if m.args.iter().any(|a| self.act(a).any()) => {
                p.root.into_iter().for_each(|root| self.activate_by_store(root, m.span()));
                Value::Poison
            }
            Value::Passive(p) if p.root.is_some() => self.removal_from_constant(p.clone(), m),
            Value::Poison => Value::Poison,
            _ => {
                self.errors.unknown_change(m.method.span(), &name);
                Value::Poison
            }
        })
    }

    /// The same for a part without a derivative: the call itself, and what it takes out.
    fn removal_from_constant(&mut self, p: Passive, m: &syn::ExprMethodCall) -> Value {
        let Some(root) = p.root else { return Value::Poison };
        let args: Vec<PassiveCode> = m.args.iter().map(|arg| self.passive_code(arg)).collect();
        let (method, list, tokens) = (&m.method, &p.passive.tokens, args.iter().map(|arg| &arg.tokens));
        let call = quote!(#list.#method(#(#tokens),*));
        let mut call = gathered(call, args.iter().chain([&p.passive]), m.span());
        call.reads.insert(root);
        self.info_mut(root).mutable = true;
        if !GIVING.iter().any(|name| m.method == name) {
            self.emit(Stmt::Effect { tokens: call.map(|call| quote!(#call;)), writes: [root].into() });
            return Value::Unit;
        }
        let taken = self.hold("taken", call);
        self.given_away(root);
        Value::passive(taken)
    }

    fn remove_from(&mut self, target: &Value, place: Place, name: &str, m: &syn::ExprMethodCall) -> Value {
        let (span, args) = (m.span(), &m.args);
        match (name, args.len()) {
            ("pop", 0) => return self.popped(target, place, span),
            ("remove", 1) => return self.remove(target, place, &args[0], span),
            ("swap_remove", 1) => {
                let (i, n) = self.existing(target, &args[0], span);
                self.swap_elements(target, i, arithmetic::sub(&n, &affine::literal(1)), span);
                return self.pop_now(place, span);
            }
            ("split_off", 1) => {
                let at = self.integer(&args[0]);
                return self.split_off(target, at, span);
            }
            ("clear", 0) => self.shorten(target, affine::literal(0), span),
            ("truncate", 1) => {
                let to = self.integer(&args[0]);
                self.shorten(target, to, span);
            }
            ("insert", 2) => self.insert(target, place, m),
            ("resize", 2) => {
                let to = self.integer(&args[0]);
                self.resize(target, place, to, &args[1], span);
            }
            ("append", 1) => {
                let other = self.expr(&args[0]).dereferenced_fully();
                if let Some(chain) = self.chain_of_value(other.clone(), span) {
                    self.drive(&chain, None, &mut |l, item, _| l.push(place.clone(), item, span));
                    self.emptied(&other, span);
                }
            }
            ("retain", 1) => {
                self.retain_if(target, affine::literal(0), &args[0], span);
            }
            ("dedup", 0) => self.retain(target, affine::literal(0), span, &mut |l, k, kept| {
                let before = arithmetic::sub(kept, &affine::literal(1));
                let [new, old] = [k.clone(), before].map(|i| l.element_of(target.clone(), i, span));
                let [new, old] = [new, old].map(|v| l.show(&v, span));
                let (w, a, b) = (&kept.tokens, &new.tokens, &old.tokens);
                gathered(quote!(#w == 0 || #a != #b), [kept, &new, &old].into_iter(), span)
            }),
            _ => self.errors.unknown_change(m.method.span(), name),
        }
        Value::Unit
    }

    /// An option whose content is asked for once, and only if it is there: a `pop` waits until then.
    pub fn option(&mut self, expr: &syn::Expr) -> Value {
        match self.waiting_pop(expr) {
            Some(maybe) => Value::Maybe(maybe),
            None => self.expr(expr),
        }
    }

    /// `pop()` whose last element leaves when it is asked for.
    pub fn waiting_pop(&mut self, expr: &syn::Expr) -> Option<Maybe> {
        let syn::Expr::MethodCall(m) = strip_parens(expr) else { return None };
        if let Some(q) = self.queue_named(&m.receiver) {
            self.only_method_of_queues(&Called::of(m));
            return self.waiting_end(q, m);
        }
        if m.method != "pop" || !m.args.is_empty() || self.is_passive(&m.receiver) || self.is_chain(&m.receiver) {
            return None;
        }
        let Value::Active(Active { place, .. }) = self.expr(&m.receiver) else { return None };
        let span = m.span();
        let present =
            matches!(self.ty_of(&place), Ty::Vec(_)).then(|| self.occupied(&Value::place(place.clone()), span));
        Some(Maybe::new(present?, move |l| l.pop_now(place.clone(), span)))
    }

    fn occupied(&self, target: &Value, span: Span) -> PassiveCode {
        let len = self.length(target, span);
        let n = &len.tokens;
        PassiveCode { tokens: quote!(#n > 0), ..len.clone() }
    }

    /// The last element, which is there.
    pub fn pop_now(&mut self, place: Place, span: Span) -> Value {
        let ty = types::element(&self.ty_of(&place));
        self.info_mut(place.root).mutable = true;
        let last = Place::var(self.bind("last", span, ty.clone(), Expr::Pop(place)));
        self.taken_apart(last, &ty, span)
    }

    /// The members of a tuple, each under a name of its own: reverse code keeps them one by one.
    pub fn taken_apart(&mut self, place: Place, ty: &Ty, span: Span) -> Value {
        let Ty::Tuple(all) = ty else { return self.part(place) };
        let member = |(i, ty)| {
            let mut place = place.clone();
            place.path.push(Proj::Field(syn::Member::from(i)));
            let part = self.taken_apart(place, ty, span);
            self.snapshot(part, span)
        };
        Value::Tuple(all.iter().enumerate().map(member).collect())
    }

    /// `pop()` as an option.
    fn popped(&mut self, target: &Value, place: Place, span: Span) -> Value {
        let present = self.occupied(target, span);
        let ty = types::element(&self.ty_of(&place));
        let waiting = Maybe::new(present, move |l| l.pop_now(place.clone(), span));
        Value::Maybe(self.happened(waiting, &ty, span))
    }

    /// An option whose content, of this type, is made now.
    pub fn happened(&mut self, maybe: Maybe, ty: &Ty, span: Span) -> Maybe {
        let present = self.hold("is_some", maybe.present.clone());
        let content = self.option_content(&Ident::new("taken", span), ty, None);
        let (then, ()) = self.inside(|l| {
            let value = (maybe.content)(l);
            l.store(content.clone(), value, span);
        });
        self.emit(Stmt::If { cond: present.clone(), then, els: Block::default() });
        Maybe::new(present, move |_| content.clone())
    }

    /// `truncate(to)`.
    pub fn shorten(&mut self, target: &Value, to: PassiveCode, span: Span) {
        let Value::Active(Active { place, .. }) = target else { return };
        let lo = self.frozen("to", to);
        let len = self.length(target, span);
        let hi = self.atom("n", len);
        self.run(lo, hi, false, span, &mut |l, _| {
            l.pop_now(place.clone(), span);
        });
    }

    /// Takes all elements out of a `Vec`, one without a derivative, too.
    fn emptied(&mut self, target: &Value, span: Span) {
        match target {
            Value::Passive(p) => {
                let Some(root) = p.root else { return };
                self.info_mut(root).mutable = true;
                let mut tokens = p.passive.clone().map(|v| quote!(#v.clear();));
                tokens.reads.insert(root);
                self.emit(Stmt::Effect { tokens, writes: [root].into() });
            }
            target => self.shorten(target, affine::literal(0), span),
        }
    }

    /// `for k in lo..hi`, or downwards.
    fn run(
        &mut self,
        lo: PassiveCode,
        hi: PassiveCode,
        down: bool,
        span: Span,
        f: &mut dyn FnMut(&mut Lower, PassiveCode),
    ) {
        let var = self.iteration(span);
        let k = PassiveCode::var(var, self.info(var));
        let (body, ()) = self.inside(|l| f(l, k));
        self.emit(Stmt::For(For {
            var,
            lo,
            hi,
            inclusive: false,
            step: None,
            down,
            until: None,
            checkpoint: None,
            body,
        }));
    }

    /// Exchanges two elements.
    pub fn swap_elements(&mut self, target: &Value, i: PassiveCode, j: PassiveCode, span: Span) {
        let [a, b] = [i, j].map(|at| self.element_of(target.clone(), at, span));
        self.swap_places(a, b, span);
    }

    /// The index of an element that is there, and how many there are.
    fn existing(&mut self, target: &Value, at: &syn::Expr, span: Span) -> (PassiveCode, PassiveCode) {
        let i = self.integer(at);
        let i = self.frozen("i", i);
        let len = self.length(target, span);
        let n = self.atom("n", len);
        let (a, b) = (&i.tokens, &n.tokens);
        self.demand(quote!(#a < #b), "an index is out of range", [&i, &n], span);
        (i, n)
    }

    fn demand(&mut self, holds: TokenStream, message: &str, over: [&PassiveCode; 2], span: Span) {
        let tokens = gathered(quote!(::core::assert!(#holds, #message);), over.into_iter(), span);
        self.emit(Stmt::Effect { tokens, writes: Default::default() });
    }

    fn remove(&mut self, target: &Value, place: Place, at: &syn::Expr, span: Span) -> Value {
        let (i, n) = self.existing(target, at, span);
        self.remove_at(target, place, i, n, span)
    }

    /// Element `i` of so many, which is there.
    pub fn remove_at(&mut self, target: &Value, place: Place, i: PassiveCode, n: PassiveCode, span: Span) -> Value {
        let end = arithmetic::sub(&n, &affine::literal(1));
        self.run(i, end, false, span, &mut |l, k| {
            let next = arithmetic::add(&k, &affine::literal(1));
            l.swap_elements(target, k, next, span);
        });
        self.pop_now(place, span)
    }

    fn insert(&mut self, target: &Value, place: Place, m: &syn::ExprMethodCall) {
        let span = m.span();
        let i = self.integer(&m.args[0]);
        let i = self.frozen("i", i);
        let value = self.active_value(&m.args[1]);
        self.insert_at(target, place, i, value, span);
    }

    /// A new element at the end, that moves to its place.
    pub fn insert_at(&mut self, target: &Value, place: Place, i: PassiveCode, value: Value, span: Span) {
        let len = self.length(target, span);
        let n = self.atom("n", len);
        let (a, b) = (&i.tokens, &n.tokens);
        self.demand(quote!(#a <= #b), "an index is out of range", [&i, &n], span);
        self.push(place, value.dereferenced_fully(), span);
        self.run(i, n, true, span, &mut |l, k| {
            let next = arithmetic::add(&k, &affine::literal(1));
            l.swap_elements(target, k, next, span);
        });
    }

    /// `resize`, to so many elements.
    pub fn resize(&mut self, target: &Value, place: Place, to: PassiveCode, new: &syn::Expr, span: Span) {
        let to = self.frozen("to", to);
        let new = self.active_value(new).dereferenced_fully();
        self.shorten(target, to.clone(), span);
        let len = self.length(target, span);
        let n = self.atom("n", len);
        self.run(n, to, false, span, &mut |l, _| l.push(place.clone(), new.clone(), span));
    }

    /// A new `Vec` of the elements from there on, which leave.
    pub fn split_off(&mut self, target: &Value, at: PassiveCode, span: Span) -> Value {
        let at = self.frozen("at", at);
        let tail = self.slice_of(target.clone(), Some(at.clone()), None, span);
        let tail = self.owned(tail, span);
        self.shorten(target, at, span);
        tail
    }

    /// `retain(f)`, of the elements from there on.
    pub fn retain_if(&mut self, target: &Value, from: PassiveCode, function: &syn::Expr, span: Span) {
        let function = self.callee(function);
        self.retain(target, from, span, &mut |l, k, _| {
            let element = l.element_of(target.clone(), k.clone(), span).borrowed(false);
            let keep = l.apply(&function, vec![element]);
            l.show(&keep.dereferenced_fully(), span)
        });
    }

    /// `retain`: what is kept moves to the front, and the rest is cut off.
    fn retain(&mut self, target: &Value, from: PassiveCode, span: Span, keep: &mut Keep) {
        let kept = self.new_var(New { hint: "kept", span, ty: Ty::Passive, changes: true, site: None });
        self.info_mut(kept).mutable = true;
        let start = from.clone().map(|from| quote!(#from as usize));
        self.emit(Stmt::Let { var: kept, expr: Expr::Passive(start) });
        let len = self.length(target, span);
        let n = self.atom("n", len);
        self.run(from, n, false, span, &mut |l, k| {
            let to = l.hold("to", PassiveCode::var(kept, l.info(kept)));
            let keep = keep(l, &k, &to);
            let cond = l.atom("c", keep);
            let (then, ()) = l.inside(|l| {
                l.swap_elements(target, to.clone(), k, span);
                let next = arithmetic::add(&to, &affine::literal(1));
                l.assign(Place::var(kept), Assign::Set, Operand::Passive(next), span);
            });
            l.emit(Stmt::If { cond, then, els: Block::default() });
        });
        let kept = self.hold("to", PassiveCode::var(kept, self.info(kept)));
        self.shorten(target, kept, span);
    }

    /// The elements of `v.drain(range)`, which are no longer in `v`. Indices count from this one.
    pub fn drained(&mut self, target: Value, first: &PassiveCode, range: &syn::Expr, span: Span) -> Option<Value> {
        let syn::Expr::Range(r) = strip_parens(range) else { return None };
        let target = target.dereferenced_fully();
        let at = |l: &mut Lower, e: &syn::Expr| arithmetic::add(first, &l.integer(e));
        let lo = r.start.as_ref().map_or_else(|| first.clone(), |e| at(self, e));
        let lo = self.frozen("lo", lo);
        let len = self.length(&target, span);
        let n = self.atom("n", len);
        let hi = match (&r.end, &r.limits) {
            (Some(e), syn::RangeLimits::Closed(_)) => arithmetic::add(&at(self, e), &affine::literal(1)),
            (Some(e), _) => at(self, e),
            (None, _) => n.clone(),
        };
        let hi = self.frozen("hi", hi);
        let part = self.slice_of(target.clone(), Some(lo.clone()), Some(hi.clone()), span);
        let out = self.owned(part, span);
        let count = arithmetic::sub(&hi, &lo);
        self.run(hi, n.clone(), false, span, &mut |l, k| {
            let to = arithmetic::sub(&k, &count);
            l.swap_elements(&target, to, k, span);
        });
        self.shorten(&target, arithmetic::sub(&n, &count), span);
        Some(out.behind(Refs::default()))
    }
}
