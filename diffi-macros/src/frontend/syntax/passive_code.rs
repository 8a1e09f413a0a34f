//! Passive expressions: the user's tokens, with placeholders for variables.
//!
//! The expression's own names (closure parameters, `let`s, match bindings) are left alone;
//! every other name in scope is replaced by what it stands for.

use crate::frontend::lower::closures;
use crate::frontend::lower::function_values::table_in;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Refs, Scope, Value};
use crate::frontend::syntax::pattern_names::{binds, names_of};
use crate::frontend::syntax::{cuts, types, writes};
use crate::ir::affine::arithmetic;
use crate::ir::purity::is_look;
use crate::ir::visit::Vars;
use crate::ir::*;
use crate::support::checkpoint_attribute;
use crate::support::names::{self, OF_OPTIONS};
use crate::support::syntax::{VecRepeat, referred_name, strip_parens};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

mod expressions;

/// Methods that read only the shape of their receiver.
const SHAPE: &[&str] = &["len", "is_empty", "nrows", "ncols", "shape", "dim", "raw_dim", "ndim", "len_of"];

impl Lower {
    /// An expression that carries no derivative, as tokens.
    pub fn passive_code(&self, expr: &syn::Expr) -> PassiveCode {
        self.passive_code_in(&self.scope, expr)
    }

    /// The same, with the names of another scope.
    pub fn passive_code_in(&self, scope: &Scope, expr: &syn::Expr) -> PassiveCode {
        let mut expr = strip_parens(expr).clone();
        let span = expr.span();
        let mut names = Names::new(self, scope);
        names.visit_expr_mut(&mut expr);
        names.finish(expr.into_token_stream(), span)
    }

    /// A statement that carries no derivative, as tokens.
    pub fn passive_statement(&self, stmt: &syn::Stmt) -> PassiveCode {
        let mut stmt = stmt.clone();
        let span = stmt.span();
        let mut names = Names::new(self, &self.scope);
        names.visit_stmt_mut(&mut stmt);
        names.finish(stmt.into_token_stream(), span)
    }

    /// A pattern whose own names have already been bound to variables.
    pub fn passive_pattern(&self, pattern: &syn::Pat) -> TokenStream {
        let mut pattern = pattern.clone();
        BoundNames { lower: self }.visit_pat_mut(&mut pattern);
        pattern.into_token_stream()
    }
}

struct BoundNames<'a> {
    lower: &'a Lower,
}

impl VisitMut for BoundNames<'_> {
    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        visit_mut::visit_pat_ident_mut(self, pattern);
        if !binds(pattern) {
            return;
        }
        if let Some(Value::Passive(p)) = self.lower.scope.get(&pattern.ident)
            && let Some(root) = p.root
        {
            pattern.ident = self.lower.info(root).name.clone();
        }
    }
    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        if field.colon_token.is_none() {
            field.colon_token = Some(Default::default());
        }
        visit_mut::visit_field_pat_mut(self, field);
    }
}

struct Names<'a> {
    lower: &'a Lower,
    scope: &'a Scope,
    own: Vec<Ident>,
    shape: bool,
    /// The call at hand is one whose answer is seen to already.
    asking: bool,
    reads: Vars,
    shapes: Vars,
}

impl<'a> Names<'a> {
    fn new(lower: &'a Lower, scope: &'a Scope) -> Self {
        let (reads, shapes) = (Vars::new(), Vars::new());
        Names { lower, scope, own: Vec::new(), shape: false, asking: false, reads, shapes }
    }

    /// Whether a question may be a method of the user's, and the answer a number: it is asked of active values or with such, and
    /// is not the length of a sequence, which std's own types have.
    fn may_be_of_the_users(&self, m: &syn::ExprMethodCall) -> bool {
        let length = m.args.is_empty() && (m.method == "len" || m.method == "is_empty");
        if length && self.is_sequence(&m.receiver) {
            return false;
        }
        let carries = |e: &syn::Expr| self.lower.act(e).any();
        let own = || self.own.iter().any(|name| crate::support::syntax::mentions(&m.to_token_stream(), name));
        carries(&m.receiver) || m.args.iter().any(carries) || own()
    }

    /// Whether an expression is the name of a vector or a slice: a trait of the user's cannot change what their lengths are.
    fn is_sequence(&self, expr: &syn::Expr) -> bool {
        let syn::Expr::Path(path) = strip_parens(expr) else { return false };
        let ty = match path.path.get_ident().and_then(|name| self.meaning(name)) {
            Some(Value::Active(a)) => self.lower.ty_of(&a.place),
            Some(Value::Passive(p)) => p.ty.clone(),
            _ => return false,
        };
        matches!(ty, Ty::Vec(_) | Ty::Slice(_) | Ty::Library)
    }

    /// Whether a method of the user's is called here on what may change: rustc sees to it that this one does not change it.
    fn must_not_change(&self, m: &syn::ExprMethodCall) -> bool {
        let place = matches!(strip_parens(&m.receiver), syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_));
        let name = m.method.to_string();
        if !place || name.starts_with("into") || OF_OPTIONS.contains(&&name[..]) || writes::is_mutating(&name) {
            return false;
        }
        let Some(root) = writes::root_name(&m.receiver) else { return false };
        if self.scope.changes.may_be_by(m) {
            return false;
        }
        match self.meaning(root) {
            Some(Value::Active(a)) => {
                let changes = self.lower.fact(a.place.root).changes || a.refs.exclusive;
                changes && (!known(&self.lower.ty_of(&a.place)) || !is_of_std(&name, m.args.len()))
            }
            Some(Value::Passive(p)) => p.root.is_some() && self.scope.changes.are_by_methods(root),
            _ => false,
        }
    }

    /// Whether a method that looks by its name is called on a variable that may change: a user's type or trait may have one that
    /// changes it, and derivative code calls it again.
    fn must_only_look(&self, m: &syn::ExprMethodCall) -> bool {
        let place = matches!(strip_parens(&m.receiver), syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_));
        let Some(root) = writes::root_name(&m.receiver).filter(|_| place && m.method != "unwrap") else {
            return false;
        };
        let value = self.meaning(root);
        match value {
            Some(Value::Passive(p)) => {
                let changes = |root| self.lower.fact(root).changes;
                !types::is_sequence(&p.ty) && p.refs.depth == 0 && p.root.is_some_and(changes)
            }
            Some(Value::Active(a)) => a.refs.depth == 0 && self.lower.fact(a.place.root).changes,
            _ => false,
        }
    }

    /// Whether a cast to a float is of what a call gave for whose derivative nothing asks: rustc sees that it is an integer.
    fn casts_answer(&self, cast: &syn::ExprCast) -> bool {
        let calls = self.lower.usefulness.cast_of(cast);
        calls.is_some_and(|calls| calls.iter().any(|call| self.lower.looked_at.borrow().contains(call)))
    }

    fn finish(self, tokens: TokenStream, span: Span) -> PassiveCode {
        let shapes = self.shapes.difference(&self.reads).copied().collect();
        PassiveCode { tokens, reads: self.reads, shapes, span }
    }

    fn meaning(&self, name: &Ident) -> Option<&'a Value> {
        if self.own.contains(name) { None } else { self.scope.get(name) }
    }

    fn shown(&mut self, value: &Value, span: Span) -> TokenStream {
        let shown = self.lower.show(value, span);
        match value {
            Value::Active(a) if self.shape => {
                self.shapes.insert(a.place.root);
                a.place.indices(&mut |i| self.reads.extend(&i.reads));
            }
            Value::Passive(p) if self.shape && p.root.is_some() => {
                self.shapes.extend(p.root);
                self.reads.extend(p.passive.reads.iter().filter(|v| Some(**v) != p.root));
            }
            _ => {
                self.reads.extend(&shown.reads);
                self.shapes.extend(&shown.shapes);
            }
        }
        respanned(shown.tokens, span)
    }

    /// `*name`, where the name is a reference to a known place.
    fn seen_through(&self, u: &syn::ExprUnary) -> Option<(Value, Span)> {
        if !matches!(u.op, syn::UnOp::Deref(_)) {
            return None;
        }
        let (value, span) = match strip_parens(&u.expr) {
            syn::Expr::Path(p) => {
                let name = p.path.get_ident()?;
                (self.meaning(name)?.clone(), name.span())
            }
            syn::Expr::Unary(inner) => self.seen_through(inner)?,
            _ => return None,
        };
        (value.refs().depth > 0).then(|| (value.dereferenced(), span))
    }

    /// A member of a tuple, or of one that is lent, by its number, without the others, which may be lists that are not to be moved.
    fn member(&self, field: &syn::ExprField) -> Option<(Value, Span)> {
        let syn::Member::Unnamed(at) = &field.member else { return None };
        let (tuple, span) = match strip_parens(&field.base) {
            syn::Expr::Path(p) => {
                let name = p.path.get_ident()?;
                (self.meaning(name)?.clone(), name.span())
            }
            syn::Expr::Field(inner) => self.member(inner)?,
            _ => return None,
        };
        let all = match &tuple {
            Value::Tuple(all) => all,
            Value::Ref(inner) => match &**inner {
                Value::Tuple(all) => all,
                _ => return None,
            },
            _ => return None,
        };
        Some((all.get(at.index as usize)?.clone(), span))
    }

    /// The receiver of `len()`: a place, seen through no reference.
    fn receiver(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Path(path) = &*expr {
            let name = path.path.get_ident().cloned();
            let value = name.as_ref().and_then(|n| self.meaning(n));
            if let (Some(name), Some(value)) = (name, value) {
                let bare = match value {
                    Value::Tuple(_) if table_in(value).is_some() => {
                        let all: Vec<TokenStream> =
                            table_in(value).into_iter().flatten().map(|v| self.shown(v, name.span())).collect();
                        *expr = syn::Expr::Verbatim(quote!([#(#all),*]));
                        return;
                    }
                    Value::Active(a) if !(a.place.path.is_empty()) => value.clone().behind(Refs::default()),
                    Value::Passive(p) if p.refs.depth > 0 => value.clone().behind(Refs::default()),
                    _ => value.clone(),
                };
                *expr = syn::Expr::Verbatim(self.shown(&bare, name.span()));
                return;
            }
        }
        self.visit_expr_mut(expr);
    }

    /// A scalar behind `&mut`: its methods take it by value.
    fn scalar_by_name(&self, receiver: &syn::Expr) -> Option<(Value, Span)> {
        let syn::Expr::Path(path) = receiver else { return None };
        let name = path.path.get_ident()?;
        match self.meaning(name)? {
            value @ Value::Passive(p) if p.refs == Refs::EXCLUSIVE && self.lower.is_no_number(p.root?) => {
                Some((value.clone().behind(Refs::default()), name.span()))
            }
            _ => None,
        }
    }

    /// The receiver of a method that only looks: halves of one place may be borrowed together.
    fn looked_at(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Path(path) = &*expr
            && let Some(name) = path.path.get_ident()
            && let Some(value) = self.meaning(name)
            && value.refs() == Refs::EXCLUSIVE
        {
            let shared = value.clone().behind(Refs::SHARED);
            *expr = syn::Expr::Verbatim(self.shown(&shared, name.span()));
            return;
        }
        self.visit_expr_mut(expr);
    }

    fn with_own<R>(&mut self, patterns: &[&syn::Pat], f: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.own.len();
        patterns.iter().for_each(|p| self.own.extend(names_of(p)));
        let result = f(self);
        self.own.truncate(before);
        result
    }

    fn closure_call(&mut self, call: &syn::ExprCall) -> Option<syn::Expr> {
        let Value::Closure(closure) = self.meaning(referred_name(&call.func)?)? else { return None };
        let closure = &*closure.taking(call.args.len());
        let mut args: Vec<syn::Expr> = call.args.iter().cloned().collect();
        args.iter_mut().for_each(|a| self.visit_expr_mut(a));
        let mut inner = Names::new(self.lower, &closure.scope);
        let tokens = closures::inlined_tokens(&closure.code, &args, |body, own| {
            inner.own = own;
            inner.visit_expr_mut(body);
        });
        self.reads.extend(inner.reads);
        self.shapes.extend(inner.shapes);
        Some(syn::Expr::Verbatim(tokens))
    }

    fn macro_tokens(&mut self, mac: &mut syn::Macro) {
        let parsed = mac.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated);
        let Ok(mut args) = parsed else {
            if let Ok(VecRepeat { mut value, mut len }) = mac.parse_body() {
                self.visit_expr_mut(&mut value);
                self.visit_expr_mut(&mut len);
                mac.tokens = quote!(#value; #len);
                return;
            }
            mac.tokens = self.plain_tokens(mac.tokens.clone());
            return;
        };
        let mut extra = Vec::new();
        let format = format_at(mac);
        for (k, arg) in args.iter_mut().enumerate() {
            if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = arg
                && format.is_none_or(|at| at == k)
            {
                extra.extend(captured(&text.value()).into_iter().map(|n| (n, text.span())));
            }
            match arg {
                syn::Expr::Assign(named) => self.visit_expr_mut(&mut named.right),
                _ => self.visit_expr_mut(arg),
            }
        }
        let mut tokens = args.to_token_stream();
        let mut seen = BTreeSet::new();
        for (name, span) in extra {
            let ident = Ident::new(&name, span);
            if let (true, Some(value)) = (seen.insert(name), self.meaning(&ident)) {
                let shown = self.shown(&value.clone(), span);
                let comma = if tokens_end_with_comma(&tokens) { quote!() } else { quote!(,) };
                tokens = quote!(#tokens #comma #ident = #shown);
            }
        }
        mac.tokens = tokens;
    }

    /// Tokens that are no list of expressions: names are replaced one by one.
    fn plain_tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let (mut after_dot, mut out) = (false, TokenStream::new());
        for tree in tokens {
            let dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
            match tree {
                TokenTree::Ident(name) if !after_dot && self.meaning(&name).is_some() => {
                    let value = self.meaning(&name).cloned();
                    out.extend(value.map(|v| self.shown(&v, name.span())));
                }
                TokenTree::Group(g) => {
                    let mut new = proc_macro2::Group::new(g.delimiter(), self.plain_tokens(g.stream()));
                    new.set_span(g.span());
                    out.extend([TokenTree::Group(new)]);
                }
                other => out.extend([other]),
            }
            after_dot = dot;
        }
        out
    }
}

impl VisitMut for Names<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        checkpoint_attribute::strip_loop(expr);
        let shape = std::mem::take(&mut self.shape);
        let part = matches!(expr, syn::Expr::Field(_) | syn::Expr::Index(_) | syn::Expr::Path(_));
        let assumed = part && !shape && self.lower.is_assumed_integer(self.scope, expr);
        let of_float = self.lower.of_its_float(expr);
        self.renamed(expr, shape);
        if let Some(name) = of_float {
            *expr = syn::parse_quote!(#expr.#name());
        }
        if assumed {
            // rustc sees to it that it is one: another type may have lost its derivative
            *expr = syn::Expr::Verbatim(quote!(__d::integer(#expr)));
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        let pattern = arm.pat.clone();
        self.with_own(&[&pattern], |s| {
            if let Some((_, guard)) = &mut arm.guard {
                s.visit_expr_mut(guard);
            }
            s.visit_expr_mut(&mut arm.body);
        });
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let before = self.own.len();
        for stmt in &mut block.stmts {
            self.visit_stmt_mut(stmt);
        }
        self.own.truncate(before);
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        self.own.extend(names_of(&local.pat));
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        if field.colon_token.is_none() {
            field.colon_token = Some(Default::default());
        }
        self.visit_expr_mut(&mut field.expr);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.macro_tokens(mac);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a type is made of floats and known containers.
fn known(ty: &Ty) -> bool {
    match ty {
        Ty::Float | Ty::Passive | Ty::Library => true,
        Ty::Vec(_) | Ty::Array(_) | Ty::Slice(_) => true,
        Ty::Tuple(all) => all.iter().all(known),
        Ty::Unknown | Ty::Struct(_) => false,
    }
}

/// Whether floats, arrays, slices or libraries' arrays have a method of this name that changes nothing.
fn is_of_std(name: &str, arguments: usize) -> bool {
    const READING: &[&str] = &[
        "iter",
        "get",
        "first",
        "last",
        "split_at",
        "split_first",
        "split_last",
        "windows",
        "chunks",
        "chunks_exact",
        "rchunks",
        "split",
        "concat",
        "join",
        "map",
        "try_into",
        "row",
        "column",
        "rows",
        "columns",
        "view",
        "slice",
        "dot",
        "sum",
        "mean",
        "outer_iter",
        "axis_iter",
    ];
    names::is_scalar(name, arguments)
        || names::COPIES.contains(&name)
        || names::BITS.contains(&name)
        || READING.contains(&name)
        || name.starts_with("to_")
}

/// A question by its path.
fn is_query(call: &syn::ExprCall) -> bool {
    let syn::Expr::Path(p) = &*call.func else { return false };
    p.path.segments.len() > 1 && p.path.segments.last().is_some_and(|s| names::QUERIES.iter().any(|q| s.ident == q))
}

/// A macro that compares.
fn is_comparison(mac: &syn::Macro) -> bool {
    mac.path.segments.last().is_some_and(|s| names::COMPARISONS.iter().any(|c| s.ident == c))
}

/// Lets a method look at its receiver only.
fn freeze(m: &mut syn::ExprMethodCall, span: Span) {
    let receiver = &m.receiver;
    *m.receiver = syn::Expr::Verbatim(quote_spanned!(span=> (*&#receiver)));
}

/// rustc sees that a question's answer carries no derivative.
fn checked_answer(question: &syn::Expr) -> syn::Expr {
    let answer = Ident::new(crate::ir::purity::ANSWER, question.span());
    syn::Expr::Verbatim(quote!(__d::#answer(#question)))
}

fn lets_of(cond: &syn::Expr) -> Vec<syn::Pat> {
    struct Lets(Vec<syn::Pat>);
    impl<'a> Visit<'a> for Lets {
        fn visit_expr_let(&mut self, l: &'a syn::ExprLet) {
            self.0.push((*l.pat).clone());
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_block(&mut self, _: &'a syn::Block) {}
    }
    let mut lets = Lets(Vec::new());
    lets.visit_expr(cond);
    lets.0
}

/// Where the format string of a macro stands, of those that are known to have one.
fn format_at(mac: &syn::Macro) -> Option<usize> {
    let name = mac.path.segments.last()?.ident.to_string();
    match name.trim_start_matches("debug_") {
        "print" | "println" | "eprint" | "eprintln" | "format" | "format_args" => Some(0),
        "panic" | "unreachable" | "todo" | "unimplemented" => Some(0),
        "assert" | "write" | "writeln" => Some(1),
        "assert_eq" | "assert_ne" => Some(2),
        _ => None,
    }
}

/// The names that a format string captures, `{x}`, or takes a width or a precision from, `{:w$.p$}`.
pub fn captured(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        rest = &rest[start + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            rest = after;
            continue;
        }
        let Some(end) = rest.find('}') else { break };
        let (name, spec) = rest[..end].split_once(':').unwrap_or((&rest[..end], ""));
        let counts =
            spec.split('$').rev().skip(1).map(|part| part.rsplit(|c: char| !is_of_name(c)).next().unwrap_or(""));
        let all = [name.trim()].into_iter().chain(counts);
        names.extend(all.filter(|name| is_name(name)).map(str::to_owned));
        rest = &rest[end + 1..];
    }
    names
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_of_name) && !text.is_empty() && text != "_"
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn tokens_end_with_comma(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().last(), Some(TokenTree::Punct(p)) if p.as_char() == ',')
}

/// The same tokens, pointing at where they are used.
pub fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut tree| {
            if let TokenTree::Group(g) = &tree {
                let mut new = proc_macro2::Group::new(g.delimiter(), respanned(g.stream(), span));
                new.set_span(span);
                return TokenTree::Group(new);
            }
            tree.set_span(span);
            tree
        })
        .collect()
}
