//! Closures are inlined where they are called.

use crate::frontend::lower::patterns::Mode;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Closure, Scope, Value};
use crate::frontend::syntax::effects;
use crate::frontend::syntax::pattern_names::names_of;
use crate::support::syntax::{has_return, referred_name, strip_parens};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::spanned::Spanned;

/// A function given to an adaptor: a closure, or a path.
#[derive(Clone)]
pub enum Function {
    /// Inlined.
    Closure(Rc<Closure>),
    /// Called.
    Path(Box<syn::Expr>),
}

impl Lower {
    /// What an argument of an adaptor stands for.
    pub fn callee(&mut self, expr: &syn::Expr) -> Function {
        match strip_parens(expr) {
            syn::Expr::Closure(c) => Function::Closure(Rc::new(self.closure(c))),
            syn::Expr::Reference(r) => match self.named_closure(strip_parens(&r.expr)) {
                Some(c) => Function::Closure(c),
                None => self.callee(&r.expr),
            },
            e => match self.named_closure(e) {
                Some(c) => Function::Closure(self.copied_closure(&c)),
                None if matches!(e, syn::Expr::Path(_)) => Function::Path(Box::new(e.clone())),
                None => {
                    let value = self.expr(e);
                    match self.as_function(&value) {
                        Some(Value::Closure(c)) => Function::Closure(c),
                        _ => Function::Path(Box::new(e.clone())),
                    }
                }
            },
        }
    }

    /// A closure where it is written.
    pub fn closure(&mut self, code: &syn::ExprClosure) -> Closure {
        Closure { code: code.clone(), scope: self.captured(code), callee: None }
    }

    /// The names that a closure sees: a `move` closure has copies of what may change later.
    pub fn captured(&mut self, code: &syn::ExprClosure) -> Scope {
        let mut scope = self.scope.clone();
        if code.capture.is_none() {
            return scope;
        }
        for name in names_in(code.body.to_token_stream()) {
            let Some(value) = scope.get(&name).filter(|v| self.changes(v)).cloned() else { continue };
            let copy = syn::PatIdent {
                attrs: Vec::new(),
                by_ref: None,
                mutability: Some(syn::Token![mut](name.span())),
                ident: name,
                subpat: None,
            };
            let mark = self.vars.len();
            let value = match value {
                Value::Maybe(maybe) => self.copied_cells(maybe, &copy.ident),
                value => self.declare(&copy, value, mark, None),
            };
            scope.bind(&copy.ident, value);
        }
        scope
    }

    /// A closure that is handed on by its name: a `move` closure is copied with what it holds by now.
    pub fn copied_closure(&mut self, closure: &Rc<Closure>) -> Rc<Closure> {
        if closure.code.capture.is_none() {
            return closure.clone();
        }
        let around = std::mem::replace(&mut self.scope, closure.scope.clone());
        let scope = self.captured(&closure.code);
        self.scope = around;
        Rc::new(Closure { scope, ..(**closure).clone() })
    }

    /// Whether a captured value is another one after a later assignment.
    fn changes(&self, value: &Value) -> bool {
        match value {
            Value::Active(a) => a.refs.depth == 0 && self.fact(a.place.root).changes,
            Value::Passive(p) => p.refs.depth == 0 && p.root.is_some_and(|root| self.fact(root).changes),
            Value::Tuple(all) => all.iter().any(|v| self.changes(v)),
            Value::Maybe(maybe) => maybe.cells.is_some() && maybe.lent.is_none(),
            _ => false,
        }
    }

    fn named_closure(&self, expr: &syn::Expr) -> Option<Rc<Closure>> {
        match self.scope.get(referred_name(expr)?)? {
            Value::Closure(c) => Some(c.clone()),
            _ => None,
        }
    }

    /// Whether an expression calls a closure of this function.
    pub fn calls_closure(&self, expr: &syn::Expr) -> bool {
        matches!(expr, syn::Expr::Call(c) if self.called_closure(&c.func).is_some())
    }

    /// The closure that is called, with what it captures.
    pub fn closure_called(&mut self, function: &syn::Expr) -> Option<Rc<Closure>> {
        match strip_parens(function) {
            syn::Expr::Closure(c) => Some(Rc::new(self.closure(c))),
            _ => self.called_closure(function),
        }
    }

    /// The closure that is called, to look at.
    pub fn called_closure(&self, function: &syn::Expr) -> Option<Rc<Closure>> {
        match strip_parens(function) {
            syn::Expr::Closure(c) => {
                Some(Rc::new(Closure { code: c.clone(), scope: self.scope.clone(), callee: None }))
            }
            e => self.named_closure(e),
        }
    }

    /// Applies a function to values.
    pub fn apply(&mut self, function: &Function, args: Vec<Value>) -> Value {
        match function {
            Function::Closure(c) => self.inline(c, args),
            Function::Path(path) => self.apply_path(path, args),
        }
    }

    /// A closure's body, with its parameters bound.
    pub fn inline(&mut self, closure: &Closure, args: Vec<Value>) -> Value {
        let closure = &*closure.taking(args.len());
        let returns = has_return(&closure.code.body);
        self.inline_with(closure, args, &mut |l, body| match returns {
            true => l.returning(&closure.code, body),
            false => l.expr(body),
        })
    }

    /// The same, with something else done to the body.
    pub fn inline_with(
        &mut self,
        closure: &Closure,
        args: Vec<Value>,
        finish: &mut dyn FnMut(&mut Lower, &syn::Expr) -> Value,
    ) -> Value {
        let closure = &*closure.taking(args.len());
        let code = &closure.code;
        if code.inputs.len() != args.len() {
            self.errors.arity(code.span(), code.inputs.len(), args.len());
            return Value::Poison;
        }
        if self.inlining > 64 {
            self.errors.changing_closure(
                code.span(),
                "a closure that calls itself",
                "write it as an annotated function",
            );
            return Value::Poison;
        }
        let scope = std::mem::replace(&mut self.scope, closure.scope.clone());
        self.inlining += 1;
        let pure = effects::of_expr(&self.scope, &code.body).writes.is_empty();
        for (pattern, arg) in code.inputs.iter().zip(args) {
            let mark = self.vars.len();
            let mode = if pure { Mode::View { mark } } else { Mode::Alias { mark } };
            self.bind_pattern(pattern, arg, mode);
        }
        let value = finish(self, &code.body);
        self.inlining -= 1;
        self.scope = scope;
        value
    }
}

/// All names in the tokens.
pub fn names_in(tokens: TokenStream) -> Vec<Ident> {
    let mut names = Vec::new();
    idents(tokens, &mut names);
    names
}

fn idents(tokens: TokenStream, found: &mut Vec<Ident>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(name) if !found.contains(&name) => found.push(name),
            TokenTree::Group(group) => idents(group.stream(), found),
            _ => {}
        }
    }
}

/// A closure's call as tokens: its parameters are bound by `let`, under names that cannot clash.
pub fn inlined_tokens(
    code: &syn::ExprClosure,
    args: &[syn::Expr],
    replace: impl FnOnce(&mut syn::Expr, Vec<Ident>),
) -> TokenStream {
    let own: Vec<Ident> = code.inputs.iter().flat_map(names_of).collect();
    let mut body = (*code.body).clone();
    replace(&mut body, own);
    match has_return(&code.body) {
        true => {
            let (patterns, output) = (&code.inputs, &code.output);
            match output {
                syn::ReturnType::Type(..) => quote!((|#patterns| #output { #body })(#(#args),*)),
                syn::ReturnType::Default => quote!((|#patterns| #body)(#(#args),*)),
            }
        }
        false => bound_at_once(code, args, &body),
    }
}

/// Several parameters are bound at once, so that none hides a name in a later argument.
fn bound_at_once(code: &syn::ExprClosure, args: &[syn::Expr], body: &syn::Expr) -> TokenStream {
    let patterns = code.inputs.iter().map(|p| match p {
        syn::Pat::Type(t) => &*t.pat,
        p => p,
    });
    let types = code.inputs.iter().map(|p| match p {
        syn::Pat::Type(t) => {
            let ty = &t.ty;
            quote!(#ty)
        }
        _ => quote!(_),
    });
    let value = match &code.output {
        syn::ReturnType::Type(_, ty) => quote!(let __value: #ty = #body; __value),
        syn::ReturnType::Default => quote!(#body),
    };
    quote!({ let (#(#patterns,)*): (#(#types,)*) = (#(#args,)*); #value })
}
