//! `VecDeque`s, as a `Vec` and a number: what has left at the front stays in the `Vec`, before its head.

use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Maybe, Queue, Refs, Value};
use crate::frontend::syntax::types;
use crate::ir::affine::{self, arithmetic, gathered};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// `VecDeque::new()`, `VecDeque::with_capacity(n)`, `VecDeque::from(sequence)`.
    pub fn new_queue(&mut self, c: &syn::ExprCall) -> Option<Value> {
        let syn::Expr::Path(p) = &*c.func else { return None };
        let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
        let (last, owner) = (names.next()?, names.next()?);
        (owner == "VecDeque").then_some(())?;
        let span = c.span();
        match last.as_str() {
            "new" | "with_capacity" => {
                let new = Expr::VecNew(PassiveCode::literal(quote!(::std::vec::Vec::new())));
                let items = self.bind("queue", span, Ty::Vec(Box::new(Ty::Unknown)), new);
                Some(self.queue_over(items, span))
            }
            "from" => {
                let value = self.active_value(&c.args[0]);
                self.queue_from(value, span)
            }
            _ => None,
        }
    }

    /// A queue that starts with the elements of a sequence.
    pub fn queue_from(&mut self, value: Value, span: Span) -> Option<Value> {
        let Value::Active(a) = value.dereferenced_fully() else { return None };
        let ty = Ty::Vec(Box::new(types::element(&self.ty_of(&a.place))));
        let items = self.bind("queue", span, ty, Expr::ToVec(a.place));
        Some(self.queue_over(items, span))
    }

    /// A queue of numbers that carry no derivative yet.
    pub fn queue_of_constants(&mut self, start: PassiveCode) -> Value {
        let (tokens, span) = (&start.tokens, start.span);
        let tokens = quote!(::std::vec::Vec::from({
            let start: ::std::collections::VecDeque<_> = #tokens;
            start
        }));
        let all = Expr::Passive(PassiveCode { tokens, ..start.clone() });
        let items = self.bind("queue", span, Ty::Vec(Box::new(Ty::Float)), all);
        self.queue_over(items, span)
    }

    fn queue_over(&mut self, items: Var, span: Span) -> Value {
        self.fact_mut(items).changes = true;
        self.info_mut(items).mutable = true;
        let head = self.new_var(New { hint: "head", span, ty: Ty::Passive, changes: true, site: None });
        self.info_mut(head).mutable = true;
        self.emit(Stmt::Let { var: head, expr: Expr::Passive(PassiveCode::literal(quote!(0usize))) });
        Value::Queue(Queue { items, head })
    }

    /// The queue that an expression names.
    pub fn queue_named(&self, expr: &syn::Expr) -> Option<Queue> {
        let syn::Expr::Path(p) = strip_parens(expr) else { return None };
        match self.scope.get(p.path.get_ident()?)? {
            Value::Queue(q) => Some(*q),
            _ => None,
        }
    }

    /// A queue's elements as a slice; any other value as it is.
    pub fn sequence(&mut self, value: Value, span: Span) -> Value {
        let Value::Queue(q) = value else { return value };
        let head = self.head_of(q);
        let items = Value::place(Place::var(q.items));
        self.slice_of(items, Some(head), None, span).behind(Refs::EXCLUSIVE)
    }

    /// Its head now.
    pub fn head_of(&mut self, q: Queue) -> PassiveCode {
        self.hold("head", PassiveCode::var(q.head, self.info(q.head)))
    }

    /// Says where its first element is from now on.
    pub fn move_head(&mut self, q: Queue, to: PassiveCode, span: Span) {
        self.assign(Place::var(q.head), Assign::Set, Operand::Passive(to), span);
    }

    fn queue_len(&self, q: Queue, span: Span) -> PassiveCode {
        let len = self.length(&Value::place(Place::var(q.items)), span);
        let head = PassiveCode::var(q.head, self.info(q.head));
        let (n, h) = (&len.tokens, &head.tokens);
        gathered(quote!((#n - #h)), [&len, &head].into_iter(), span)
    }

    /// `pop_front()` or `pop_back()` that waits until its content is asked for.
    pub fn waiting_end(&mut self, q: Queue, m: &syn::ExprMethodCall) -> Option<Maybe> {
        let (span, front) = (m.span(), m.method == "pop_front");
        if !front && m.method != "pop_back" {
            return None;
        }
        let len = self.queue_len(q, span);
        let n = &len.tokens;
        let present = PassiveCode { tokens: quote!(#n > 0), ..len.clone() };
        Some(Maybe::new(present, move |l| l.end_now(q, front, span)))
    }

    /// The first or the last element, which is there, leaves.
    pub fn end_now(&mut self, q: Queue, front: bool, span: Span) -> Value {
        if !front {
            return self.pop_now(Place::var(q.items), span);
        }
        let head = self.head_of(q);
        let place = Place { root: q.items, path: vec![Proj::Index(head.clone())] };
        let ty = self.ty_of(&place);
        let first = self.taken_apart(place, &ty, span);
        let first = self.snapshot(first, span);
        self.move_head(q, arithmetic::add(&head, &affine::literal(1)), span);
        first
    }

    /// A method of a queue.
    pub fn queue_method(&mut self, q: Queue, m: &syn::ExprMethodCall) -> Value {
        let (span, name) = (m.span(), m.method.to_string());
        let items = Value::place(Place::var(q.items));
        self.only_method_of_queues(&Called::of(m));
        match (name.as_str(), m.args.len()) {
            ("push_back", 1) => {
                let value = self.active_value(&m.args[0]);
                self.push(Place::var(q.items), value.dereferenced_fully(), span);
            }
            ("push_front", 1) => self.push_front(q, &m.args[0], span),
            ("pop_front" | "pop_back", 0) => {
                let maybe = self.waiting_end(q, m).expect("it is a pop");
                let ty = types::element(&self.info(q.items).ty);
                return Value::Maybe(self.happened(maybe, &ty, span));
            }
            ("extend", 1) => self.extend(Place::var(q.items), &m.args[0], span),
            ("clear", 0) => {
                let len = self.length(&items, span);
                self.move_head(q, len, span);
            }
            ("truncate", 1) => {
                let to = self.integer(&m.args[0]);
                let head = self.head_of(q);
                self.shorten(&items, arithmetic::add(&head, &to), span);
            }
            ("len", 0) => return Value::passive(self.queue_len(q, span)),
            ("clone", 0) => {
                let slice = self.sequence(Value::Queue(q), span);
                return self.queue_from(slice, span).unwrap_or(Value::Poison);
            }
            ("make_contiguous", 0) => return self.sequence(Value::Queue(q), span),
            ("insert", 2) => {
                let at = self.integer(&m.args[0]);
                let value = self.active_value(&m.args[1]);
                let head = self.head_of(q);
                let i = self.frozen("i", arithmetic::add(&head, &at));
                self.insert_at(&items, Place::var(q.items), i, value, span);
            }
            ("remove", 1) => return self.remove_from_queue(q, &m.args[0], span),
            ("retain", 1) => {
                let head = self.head_of(q);
                self.retain_if(&items, head, &m.args[0], span);
            }
            _ => return self.queue_edit(q, m).unwrap_or_else(|| self.as_slice_method(q, m)),
        }
        Value::Unit
    }

    /// Where the element of an index lies among the items, the number of items, and whether it is there.
    pub fn slot_of_queue(
        &mut self,
        q: Queue,
        head: &PassiveCode,
        at: &PassiveCode,
        span: Span,
    ) -> (PassiveCode, PassiveCode, PassiveCode) {
        let i = self.frozen("i", arithmetic::add(head, at));
        let len = self.length(&Value::place(Place::var(q.items)), span);
        let n = self.atom("n", len);
        let (a, b) = (&i.tokens, &n.tokens);
        let present = gathered(quote!(#a < #b), [&i, &n].into_iter(), span);
        (i, n, present)
    }

    /// `remove(i)`, an option.
    fn remove_from_queue(&mut self, q: Queue, at: &syn::Expr, span: Span) -> Value {
        let items = Value::place(Place::var(q.items));
        let at = self.integer(at);
        let head = self.head_of(q);
        let (i, n, present) = self.slot_of_queue(q, &head, &at, span);
        let ty = types::element(&self.info(q.items).ty);
        let removed =
            Maybe::new(present, move |l| l.remove_at(&items, Place::var(q.items), i.clone(), n.clone(), span));
        Value::Maybe(self.happened(removed, &ty, span))
    }

    /// What slices have too, under another name or the same.
    fn as_slice_method(&mut self, q: Queue, m: &syn::ExprMethodCall) -> Value {
        let name = match m.method.to_string().as_str() {
            "front" => "first",
            "front_mut" => "first_mut",
            "back" => "last",
            "back_mut" => "last_mut",
            same => same,
        }
        .to_owned();
        let m = syn::ExprMethodCall { method: Ident::new(&name, m.method.span()), ..m.clone() };
        let slice = self.sequence(Value::Queue(q), m.span());
        match self.change_of(slice.clone(), &m) {
            true => Value::Unit,
            false => self.method_of(slice, &m),
        }
    }

    fn push_front(&mut self, q: Queue, value: &syn::Expr, span: Span) {
        let value = self.active_value(value).dereferenced_fully();
        let items = Value::place(Place::var(q.items));
        let head = self.head_of(q);
        let h = &head.tokens;
        let cond = self.atom("c", PassiveCode { tokens: quote!(#h > 0), ..head.clone() });
        let before = arithmetic::sub(&head, &affine::literal(1));
        let (then, ()) = self.inside(|l| {
            let element = l.element_of(items.clone(), before.clone(), span);
            l.store(element, value.clone(), span);
            l.move_head(q, before.clone(), span);
        });
        let (els, ()) = self.inside(|l| l.insert_at(&items, Place::var(q.items), affine::literal(0), value, span));
        self.emit(Stmt::If { cond, then, els });
    }
}

/// Whether a written type is a `VecDeque`.
pub fn is_queue(ty: Option<&syn::Type>) -> bool {
    matches!(ty, Some(syn::Type::Path(p)) if p.path.segments.last().is_some_and(|s| s.ident == "VecDeque"))
}
