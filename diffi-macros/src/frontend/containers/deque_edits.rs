//! Methods of `VecDeque`s that move more than one element: as those of `Vec`s, from the head on.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Maybe, Queue, Refs, Value};
use crate::frontend::syntax::types;
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Lower {
    /// A method that changes several elements of a queue.
    pub fn queue_edit(&mut self, q: Queue, m: &syn::ExprMethodCall) -> Option<Value> {
        let span = m.span();
        let (place, head) = (Place::var(q.items), self.head_of(q));
        let items = Value::place(place.clone());
        match (m.method.to_string().as_str(), m.args.len()) {
            ("resize", 2) => {
                let to = arithmetic::add(&head, &self.integer(&m.args[0]));
                self.resize(&items, place, to, &m.args[1], span);
            }
            ("append", 1) => self.append_queue(q, &m.args[0], span),
            ("split_off", 1) => {
                let at = arithmetic::add(&head, &self.integer(&m.args[0]));
                let tail = self.split_off(&items, at, span);
                return Some(self.queue_from(tail, span).unwrap_or(Value::Poison));
            }
            ("into", 0) => {
                let slice = self.sequence(Value::Queue(q), span);
                return Some(self.owned(slice, span));
            }
            ("swap_remove_back" | "swap_remove_front", 1) => return Some(self.swap_removed(q, m)),
            _ => return self.written_out_of_queue(m),
        }
        Some(Value::Unit)
    }

    /// The elements of `q.drain(range)`, which are no longer in `q`.
    pub fn drained_queue(&mut self, q: Queue, range: &syn::Expr, span: Span) -> Option<Value> {
        let head = self.head_of(q);
        self.drained(Value::place(Place::var(q.items)), &head, range, span)
    }

    /// Whether a call is `q.range(a..b)` of a queue, which sorted maps have too.
    pub fn is_range_of_queue(&self, m: &syn::ExprMethodCall) -> bool {
        (m.method == "range" || m.method == "range_mut") && m.args.len() == 1 && self.queue_named(&m.receiver).is_some()
    }

    /// The elements of `q.range(a..b)`, of a queue as a slice.
    pub fn range_of_queue(&mut self, slice: Value, range: &syn::Expr, span: Span) -> Option<Value> {
        let syn::Expr::Range(r) = strip_parens(range) else { return None };
        let lo = r.start.as_ref().map(|e| self.integer(e));
        let hi = r.end.as_ref().map(|e| self.integer(e));
        let hi = match r.limits {
            syn::RangeLimits::Closed(_) => hi.map(|hi| arithmetic::add(&hi, &affine::literal(1))),
            syn::RangeLimits::HalfOpen(_) => hi,
        };
        Some(self.slice_of(slice, lo, hi, span))
    }

    /// `q = other`.
    pub fn store_queue(&mut self, q: Queue, value: Value, span: Span) {
        let items = Place::var(q.items);
        match value {
            Value::Queue(other) => {
                let head = self.head_of(other);
                self.assign(items, Assign::Set, Operand::Place(Place::var(other.items)), span);
                self.move_head(q, head, span);
            }
            value => {
                self.store(Value::place(items), value, span);
                self.move_head(q, affine::literal(0), span);
            }
        }
    }

    fn append_queue(&mut self, q: Queue, other: &syn::Expr, span: Span) {
        let name = match strip_parens(other) {
            syn::Expr::Reference(r) => &r.expr,
            name => name,
        };
        let Some(other) = self.queue_named(name) else {
            match self.expr(name).dereferenced_fully() {
                Value::Passive(p) if p.root.is_some() => {
                    p.root.into_iter().for_each(|root| self.activate_by_store(root, span))
                }
                Value::Poison => {}
                _ => self.errors.unknown_change(span, "append"),
            }
            return;
        };
        let slice = self.sequence(Value::Queue(other), span);
        let chain = self.elements_of(slice, Refs::default(), span);
        self.drive(&chain, None, &mut |l, item, _| l.push(Place::var(q.items), item.dereferenced_fully(), span));
        let len = self.length(&Value::place(Place::var(other.items)), span);
        self.move_head(other, len, span);
    }

    /// An element that leaves after it has changed places with the one at an end: an option.
    fn swap_removed(&mut self, q: Queue, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let items = Value::place(Place::var(q.items));
        let (head, at) = (self.head_of(q), self.integer(&m.args[0]));
        let (i, n, present) = self.slot_of_queue(q, &head, &at, span);
        let ty = types::element(&self.info(q.items).ty);
        let front = m.method == "swap_remove_front";
        let end = if front { head } else { arithmetic::sub(&n, &affine::literal(1)) };
        let removed = Maybe::new(present, move |l| {
            l.swap_elements(&items, i.clone(), end.clone(), span);
            l.end_now(q, front, span)
        });
        Value::Maybe(self.happened(removed, &ty, span))
    }
}
