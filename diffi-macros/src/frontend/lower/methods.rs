//! Method calls on active values.

use crate::frontend::arrays::complex;
use crate::frontend::leaks::opens;
use crate::frontend::lower::confirmed::COPIED;
use crate::frontend::lower::std_methods::Called;
use crate::frontend::option_result::fallible;
use crate::frontend::state::context::{Lower, Origin};
use crate::frontend::state::value::{Active, Form, Maybe, Refs, Value, over};
use crate::frontend::syntax::passive_code::respanned;
use crate::frontend::syntax::{effects, types, writes};
use crate::ir::affine::{self, arithmetic};
use crate::ir::purity::only_looks;
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::{is_self, strip_parens};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// Methods that give a part of constant length from an end.
const CHUNKS: &[&str] = &["first_chunk", "last_chunk", "split_first_chunk", "split_last_chunk"];

impl Lower {
    /// `receiver.method(args)`.
    pub fn method(&mut self, m: &syn::ExprMethodCall) -> Value {
        if let Some(value) = self.maybe_projected(m).or_else(|| self.call_with(m)) {
            return value;
        }
        self.method_for(m, true)
    }

    /// The same; a value that nobody wants shows that a method of the user's changes its receiver.
    pub fn method_for(&mut self, m: &syn::ExprMethodCall, wanted: bool) -> Value {
        if self.is_stored_in_a_cell(m) || self.refuses_parallel_iterator(m) {
            return Value::Poison;
        }
        let is_chain = self.is_chain(&syn::Expr::MethodCall(m.clone()));
        if let Some(q) = self.queue_named(&m.receiver).filter(|_| !is_chain) {
            return self.queue_method(q, m);
        }
        if let Some(maybe) = self.mapped_option(m) {
            return self.maybe_method(maybe, m);
        }
        let own = self.library_method(m).or_else(|| self.written_out(m, wanted));
        if let Some(value) = own.or_else(|| self.rewritten_of_floats(m)).or_else(|| self.filled_option(m)) {
            return value;
        }
        if let Some(own) = self.run_of_own(m).filter(|_| !is_chain && !self.is_chain(&m.receiver)) {
            return self.method_for(&own, wanted);
        }
        if let Some(maybe) = self.named_maybe(&m.receiver).filter(|_| !is_chain) {
            return self.maybe_method(maybe, m);
        }
        if let Some(value) = self.change_option_place(m) {
            return value;
        }
        if self.change(m) {
            return Value::Unit;
        }
        let changed = self.pushed_to_constant(m).or_else(|| self.taken_from_waiting(m));
        let changed = changed.or_else(|| self.array_of_slice(m)).or_else(|| self.cut_off(m));
        if let Some(value) = changed.or_else(|| self.removal(m)) {
            return value;
        }
        if self.is_chain(&m.receiver) || self.is_chain(&syn::Expr::MethodCall(m.clone())) {
            return self.chain_method(m);
        }
        let receiver = self.untyped(&m.receiver);
        let receiver = self.receiver_of(receiver, &m.method);
        let changed = self.is_changeable(&receiver)
            && (!wanted && !self.scope.changes.is_left_by(m)
                || self.advances_own(&receiver, m)
                || self.only_changes_here(&receiver, m))
            || self.changes_self(m);
        if changed && !self.is_known(&receiver, m) && self.option_by_method(&receiver, m).is_none() {
            return self.annotated_method(receiver, m, true);
        }
        self.method_of(receiver, m)
    }

    /// A constant queue that is pushed to carries derivatives from now on.
    fn pushed_to_constant(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        (m.method == "push_back" || m.method == "push_front").then_some(())?;
        let Value::Passive(p) = self.expr(&m.receiver) else { return None };
        self.activate(p.root?, m.span());
        Some(Value::Poison)
    }

    /// `unwrap()` of what was popped.
    fn taken_from_waiting(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        matches!(m.method.to_string().as_str(), "unwrap" | "expect").then_some(())?;
        let maybe = self.waiting_pop(&m.receiver)?;
        Some(self.maybe_method(maybe, m))
    }

    /// `a.mul_assign(b)`, `a.into()` where a float is expected, `a.next_up()`.
    fn rewritten_of_floats(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let (a, span) = (&m.receiver, m.span());
        let assigned = |op: TokenStream| m.args.first().map(|b| quote_spanned!(span=> #a #op #b));
        let name = m.method.to_string();
        let code = match (name.as_str(), m.args.len()) {
            ("add_assign", 1) => assigned(quote!(+=))?,
            ("sub_assign", 1) => assigned(quote!(-=))?,
            ("mul_assign", 1) => assigned(quote!(*=))?,
            ("div_assign", 1) => assigned(quote!(/=))?,
            ("rem_assign", 1) => assigned(quote!(%=))?,
            ("into", 0) if self.jumps.expected == Some(Ty::Float) => quote_spanned!(span=> (#a)),
            ("next_up" | "next_down", 0) => quote_spanned!(span=> (#a)),
            _ => return None,
        };
        let (_, receiver) = self.inside(|l| l.untyped(a));
        if self.value_ty(&receiver) != Ty::Float || !self.act(&syn::Expr::MethodCall(m.clone())).any() {
            return None;
        }
        if name.ends_with("_assign") {
            self.only_assignment_of_std(&Called::of(m));
        }
        if name.starts_with("next") {
            self.only_method_of_std(&receiver, &Called::of(m));
            let value = self.untyped(a).dereferenced_fully();
            let shown = self.show(&value, span);
            let method = &m.method;
            let step = self.hold("step", shown.map(|v| quote!((#v).#method() - (#v))));
            return Some(self.operation(Op::Add, &[value, Value::passive(step)], span));
        }
        Some(self.expr(&syn::parse_quote!(#code)))
    }

    /// An option that is `None` to begin with holds an active value from the next round on.
    fn filled_option(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let fills = m.method == "insert" && m.args.len() == 1 || m.method.to_string().starts_with("get_or_insert");
        if !fills || !m.args.iter().any(|a| self.act(a).any()) || self.named_maybe(&m.receiver).is_some() {
            return None;
        }
        match self.expr(&m.receiver) {
            Value::Passive(p) if p.passive.tokens.to_string() == "None" || !types::is_sequence(&p.ty) => {
                self.activate(p.root?, m.span());
                Some(Value::Poison)
            }
            _ => None,
        }
    }

    /// Refuses an active value that is given to what lies in a cell or behind a lock, `cell.borrow_mut().method(v)`.
    pub fn is_stored_in_a_cell(&mut self, m: &syn::ExprMethodCall) -> bool {
        let stored = opens(&m.receiver) && m.args.iter().any(|a| self.act(a).any()) && !self.act(&m.receiver).any();
        if stored {
            self.errors.stored(m.method.span(), &m.method.to_string());
        }
        stored
    }

    /// An expression of which the type that is expected around it says nothing.
    pub fn untyped(&mut self, expr: &syn::Expr) -> Value {
        let expected = self.jumps.expected.take();
        let value = self.expr(expr);
        self.jumps.expected = expected;
        value
    }

    /// A method of a value.
    pub fn method_of(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Value {
        let (name, span) = (m.method.to_string(), m.method.span());
        if let Some(value) = self.method_of_a_wrapper(&receiver, m) {
            return value;
        }
        if let Some(maybe) = self.carrier_by_method(&receiver, m) {
            return self.maybe_method(maybe, m);
        }
        if let Some(value) = self.method_of_an_answer(&receiver, m) {
            return value;
        }
        let part = if self.is_made_of_fields(&receiver) { None } else { self.place_method(&receiver, m) };
        if let Some(value) = part {
            return value;
        }
        if names::COPIES.contains(&name.as_str()) && m.args.is_empty() && !self.is_no_copy(&receiver, &name) {
            self.only_of_std_types(&receiver, &name, span);
            self.only_method_of_std(&receiver, &Called::of(m));
            return self.copy(receiver, &name, span);
        }
        if let Some(value) = self.complex_method(&receiver, m) {
            return value;
        }
        if self.refused_of_sequences(&receiver, &m.method) {
            return Value::Poison;
        }
        if let Some(value) = self.method_of_number_trait(&receiver, m) {
            return value;
        }
        let known = names::is_scalar(&name, m.args.len()) || names::BITS.contains(&name.as_str());
        if !known || self.is_own_operator(&receiver, &name) || self.is_of_own_type(&receiver, m) {
            let receiver = if self.change_receiver(m) { self.as_it_is(receiver, span) } else { receiver };
            return self.annotated_method(receiver, m, false);
        }
        self.method_of_a_number(receiver, m)
    }

    /// A method of an option, a chain, or what answers like one.
    fn method_of_a_wrapper(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Value> {
        match receiver {
            Value::Poison => Some(Value::Poison),
            Value::Maybe(maybe) => Some(self.maybe_method(maybe.clone(), m)),
            Value::Chain(chain) if chain.form() != Form::Iterator => {
                Some(self.method_of_views(chain, m).unwrap_or_else(|| self.method_of_chain(chain.clone(), m)))
            }
            Value::Chain(chain) => Some(self.method_of_chain(chain.clone(), m)),
            value if self.option_by_method(value, m).is_some() => {
                let maybe = self.option_by_method(value, m);
                Some(maybe.map_or(Value::Poison, |maybe| self.maybe_method(maybe, m)))
            }
            value if self.has_method_of_integers(value, m) => Some(Value::Poison),
            Value::Passive(p) if m.method == "then" || m.method == "then_some" => Some(self.then(p.passive.clone(), m)),
            _ => None,
        }
    }

    /// A value of an unknown type that has a method of options.
    fn carrier_by_method(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Maybe> {
        (fallible::is_method(&m.method.to_string()) || fallible::tells_context(m)).then_some(())?;
        if receiver.is_active() && self.is_cast_of_floats(&m.receiver) {
            return Some(Maybe::some(receiver.clone()));
        }
        let unknown = match receiver {
            Value::Active(a) => self.ty_of(&a.place) == Ty::Unknown && !self.fact(a.place.root).is_named(),
            Value::Passive(p) => !types::is_sequence(&p.ty) && !self.is_passive(&syn::Expr::MethodCall(m.clone())),
            _ => false,
        };
        unknown.then(|| self.as_carrier(receiver.clone(), m.method.span()))?
    }

    fn method_of_a_number(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Value {
        let name = m.method.to_string();
        if names::is_operator(&name) {
            self.only_operator_of_std(&Called::of(m));
        } else {
            self.only_known_float_trait();
            self.only_method_of_std(&receiver, &Called::of(m));
        }
        let mut receiver = receiver;
        if m.args.iter().any(|a| !effects::of_expr(&self.scope, a).is_pure()) {
            receiver = self.copied(receiver.dereferenced_fully(), "t", m.method.span());
        }
        let mut args = vec![receiver.clone().dereferenced_fully()];
        let given = self.in_order(&m.args.iter().collect::<Vec<_>>(), &mut |l, _, a| l.expr(a).dereferenced_fully());
        args.extend(given);
        if name == "powi" && m.args.iter().any(|n| self.are_used_as_integers(n)) {
            return Value::Poison; // a part of an active value, which the next round takes for an integer
        }
        match self.scalar_method(&name, &args, m.span()) {
            Some(value) => value,
            None if args.iter().any(|a| matches!(a, Value::Poison)) || names::BITS.contains(&name.as_str()) => {
                Value::Poison
            }
            None => {
                self.errors.unknown_method(m.method.span(), &name);
                Value::Poison
            }
        }
    }

    /// A method of what a call gave that carries no derivative, `relax(&mut u).is_none()`: it is passive, as its receiver is.
    fn method_of_an_answer(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Value> {
        let Value::Passive(p) = receiver else { return None };
        let called = matches!(strip_parens(&m.receiver), syn::Expr::Call(_) | syn::Expr::MethodCall(_));
        if !called || p.root.is_none() || !m.args.iter().all(|a| self.is_passive(a)) {
            return None;
        }
        let shown = self.show(receiver, m.span());
        let args: Vec<PassiveCode> = m.args.iter().map(|a| self.passive_code(a)).collect();
        let (given, on) = (args.iter().map(|a| &a.tokens), &shown.tokens);
        let (name, turbofish) = (&m.method, &m.turbofish);
        let tokens = quote!(#on.#name #turbofish(#(#given),*));
        Some(Value::passive(affine::gathered(tokens, [&shown].into_iter().chain(&args), m.span())))
    }

    /// `a.mul(b)` where `a` is no float: a method of its type.
    fn is_own_operator(&self, receiver: &Value, name: &str) -> bool {
        ["add", "sub", "mul", "div", "rem", "neg"].contains(&name) && self.value_ty(receiver) != Ty::Float
    }

    /// Whether a value is of a user's type, by all that is seen: the signature names that, its fields are used, or its type made it.
    fn is_of_own_type(&self, receiver: &Value, m: &syn::ExprMethodCall) -> bool {
        let Value::Active(a) = receiver else { return false };
        let ty = self.ty_of(&a.place);
        if !matches!(ty, Ty::Unknown | Ty::Struct(_)) {
            return false;
        }
        if self.is_method_of_its_type(&a.place, m) {
            return true;
        }
        if !a.place.path.is_empty() {
            return false;
        }
        let fact = self.fact(a.place.root);
        self.is_read_by_fields(receiver, m)
            || fact.is_named()
            || fact.is_constructed()
            || matches!(fact.origin, Origin::Maker)
            || ty != Ty::Unknown
    }

    /// Whether the module shows that the type of a place has this method.
    fn is_method_of_its_type(&self, place: &Place, m: &syn::ExprMethodCall) -> bool {
        let indexed = !place.path.is_empty() && place.path.iter().all(|step| matches!(step, Proj::Index(_)));
        let part = indexed.then(|| (&*self.info(place.root).hint, place.path.len()));
        self.unannotated.as_ref().is_some_and(|known| known.is_own(m, part))
    }

    /// Whether a method is called on a variable of a type that only rustc knows, whose fields are read elsewhere.
    pub fn is_read_by_fields(&self, receiver: &Value, m: &syn::ExprMethodCall) -> bool {
        let Value::Active(a) = receiver else { return false };
        let name = writes::root_name(&m.receiver).filter(|_| matches!(&*m.receiver, syn::Expr::Path(_)));
        let unknown = a.place.path.is_empty() && matches!(self.ty_of(&a.place), Ty::Unknown | Ty::Struct(_));
        unknown && name.is_some_and(|name| self.scope.changes.structs.contains(&name.to_string()))
    }

    fn is_made_of_fields(&self, receiver: &Value) -> bool {
        let constructed = |a: &Active| a.place.path.is_empty() && self.fact(a.place.root).is_constructed();
        matches!(receiver, Value::Active(a) if constructed(a))
    }

    /// Whether a method of the block around the function takes `&mut self`.
    fn changes_self(&self, m: &syn::ExprMethodCall) -> bool {
        is_self(&m.receiver) && self.scope.changes_self(&m.method)
    }

    /// Whether a variable is declared `mut` for the sake of such a method alone, by all that is seen. (A parameter may be `&mut` for
    /// no reason: there a call for nothing but what it changes has to say so.)
    fn only_changes_here(&self, receiver: &Value, m: &syn::ExprMethodCall) -> bool {
        let place = matches!(strip_parens(&m.receiver), syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_));
        let Some(name) = writes::root_name(&m.receiver).filter(|_| place) else { return false };
        let float = self.value_ty(receiver) == Ty::Float;
        let parameter =
            matches!(receiver, Value::Active(a) if a.place.path.is_empty() && self.fact(a.place.root).reference);
        let active = receiver.is_active() || m.args.iter().any(|a| self.act(a).any());
        let changes = &self.scope.changes;
        let said = changes.is_changing(m, &name.to_string());
        active && !float && !only_looks(&m.method) && (said || !parameter && changes.are_by(m, name))
    }

    /// Whether a value lies in a variable that may change, and is not behind a shared reference.
    fn is_changeable(&self, value: &Value) -> bool {
        let shared = |refs: Refs| refs.depth > 0 && !refs.exclusive;
        match value {
            Value::Active(a) => !shared(a.refs) && self.fact(a.place.root).changes,
            Value::Passive(p) => !shared(p.refs) && p.root.is_some_and(|root| self.fact(root).changes),
            _ => false,
        }
    }

    /// Whether a method is one of std's.
    fn is_known(&self, receiver: &Value, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        let sequence = types::is_sequence(&self.value_ty(receiver));
        let complex = self.complex && complex::is_method(&name);
        if self.is_of_own_type(receiver, m) {
            return false;
        }
        complex || sequence || names::is_scalar(&name, m.args.len()) || names::COPIES.contains(&&name[..])
    }

    /// Whether a method that std has for options and iterators alone is called on something else: it is the user's.
    fn is_no_copy(&self, receiver: &Value, name: &str) -> bool {
        const OF_OPTIONS: &[&str] = &["copied", "cloned", "as_deref", "by_ref"];
        const AS_SLICES: &[&str] = &["as_slice", "as_mut_slice"];
        const SHARED: &[&str] = &["as_mut", "borrow_mut"];
        const OF_OTHERS: &[&str] = &["as_mut", "as_ref", "borrow", "borrow_mut"];
        let foreign: &[&[&str]] = match self.value_ty(receiver) {
            Ty::Slice(_) if !receiver.refs().exclusive => &[OF_OPTIONS, AS_SLICES, SHARED],
            Ty::Slice(_) => &[OF_OPTIONS, AS_SLICES],
            Ty::Vec(_) | Ty::Array(_) => &[OF_OPTIONS],
            Ty::Float | Ty::Tuple(_) => &[OF_OPTIONS, AS_SLICES, OF_OTHERS],
            _ => &[],
        };
        receiver.is_active() && foreign.iter().any(|names| names.contains(&name))
    }

    /// Code that compiles only if a value of a type that only rustc knows is of one of std, where these methods copy and borrow.
    pub fn only_of_std_types(&mut self, receiver: &Value, name: &str, span: Span) {
        let unknown = matches!(self.value_ty(receiver), Ty::Unknown | Ty::Struct(_));
        if !receiver.is_active() || !unknown || name == "clone" || name == "to_owned" {
            return;
        }
        let shown = self.show(&receiver.clone().dereferenced_fully(), span);
        let place = respanned(shown.tokens.clone(), span);
        let question = Ident::new(COPIED, span);
        let tokens = quote_spanned!(span=> if false { __d::#question(&#place) });
        self.emit(Stmt::Effect { tokens: PassiveCode { tokens, ..shown }, writes: Default::default() });
    }

    /// `clone()` and its kind.
    fn copy(&mut self, receiver: Value, name: &str, span: Span) -> Value {
        match name {
            "clone" if self.is_counted(&receiver) => receiver,
            "clone" | "to_owned" => self.owned(receiver, span),
            "copied" => receiver.dereferenced(),
            "cloned" => self.owned_part(receiver.dereferenced(), span),
            "as_mut" | "borrow_mut" | "as_mut_slice" | "by_ref" => receiver.behind(Refs::EXCLUSIVE),
            _ => receiver.behind(Refs::SHARED),
        }
    }

    /// An owned copy: of an aggregate a new variable.
    pub fn owned(&mut self, value: Value, span: Span) -> Value {
        let Value::Active(a) = value else { return self.owned_parts(value.dereferenced_fully(), span) };
        let ty = self.ty_of(&a.place);
        match &ty {
            Ty::Float => Value::place(a.place),
            Ty::Unknown | Ty::Library | Ty::Struct(_) | Ty::Array(_) | Ty::Tuple(_) => {
                let boxed = self.is_box(&a.place);
                let copy = self.bind("copy", span, ty, Expr::Operand(Operand::Place(a.place)));
                if boxed {
                    self.fact_mut(copy).origin = Origin::Boxed;
                }
                Value::place(Place::var(copy))
            }
            _ => self.vec_of(a.place, span),
        }
    }

    /// The same of what has parts.
    fn owned_parts(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Tuple(parts) => Value::Tuple(parts.into_iter().map(|v| self.owned_part(v, span)).collect()),
            Value::Maybe(maybe) => self.owned_option(maybe, span),
            other => other,
        }
    }

    /// An owned copy of a part of what is cloned: a reference stays one.
    pub fn owned_part(&mut self, part: Value, span: Span) -> Value {
        if part.refs().depth > 0 { part } else { self.owned(part, span) }
    }

    /// A `Vec` of the elements.
    pub fn vec_of(&mut self, place: Place, span: Span) -> Value {
        let ty = Ty::Vec(Box::new(types::element(&self.ty_of(&place))));
        Value::place(Place::var(self.bind("copy", span, ty, Expr::ToVec(place))))
    }

    /// Methods that name a part of their receiver.
    fn place_method(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Value> {
        let place = self.part_by_method(receiver, m)?;
        self.only_method_of_std(receiver, &Called::of(m));
        Some(place)
    }

    fn part_by_method(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Value> {
        let span = m.span();
        let value = receiver.clone();
        let name = m.method.to_string();
        let refs = Refs { depth: 1, exclusive: writes::lends_mut(&name) };
        Some(match (name.as_str(), m.args.len()) {
            ("into_vec", 0) if matches!(self.value_ty(&value), Ty::Array(_) | Ty::Slice(_)) => return None,
            ("to_vec" | "into_vec", 0) => match value {
                Value::Active(a) => self.vec_of(a.place, span),
                other => other,
            },
            ("into_boxed_slice", 0) if !matches!(self.value_ty(&value), Ty::Slice(_) | Ty::Array(_) | Ty::Float) => {
                self.only_of_std_types(&value, "into_boxed_slice", span);
                value
            }
            ("first" | "first_mut", 0) => {
                let part = self.element_of(value.clone(), affine::literal(0), span).behind(refs);
                self.unless_empty(&value, part, span)
            }
            ("last" | "last_mut", 0) => {
                let last = self.last_index(&value, span);
                let part = self.element_of(value.clone(), last, span).behind(refs);
                self.unless_empty(&value, part, span)
            }
            ("get" | "get_mut", 1) => self.get(value, &m.args[0], refs, span),
            ("concat", 0) if types::is_sequence(&self.value_ty(&value)) => self.concatenated(value, span),
            ("map", 1) if matches!(self.value_ty(&value), Ty::Array(_)) => {
                self.map_array(value.clone(), Some(&value), &m.args[0], span)
            }
            _ => return self.split_by_method(value, m, refs),
        })
    }

    fn last_index(&mut self, value: &Value, span: Span) -> PassiveCode {
        let len = self.length(value, span);
        let n = self.atom("n", len);
        arithmetic::sub(&n, &affine::literal(1))
    }

    /// Parts before and behind an index.
    fn split_by_method(&mut self, value: Value, m: &syn::ExprMethodCall, refs: Refs) -> Option<Value> {
        let span = m.span();
        Some(match (m.method.to_string().as_str(), m.args.len()) {
            ("split_at" | "split_at_mut", 1) => {
                let k = self.integer(&m.args[0]);
                let k = self.frozen("k", k);
                let (a, b) = (value.clone(), value);
                let left = self.slice_of(a, None, Some(k.clone()), span).behind(refs);
                Value::Tuple(vec![left, self.slice_of(b, Some(k), None, span).behind(refs)])
            }
            ("split_at_checked" | "split_at_mut_checked", 1) => {
                let k = self.integer(&m.args[0]);
                self.split_where_fits(value, k, false, refs, span)
            }
            (name, 0) if CHUNKS.contains(&name.trim_end_matches("_mut")) => self.chunk_by_method(value, m, refs)?,
            ("split_first" | "split_first_mut", 0) => {
                let head = self.element_of(value.clone(), affine::literal(0), span).behind(refs);
                let tail = self.slice_of(value.clone(), Some(affine::literal(1)), None, span).behind(refs);
                self.unless_empty(&value, Value::Tuple(vec![head, tail]), span)
            }
            ("split_last" | "split_last_mut", 0) => {
                let last = self.last_index(&value, span);
                let tail = self.element_of(value.clone(), last.clone(), span).behind(refs);
                let head = self.slice_of(value.clone(), None, Some(last), span).behind(refs);
                self.unless_empty(&value, Value::Tuple(vec![tail, head]), span)
            }
            _ => return self.views_by_method(value, m, refs),
        })
    }

    /// A part of constant length, perhaps with the rest.
    fn chunk_by_method(&mut self, value: Value, m: &syn::ExprMethodCall, refs: Refs) -> Option<Value> {
        let name = m.method.to_string();
        let n = self.chunk_size(m)?;
        let parts = self.split_where_fits(value, n, name.contains("last"), refs, m.span());
        let (false, Value::Maybe(parts)) = (name.starts_with("split"), &parts) else { return Some(parts) };
        let (content, at) = (parts.content.clone(), usize::from(name.starts_with("last_chunk")));
        Some(Value::Maybe(Maybe::new(parts.present.clone(), move |l| match content(l) {
            Value::Tuple(mut all) => all.swap_remove(at),
            other => other,
        })))
    }

    /// `rows.concat()`: one `Vec` of all rows' elements.
    fn concatenated(&mut self, rows: Value, span: Span) -> Value {
        let scope = self.scope.clone();
        let name = self.name_for(rows);
        let all = syn::parse_quote_spanned!(span=> #name.iter().flatten().cloned().collect::<Vec<_>>());
        let value = self.expr(&all);
        self.scope = scope;
        value
    }

    /// The `N` of `first_chunk::<N>()`.
    pub fn chunk_size(&self, m: &syn::ExprMethodCall) -> Option<PassiveCode> {
        let size = m.turbofish.as_ref()?.args.first()?;
        match size {
            syn::GenericArgument::Const(e) => Some(self.passive_code(e)),
            syn::GenericArgument::Type(t) => Some(self.passive_code(&syn::parse_quote!(#t))),
            _ => None,
        }
    }

    /// Both sides of an index from either end, if that is inside.
    fn split_where_fits(&mut self, value: Value, k: PassiveCode, from_end: bool, refs: Refs, span: Span) -> Value {
        let len = self.length(&value, span);
        let (n, k) = (self.atom("n", len), self.atom("k", k));
        let (a, b) = (&k.tokens, &n.tokens);
        let present = self.hold("fits", over(quote!(#a <= #b), &[&k, &n]));
        Value::Maybe(Maybe::new(present, move |l| {
            let at = if from_end { l.hold_nameless("k", arithmetic::sub(&n, &k)) } else { k.clone() };
            let left = l.slice_of(value.clone(), None, Some(at.clone()), span).behind(refs);
            Value::Tuple(vec![left, l.slice_of(value.clone(), Some(at), None, span).behind(refs)])
        }))
    }

    fn unless_empty(&mut self, whole: &Value, part: Value, span: Span) -> Value {
        let len = self.length(whole, span);
        let t = &len.tokens;
        let present = PassiveCode { tokens: quote!(#t > 0), ..len.clone() };
        Value::Maybe(Maybe::new(present, move |_| part.clone()))
    }

    fn get_range(&mut self, value: Value, (at, r): (&syn::Expr, &syn::ExprRange), refs: Refs, span: Span) -> Value {
        let [lo, hi] = [&r.start, &r.end].map(|end| end.as_ref().map(|e| self.integer(e)));
        let whole = self.show(&value.clone().dereferenced_fully(), span);
        let (w, range) = (&whole.tokens, self.passive_code(at));
        let tokens = &range.tokens;
        let mut present = PassiveCode { tokens: quote!(#w.get(#tokens).is_some()), ..range.clone() };
        present.reads.extend(&whole.reads);
        let part = self.slice_of(value, lo, hi, span).behind(refs);
        Value::Maybe(Maybe::new(present, move |_| part.clone()))
    }

    fn get(&mut self, value: Value, at: &syn::Expr, refs: Refs, span: Span) -> Value {
        let len = self.length(&value, span);
        if let syn::Expr::Range(r) = at {
            return self.get_range(value, (at, r), refs, span);
        }
        let at = self.integer(at);
        let at = self.frozen("i", at);
        let (i, n) = (&at.tokens, &len.tokens);
        let mut present = PassiveCode { tokens: quote!(#i < #n), ..len.clone() };
        present.reads.extend(&at.reads);
        let part = self.element_of(value, at, span).behind(refs);
        Value::Maybe(Maybe::new(present, move |_| part.clone()))
    }
}
