//! Methods of `Option` and `Result` by the two that all others are made of: the content, or another value.

use crate::frontend::lower::closures::Function;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::over;
use crate::frontend::state::value::{Chain, Failure, Form, Indexed, Maybe, Refs, Value};
use crate::frontend::syntax::types;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// The option that a variable holds.
    pub fn named_maybe(&self, expr: &syn::Expr) -> Option<Maybe> {
        let syn::Expr::Path(p) = strip_parens(expr) else { return None };
        match self.scope.get(p.path.get_ident()?)? {
            Value::Maybe(maybe) => Some(maybe.clone()),
            _ => None,
        }
    }

    /// What a function makes of the error where there is no value: the error is taken there, and nowhere else. An option's function has
    /// no parameter.
    pub fn apply_to_error(&mut self, function: &Function, maybe: &Maybe) -> Value {
        let asks = !matches!(function, Function::Closure(c) if c.code.inputs.is_empty());
        let failure = maybe.error().cloned().filter(|_| asks);
        let error = failure.iter().map(|f| self.error_value(f)).collect();
        self.apply(function, error)
    }

    /// A method of an option that is less often used.
    pub fn rarer_option_method(&mut self, maybe: Maybe, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        match (m.method.to_string().as_str(), &m.args.iter().collect::<Vec<_>>()[..]) {
            ("and", [other]) => {
                let other = self.expr(other);
                self.both_there(maybe, other, span)
            }
            ("xor", [other]) => {
                let other = self.expr(other);
                self.one_of_two(maybe, other, span)
            }
            ("or_else", [f]) => {
                let f = self.callee(f);
                let content = maybe.content.clone();
                let some = Maybe::new(maybe.present.clone(), move |l| Value::Maybe(Maybe::some(content(l))));
                self.either(some, &mut |l| l.apply_to_error(&f, &maybe))
            }
            ("flatten", []) if self.holds_no_option(&maybe) => {
                self.errors.unknown_option_method(m.method.span(), "flatten");
                Value::Poison
            }
            ("flatten", []) => {
                let failure = maybe.failure.clone();
                let none = Value::Maybe(Maybe::none().or_fails(failure));
                self.either(maybe, &mut |_| none.clone())
            }
            ("unzip", []) => {
                let part = |i: usize| {
                    let content = maybe.content.clone();
                    Value::Maybe(Maybe::new(maybe.present.clone(), move |l| {
                        let whole = content(l);
                        l.member(whole, &syn::Member::from(i), span)
                    }))
                };
                Value::Tuple(vec![part(0), part(1)])
            }
            ("inspect", [f]) => self.inspected(maybe, f, span),
            ("inspect_err", [f]) => {
                self.inspect_error(&maybe, f);
                Value::Maybe(maybe)
            }
            ("as_deref" | "as_deref_mut", []) => {
                let (content, exclusive) = (maybe.content, m.method == "as_deref_mut");
                let inside = Maybe::new(maybe.present, move |l| content(l).dereferenced().borrowed(exclusive));
                Value::Maybe(inside.or_fails(maybe.failure))
            }
            ("is_none_or", [f]) => {
                let holds = self.mapped(maybe, f);
                self.either(holds, &mut |_| Value::passive(PassiveCode::literal(quote!(true))))
            }
            ("insert" | "get_or_insert" | "get_or_insert_with" | "get_or_insert_default", _)
                if maybe.cells.is_some() =>
            {
                self.inserted(maybe, m)
            }
            ("as_slice" | "as_mut_slice", []) => self.option_as_slice(maybe, m),
            ("transpose", []) => self.transposed(maybe, span),
            ("take_if", [f]) if maybe.cells.is_some() => self.taken_if(maybe, f, span),
            ("err", []) if maybe.known() == Some(true) => Value::Maybe(Maybe::none()),
            ("is_err_and", [_]) if maybe.known() == Some(true) => Value::passive(PassiveCode::literal(quote!(false))),
            ("err" | "unwrap_err" | "expect_err" | "is_err_and", _) if maybe.error().is_some() => {
                self.of_the_error(&maybe, m)
            }
            (name, _) => {
                self.errors.unknown_option_method(m.method.span(), name);
                Value::Poison
            }
        }
    }

    /// A slice of what it holds, which has one element or none.
    fn option_as_slice(&mut self, maybe: Maybe, m: &syn::ExprMethodCall) -> Value {
        let refs = Refs { depth: 1, exclusive: m.method == "as_mut_slice" };
        match self.of_option(maybe, refs) {
            Chain::Indexed(one) => Value::Chain(Rc::new(Chain::Indexed(Indexed { form: Form::Slice, ..one }))),
            stream => Value::Chain(Rc::new(stream)),
        }
    }

    /// An option of a result as a result of an option, or the other way round.
    fn transposed(&mut self, outer: Maybe, span: Span) -> Value {
        let of_result = self.is_result_of_option(&outer, span);
        let content = outer.content;
        let missing = match of_result {
            true => Maybe::some(Value::Maybe(Maybe::none().or_fails(outer.failure))),
            false => Maybe::some(Value::Maybe(Maybe::none())).or_never(None),
        };
        let turned = Maybe::new(outer.present, move |l| {
            let inner = content(l);
            let Some(inner) = l.as_carrier(inner, span) else { return Value::Poison };
            let (held, failure) = (inner.content, inner.failure);
            let value = Maybe::new(PassiveCode::literal(quote!(true)), move |l| held(l));
            Value::Maybe(match of_result {
                true => Maybe::new(inner.present, move |_| Value::Maybe(value.clone().or_never(None))),
                false => Maybe::new(inner.present, move |_| Value::Maybe(value.clone())).or_fails(failure),
            })
        });
        self.either(turned, &mut |_| Value::Maybe(missing.clone()))
    }

    /// Whether it is a result of an option, and no option of a result. Of what a call gave, the other one tells.
    fn is_result_of_option(&mut self, outer: &Maybe, span: Span) -> bool {
        let sure = |failure: &Option<Failure>| failure.as_ref().is_some_and(|f| !matches!(f, Failure::Of(_)));
        let (_, inner) = self.inside(|l| {
            let inner = if outer.known() == Some(false) { Value::Poison } else { (outer.content)(l) };
            l.as_carrier(inner, span)
        });
        sure(&outer.failure) || outer.failure.is_some() && !inner.is_some_and(|inner| sure(&inner.failure))
    }

    /// Whether what an option holds is a number or a sequence.
    fn holds_no_option(&mut self, maybe: &Maybe) -> bool {
        let (_, inner) = self.inside(|l| (maybe.content)(l));
        let ty = self.value_ty(&inner);
        ty == Ty::Float || types::is_sequence(&ty) || matches!(inner, Value::Tuple(_))
    }

    fn both_there(&mut self, first: Maybe, second: Value, span: Span) -> Value {
        let Some(second) = self.as_carrier(second, span) else { return Value::Poison };
        if first.error().is_some() || second.error().is_some() {
            let none = Value::Maybe(Maybe::none().or_fails(first.failure.clone()));
            let second = Value::Maybe(second);
            let both = Maybe::new(first.present, move |_| second.clone());
            return self.either(both, &mut |_| none.clone());
        }
        let (a, b) = (&first.present.tokens, &second.present.tokens);
        let present = over(quote!((#a) && (#b)), &[&first.present, &second.present]);
        let content = second.content;
        Value::Maybe(Maybe::new(present, move |l| content(l)).or_fails(second.failure))
    }

    fn one_of_two(&mut self, first: Maybe, second: Value, span: Span) -> Value {
        let Some(second) = self.as_carrier(second, span) else { return Value::Poison };
        let (a, b) = (&first.present.tokens, &second.present.tokens);
        let present = over(quote!((#a) != (#b)), &[&first.present, &second.present]);
        Value::Maybe(Maybe::new(present, move |l| {
            let second = second.content.clone();
            l.either(first.clone(), &mut |l| second(l))
        }))
    }

    fn inspected(&mut self, maybe: Maybe, f: &syn::Expr, span: Span) -> Value {
        let changes = self.changes_in_closure(f);
        let (f, failure) = (self.callee(f), maybe.failure.clone());
        let content = maybe.content;
        let seen = Maybe::new(maybe.present, move |l| {
            let value = content(l);
            l.apply(&f, vec![value.clone().borrowed(false)]);
            value
        });
        let seen = if changes { self.mapped_now(seen, span) } else { seen };
        Value::Maybe(seen.or_fails(failure))
    }

    fn inspect_error(&mut self, maybe: &Maybe, f: &syn::Expr) {
        let Some(failure) = maybe.error().cloned() else { return };
        let f = self.callee(f);
        let missing = self.hold("is_err", maybe.present.clone().map(|t| quote!(!(#t))));
        self.guarded(Some(missing), &mut |l| {
            let error = l.error_value(&failure);
            l.apply(&f, vec![error.borrowed(false)]);
        });
    }

    /// `insert(v)` and its kind, and the place of what it holds then.
    fn inserted(&mut self, maybe: Maybe, m: &syn::ExprMethodCall) -> Value {
        let (span, arg) = (m.span(), m.args.first());
        let given = arg.filter(|_| m.method != "get_or_insert_with").map(|v| self.active_value(v));
        let made = arg.filter(|_| given.is_none()).map(|f| self.callee(f));
        let missing = maybe.present.clone().map(|t| quote!(!(#t)));
        let cond = (m.method != "insert").then(|| self.hold("is_none", missing));
        let target = Value::Maybe(maybe.clone());
        self.guarded(cond, &mut |l| {
            let value = match (&given, &made) {
                (Some(value), _) => value.clone(),
                (None, Some(f)) => l.apply(f, Vec::new()),
                (None, None) => Value::passive(PassiveCode { span, ..PassiveCode::literal(quote!(0.0)) }),
            };
            l.store(target.clone(), Value::Maybe(Maybe::some(value)), span);
        });
        (maybe.content)(self).behind(Refs::EXCLUSIVE)
    }

    fn taken_if(&mut self, maybe: Maybe, f: &syn::Expr, span: Span) -> Value {
        let content = maybe.content.clone();
        let f = self.callee(f);
        let tested = Maybe::new(maybe.present.clone(), move |l| {
            let value = content(l);
            l.apply(&f, vec![value.borrowed(true)])
        });
        let taken = self.either(tested, &mut |_| Value::passive(PassiveCode::literal(quote!(false))));
        let taken = self.show(&taken.dereferenced_fully(), span);
        let taken = self.hold("is_taken", taken);
        let content = self.option_now(Maybe { present: taken.clone(), ..maybe.clone() }, span);
        let none = Value::Maybe(Maybe::none());
        self.guarded(Some(taken.clone()), &mut |l| l.store(Value::Maybe(maybe.clone()), none.clone(), span));
        match content {
            Value::Maybe(content) => Value::Maybe(Maybe { present: taken, ..content }),
            other => other,
        }
    }

    fn of_the_error(&mut self, maybe: &Maybe, m: &syn::ExprMethodCall) -> Value {
        let Some(failure) = maybe.error().cloned() else { return Value::Poison };
        let missing = maybe.present.clone().map(|t| quote!(!(#t)));
        let error = Maybe::new(missing.clone(), move |l| l.error_value(&failure));
        match (m.method.to_string().as_str(), m.args.first()) {
            ("err", _) => Value::Maybe(error),
            ("is_err_and", Some(f)) => {
                let holds = self.mapped(error, f);
                self.either(holds, &mut |_| Value::passive(PassiveCode::literal(quote!(false))))
            }
            _ => {
                let check =
                    missing.map(|t| quote!(::core::assert!(#t, "called `Result::unwrap_err()` on an `Ok` value");));
                self.emit(Stmt::Effect { tokens: check, writes: Default::default() });
                (error.content)(self)
            }
        }
    }
}
