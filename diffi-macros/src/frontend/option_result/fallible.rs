//! `Option`s and `Result`s that come from elsewhere, or that the function returns; errors, and `?`.

use crate::frontend::lower::exit_values::{Look, results_of};
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Failure, Maybe, Passive, Refs, Value, as_maybe};
use crate::frontend::syntax::heads::head;
use crate::frontend::syntax::pattern_names::without_names;
use crate::frontend::syntax::{effects, types};
use crate::ir::affine::gathered;
use crate::ir::{carriers, *};
use crate::support::names::OF_OPTIONS;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

/// Methods that only an `Option` or a `Result` has.
const METHODS: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
    "map_or",
    "map_or_else",
    "ok_or",
    "ok_or_else",
    "ok",
    "map_err",
    "and_then",
    "map",
    "filter",
    "or",
];

/// Whether a method may be one of an `Option` or a `Result`.
pub fn is_method(name: &str) -> bool {
    METHODS.contains(&name)
}

/// Whether a call tells what was done when an error came, as `anyhow` and its kin have it for an `Option` or a `Result`: with a text.
pub fn tells_context(m: &syn::ExprMethodCall) -> bool {
    match m.args.first().map(strip_parens) {
        Some(syn::Expr::Closure(f)) => m.method == "with_context" && f.inputs.is_empty() && is_text(&f.body),
        Some(text) => m.method == "context" && is_text(text),
        None => false,
    }
}

/// Whether an expression is a text as it is written.
fn is_text(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::Lit(text) => matches!(text.lit, syn::Lit::Str(_)),
        syn::Expr::Macro(m) => m.mac.path.is_ident("format"),
        _ => false,
    }
}

/// Whether a pattern is one of an `Option` or a `Result`.
pub fn is_pattern(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::TupleStruct(t) => ["Some", "Ok", "Err"].iter().any(|name| t.path.is_ident(name)),
        syn::Pat::Ident(i) => i.ident == "None",
        _ => false,
    }
}

impl Lower {
    /// A value as an option: a call's result, or passive tokens.
    pub fn as_carrier(&mut self, value: Value, span: Span) -> Option<Maybe> {
        match &value {
            Value::Active(a) if self.is_option_place(a) => self.named_option(&value),
            Value::Active(a)
                if a.place.path.is_empty()
                    && !self.fact(a.place.root).is_named()
                    && self.ty_of(&a.place) == Ty::Unknown =>
            {
                let place = a.place.clone();
                let shown = self.show_place(&place, Default::default());
                let present = PassiveCode { tokens: carriers::is_there(&shown.tokens), ..shown.clone() };
                let present = self.atom("is_there", present);
                let failure = Failure::Of(shown.clone());
                let content = move |l: &mut Lower| {
                    let ty = l.jumps.expected.clone().unwrap_or(Ty::Unknown);
                    Value::place(Place::var(l.bind("content", span, ty, Expr::Content(place.clone()))))
                };
                Some(Maybe::new(present, content).or_fails(Some(failure)))
            }
            Value::Passive(p) => match written(&p.passive) {
                Some((name, inner)) if name == "Err" => {
                    let failure =
                        if self.is_made_of_active(&inner) { Failure::Active(inner) } else { Failure::Is(inner) };
                    Some(Maybe::none().or_fails(Some(failure)))
                }
                Some((name, inner)) => {
                    let there = Maybe::some(Value::passive(inner));
                    Some(if name == "Ok" { there.or_never(None) } else { there })
                }
                None if p.passive.tokens.to_string() == "None" => Some(Maybe::none()),
                None => Some(self.passive_carrier(value, span)),
            },
            other => as_maybe(other),
        }
    }

    /// `o.map(f)` of `o.map(f).unwrap_or(x)`, where it might be an array's `map`: what only options have says that it is not.
    pub fn mapped_option(&mut self, m: &syn::ExprMethodCall) -> Option<Maybe> {
        let syn::Expr::MethodCall(inner) = strip_parens(&m.receiver) else { return None };
        let named = matches!(strip_parens(&inner.receiver), syn::Expr::Path(_));
        let of_option = OF_OPTIONS.iter().any(|name| m.method == name) && inner.method == "map";
        if !of_option || !named || self.guess(&inner.receiver) != Ty::Unknown {
            return None;
        }
        let receiver = self.untyped(&inner.receiver);
        let maybe = self.as_carrier(receiver, m.span())?;
        as_maybe(&self.maybe_method(maybe, inner))
    }

    /// Passive tokens: computed once.
    fn passive_carrier(&mut self, value: Value, span: Span) -> Maybe {
        let shown = self.show(&value.dereferenced_fully(), span);
        let held = self.hold("held", shown.map(carriers::landing));
        let present = PassiveCode { tokens: carriers::is_there(&held.tokens), ..held.clone() };
        let content = PassiveCode { tokens: carriers::content(&held.tokens), ..held.clone() };
        let failure = Failure::Of(held.clone());
        let root = held.reads.iter().next().copied();
        if let Some(var) = root {
            self.fact_mut(var).given = true;
            self.info_mut(var).carrier = true;
        }
        let content = Passive { passive: content, refs: Refs::default(), ty: Ty::Passive, root };
        Maybe::new(present, move |_| Value::Passive(content.clone())).or_fails(Some(failure))
    }

    /// `Err(error)` with an error that mentions active values: of any type, it carries no derivative.
    pub fn err(&mut self, error: &syn::Expr) -> Value {
        let shown = match effects::of_expr(&self.scope, error).is_pure() {
            true => self.passive_code(error),
            false => {
                let value = self.expr(error);
                self.show(&value.dereferenced_fully(), error.span())
            }
        };
        let active = self.act(error).any() || shown.reads.iter().any(|var| self.fact(*var).error);
        let failure = if active { Failure::Active(shown) } else { Failure::Is(shown) };
        Value::Maybe(Maybe::none().or_fails(Some(failure)))
    }

    /// The error, as tokens that own it.
    pub fn error(&self, failure: &Failure) -> PassiveCode {
        match failure {
            Failure::Is(o) | Failure::Active(o) => o.clone(),
            Failure::Of(carrier) => carrier.clone().map(|t| quote!({ use __d::Taken as _; __d::Fault(&#t).failure() })),
            Failure::Cell(var) => self.error(&Failure::Of(PassiveCode::var(*var, self.info(*var)))),
            Failure::Never(_) => PassiveCode::literal(quote!(::core::unreachable!())),
        }
    }

    /// Whether the error fits a pattern, as tokens that leave it where it is.
    pub fn error_fits(&self, failure: &Failure, pattern: &syn::Pat) -> PassiveCode {
        let pattern = without_names(pattern);
        match failure {
            Failure::Is(o) | Failure::Active(o) => o.clone().map(|t| quote!(::core::matches!(#t, #pattern))),
            Failure::Of(carrier) => {
                carrier.clone().map(|t| quote!(__d::Fault(&#t).seen(|error| ::core::matches!(*error, #pattern))))
            }
            Failure::Cell(var) => self.error_fits(&Failure::Of(PassiveCode::var(*var, self.info(*var))), &pattern),
            Failure::Never(_) => PassiveCode::literal(quote!(false)),
        }
    }

    /// The error as a value that the function goes on with: what it has of active values is noted.
    pub fn error_value(&mut self, failure: &Failure) -> Value {
        let error = self.error(failure);
        if !self.is_active_error(failure) {
            return Value::passive(error);
        }
        let held = self.hold_nameless("error", error);
        held.reads.iter().for_each(|var| self.fact_mut(*var).error = true);
        Value::passive(held)
    }

    /// Whether tokens read an active value, or an error that holds one.
    fn is_made_of_active(&self, tokens: &PassiveCode) -> bool {
        tokens.reads.iter().any(|var| self.fact(*var).active || self.fact(*var).error)
    }

    fn is_active_error(&self, failure: &Failure) -> bool {
        match failure {
            Failure::Is(_) | Failure::Never(_) => false,
            Failure::Active(_) => true,
            Failure::Of(carrier) => self.is_made_of_active(carrier),
            Failure::Cell(cell) => self.fact(*cell).error,
        }
    }

    /// `ok_or(error)` and its kind.
    pub fn with_failure(&mut self, maybe: Maybe, m: &syn::ExprMethodCall) -> Value {
        let failure = match (m.method.to_string().as_str(), m.args.first()) {
            ("ok_or", Some(e)) => {
                let error = self.passive_code(e);
                Some(if self.act(e).any() { Failure::Active(error) } else { Failure::Is(error) })
            }
            ("ok_or_else", Some(f)) => {
                let error = self.function_tokens(f).map(|f| quote!((#f)()));
                Some(if self.mentions_active(&error) { Failure::Active(error) } else { Failure::Is(error) })
            }
            ("map_err", Some(_)) if maybe.error().is_none() => maybe.failure.as_ref().map(|_| Failure::Never(None)),
            ("map_err", Some(f)) => maybe.failure.as_ref().map(|failure| {
                let (f, error) = (self.function_tokens(f), self.error(failure));
                let (g, e) = (&f.tokens, &error.tokens);
                let error = gathered(quote!((#g)(#e)), [&f, &error].into_iter(), m.span());
                let active = self.is_active_error(failure) || self.mentions_active(&f);
                if active { Failure::Active(error) } else { Failure::Is(error) }
            }),
            _ => None,
        };
        Value::Maybe(Maybe { cells: None, ..maybe }.or_fails(failure))
    }

    /// `result.context(text)` and `option.with_context(|| text)`: the error is what the user's trait makes of it.
    pub fn with_context(&mut self, maybe: Maybe, m: &syn::ExprMethodCall) -> Value {
        let (receiver, method, text) = (&m.receiver, &m.method, &m.args);
        let told: syn::Expr = match maybe.failure {
            Some(_) => syn::parse_quote_spanned! {m.span()=>
                #receiver.map_err(|__error| ::core::result::Result::Err::<(), _>(__error).#method(#text).unwrap_err())
            },
            None => syn::parse_quote_spanned! {m.span()=>
                #receiver.ok_or_else(|| ::core::option::Option::None::<()>.#method(#text).unwrap_err())
            },
        };
        match told {
            syn::Expr::MethodCall(told) => self.with_failure(maybe, &told),
            _ => Value::Poison,
        }
    }

    /// A variable for the error of a `Result`.
    pub fn failure_cell(&mut self, span: Span) -> Var {
        self.failure_cell_of(None, span)
    }

    /// The same, for an error of this type.
    pub fn failure_cell_of(&mut self, error: Option<&TokenStream>, span: Span) -> Var {
        let var = self.new_var(New { hint: "failure", span, ty: Ty::Passive, changes: true, site: None });
        self.info_mut(var).mutable = true;
        let of = error.map(|ty| quote!(::<#ty>));
        let none = PassiveCode { span, ..PassiveCode::literal(quote!(__d::Failure #of::none())) };
        self.emit(Stmt::Let { var, expr: Expr::Passive(none) });
        var
    }

    /// Keeps the error, where the value is not there.
    pub fn store_failure(&mut self, cell: Var, from: &Maybe) {
        let Some(failure) = from.failure.as_ref().filter(|_| from.known() != Some(true)) else { return };
        if self.is_active_error(failure) {
            self.fact_mut(cell).error = true;
        }
        let (error, name) = (self.error(failure), self.info(cell).name.clone());
        let (e, present) = (&error.tokens, &from.present);
        let p = &present.tokens;
        let tokens = match from.known() {
            Some(_) => quote!(#name = __d::Failure::of(#e);),
            None => quote!(if !(#p) { #name = __d::Failure::of(#e); }),
        };
        let mut tokens = gathered(tokens, [&error, present].into_iter(), error.span);
        tokens.reads.insert(cell);
        self.emit(Stmt::Effect { tokens, writes: [cell].into() });
    }

    /// Variables for a returned `Option` or `Result`.
    pub fn carrier_slot(&mut self, ret: &syn::Type, span: Span) -> Option<Value> {
        let inner = types::carried(ret)?;
        let start = Maybe::none();
        let Value::Maybe(mut slot) = self.option_cells(&Ident::new("result", span), Some(inner), start) else {
            return None;
        };
        if types::option_of(ret).is_none() {
            slot.failure = Some(Failure::Cell(self.failure_cell(span)));
        }
        Some(Value::Maybe(slot))
    }

    /// What is returned of such variables.
    pub fn carrier_out(&mut self, maybe: &Maybe, ret: &syn::Type, span: Span) -> Output {
        let (Some(inner), Some(cells)) = (types::carried(ret), maybe.cells.clone()) else { return Output::Unit };
        let shape = types::describe(inner, &self.base);
        let content = self.out_of(cells.1.clone(), &shape, span);
        let failure = maybe.failure.as_ref().and_then(|f| match f {
            Failure::Cell(var) => Some(PassiveCode::var(*var, self.info(*var))),
            Failure::Is(_) | Failure::Active(_) | Failure::Of(_) | Failure::Never(_) => None,
        });
        Output::Maybe(Box::new(MaybeOutput { present: maybe.present.clone(), failure, content, ty: quote!(#inner) }))
    }
}

/// An `Ok` with the error's type of what it is bound to.
pub fn with_error_of(value: Value, ty: Option<&syn::Type>) -> Value {
    match (value, ty.and_then(types::error_of)) {
        (Value::Maybe(m), Some(error)) if matches!(m.failure, Some(Failure::Never(None))) => {
            Value::Maybe(m.or_never(Some(quote!(#error))))
        }
        (value, _) => value,
    }
}

/// `Some(x)`, `Ok(x)` or `Err(x)` as tokens.
fn written(o: &PassiveCode) -> Option<(String, PassiveCode)> {
    let syn::Expr::Call(call) = strip_parens(&syn::parse2(o.tokens.clone()).ok()?).clone() else { return None };
    let syn::Expr::Path(p) = &*call.func else { return None };
    let name = p.path.get_ident()?.to_string();
    let inner = call.args.first().filter(|_| call.args.len() == 1 && ["Some", "Ok", "Err"].contains(&&name[..]))?;
    Some((name, PassiveCode { tokens: quote!(#inner), ..o.clone() }))
}

/// `e?` as a `match` that returns, in the function and in closures whose results show what they are.
pub fn without_question_marks(block: &syn::Block, ret: Option<&syn::Type>) -> Option<syn::Block> {
    if !asks(block) {
        return None;
    }
    let carrier = ret.filter(|t| types::carried(t).is_some());
    let kind = carrier.map(|t| if types::option_of(t).is_some() { Kind::Option } else { Kind::Result });
    let mut questions = Questions { kind, found: false };
    let mut block = block.clone();
    questions.visit_block_mut(&mut block);
    questions.found.then_some(block)
}

/// Whether there is a `?` anywhere.
fn asks(block: &syn::Block) -> bool {
    struct Asks(bool);
    impl<'a> Visit<'a> for Asks {
        fn visit_expr_try(&mut self, _: &'a syn::ExprTry) {
            self.0 = true;
        }
    }
    let mut asks = Asks(false);
    asks.visit_block(block);
    asks.0
}

#[derive(Clone, Copy)]
enum Kind {
    Option,
    Result,
}

struct Questions {
    /// What the function or closure returns, if a `?` can leave it.
    kind: Option<Kind>,
    found: bool,
}

impl VisitMut for Questions {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let (syn::Expr::Try(e), Some(kind)) = (&*expr, self.kind) else { return };
        let (inner, span) = (head(&e.expr), e.question_token.span);
        let (value, error) = (Ident::new("value_of", span), Ident::new("error_of", span));
        self.found = true;
        *expr = match kind {
            Kind::Option => {
                syn::parse_quote_spanned!(span=> match #inner { Some(#value) => #value, None => return None })
            }
            Kind::Result => syn::parse_quote_spanned!(span=> match #inner {
                Ok(#value) => #value,
                Err(#error) => return Err(::core::convert::From::from(#error)),
            }),
        };
    }
    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        let kind = match Look::of_all(&results_of(&closure.body)) {
            Look::Maybe { fails: false, .. } => Some(Kind::Option),
            Look::Maybe { fails: true, .. } => Some(Kind::Result),
            _ => None,
        };
        let around = std::mem::replace(&mut self.kind, kind);
        self.visit_expr_mut(&mut closure.body);
        self.kind = around;
    }
    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
