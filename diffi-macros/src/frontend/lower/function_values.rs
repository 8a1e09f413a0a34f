//! Functions as values: a name, a branch or a table gives one of a known set, and a call chooses among them (defunctionalization, Reynolds 1972).
//!
//! Such a value is a closure whose body calls what was chosen: `|argument| match which { 0 => first(argument), _ => second(argument) }`.

use crate::frontend::lower::closures::names_in;
use crate::frontend::lower::function_args::arity;
use crate::frontend::projections::function_tables;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Closure, Maybe, Scope, Value};
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::{effects, types};
use crate::ir::affine;
use crate::ir::visit::{Access, Vars, touched};
use crate::ir::*;
use crate::support::syntax::{is_box, strip_parens};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote};
use std::borrow::Cow;
use std::rc::Rc;

impl Closure {
    /// A function that is known by an expression, with so many parameters unless a call has others.
    fn calling(callee: syn::Expr, scope: Scope, parameters: usize) -> Self {
        let names: Vec<Ident> = (0..parameters).map(|k| format_ident!("argument{k}")).collect();
        let body = applied(&callee, &names);
        Closure { code: syn::parse_quote!(|#(#names),*| #body), scope, callee: Some(callee) }
    }

    /// The same function, of so many parameters where its text leaves that open.
    pub fn taking(&self, arguments: usize) -> Cow<'_, Closure> {
        match &self.callee {
            Some(callee) if self.code.inputs.len() != arguments => {
                Cow::Owned(Closure::calling(callee.clone(), self.scope.clone(), arguments))
            }
            _ => Cow::Borrowed(self),
        }
    }
}

/// A call of what an expression gives, inside of its branches.
fn applied(callee: &syn::Expr, arguments: &[Ident]) -> syn::Expr {
    let syn::Expr::Match(choice) = callee else { return syn::parse_quote!(#callee(#(#arguments),*)) };
    let mut choice = choice.clone();
    choice.arms.iter_mut().for_each(|arm| *arm.body = applied(&arm.body, arguments));
    syn::Expr::Match(choice)
}

impl Lower {
    /// The function that a value is, if it is one that is known.
    pub fn as_function(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Closure(_) | Value::Function { .. } => Some(value.clone()),
            Value::Passive(p) if p.passive.reads.is_empty() => {
                let path: syn::ExprPath = syn::parse2(p.passive.tokens.clone()).ok()?;
                is_function_path(&path).then(|| self.item_function(path))
            }
            _ => None,
        }
    }

    /// A function that is an item, as a value.
    pub fn item_function(&self, mut path: syn::ExprPath) -> Value {
        let own = path.path.get_ident().and_then(|name| name.to_string().strip_prefix("__own_").map(str::to_owned));
        if let (Some(own), Some(segment)) = (own, path.path.segments.last_mut()) {
            segment.ident = Ident::new(&own, segment.ident.span());
        }
        let parameters = arity(&path);
        Value::Closure(Rc::new(Closure::calling(syn::Expr::Path(path), self.scope.clone(), parameters)))
    }

    /// The same function, whose type says how many parameters it has.
    pub fn of_function_type(&self, function: Value, ty: Option<&syn::Type>) -> Value {
        let written = ty.and_then(|ty| types::function_type(ty, &syn::Generics::default(), &self.base));
        match (function, written) {
            (Value::Closure(c), Some(ty)) => Value::Closure(Rc::new(c.taking(ty.inputs.len()).into_owned())),
            (function, _) => function,
        }
    }

    /// The value of an expression that gives a function or several.
    pub fn function_value(&mut self, expr: &syn::Expr) -> Option<Value> {
        use syn::Expr::*;
        match expr {
            If(_) | Match(_) if self.gives_function(expr, &mut Vec::new()) => Some(self.branches(expr)),
            Block(b) if self.gives_function(expr, &mut Vec::new()) => Some(self.block_value(b)),
            Cast(c) if is_function_type(&c.ty) => {
                let function = self.expr(&c.expr);
                let function = self.as_function(&function)?;
                Some(self.of_function_type(function, Some(&c.ty)))
            }
            Array(a) => self.table(a.elems.iter().collect()),
            Macro(m) if m.mac.path.is_ident("vec") => {
                let list =
                    m.mac.parse_body_with(syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated);
                let list = list.ok()?;
                self.table(list.iter().collect())
            }
            Reference(r) if matches!(strip_parens(&r.expr), Array(_)) => {
                let table = self.function_value(strip_parens(&r.expr))?;
                Some(table.borrowed(false))
            }
            Call(c) if is_some(c) && self.gives_function(&c.args[0], &mut Vec::new()) => {
                let function = self.expr(&c.args[0]);
                Some(Value::Maybe(Maybe::some(self.as_function(&function)?)))
            }
            Index(i) => {
                let all = self.table_of(&i.expr)?;
                let at = self.integer(&i.index);
                Some(self.entry(&all, at, true))
            }
            Call(c) if is_box(c) && self.gives_function(expr, &mut Vec::new()) => {
                let function = self.expr(&c.args[0]);
                self.as_function(&function)
            }
            Call(c) if !is_box(c) && self.gives_function(expr, &mut Vec::new()) => {
                let function = self.call(c);
                self.as_function(&function)
            }
            MethodCall(m) if m.method == "len" && m.args.is_empty() => {
                let all = self.table_of(&m.receiver)?;
                Some(Value::passive(affine::literal(all.len())))
            }
            MethodCall(m) if m.method == "clone" && self.gives_function(&m.receiver, &mut Vec::new()) => {
                let function = self.expr(&m.receiver);
                self.as_function(&function)
            }
            _ => None,
        }
    }

    /// Gives the module's constants that hold functions their values, which see no name of the function's.
    pub fn bind_function_tables(&mut self, item: &syn::ItemFn) {
        for (name, value) in function_tables::named_in(item) {
            let known = match &value {
                syn::Expr::Path(p) => Some(self.item_function(p.clone())),
                syn::Expr::Closure(_) => Some(self.expr(&value)),
                value => self.function_value(value),
            };
            known.into_iter().for_each(|value| self.scope.bind(&name, value));
        }
    }

    /// Whether an expression gives a function; the names are those that the expression itself binds.
    fn gives_function(&self, expr: &syn::Expr, own: &mut Vec<Ident>) -> bool {
        self.gives_function_in(&self.scope, expr, own)
    }

    fn gives_function_in(&self, scope: &Scope, expr: &syn::Expr, own: &mut Vec<Ident>) -> bool {
        use syn::Expr::*;
        match strip_parens(expr) {
            Closure(_) => true,
            Path(p) => match p.path.get_ident() {
                Some(name) if own.contains(name) => false,
                name => match name.and_then(|name| scope.get(name)) {
                    Some(value) => matches!(value, Value::Closure(_) | Value::Function { .. }),
                    None => is_function_path(p),
                },
            },
            Reference(r) => self.gives_function_in(scope, &r.expr, own),
            Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.gives_function_in(scope, &u.expr, own),
            Cast(c) => is_function_type(&c.ty),
            Call(c) if is_box(c) || is_some(c) => self.gives_function_in(scope, &c.args[0], own),
            Call(c) => self.call_gives_function(scope, c),
            Index(i) => {
                known_table_in(scope, &i.expr).is_some_and(|all| all.iter().all(|v| self.as_function(v).is_some()))
            }
            Block(b) => self.block_gives_function(scope, &b.block, own),
            If(i) => i.else_branch.as_ref().is_some_and(|(_, els)| {
                let (then, other) =
                    (self.block_gives_function(scope, &i.then_branch, own), self.gives_function_in(scope, els, own));
                let none = |block: &syn::Block| matches!(&block.stmts[..], [syn::Stmt::Expr(e, None)] if is_none(e));
                let block = |e: &syn::Expr| matches!(e, Block(b) if none(&b.block));
                then && (other || block(els)) || other && none(&i.then_branch)
            }),
            Match(m) => {
                let gives = |arm: &syn::Arm| {
                    let mut own = own.clone();
                    own.extend(names_of(&arm.pat));
                    self.gives_function_in(scope, &arm.body, &mut own)
                };
                let other = |arm: &syn::Arm| effects::expr_diverges(&arm.body) || is_none(&arm.body);
                m.arms.iter().all(|arm| other(arm) || gives(arm)) && m.arms.iter().any(gives)
            }
            _ => false,
        }
    }

    fn block_gives_function(&self, scope: &Scope, block: &syn::Block, own: &[Ident]) -> bool {
        let mut own = own.to_vec();
        block.stmts.iter().for_each(|stmt| {
            if let syn::Stmt::Local(local) = stmt {
                own.extend(names_of(&local.pat));
            }
        });
        matches!(block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if self.gives_function_in(scope, e, &mut own))
    }

    /// Whether a closure that is called gives a function.
    fn call_gives_function(&self, scope: &Scope, c: &syn::ExprCall) -> bool {
        let syn::Expr::Path(path) = strip_parens(&c.func) else { return false };
        match path.path.get_ident().and_then(|name| scope.get(name)) {
            Some(Value::Closure(closure)) if closure.callee.is_none() => {
                let mut own = closure.code.inputs.iter().flat_map(names_of).collect();
                self.gives_function_in(&closure.scope, &closure.code.body, &mut own)
            }
            _ => false,
        }
    }

    /// A list whose elements are functions, or tuples with functions.
    fn table(&mut self, elements: Vec<&syn::Expr>) -> Option<Value> {
        let holds = |l: &Self, e: &syn::Expr| match strip_parens(e) {
            syn::Expr::Tuple(t) => t.elems.iter().any(|e| l.gives_function(e, &mut Vec::new())),
            e => l.gives_function(e, &mut Vec::new()),
        };
        if elements.is_empty() || !elements.iter().all(|e| holds(self, e)) {
            return None;
        }
        let all = self.in_order(&elements, &mut |l, _, e| l.expr(e));
        Some(Value::Tuple(all.into_iter().map(|value| self.with_functions(value)).collect()))
    }

    fn with_functions(&self, value: Value) -> Value {
        match value {
            Value::Tuple(all) => Value::Tuple(all.into_iter().map(|v| self.with_functions(v)).collect()),
            value => self.as_function(&value).unwrap_or(value),
        }
    }

    /// The functions in a table that has a name.
    pub fn known_table(&self, expr: &syn::Expr) -> Option<&Vec<Value>> {
        known_table_in(&self.scope, expr)
    }

    fn table_of(&mut self, expr: &syn::Expr) -> Option<Vec<Value>> {
        if let Some(all) = self.known_table(expr) {
            return Some(all.clone());
        }
        match strip_parens(expr) {
            syn::Expr::Array(a) => match self.table(a.elems.iter().collect())? {
                Value::Tuple(all) => Some(all),
                _ => None,
            },
            _ => None,
        }
    }

    /// The elements of a table of functions, by index: `lent`, or as they are.
    pub fn chain_of_table(&self, value: &Value, lent: bool) -> Option<Chain> {
        let all = table_in(value)?.clone();
        let lent = lent || matches!(value, Value::Ref(_));
        let entry = move |l: &mut Lower, k| match l.entry(&all, k, false) {
            row @ Value::Tuple(_) if lent => row.borrowed(false),
            entry => entry,
        };
        Some(Chain::counted(affine::literal(table_in(value)?.len()), entry))
    }

    /// The element of a table at an index; `checked` says that the index may lie outside.
    fn entry(&mut self, all: &[Value], at: PassiveCode, checked: bool) -> Value {
        if let Some(value) = affine::literal_index(&at).and_then(|at| all.get(at)) {
            return value.clone();
        }
        let numbers = 0..all.len();
        let at = match checked {
            true => at.map(|at| quote!([#(#numbers),*][#at])),
            false => at,
        };
        let which = self.atom("which", at);
        self.one_of(all, &which)
    }

    /// One of several values, of the same kind all.
    fn one_of(&mut self, all: &[Value], which: &PassiveCode) -> Value {
        if let Some(functions) = all.iter().map(|v| self.as_function(v)).collect::<Option<Vec<Value>>>() {
            return self.choice(functions, which);
        }
        let members = all.iter().map(|v| if let Value::Tuple(all) = v { Some(all.clone()) } else { None });
        if let Some(rows) = members.collect::<Option<Vec<Vec<Value>>>>() {
            let column = |k: usize| rows.iter().map(|row| row[k].clone()).collect::<Vec<Value>>();
            return Value::Tuple((0..rows[0].len()).map(|k| self.one_of(&column(k), which)).collect());
        }
        if all.iter().any(Value::is_active) {
            let instead = "write a `match` over the index, or two tables";
            return self.refuse(which.span, "a table of functions with active numbers in it", instead);
        }
        let shown: Vec<PassiveCode> = all.iter().map(|v| self.show(v, which.span)).collect();
        let (tokens, index, numbers) = (shown.iter().map(|s| &s.tokens), &which.tokens, 0..all.len());
        let tokens = quote!(match #index { #(#numbers => #tokens,)* _ => ::core::unreachable!() });
        Value::passive(affine::gathered(tokens, shown.iter().chain([which]), which.span))
    }

    /// A function that is one of several.
    fn choice(&self, functions: Vec<Value>, which: &PassiveCode) -> Value {
        let parameters = functions.iter().find_map(|f| match f {
            Value::Closure(c) => Some(c.code.inputs.len()),
            Value::Function { var, .. } => self.functions.iter().find(|(f, _)| f == var).map(|(_, ty)| ty.inputs.len()),
            _ => None,
        });
        let index = Ident::new("__which", which.span);
        let names: Vec<Ident> =
            (0..functions.len()).map(|k| format_ident!("__function{k}", span = which.span)).collect();
        let mut scope = self.scope.clone();
        scope.bind(&index, Value::passive(which.clone()));
        names.iter().zip(functions).for_each(|(name, function)| scope.bind(name, function));
        let (last, before) = names.split_last().expect("a choice has candidates");
        let numbers = 0..before.len();
        let callee = syn::parse_quote!(match #index { #(#numbers => #before,)* _ => #last });
        Value::Closure(Rc::new(Closure::calling(callee, scope, parameters.unwrap_or(1))))
    }

    /// Several branches' functions as one, if all of them give functions.
    pub fn deliver_functions(
        &mut self,
        parts: &mut [(Block, Value)],
        live: &[usize],
        partial: bool,
        span: Span,
    ) -> Option<Value> {
        let functions: Option<Vec<Value>> = live.iter().map(|i| self.as_function(&parts[*i].1)).collect();
        let mut functions = functions?;
        for (i, function) in live.iter().zip(&mut functions) {
            *function = self.out_of_branch(function, *i, parts, span);
        }
        if let [only] = &functions[..] {
            return Some(only.clone());
        }
        let number = |i: usize| live.iter().position(|live| *live == i);
        let mut numbers: Vec<(Block, Value)> = Vec::new();
        for (i, (block, _)) in parts.iter_mut().enumerate() {
            let value = number(i).map_or(Value::Never, |k| Value::passive(PassiveCode::literal(quote!(#k))));
            numbers.push((std::mem::take(block), value));
        }
        let which = self.deliver(&mut numbers, partial, span);
        give_back(parts, numbers);
        let which = self.show(&which, span);
        Some(self.choice(functions, &which))
    }

    /// A function that leaves the branch in which it is made: it takes along what it sees of the branch's variables.
    fn out_of_branch(&mut self, function: &Value, at: usize, parts: &mut [(Block, Value)], span: Span) -> Value {
        let Value::Closure(closure) = function else { return function.clone() };
        let inside = touched(&parts[at].0.stmts, &[Access::Define]);
        let mut scope = closure.scope.clone();
        for name in names_in(closure.code.to_token_stream()) {
            let Some(value) = scope.get(&name).cloned() else { continue };
            if matches!(value, Value::Closure(_)) {
                let inner = self.out_of_branch(&value, at, parts, span);
                scope.bind(&name, inner);
            } else if self.sees(&value, &inside, span) {
                let mut members: Vec<(Block, Value)> =
                    parts.iter_mut().map(|(block, _)| (std::mem::take(block), Value::Never)).collect();
                members[at].1 = value;
                let value = self.deliver(&mut members, true, span);
                give_back(parts, members);
                scope.bind(&name, value);
            }
        }
        Value::Closure(Rc::new(Closure { scope, code: closure.code.clone(), callee: closure.callee.clone() }))
    }

    /// Whether a value is made of one of these variables.
    pub fn sees(&self, value: &Value, variables: &Vars, span: Span) -> bool {
        let shown = self.show(value, span);
        shown.reads.iter().chain(&shown.shapes).any(|v| variables.contains(v))
    }
}

fn give_back(parts: &mut [(Block, Value)], blocks: Vec<(Block, Value)>) {
    parts.iter_mut().zip(blocks).for_each(|(part, (block, _))| part.0 = block);
}

fn known_table_in<'s>(scope: &'s Scope, expr: &syn::Expr) -> Option<&'s Vec<Value>> {
    match strip_parens(expr) {
        syn::Expr::Path(p) => table_in(scope.get(p.path.get_ident()?)?),
        syn::Expr::Reference(r) => known_table_in(scope, &r.expr),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => known_table_in(scope, &u.expr),
        _ => None,
    }
}

/// The elements of a table of functions.
pub fn table_in(value: &Value) -> Option<&Vec<Value>> {
    let holds = |v: &Value| match v {
        Value::Closure(_) => true,
        Value::Tuple(all) => all.iter().any(|v| matches!(v, Value::Closure(_))),
        _ => false,
    };
    match value {
        Value::Tuple(all) if !all.is_empty() && all.iter().all(holds) => Some(all),
        Value::Ref(inner) => table_in(inner),
        _ => None,
    }
}

/// Whether a path that is a value names a function: constants, types and variants begin with a capital letter.
pub fn is_function_path(p: &syn::ExprPath) -> bool {
    p.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_'))
}

fn is_function_type(ty: &syn::Type) -> bool {
    types::is_function(ty, &syn::Generics::default())
}

fn is_none(expr: &syn::Expr) -> bool {
    matches!(strip_parens(expr), syn::Expr::Path(p) if p.path.is_ident("None"))
}

/// `Some(function)`.
fn is_some(c: &syn::ExprCall) -> bool {
    matches!(strip_parens(&c.func), syn::Expr::Path(p) if p.path.is_ident("Some")) && c.args.len() == 1
}
