//! `Option` methods: an option is a passive flag and a content.

use crate::ir::*;
use crate::parse::context::{Lower, gathered};
use crate::parse::value::{Maybe, Value};
use crate::parse::branches::as_maybe;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// A method of an option.
    pub fn maybe_method(&mut self, maybe: Maybe, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        match (m.method.to_string().as_str(), m.args.len()) {
            ("unwrap", 0) | ("expect", 1) => self.unwrap(&maybe),
            ("unwrap_or", 1) => {
                let other = self.expr(&m.args[0]);
                self.either(maybe, &mut |_| other.clone())
            }
            ("unwrap_or_default", 0) => {
                self.either(maybe, &mut |_| Value::passive(Opaque { span, ..Opaque::literal(quote!(0.0)) }))
            }
            ("unwrap_or_else", 1) => {
                let other = self.callee(&m.args[0]);
                self.either(maybe, &mut |l| l.apply(&other, Vec::new()))
            }
            ("map_or", 2) => {
                let other = self.expr(&m.args[0]);
                let mapped = self.mapped(maybe, &m.args[1]);
                self.either(mapped, &mut |_| other.clone())
            }
            ("map_or_else", 2) => {
                let other = self.callee(&m.args[0]);
                let mapped = self.mapped(maybe, &m.args[1]);
                self.either(mapped, &mut |l| l.apply(&other, Vec::new()))
            }
            ("map", 1) => Value::Maybe(self.mapped(maybe, &m.args[0])),
            ("copied" | "cloned", 0) => {
                let content = maybe.content;
                let content = move |l: &mut Lower| content(l).dereferenced();
                Value::Maybe(Maybe { present: maybe.present, content: Rc::new(content) })
            }
            ("as_ref" | "as_mut" | "iter", 0) => Value::Maybe(maybe),
            ("or", 1) => {
                let other = self.expr(&m.args[0]);
                self.or(maybe, other)
            }
            ("and_then", 1) => self.and_then(maybe, &m.args[0]),
            ("filter", 1) => self.kept(maybe, &m.args[0]),
            ("is_some", 0) => Value::passive(maybe.present),
            ("is_none", 0) => {
                let p = &maybe.present.tokens;
                Value::passive(Opaque { tokens: quote!(!(#p)), ..maybe.present.clone() })
            }
            (name, _) => {
                self.errors.unknown_method(m.method.span(), name);
                Value::Poison
            }
        }
    }

    /// What it holds; the function panics where it holds nothing.
    fn unwrap(&mut self, maybe: &Maybe) -> Value {
        if maybe.known().is_none() && !maybe.present.tokens.is_empty() {
            let p = &maybe.present.tokens;
            let tokens = quote!(::core::assert!(#p, "called `Option::unwrap()` on a `None` value"););
            self.emit(Stmt::Effect { tokens: Opaque { tokens, ..maybe.present.clone() }, writes: Default::default() });
        }
        (maybe.content)(self)
    }

    fn mapped(&mut self, maybe: Maybe, function: &syn::Expr) -> Maybe {
        let function = self.callee(function);
        let content = maybe.content;
        let content = move |l: &mut Lower| {
            let value = content(l);
            l.apply(&function, vec![value])
        };
        Maybe { present: maybe.present, content: Rc::new(content) }
    }

    /// Its content, or another value.
    fn either(&mut self, maybe: Maybe, other: &mut dyn FnMut(&mut Lower) -> Value) -> Value {
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
        let content = move |l: &mut Lower| {
            let other = other.clone();
            l.either(maybe.clone(), &mut |l| (other.content)(l))
        };
        Value::Maybe(Maybe { present, content: Rc::new(content) })
    }

    fn and_then(&mut self, maybe: Maybe, function: &syn::Expr) -> Value {
        let mapped = self.mapped(maybe, function);
        let none = Value::Maybe(Maybe::none());
        self.either(mapped, &mut |_| none.clone())
    }

    fn kept(&mut self, maybe: Maybe, predicate: &syn::Expr) -> Value {
        let function = self.callee(predicate);
        let none = Value::Maybe(Maybe::none());
        let content = maybe.content;
        let tested = Maybe {
            present: maybe.present,
            content: Rc::new(move |l: &mut Lower| {
                let value = content(l);
                let holds = l.apply(&function, vec![value.clone().borrowed(false)]);
                let present = l.show(&holds, proc_macro2::Span::call_site());
                let present = l.atom("c", present);
                Value::Maybe(Maybe { present, content: Rc::new(move |_| value.clone()) })
            }),
        };
        self.either(tested, &mut |_| none.clone())
    }

    /// `cond.then(|| value)`, `cond.then_some(value)`.
    pub fn then(&mut self, present: Opaque, m: &syn::ExprMethodCall) -> Value {
        let present = self.atom("c", present);
        let content: Rc<dyn Fn(&mut Lower) -> Value> = if m.method == "then" {
            let function = self.callee(&m.args[0]);
            Rc::new(move |l: &mut Lower| l.apply(&function, Vec::new()))
        } else {
            let value = self.expr(&m.args[0]);
            Rc::new(move |_: &mut Lower| value.clone())
        };
        Value::Maybe(Maybe { present, content })
    }
}
