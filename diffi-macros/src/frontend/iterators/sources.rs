//! Where chains start: ranges, sequences, and `std::iter`.

use crate::frontend::iterators::cuts::is_cut;
use crate::frontend::iterators::methods::{is_adaptor, is_source};
use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Form, Indexed, Passive, Refs, Value, over};
use crate::frontend::syntax::types;
use crate::ir::affine::{self, arithmetic, gathered};
use crate::ir::purity;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

/// Functions of `std::iter` that make a chain.
const MAKERS: &[&str] =
    &["repeat", "once", "zip", "repeat_n", "empty", "successors", "from_fn", "repeat_with", "once_with"];

/// Whether of all types that have a method of this name, only slices and what derefs to them take such arguments.
fn of_slices(name: &str, m: &syn::ExprMethodCall) -> bool {
    matches!(name, "windows" | "chunks" | "chunks_exact" | "rchunks") && m.args.len() == 1
}

/// `TABLE.iter()`, `tables::TABLE.iter()`: a constant is indexed, though its type is not known. Where the guess is wrong, that does not compile.
fn of_a_constant(method: &str, receiver: &syn::Expr) -> bool {
    let syn::Expr::Path(p) = strip_parens(receiver) else { return false };
    let name = p.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    method == "iter" && name.len() > 1 && name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// Whether a call makes a chain: by `iter::name`, or by a name that is told apart by the closure that it is given.
fn is_made(c: &syn::ExprCall) -> bool {
    let syn::Expr::Path(p) = &*c.func else { return false };
    let Some(last) = p.path.segments.last().map(|s| s.ident.to_string()) else { return false };
    let of_iter = p.path.segments.iter().rev().nth(1).is_some_and(|s| s.ident == "iter");
    let without = |e: &syn::Expr| matches!(strip_parens(e), syn::Expr::Closure(f) if f.inputs.is_empty());
    let alone = match (last.as_str(), c.args.first()) {
        ("successors", Some(_)) => c.args.len() == 2,
        ("from_fn" | "repeat_with" | "once_with", Some(f)) => c.args.len() == 1 && without(f),
        _ => false,
    };
    of_iter && MAKERS.contains(&last.as_str()) || p.path.get_ident().is_some() && alone
}

impl Lower {
    /// Whether an expression is an iterator that is still to be run.
    pub fn is_chain(&self, expr: &syn::Expr) -> bool {
        match strip_parens(expr) {
            syn::Expr::Range(_) => true,
            syn::Expr::MethodCall(m) if self.is_library_chain(m) => true,
            syn::Expr::Path(p) => {
                p.path.get_ident().and_then(|n| self.scope.get(n)).is_some_and(|v| self.is_iterator(v))
            }
            syn::Expr::MethodCall(m) if self.is_range_of_queue(m) || self.adapts_own(m) => true,
            syn::Expr::MethodCall(m) => is_source(m) || is_adaptor(&m.method.to_string()) && self.is_chain(&m.receiver),
            syn::Expr::Call(c) => is_made(c),
            syn::Expr::Reference(r) if r.mutability.is_some() => self.is_cursor(&r.expr),
            _ => false,
        }
    }

    fn is_iterator(&self, value: &Value) -> bool {
        match value {
            Value::Chain(chain) => chain.form() == Form::Iterator,
            Value::Passive(p) => p.root.is_some_and(|var| self.fact(var).iterator),
            _ => false,
        }
    }

    /// What is iterated over.
    pub fn chain(&mut self, expr: &syn::Expr) -> Option<Chain> {
        let span = expr.span();
        match strip_parens(expr) {
            e if self.lent_rest(e).is_some() => self.lent_rest(e),
            syn::Expr::Range(r) => self.range(r),
            syn::Expr::MethodCall(m) if self.is_chain(expr) => self.chain_of_method(m),
            syn::Expr::MethodCall(_) if !self.is_chain(expr) && self.fused(expr, false).is_some() => {
                let own = self.fused(expr, false)?;
                self.chain(&own)
            }
            syn::Expr::Call(c) if self.is_chain(expr) => self.std_iterator(c),
            syn::Expr::Call(c) if self.called_closure(&c.func).is_some() => {
                let closure = self.closure_called(&c.func)?;
                let args: Vec<Value> = c.args.iter().map(|a| self.expr(a)).collect();
                self.chain_of_closure(&closure, args)
            }
            e => {
                let value = self.expr(e);
                self.named_iterator(&value, span)?;
                if let Some(own) = self.own_iterator(&value, e, span) {
                    return Some(own);
                }
                match (value, e) {
                    (Value::Maybe(maybe), syn::Expr::Reference(r)) => {
                        Some(self.of_option(maybe, Refs { depth: 1, exclusive: r.mutability.is_some() }))
                    }
                    (value, _) => self.chain_of_value(value, span),
                }
            }
        }
    }

    /// A name for an iterator over what carries no derivative is one for its elements from the next round on.
    fn named_iterator(&mut self, value: &Value, span: Span) -> Option<()> {
        match value {
            Value::Passive(p) if self.is_iterator(value) => {
                self.activate(p.root?, span);
                None
            }
            _ => Some(()),
        }
    }

    /// A closure whose body is an iterator.
    pub fn chain_of_closure(
        &mut self,
        closure: &crate::frontend::state::value::Closure,
        args: Vec<Value>,
    ) -> Option<Chain> {
        let mut made = None;
        self.inline_with(closure, args, &mut |l, body| {
            made = l.chain_of_body(body);
            Value::Unit
        });
        made
    }

    fn chain_of_body(&mut self, body: &syn::Expr) -> Option<Chain> {
        let syn::Expr::Block(b) = strip_parens(body) else { return self.chain(body) };
        let (last, before) = b.block.stmts.split_last()?;
        for stmt in before {
            self.stmt(stmt);
        }
        match last {
            syn::Stmt::Expr(e, None) => self.chain_of_body(e),
            _ => None,
        }
    }

    fn range(&mut self, r: &syn::ExprRange) -> Option<Chain> {
        let lo = match &r.start {
            Some(e) => self.bound(e)?,
            None => affine::literal(0),
        };
        let hi = match &r.end {
            Some(e) => Some(self.bound(e)?),
            None => None,
        };
        let (lo, inclusive) = (PassiveCode { span: r.span(), ..lo }, matches!(r.limits, syn::RangeLimits::Closed(_)));
        let (step, cursor, rest, form) = (None, None, None, Form::Iterator);
        let get = Rc::new(|l: &mut Lower, k: PassiveCode| l.integer_value(k));
        Some(Chain::Indexed(Indexed { lo, hi, inclusive, step, down: false, get, integers: true, cursor, rest, form }))
    }

    fn bound(&mut self, e: &syn::Expr) -> Option<PassiveCode> {
        if let Some(asked) = self.asked_integer(e) {
            return Some(self.hold("bound", asked));
        }
        let value = self.expr(e);
        match value {
            Value::Active(_) => {
                if !self.is_used_as_integer(&value) && !self.are_used_as_integers(e) {
                    self.errors.active_integer(e.span(), "a loop bound");
                }
                None
            }
            Value::Poison => None,
            value => {
                let o = self.show(&value.dereferenced_fully(), e.span());
                let stable = self.is_stable(&o);
                Some(if stable { o } else { self.hold("bound", o) })
            }
        }
    }

    /// The elements of a sequence: by reference if the value is behind one.
    pub fn chain_of_value(&mut self, value: Value, span: Span) -> Option<Chain> {
        if let Some(functions) = self.chain_of_table(&value, false) {
            return Some(functions);
        }
        let value = self.sequence(value, span);
        let value = self.as_sequence(value, span);
        match &value {
            Value::Chain(c) => Some((**c).clone().into_iterator()),
            Value::Active(a) => {
                let ty = self.ty_of(&a.place);
                if !types::is_sequence(&ty) && ty != Ty::Unknown {
                    self.errors.unknown_iterator(span);
                    return None;
                }
                let refs = a.refs;
                let value = self.settled(value);
                let value = self.walked_by_value(value, refs, span);
                Some(self.elements_of(value, refs, span))
            }
            Value::Passive(p) if types::is_sequence(&p.ty) => {
                let refs = if p.refs.depth > 0 || self.is_reference(p) { Refs::SHARED } else { Refs::default() };
                Some(self.elements_of(value, refs, span))
            }
            Value::Passive(p)
                if p.refs.depth > 0
                    && !p.refs.exclusive
                    && self.is_part_of_active(&value)
                    && !self.is_stable(&p.passive) =>
            {
                let list = self.show(&value.dereferenced_fully(), span);
                let copy = self.as_it_is_now(list);
                Some(self.collected(copy.map(|copy| quote!((&#copy)))))
            }
            Value::Passive(p) => {
                let copied = p.refs.depth == 0 && (self.is_part_behind_reference(p) || self.is_copied_item(p));
                let shown = self.show(&value, span);
                Some(self.collected(if copied { shown.map(|part| quote!(*&#part)) } else { shown }))
            }
            Value::Maybe(maybe) => Some(self.of_option(maybe.clone(), Refs::default())),
            Value::Tuple(all) if !all.is_empty() => {
                self.errors.unknown_iterator(span);
                None
            }
            Value::Poison => None,
            _ => {
                self.errors.unknown_iterator(span);
                None
            }
        }
    }

    /// Whether it lies behind a shared reference: what is taken out of there by value is copied.
    fn is_part_behind_reference(&self, p: &Passive) -> bool {
        self.is_reference(p) && !p.refs.exclusive && p.root.is_some_and(|r| !self.fact(r).changes)
    }

    /// Whether it is a part without a derivative, of an active value.
    fn is_part_of_active(&self, value: &Value) -> bool {
        matches!(value, Value::Passive(p) if p.root.is_some_and(|root| self.fact(root).active))
    }

    /// Whether it is a variable that holds an item: a copy, so that it may be copied again.
    pub fn is_copied_item(&self, p: &Passive) -> bool {
        p.root.is_some_and(|r| self.fact(r).item && self.info(r).name == p.passive.tokens.to_string())
    }

    fn is_reference(&self, p: &Passive) -> bool {
        p.root.is_some_and(|r| self.fact(r).reference)
    }

    /// An array that is walked through by value is copied: the variable may change before the walk ends.
    fn walked_by_value(&mut self, value: Value, refs: Refs, span: Span) -> Value {
        match (self.value_ty(&value), refs.depth) {
            (Ty::Array(_), 0) => self.copied(value.dereferenced_fully(), "walked", span),
            _ => value,
        }
    }

    /// The elements of a sequence, by index.
    pub fn elements_of(&mut self, value: Value, refs: Refs, span: Span) -> Chain {
        let len = self.length(&value, span);
        let each = Refs { depth: refs.depth.min(1), exclusive: refs.exclusive };
        Chain::counted(len, move |l, k| l.element_of(value.clone(), k, span).behind(each))
    }

    /// A passive iterator that is not known: rustc finds out whether its items lie in a slice, or have to be collected first.
    fn collected(&mut self, iterator: PassiveCode) -> Chain {
        let span = iterator.span;
        let held = self.hold("items", iterator.map(purity::items));
        let var = *held.reads.iter().next().expect("it is a variable");
        self.fact_mut(var).shape = Ty::Vec(Box::new(Ty::Passive));
        self.fact_mut(var).given = true;
        let items = self.value_of(var);
        let len = self.length(&items, span);
        Chain::counted(len, move |l, k| {
            let Value::Passive(p) = l.element_of(items.clone(), k.clone(), span) else { return Value::Poison };
            let tokens = purity::item(&held.tokens, &k.tokens);
            Value::Passive(Passive { passive: PassiveCode { tokens, ..p.passive }, ..p })
        })
    }

    /// A method that starts a chain.
    pub fn start(&mut self, m: &syn::ExprMethodCall) -> Option<Chain> {
        let (span, name) = (m.span(), m.method.to_string());
        let receiver = self.expr(&m.receiver);
        if let Some(functions) = self.chain_of_table(&receiver, name != "into_iter").filter(|_| m.args.is_empty()) {
            return Some(functions);
        } else if self.is_library_chain(m) {
            return self.parts_of(receiver, m);
        } else if matches!(receiver, Value::Queue(_)) {
            self.only_method_of_queues(&Called::of(m));
        }
        match self.sequence(receiver, span) {
            Value::Maybe(maybe) => {
                self.only_method_of_options(&Called::of(m));
                let refs = Refs { depth: usize::from(name != "into_iter"), exclusive: name.ends_with("_mut") };
                Some(self.of_option(maybe, refs))
            }
            Value::Chain(views)
                if views.form() == Form::Slice && !name.ends_with("iter") && !name.ends_with("iter_mut") =>
            {
                self.elements_by(Value::Chain(views), m)
            }
            Value::Chain(views) => self.views_again((*views).clone(), &name, m.method.span()),
            receiver => self.start_of_sequence(receiver, m),
        }
    }

    /// The same for vectors, arrays and slices.
    fn start_of_sequence(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Option<Chain> {
        let (span, name) = (m.span(), m.method.to_string());
        let owned = !self.is_behind(&receiver);
        let mut receiver = self.as_sequence(receiver.behind(Refs { depth: 1, exclusive: name.contains("mut") }), span);
        if let Value::Passive(p) = &mut receiver
            && p.ty == Ty::Passive
            && of_a_constant(&name, &m.receiver)
        {
            p.ty = Ty::Slice(Box::new(Ty::Passive));
        }
        if matches!(receiver, Value::Poison) {
            return None;
        }
        if !self.is_known_sequence(&receiver, m) {
            return self.start_of_unknown(&receiver, m);
        }
        self.only_method_of_std(&receiver, &Called::of(m));
        let receiver = self.settled(receiver);
        match name.as_str() {
            "into_iter" => {
                let refs = if owned { Refs::default() } else { Refs { depth: 1, exclusive: false } };
                let receiver = self.walked_by_value(receiver, refs, span);
                Some(self.elements_of(receiver, refs, span))
            }
            _ => self.elements_by(receiver, m),
        }
    }

    fn is_known_sequence(&self, receiver: &Value, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        match receiver {
            Value::Active(a) => types::is_sequence(&self.ty_of(&a.place)) || self.ty_of(&a.place) == Ty::Unknown,
            Value::Passive(p) => {
                types::is_sequence(&p.ty) || name.ends_with("_mut") && p.root.is_some() || of_slices(&name, m)
            }
            _ => false,
        }
    }

    /// A constant of which only rustc knows what it is, walked as it is.
    fn start_of_unknown(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Chain> {
        if receiver.is_active() {
            self.errors.unknown_iterator(m.span());
            return None;
        }
        if m.method == "drain" && m.args.len() == 1 && self.is_part_of_active(receiver) {
            let taken = self.drained_constant(&receiver.clone().dereferenced_fully(), &m.args[0], m.span());
            return Some(self.elements_of(taken, Refs::default(), m.span()));
        }
        let whole = match self.as_it_was(receiver, m) {
            Some(walk) => walk,
            None => self.passive_code(&syn::Expr::MethodCall(m.clone())),
        };
        Some(self.collected(whole))
    }

    /// The elements of a sequence, or parts of it.
    fn elements_by(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Option<Chain> {
        let (span, name) = (m.span(), m.method.to_string());
        let refs = Refs { depth: 1, exclusive: name.contains("mut") };
        Some(match name.as_str() {
            "iter" | "iter_mut" => self.elements_of(receiver, refs, span),
            "drain" if receiver.is_active() => {
                let drained = match self.queue_named(&m.receiver) {
                    Some(q) => self.drained_queue(q, &m.args[0], span),
                    None => self.drained(receiver, &affine::literal(0), &m.args[0], span),
                };
                let Some(drained) = drained else { return self.unknown_start(m) };
                self.elements_of(drained, Refs::default(), span)
            }
            "drain" if self.is_part_of_active(&receiver) => {
                let taken = self.drained_constant(&receiver.dereferenced_fully(), &m.args[0], span);
                self.elements_of(taken, Refs::default(), span)
            }
            "drain" => {
                let taken = self.expr(&syn::parse_quote!(#m.collect::<::std::vec::Vec<_>>()));
                let Value::Passive(_) = taken else { return self.unknown_start(m) };
                self.elements_of(taken, Refs::default(), span)
            }
            "splice" | "extract_if" => {
                let Some(taken) = self.written_out(m, true) else { return self.unknown_start(m) };
                self.elements_of(taken, Refs::default(), span)
            }
            "range" | "range_mut" => {
                let part = self.range_of_queue(receiver, &m.args[0], span)?;
                self.elements_of(part, refs, span)
            }
            "windows" => self.windows(receiver, &m.args[0], span),
            "chunks" | "chunks_mut" => self.chunks(receiver, &m.args[0], refs, span),
            "chunks_exact" | "chunks_exact_mut" => {
                let width = self.width(&m.args[0]);
                self.exact_chunks(receiver, width, refs, span)
            }
            "rchunks" | "rchunks_mut" => self.rear_chunks(receiver, &m.args[0], refs, span),
            "rchunks_exact" | "rchunks_exact_mut" => self.exact_rear_chunks(receiver, &m.args[0], refs, span),
            _ if is_cut(&name) => self.cut(receiver, m, refs),
            _ => return self.unknown_start(m),
        })
    }

    fn unknown_start(&mut self, m: &syn::ExprMethodCall) -> Option<Chain> {
        self.errors.unknown_adaptor(m.method.span(), &m.method.to_string());
        None
    }

    /// `list.iter()` of a constant list that changes at some time, over a copy: what borrows from the list could not be kept.
    fn as_it_was(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<PassiveCode> {
        if m.method != "iter" || !matches!(receiver, Value::Passive(_)) {
            return None;
        }
        let list = self.show(&receiver.clone().dereferenced_fully(), m.span());
        if self.is_stable(&list) {
            return None;
        }
        Some(self.as_it_is_now(list).map(|copy| quote!(#copy.iter())))
    }

    fn as_it_is_now(&mut self, list: PassiveCode) -> PassiveCode {
        self.hold("walked", list.map(|list| quote!(#list.to_owned())))
    }

    /// The elements that `drain` takes out of a part without a derivative.
    fn drained_constant(&mut self, list: &Value, range: &syn::Expr, span: Span) -> Value {
        let (list, range) = (self.show(list, span), self.passive_code(range));
        let (list_tokens, range_tokens) = (&list.tokens, &range.tokens);
        let taken = quote!(#list_tokens.drain(#range_tokens).collect::<::std::vec::Vec<_>>());
        let taken = self.hold("taken", gathered(taken, [&list, &range].into_iter(), span));
        let var = *taken.reads.iter().next().expect("it is a variable");
        self.fact_mut(var).shape = Ty::Vec(Box::new(Ty::Passive));
        list.reads.into_iter().for_each(|root| self.given_away(root));
        self.value_of(var)
    }

    /// `views.iter()`, of references that were collected.
    fn views_again(&mut self, views: Chain, name: &str, span: Span) -> Option<Chain> {
        match (name, views.form()) {
            ("iter" | "iter_mut" | "into_iter", Form::Slice) | ("into_iter", _) => Some(views.into_iterator()),
            ("iter", _) => Some(views.into_iterator().mapped(|_, v| v.borrowed(false))),
            _ => {
                self.errors.unknown_adaptor(span, name);
                None
            }
        }
    }

    fn is_behind(&self, value: &Value) -> bool {
        match value {
            Value::Passive(p) => p.refs.depth > 0 || self.is_reference(p),
            other => other.refs().depth > 0,
        }
    }

    fn width(&mut self, e: &syn::Expr) -> PassiveCode {
        let value = self.expr(e);
        let o = self.show(&value.dereferenced_fully(), e.span());
        self.atom("w", o)
    }

    fn windows(&mut self, value: Value, width: &syn::Expr, span: Span) -> Chain {
        let w = self.width(width);
        let len = self.length(&value, span);
        let (n, t) = (&len.tokens, &w.tokens);
        let count = over(quote!((#n + 1).saturating_sub(#t)), &[&len, &w]);
        Chain::counted(count, move |l, k| {
            let hi = arithmetic::add(&k, &w);
            l.slice_of(value.clone(), Some(k), Some(hi), span).behind(Refs::SHARED)
        })
    }

    /// Parts of one length, and what they leave over.
    pub fn exact_chunks(&mut self, value: Value, w: PassiveCode, refs: Refs, span: Span) -> Chain {
        let len = self.length(&value, span);
        let (n, t) = (&len.tokens, &w.tokens);
        let count = self.atom("n", over(quote!(#n / #t), &[&len, &w]));
        let (whole, n, width) = (value.clone(), count.clone(), w.clone());
        let rest =
            move |l: &mut Lower| l.slice_of(whole.clone(), Some(arithmetic::mul(&n, &width)), None, span).behind(refs);
        let part = move |l: &mut Lower, k: PassiveCode| {
            let lo = arithmetic::mul(&k, &w);
            let hi = arithmetic::add(&lo, &w);
            l.slice_of(value.clone(), Some(lo), Some(hi), span).behind(refs)
        };
        Chain::Indexed(Indexed { rest: Some(Rc::new(rest)), ..Indexed::counted(Some(count), Rc::new(part)) })
    }

    fn chunks(&mut self, value: Value, width: &syn::Expr, refs: Refs, span: Span) -> Chain {
        let w = self.width(width);
        let len = self.length(&value, span);
        let n = self.atom("len", len);
        let t = &w.tokens;
        let tokens = &n.tokens;
        let count = over(quote!(#tokens.div_ceil(#t)), &[&n, &w]);
        Chain::counted(count, move |l, k| {
            let lo = arithmetic::mul(&k, &w);
            let end = arithmetic::add(&lo, &w);
            let (e, n_) = (&end.tokens, &n.tokens);
            let hi = l.hold("end", over(quote!((#e).min(#n_)), &[&end, &n]));
            l.slice_of(value.clone(), Some(lo), Some(hi), span).behind(refs)
        })
    }

    fn rear_chunks(&mut self, value: Value, width: &syn::Expr, refs: Refs, span: Span) -> Chain {
        let w = self.width(width);
        let len = self.length(&value, span);
        let n = self.atom("len", len);
        let (t, tokens) = (&w.tokens, &n.tokens);
        let count = over(quote!(#tokens.div_ceil(#t)), &[&n, &w]);
        Chain::counted(count, move |l, k| {
            let hi = arithmetic::sub(&n, &arithmetic::mul(&k, &w));
            let (h, t) = (&hi.tokens, &w.tokens);
            let lo = l.hold("start", over(quote!((#h).saturating_sub(#t)), &[&hi, &w]));
            l.slice_of(value.clone(), Some(lo), Some(hi), span).behind(refs)
        })
    }

    fn exact_rear_chunks(&mut self, value: Value, width: &syn::Expr, refs: Refs, span: Span) -> Chain {
        let w = self.width(width);
        let len = self.length(&value, span);
        let n = self.atom("len", len);
        let (t, tokens) = (&w.tokens, &n.tokens);
        let count = self.atom("n", over(quote!(#tokens / #t), &[&n, &w]));
        let (whole, rest) = (value.clone(), self.atom("rest", over(quote!(#tokens % #t), &[&n, &w])));
        let rest = move |l: &mut Lower| l.slice_of(whole.clone(), None, Some(rest.clone()), span).behind(refs);
        let part = move |l: &mut Lower, k: PassiveCode| {
            let hi = arithmetic::sub(&n, &arithmetic::mul(&k, &w));
            let lo = l.hold("start", arithmetic::sub(&hi, &w));
            l.slice_of(value.clone(), Some(lo), Some(hi), span).behind(refs)
        };
        Chain::Indexed(Indexed { rest: Some(Rc::new(rest)), ..Indexed::counted(Some(count), Rc::new(part)) })
    }

    /// Code that compiles only if a path leads to the function of `std::iter`.
    fn only_iterator(&mut self, path: &syn::ExprPath, name: &str) {
        let one = quote!(::core::option::IntoIter<f64>);
        let std = match name {
            "zip" => quote!(::core::iter::zip::<#one, #one>),
            "from_fn" => quote!(::core::iter::from_fn::<f64, fn() -> ::core::option::Option<f64>>),
            "repeat_with" => quote!(::core::iter::repeat_with::<f64, fn() -> f64>),
            "once_with" => quote!(::core::iter::once_with::<f64, fn() -> f64>),
            "successors" => quote!(::core::iter::successors::<f64, fn(&f64) -> ::core::option::Option<f64>>),
            name => {
                let name = Ident::new(name, path.span());
                quote!(::core::iter::#name::<f64>)
            }
        };
        self.only_of_std(path, &std);
    }

    /// `std::iter::repeat(v)` and its kind.
    fn std_iterator(&mut self, c: &syn::ExprCall) -> Option<Chain> {
        let syn::Expr::Path(p) = &*c.func else { return None };
        let name = p.path.segments.last()?.ident.to_string();
        let args: Vec<&syn::Expr> = c.args.iter().collect();
        self.only_iterator(p, &name);
        match (name.as_str(), &args[..]) {
            ("zip", [a, b]) => {
                let a = self.chain(a)?;
                let b = self.chain(b)?;
                self.zip(a, b, c.span())
            }
            ("empty", []) => Some(Chain::counted(affine::literal(0), |_, _| Value::Poison)),
            ("once", [v]) => {
                let value = self.expr(v);
                Some(Chain::counted(affine::literal(1), move |_, _| value.clone()))
            }
            ("repeat", [v]) => {
                let value = self.expr(v);
                Some(Chain::Indexed(Indexed::counted(None, Rc::new(move |_, _| value.clone()))))
            }
            ("from_fn", [f]) => Some(self.made_while_some(f, c.span())),
            ("repeat_with", [f]) => Some(self.made_again(f)),
            ("once_with", [f]) => {
                let f = self.callee(f);
                Some(Chain::counted(affine::literal(1), move |l, _| l.apply(&f, Vec::new())))
            }
            ("successors", [first, next]) => self.successors(first, next, c.span()),
            ("repeat_n", [v, n]) => {
                let value = self.expr(v);
                let n = self.bound(n)?;
                Some(Chain::counted(n, move |_, _| value.clone()))
            }
            _ => {
                self.errors.unknown_iterator(c.span());
                None
            }
        }
    }
}
