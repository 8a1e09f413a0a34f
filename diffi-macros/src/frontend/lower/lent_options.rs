//! `Some(&x)` and `Some(&mut x)` as arguments: a call is lent a copy, from which what may be changed is taken back.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Maybe, Value};
use crate::frontend::syntax::writes::{is_lent, is_some};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// `Some(&mut x)`, whose `x` carries derivatives if the function that gets it lets them in.
    pub fn lent_by_some(&mut self, arg: &syn::Expr) -> Option<CallArg> {
        let syn::Expr::Call(call) = strip_parens(arg) else { return None };
        let content = call.args.first().filter(|content| is_some(&call.func) && is_lent(content))?;
        let value = self.expr(content);
        Some(self.option_argument(&Maybe::some(value), arg.span()))
    }

    /// An option as an argument.
    pub fn option_argument(&mut self, maybe: &Maybe, span: Span) -> CallArg {
        let (content, refs) = self.content_lent(maybe);
        match (content, maybe.lent.or(refs)) {
            (Value::Active(_), Some(exclusive)) => self.lent_option(maybe, exclusive, span),
            (Value::Passive(p), Some(true)) if p.root.is_some() => {
                p.root.iter().for_each(|root| self.activate(*root, span));
                let shown = self.show(&Value::Passive(p), span);
                CallArg::Passive(shown.map(|shown| quote!(::core::option::Option::Some(#shown))))
            }
            _ => CallArg::Value(self.field_value(&Value::Maybe(maybe.clone()), span)),
        }
    }

    /// `&Some(value)`, of an option that holds the value itself.
    pub fn option_behind_reference(&mut self, maybe: &Maybe, span: Span) -> CallArg {
        match self.option_argument(maybe, span) {
            CallArg::Value(Operand::Place(place)) => CallArg::Ref(place),
            other => other,
        }
    }

    /// What an option holds, and whether it holds a reference, by which that may be changed.
    fn content_lent(&self, maybe: &Maybe) -> (Value, Option<bool>) {
        let mut trial = self.trial();
        let content = if maybe.known() == Some(false) { Value::Unit } else { (maybe.content)(&mut trial) };
        let refs = content.refs();
        (content, (refs.depth > 0).then_some(refs.exclusive))
    }

    /// A copy of what is lent, in an option of its own.
    fn lent_option(&mut self, maybe: &Maybe, exclusive: bool, span: Span) -> CallArg {
        let content = Rc::clone(&maybe.content);
        let copy = move |l: &mut Lower| {
            let content = content(l);
            l.copy_of_lent(content, span)
        };
        let copied = Maybe { content: Rc::new(copy), cells: None, lent: None, ..maybe.clone() };
        let Operand::Place(place) = self.option_made(&copied, span) else {
            return CallArg::Passive(PassiveCode::literal(quote!(::core::option::Option::None)));
        };
        self.info_mut(place.root).seen = ViewForm::Lent;
        if !exclusive {
            return CallArg::Ref(place);
        }
        self.info_mut(place.root).mutable = true;
        self.fact_mut(place.root).changes = true;
        self.lent.push((place.root, Value::Maybe(maybe.clone())));
        CallArg::Mut(place)
    }

    fn copy_of_lent(&mut self, content: Value, span: Span) -> Value {
        match content.dereferenced_fully() {
            Value::Active(a) if self.is_sequence_of_many(&a.place) => self.vec_of(a.place, span),
            content => self.owned(content, span),
        }
    }

    /// Whether it is an array, or a part of a list: its copy is a `Vec`.
    fn is_sequence_of_many(&self, place: &Place) -> bool {
        let part = matches!(place.path.last(), Some(Proj::Range(..)));
        part || matches!(self.ty_of(place), Ty::Array(_) | Ty::Slice(_))
    }

    /// What a call has left in the copy.
    pub fn take_back_content(&mut self, from: &Place, maybe: &Maybe, span: Span) {
        let mut part = from.clone();
        part.path.push(Proj::Payload(Ident::new("Some", span), syn::Member::from(0)));
        let set = |l: &mut Lower| {
            let target = (maybe.content)(l).dereferenced_fully();
            l.set_lent(target, Value::place(part.clone()), span);
        };
        match maybe.known() {
            Some(true) => set(self),
            _ => {
                let cond = self.atom("c", maybe.present.clone());
                let (then, ()) = self.inside(set);
                self.emit(Stmt::If { cond, then, els: Block::default() });
            }
        }
    }

    fn set_lent(&mut self, target: Value, copy: Value, span: Span) {
        let many = matches!(&target, Value::Active(a) if self.is_sequence_of_many(&a.place));
        if !many {
            return self.store(target, copy, span);
        }
        self.each(&target, span, &mut |l, element, k| {
            let value = l.element_of(copy.clone(), k.clone(), span);
            l.store(element, value, span);
        });
    }

    /// A parameter that is an option of a reference: what it holds is seen through that.
    pub fn lent_parameter(&self, var: Var, exclusive: bool) -> Value {
        let Value::Maybe(maybe) = self.option_parameter(var) else { return self.value_of(var) };
        let held = Rc::clone(&maybe.content);
        let content = move |l: &mut Lower| held(l).dereferenced_fully().borrowed(exclusive);
        Value::Maybe(Maybe { content: Rc::new(content), ..maybe })
    }
}
