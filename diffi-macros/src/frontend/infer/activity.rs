//! Whether an expression's value carries a derivative, before it is lowered.

use crate::frontend::infer::usefulness;
use crate::frontend::iterators::methods::{self, Carries};
use crate::frontend::state::context::Lower;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Chain, Closure, Scope, Value};
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::{cuts, effects, types, writes};
use crate::ir::{PassiveCode, Place, Proj, Ty, Var};
use crate::support::names;
use crate::support::syntax::{VecRepeat, has_return, is_self, is_type_name, mentions, referred_name, strip_parens};
use crate::support::work::step;
use proc_macro2::Ident;
use syn::ext::IdentExt;

/// What a value carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// No derivative.
    Passive,
    /// A derivative.
    Active,
    /// Member by member; also what a chain of tuples yields.
    Tuple(Vec<Act>),
}

impl Act {
    /// Whether any part carries a derivative.
    pub fn any(&self) -> bool {
        match self {
            Act::Passive => false,
            Act::Active => true,
            Act::Tuple(all) => all.iter().any(Act::any),
        }
    }

    fn of(active: bool) -> Self {
        if active { Act::Active } else { Act::Passive }
    }

    fn join(self, other: Act) -> Act {
        match (self, other) {
            (Act::Tuple(a), Act::Tuple(b)) if a.len() == b.len() => {
                Act::Tuple(a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect())
            }
            (Act::Passive, b) => b,
            (a, Act::Passive) => a,
            (a, b) => Act::of(a.any() || b.any()),
        }
    }
}

impl Lower {
    /// Whether an expression can stay one piece of tokens: it carries no derivative, changes
    /// nothing and does not jump.
    pub fn is_passive(&self, expr: &syn::Expr) -> bool {
        effects::of_expr(&self.scope, expr).is_pure() && !self.act(expr).any() && !self.asks_cursor(expr)
    }

    /// Whether an expression mentions an iterator that is run in parts: its tokens do not say where that is.
    fn asks_cursor(&self, expr: &syn::Expr) -> bool {
        let is_cursor = |value: &Value| match value {
            Value::Chain(chain) => matches!(&**chain, Chain::Indexed(ix) if ix.cursor.is_some()),
            _ => false,
        };
        let names = self.scope.names.iter().filter(|(_, value)| is_cursor(value)).map(|(name, _)| name);
        let tokens = quote::ToTokens::to_token_stream(expr);
        names.into_iter().any(|name| mentions(&tokens, &Ident::new(name, proc_macro2::Span::call_site())))
    }

    /// Whether an expression names a part of an active value that is only assumed to be an integer.
    pub fn is_assumed_integer(&self, scope: &Scope, expr: &syn::Expr) -> bool {
        let copy = match strip_parens(expr) {
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|n| scope.get(n)) {
                Some(Value::Passive(p)) => p.root.is_some_and(|v| self.fact(v).part),
                _ => false,
            },
            _ => false,
        };
        let acting = Acting { lower: self, scope, local: Vec::new() };
        copy || acting.place(expr).is_some_and(|p| self.is_passive_part(&p))
    }

    /// The place that an expression is, found by its names.
    pub fn place_of(&self, expr: &syn::Expr) -> Option<Place> {
        Acting { lower: self, scope: &self.scope, local: Vec::new() }.place(expr)
    }

    /// Whether an expression mentions an active value at all, or a function whose derivatives are followed: its value is active, whatever
    /// it is given.
    pub fn mentions_active(&self, passive: &PassiveCode) -> bool {
        let is_followed = |var: &Var| self.functions.iter().any(|(function, _)| function == var);
        passive.reads.iter().chain(&passive.shapes).any(|v| self.fact(*v).active || is_followed(v))
    }

    /// Whether nothing asks for the derivative of a call's value.
    pub fn looks_at(&self, call: &Ident) -> bool {
        !is_type_name(call) && self.usefulness.is_looked_at(call)
    }

    /// What an expression's value carries.
    pub fn act(&self, expr: &syn::Expr) -> Act {
        Acting { lower: self, scope: &self.scope, local: Vec::new() }.expr(expr)
    }
}

/// What a value carries.
pub fn of_value(lower: &Lower, value: &Value) -> Act {
    match value {
        Value::Active(a) => match lower.ty_of(&a.place) {
            Ty::Tuple(all) => Act::Tuple(all.iter().map(|t| Act::of(!types::is_passive(t))).collect()),
            t => Act::of(!types::is_passive(&t)),
        },
        Value::Tuple(all) => Act::Tuple(all.iter().map(|v| of_value(lower, v)).collect()),
        Value::Ref(inner) => of_value(lower, inner),
        Value::Closure(c) => Act::of(Acting::entered(lower, c, &[]).any()),
        Value::Chain(_) | Value::Maybe(_) | Value::Queue(_) | Value::Function { .. } => Act::Active,
        _ => Act::Passive,
    }
}

struct Acting<'a> {
    lower: &'a Lower,
    scope: &'a Scope,
    local: Vec<(Ident, Act)>,
}

impl<'a> Acting<'a> {
    fn name(&self, name: &Ident) -> Act {
        if let Some((_, act)) = self.local.iter().rev().find(|(n, _)| n == name) {
            return act.clone();
        }
        match self.scope.get(name) {
            Some(value) => of_value(self.lower, value),
            None => Act::Passive,
        }
    }

    fn closure_named(&self, expr: &syn::Expr) -> Option<&'a Closure> {
        let name = referred_name(expr)?;
        if self.local.iter().any(|(n, _)| n == name) {
            return None;
        }
        match self.scope.get(name)? {
            Value::Closure(c) => Some(c),
            _ => None,
        }
    }

    fn expr(&mut self, expr: &syn::Expr) -> Act {
        use syn::Expr::*;
        step();
        match expr {
            Path(p) => p.path.get_ident().map_or(Act::Passive, |n| self.name(n)),
            Paren(e) => self.expr(&e.expr),
            Group(e) => self.expr(&e.expr),
            Reference(e) => self.expr(&e.expr),
            Unary(e) if matches!(e.op, syn::UnOp::Not(_)) => Act::Passive,
            Unary(e) => self.expr(&e.expr),
            Binary(e) => self.binary(e),
            Cast(e) => self.cast(e),
            MethodCall(e) => self.method(e),
            Call(e) if cuts::is_cut(&e.func) => Act::Passive,
            Call(e) => self.call(e),
            Tuple(e) => Act::Tuple(e.elems.iter().map(|e| self.expr(e)).collect()),
            Array(e) => self.any(e.elems.iter()),
            Repeat(e) => self.expr(&e.expr),
            Struct(e) => {
                let fields = self.any(e.fields.iter().map(|f| &f.expr));
                let rest = e.rest.as_ref().map_or(Act::Passive, |r| self.expr(r));
                fields.join(rest)
            }
            Index(e) if self.is_passive_part(&Index(e.clone())) => Act::Passive,
            Index(e) => self.expr(&e.expr),
            Field(e) => self.field(e),
            Range(e) => self.any(e.start.iter().chain(&e.end).map(|e| &**e)),
            If(e) => self.branch(e),
            Match(e) => self.arms(e),
            // A `break` out of it may carry the value.
            Block(e) if e.label.is_some() => Act::of(self.mentions(expr)),
            Block(e) => self.block(&e.block),
            Unsafe(e) => self.block(&e.block),
            Closure(e) => self.closure(e, &[]),
            Macro(e) => self.macro_(&e.mac),
            Try(e) => self.expr(&e.expr),
            Let(_) => Act::Passive,
            _ => Act::of(self.mentions(expr)),
        }
    }

    fn any<'e>(&mut self, all: impl Iterator<Item = &'e syn::Expr>) -> Act {
        let mut active = false;
        for e in all {
            active |= self.expr(e).any();
        }
        Act::of(active)
    }

    /// Whether an expression has an active name in it, one of the function's or of the block that it stands in.
    fn mentions(&self, expr: &syn::Expr) -> bool {
        self.lower.mentions_active(&self.lower.passive_code_in(self.scope, expr))
            || self.local.iter().any(|(_, act)| act.any()) && self.local_in(&quote::ToTokens::to_token_stream(expr))
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> Act {
        use syn::BinOp::*;
        match e.op {
            And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => Act::Passive,
            _ => {
                let (a, b) = (self.expr(&e.left).any(), self.expr(&e.right).any());
                Act::of(a || b)
            }
        }
    }

    /// Whether a function of the block around this one carries no derivative.
    fn is_passive_sibling(&self, name: &Ident) -> bool {
        let functions = self.lower.owner.as_ref().map(|o| &o.functions);
        functions.and_then(|all| all.get(&name.unraw().to_string())).is_some_and(|f| f.passive)
    }

    /// Whether an iterator starts from one that has a name: only lowering knows it.
    fn names_chain(&self, e: &syn::Expr) -> bool {
        match strip_parens(e) {
            syn::Expr::MethodCall(m) => self.names_chain(&m.receiver),
            syn::Expr::Path(p) => {
                p.path.get_ident().is_some_and(|n| matches!(self.scope.get(n), Some(Value::Chain(_))))
            }
            _ => false,
        }
    }

    /// Whether a method in an expression is given what carries derivatives, and may change a variable.
    fn changes_by_method(&mut self, e: &syn::Expr) -> bool {
        let syn::Expr::MethodCall(m) = strip_parens(e) else { return false };
        let lent = || {
            let value = writes::root_name(&m.receiver).and_then(|name| self.scope.get(name));
            value.is_some_and(|value| value.refs().exclusive) && !usefulness::is_known(m)
        };
        let changes = (self.scope.changes.may_be_by(m) || lent()) && !self.lower.looks_at(&m.method);
        changes && self.any(m.args.iter()).any() || self.changes_by_method(&m.receiver)
    }

    /// Whether it is a `Result` that has a name: the tokens that stand for it are an `Option`.
    fn names_option(&self, e: &syn::Expr) -> bool {
        let syn::Expr::Path(p) = strip_parens(e) else { return false };
        let value = p.path.get_ident().and_then(|name| self.scope.get(name));
        matches!(value, Some(Value::Maybe(_)))
    }

    fn cast(&mut self, e: &syn::ExprCast) -> Act {
        match types::describe(&e.ty, &self.lower.base) {
            Ty::Passive => Act::Passive,
            _ => self.expr(&e.expr),
        }
    }

    /// The place that an expression names, as far as it can be told without lowering it.
    fn place(&self, e: &syn::Expr) -> Option<Place> {
        let inner = |e: &syn::Expr, step: Option<Proj>| {
            let mut place = self.place(e)?;
            place.path.extend(step);
            Some(place)
        };
        match strip_parens(e) {
            syn::Expr::Path(p) => {
                let name = p.path.get_ident()?;
                let value = self.scope.get(name).filter(|_| !self.local.iter().any(|(n, _)| n == name))?;
                if let Value::Active(a) = value { Some(a.place.clone()) } else { None }
            }
            syn::Expr::Field(f) => inner(&f.base, Some(Proj::Field(f.member.clone()))),
            syn::Expr::Index(i) if matches!(strip_parens(&i.index), syn::Expr::Range(_)) => inner(&i.expr, None),
            syn::Expr::Index(i) => inner(&i.expr, Some(Proj::Index(crate::ir::affine::literal(0)))),
            syn::Expr::Reference(r) => inner(&r.expr, None),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => inner(&u.expr, None),
            _ => None,
        }
    }

    fn is_passive_part(&self, e: &syn::Expr) -> bool {
        self.place(e).is_some_and(|p| types::is_passive(&self.lower.ty_of(&p)) || self.lower.is_passive_part(&p))
    }

    fn field(&mut self, e: &syn::ExprField) -> Act {
        if self.is_passive_part(&syn::Expr::Field(e.clone())) {
            return Act::Passive;
        }
        match (self.expr(&e.base), &e.member) {
            (Act::Tuple(all), syn::Member::Unnamed(i)) => all.get(i.index as usize).cloned().unwrap_or(Act::Passive),
            (act, _) => Act::of(act.any()),
        }
    }

    /// Whatever a method makes of a value, what was changed for it counts.
    fn method(&mut self, e: &syn::ExprMethodCall) -> Act {
        let act = self.method_alone(e);
        if act.any() || !self.changes_by_method(&e.receiver) { act } else { Act::Active }
    }

    fn method_alone(&mut self, e: &syn::ExprMethodCall) -> Act {
        let name = e.method.to_string();
        if names::QUERIES.contains(&name.as_str()) {
            return Act::of(
                self.names_chain(&e.receiver)
                    || (name.starts_with("is_ok") || name.starts_with("is_err")) && self.names_option(&e.receiver),
            );
        }
        if is_self(&e.receiver) && self.is_passive_sibling(&e.method) {
            return Act::Passive;
        }
        let receiver = self.expr(&e.receiver);
        let row = methods::method(&name);
        let applies =
            |row: &methods::Method| matches!(row.carries, Carries::Applied | Carries::Folded | Carries::Scanned);
        let of_options = ["and_then", "then", "map_or", "map_or_else"].contains(&name.as_str());
        if e.args.is_empty() && (of_options || row.is_some_and(applies)) {
            return Act::of(receiver.any());
        }
        if !is_adaptor_call(&name, e.args.len()) {
            return receiver.join(self.any(e.args.iter()));
        }
        match (name.as_str(), row.map(|row| row.carries)) {
            ("and_then", _) => self.applied(e.args.first(), &[receiver]),
            ("then", _) => self.applied(e.args.first(), &[]),
            ("sort_by", _) => self.with_values(e, receiver),
            ("map_or", _) => {
                let start = self.any(e.args.iter().take(1));
                self.applied(e.args.iter().nth(1), &[receiver]).join(start)
            }
            ("map_or_else", _) => {
                let none = self.applied(e.args.first(), &[]);
                self.applied(e.args.iter().nth(1), &[receiver]).join(none)
            }
            (_, Some(carries)) => self.carried(carries, e, receiver),
            _ => self.either(e, receiver),
        }
    }

    /// What the value of an iterator's method carries.
    fn carried(&mut self, carries: Carries, e: &syn::ExprMethodCall, receiver: Act) -> Act {
        match carries {
            Carries::Items => self.with_values(e, receiver),
            Carries::Counted => Act::Tuple(vec![Act::Passive, receiver]),
            Carries::Zipped => {
                let other = self.any(e.args.iter());
                Act::Tuple(vec![receiver, other])
            }
            Carries::Applied => self.applied(e.args.first(), &[receiver]),
            Carries::Folded => self.fold(e, receiver),
            Carries::Scanned => {
                let start = self.any(e.args.iter().take(1));
                let state = Act::of(start.any() || receiver.any());
                self.applied(e.args.iter().nth(1), &[state, receiver])
            }
            Carries::Effects => Act::of(self.mentions(&syn::Expr::MethodCall(e.clone()))),
            Carries::Total => Act::of(self.with_values(e, receiver).any()),
            Carries::Either => self.either(e, receiver),
        }
    }

    fn either(&mut self, e: &syn::ExprMethodCall, receiver: Act) -> Act {
        let args = self.any(e.args.iter()).any();
        let act = if args { Act::Active } else { receiver };
        if act.any() && self.is_method_looked_at(e) { Act::Passive } else { act }
    }

    /// What the receiver carries, and the arguments that are no functions.
    fn with_values(&mut self, e: &syn::ExprMethodCall, receiver: Act) -> Act {
        let values = self.any(e.args.iter().filter(|a| !is_function(a)));
        receiver.join(values)
    }

    /// What the accumulator carries after any number of steps.
    fn fold(&mut self, e: &syn::ExprMethodCall, item: Act) -> Act {
        let mut acc = e.args.first().map_or(Act::Passive, |s| self.expr(s));
        loop {
            let next = self.applied(e.args.iter().nth(1), &[acc.clone(), item.clone()]).join(acc.clone());
            if next == acc {
                return acc;
            }
            acc = next;
        }
    }

    /// A closure, or the name of a function, applied to arguments.
    fn applied(&mut self, function: Option<&syn::Expr>, args: &[Act]) -> Act {
        match function.map(strip_parens) {
            Some(syn::Expr::Closure(c)) => self.closure(c, args),
            Some(e) => match self.closure_named(e) {
                Some(c) => self.enter(c, args),
                None if args.iter().any(Act::any) && self.is_looked_at(e, e) => Act::Passive,
                None => {
                    let captures = self.expr(e).any();
                    Act::of(captures || args.iter().any(Act::any))
                }
            },
            None => Act::Passive,
        }
    }

    fn enter(&self, closure: &Closure, args: &[Act]) -> Act {
        let closure = closure.taking(args.len());
        Acting::entered(self.lower, &closure, args)
    }

    fn entered(lower: &Lower, closure: &Closure, args: &[Act]) -> Act {
        Acting { lower, scope: &closure.scope, local: Vec::new() }.closure(&closure.code, args)
    }

    fn closure(&mut self, c: &syn::ExprClosure, args: &[Act]) -> Act {
        let before = self.local.len();
        let beside_active = args.iter().any(Act::any) || self.mentions(&c.body);
        for (i, pattern) in c.inputs.iter().enumerate() {
            let filled = beside_active && is_filled(pattern, &c.body);
            self.bind(pattern, if filled { Act::Active } else { args.get(i).cloned().unwrap_or(Act::Passive) });
        }
        let mut act = self.expr(&c.body);
        if has_return(&c.body) {
            act = act.join(Act::of(beside_active));
        }
        self.local.truncate(before);
        act
    }

    fn bind(&mut self, pattern: &syn::Pat, act: Act) {
        match (pattern, act) {
            (syn::Pat::Type(t), act) => self.bind(&t.pat, act),
            (syn::Pat::Paren(p), act) => self.bind(&p.pat, act),
            (syn::Pat::Reference(r), act) => self.bind(&r.pat, act),
            (syn::Pat::Tuple(t), Act::Tuple(all)) if t.elems.len() == all.len() => {
                t.elems.iter().zip(all).for_each(|(p, a)| self.bind(p, a));
            }
            (p, act) => {
                let act = match (p, &act) {
                    (syn::Pat::Ident(_), _) => act,
                    _ => Act::of(act.any()),
                };
                self.local.extend(names_of(p).into_iter().map(|n| (n, act.clone())));
            }
        }
    }

    fn call(&mut self, e: &syn::ExprCall) -> Act {
        if let Some(c) = self.closure_named(&e.func) {
            let args: Vec<Act> = e.args.iter().map(|a| self.expr(a)).collect();
            return self.enter(c, &args);
        }
        if let syn::Expr::Path(p) = &*e.func {
            let last = p.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
            let of_block = p.path.segments.len() == 2 && p.path.segments[0].ident == "Self";
            let sibling = p.path.segments.last().filter(|_| of_block);
            let asked = p.path.segments.len() > 1 && names::QUERIES.contains(&last.as_str());
            if asked || sibling.is_some_and(|s| self.is_passive_sibling(&s.ident)) {
                return Act::Passive;
            }
        }
        let function = self.expr(&e.func);
        let act = self.any(e.args.iter()).join(function);
        if act.any() && self.is_looked_at(&e.func, &syn::Expr::Call(e.clone())) { Act::Passive } else { act }
    }

    /// Whether nothing asks for the derivative of what a function gives in this call, which changes nothing.
    fn is_looked_at(&self, function: &syn::Expr, call: &syn::Expr) -> bool {
        let syn::Expr::Path(p) = strip_parens(function) else { return false };
        let Some(last) = p.path.segments.last().map(|s| &s.ident) else { return false };
        let of_scope = p
            .path
            .get_ident()
            .is_some_and(|name| self.scope.get(name).is_some() || self.local.iter().any(|(local, _)| local == name));
        !of_scope && self.lower.looks_at(last) && effects::of_expr(self.scope, call).is_pure() && self.note(last)
    }

    /// The same for a method of a type that is not known.
    fn is_method_looked_at(&self, e: &syn::ExprMethodCall) -> bool {
        let place = matches!(strip_parens(&e.receiver), syn::Expr::Path(_) | syn::Expr::Field(_));
        place
            && self.lower.looks_at(&e.method)
            && !usefulness::is_known(e)
            && !self.names_chain(&e.receiver)
            && !self.scope.changes.may_be_by(e)
            && effects::of_expr(self.scope, &syn::Expr::MethodCall(e.clone())).is_pure()
            && self.note(&e.method)
    }

    fn note(&self, call: &Ident) -> bool {
        self.lower.looked_at.borrow_mut().insert(Site::of(call));
        true
    }

    fn branch(&mut self, e: &syn::ExprIf) -> Act {
        let before = self.local.len();
        self.bind_lets(&e.cond);
        let then = self.block(&e.then_branch);
        self.local.truncate(before);
        let els = e.else_branch.as_ref().map_or(Act::Passive, |(_, e)| self.expr(e));
        then.join(els)
    }

    fn bind_lets(&mut self, cond: &syn::Expr) {
        match cond {
            syn::Expr::Let(l) => {
                let act = self.expr(&l.expr);
                self.bind(&l.pat, act);
            }
            syn::Expr::Binary(b) => {
                self.bind_lets(&b.left);
                self.bind_lets(&b.right);
            }
            _ => {}
        }
    }

    fn arms(&mut self, e: &syn::ExprMatch) -> Act {
        let on = self.expr(&e.expr);
        let mut all = Act::Passive;
        for arm in &e.arms {
            let before = self.local.len();
            self.bind(&arm.pat, on.clone());
            all = all.join(self.expr(&arm.body));
            self.local.truncate(before);
        }
        all
    }

    fn block(&mut self, block: &syn::Block) -> Act {
        let before = self.local.len();
        let mut last = Act::Passive;
        for stmt in &block.stmts {
            last = Act::Passive;
            match stmt {
                syn::Stmt::Local(l) => {
                    let act = l.init.as_ref().map_or(Act::Passive, |init| self.expr(&init.expr));
                    let filled = self.may_be_filled(l, block);
                    self.bind(&l.pat, if filled { Act::Active } else { act });
                }
                syn::Stmt::Expr(e, None) => last = self.expr(e),
                _ => {}
            }
        }
        self.local.truncate(before);
        last
    }

    /// Whether a local that may change, or has no value yet, stands beside active values.
    fn may_be_filled(&self, local: &syn::Local, block: &syn::Block) -> bool {
        if local.init.is_some() && !is_mutable(&local.pat) {
            return false;
        }
        let expr = syn::Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: block.clone() });
        self.local.iter().any(|(_, a)| a.any()) || self.mentions(&expr)
    }

    fn macro_(&mut self, mac: &syn::Macro) -> Act {
        let parse = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let last = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match last.as_str() {
            "vec" => match mac.parse_body_with(parse) {
                Ok(args) => self.any(args.iter()),
                Err(_) => mac.parse_body::<VecRepeat>().map_or(Act::Passive, |r| self.expr(&r.value)),
            },
            "dbg" => mac.parse_body_with(parse).map_or(Act::Passive, |args| self.any(args.iter())),
            "format" | "matches" | "stringify" | "concat" | "line" | "file" | "env" => Act::Passive,
            name if names::is_effect(name) || names::COMPARISONS.contains(&name) => Act::Passive,
            _ => {
                let whole = syn::Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: mac.clone() });
                Act::of(self.mentions(&whole))
            }
        }
    }

    fn local_in(&self, tokens: &proc_macro2::TokenStream) -> bool {
        tokens.clone().into_iter().any(|t| match t {
            proc_macro2::TokenTree::Ident(n) => self.local.iter().any(|(l, a)| *l == n && a.any()),
            proc_macro2::TokenTree::Group(g) => self.local_in(&g.stream()),
            _ => false,
        })
    }
}

fn is_mutable(pattern: &syn::Pat) -> bool {
    struct Mutable(bool);
    impl<'a> syn::visit::Visit<'a> for Mutable {
        fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
            self.0 |= p.mutability.is_some();
        }
    }
    let mut found = Mutable(false);
    syn::visit::Visit::visit_pat(&mut found, pattern);
    found.0
}

/// Whether a closure changes what it takes by `mut`, other than by counting.
fn is_filled(pattern: &syn::Pat, body: &syn::Expr) -> bool {
    struct Filled(bool);
    impl<'a> syn::visit::Visit<'a> for Filled {
        fn visit_expr_assign(&mut self, _: &'a syn::ExprAssign) {
            self.0 = true;
        }
        fn visit_expr_binary(&mut self, e: &'a syn::ExprBinary) {
            let counts = matches!(&*e.right, syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Int(_)));
            self.0 |= writes::is_assignment(&e.op) && !counts;
            syn::visit::visit_expr_binary(self, e);
        }
        fn visit_expr_method_call(&mut self, _: &'a syn::ExprMethodCall) {
            self.0 = true;
        }
        fn visit_expr_reference(&mut self, e: &'a syn::ExprReference) {
            self.0 |= e.mutability.is_some();
            syn::visit::visit_expr_reference(self, e);
        }
        fn visit_macro(&mut self, _: &'a syn::Macro) {
            self.0 = true;
        }
    }
    let mut filled = Filled(false);
    if is_mutable(pattern) {
        syn::visit::Visit::visit_expr(&mut filled, body);
    }
    filled.0
}

/// Whether a method of an adaptor's name takes as many arguments as the adaptor; others are the user's.
fn is_adaptor_call(name: &str, args: usize) -> bool {
    match name {
        "map_or" | "map_or_else" => args == 2,
        "and_then" | "then" | "sort_by" => args == 1,
        name => methods::method(name).is_none_or(|row| row.carries == Carries::Either || row.args == args),
    }
}

/// A closure, or the path of a function.
fn is_function(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::Closure(_) => true,
        syn::Expr::Path(p) => p.path.segments.len() > 1,
        _ => false,
    }
}
