//! What passive tokens do with active values, expression by expression.

use super::carried::Carried;
use super::tables::{CELLS, GOING_ON, LOOKING, MAKING, OPENING, STORING};
use super::told::{is_plain_method, is_plain_path};
use super::{Leak, Leaks};
use crate::frontend::state::site::Site;
use crate::frontend::syntax::passive_code::captured;
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::types;
use crate::frontend::syntax::writes::{is_assignment, is_mutating, lends_mut, root_name};
use crate::ir::purity::{ANSWER, is_look};
use crate::ir::{Place, Proj, Ty, Var, affine};
use crate::support::names;
use crate::support::syntax::{VecRepeat, makes, strip_parens};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

type Args = Punctuated<syn::Expr, syn::Token![,]>;

/// A name of the tokens' own.
struct Local {
    name: Ident,
    carried: Carried,
    /// It is made here, and leads to nothing outside.
    own: bool,
}

/// The walk through one piece of tokens.
pub struct Tokens<'l, 'a> {
    leaks: &'l mut Leaks<'a>,
    locals: Vec<Local>,
    /// The call whose value nobody takes.
    discarded: Option<Site>,
}

impl<'l, 'a> Tokens<'l, 'a> {
    /// A walk that has not begun.
    pub fn new(leaks: &'l mut Leaks<'a>) -> Self {
        Tokens { leaks, locals: Vec::new(), discarded: None }
    }

    /// What a block's value carries.
    pub fn block(&mut self, block: &syn::Block) -> Carried {
        let before = self.locals.len();
        let mut last = Carried::default();
        for stmt in &block.stmts {
            last = match stmt {
                syn::Stmt::Local(local) => self.local(local),
                syn::Stmt::Expr(e, None) => self.expr(e),
                syn::Stmt::Expr(e, Some(_)) => self.effect(e),
                syn::Stmt::Macro(m) => self.macro_(&m.mac),
                syn::Stmt::Item(_) => Carried::default(),
            };
        }
        self.locals.truncate(before);
        last
    }

    /// The same of a block whose value nobody takes.
    pub fn effects(&mut self, block: &syn::Block) -> Carried {
        if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last() {
            self.discarded = called(last).map(Site::of);
        }
        self.block(block)
    }

    fn effect(&mut self, expr: &syn::Expr) -> Carried {
        self.discarded = called(expr).map(Site::of);
        self.expr(expr);
        Carried::default()
    }

    fn local(&mut self, local: &syn::Local) -> Carried {
        let (carried, own) = match &local.init {
            Some(init) => (self.expr(&init.expr), is_made_here(&init.expr)),
            None => (Carried::default(), true),
        };
        if let Some((_, els)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            self.expr(els);
        }
        self.bind(&local.pat, carried, own);
        Carried::default()
    }

    fn bind(&mut self, pattern: &syn::Pat, carried: Carried, own: bool) {
        let names = names_of(pattern).into_iter();
        self.locals.extend(names.map(|name| Local { name, carried, own }));
    }

    fn all<'e>(&mut self, all: impl IntoIterator<Item = &'e syn::Expr>) -> Carried {
        all.into_iter().fold(Carried::default(), |carried, e| carried.with(self.expr(e)))
    }

    /// What an expression's value carries.
    fn expr(&mut self, expr: &syn::Expr) -> Carried {
        use syn::Expr::*;
        match expr {
            Path(p) => self.path(&p.path),
            Paren(e) => self.expr(&e.expr),
            Group(e) => self.expr(&e.expr),
            Reference(e) => self.expr(&e.expr),
            Try(e) => self.expr(&e.expr),
            Unary(e) if matches!(e.op, syn::UnOp::Not(_)) => self.expr(&e.expr).only_text(),
            Unary(e) => self.expr(&e.expr),
            Binary(e) => self.binary(e),
            Assign(e) => self.assigned(&e.left, &e.right, e.eq_token.span()),
            Cast(e) => self.cast(e),
            Field(e) => self.part(expr, &e.base),
            Index(e) => {
                self.expr(&e.index);
                self.part(expr, &e.expr)
            }
            Tuple(e) => self.all(&e.elems),
            Array(e) => self.all(&e.elems),
            Repeat(e) => {
                self.expr(&e.len);
                self.expr(&e.expr)
            }
            Struct(e) => self.all(e.fields.iter().map(|f| &f.expr).chain(e.rest.as_deref())),
            Range(e) => self.all(e.start.as_deref().into_iter().chain(e.end.as_deref())),
            MethodCall(e) => self.method(e),
            Call(e) => self.call(e),
            Macro(e) => self.macro_(&e.mac),
            Closure(e) => self.closure(e, Carried::default()),
            other => self.control(other),
        }
    }

    /// The same for what consists of blocks.
    fn control(&mut self, expr: &syn::Expr) -> Carried {
        use syn::Expr::*;
        let before = self.locals.len();
        let carried = match expr {
            If(e) => {
                self.expr(&e.cond);
                let then = self.block(&e.then_branch);
                e.else_branch.as_ref().map_or(then, |(_, els)| then.with(self.expr(els)))
            }
            Let(e) => {
                let carried = self.expr(&e.expr);
                self.bind(&e.pat, carried, false);
                return Carried::default();
            }
            Match(e) => self.arms(e),
            Block(e) => self.block(&e.block),
            Unsafe(e) => {
                if self.mentions(e.block.to_token_stream()) {
                    self.leaks.found.push(Leak::Unsafe(e.unsafe_token.span));
                }
                self.block(&e.block)
            }
            ForLoop(e) => {
                let items = self.expr(&e.expr);
                self.bind(&e.pat, items, false);
                self.block(&e.body)
            }
            While(e) => {
                self.expr(&e.cond);
                self.block(&e.body)
            }
            Loop(e) => self.block(&e.body),
            Return(e) => self.all(e.expr.as_deref()),
            Break(e) => self.all(e.expr.as_deref()),
            _ => Carried::default(),
        };
        self.locals.truncate(before);
        carried
    }

    fn arms(&mut self, e: &syn::ExprMatch) -> Carried {
        let on = self.expr(&e.expr);
        let mut carried = Carried::default();
        for arm in &e.arms {
            let before = self.locals.len();
            self.bind(&arm.pat, on, false);
            arm.guard.iter().for_each(|(_, guard)| {
                self.expr(guard);
            });
            carried = carried.with(self.expr(&arm.body));
            self.locals.truncate(before);
        }
        carried
    }

    fn path(&self, path: &syn::Path) -> Carried {
        let Some(name) = path.get_ident() else { return self.of_static(path) };
        if let Some(local) = self.locals.iter().rev().find(|local| local.name == *name) {
            return local.carried;
        }
        match self.leaks.names.get(&name.to_string()) {
            Some(var) => {
                let number = self.leaks.lower.fact(*var).active;
                Carried { number, ..self.leaks.held.get(var).copied().unwrap_or_default() }
            }
            None => self.of_static(path),
        }
    }

    fn of_static(&self, path: &syn::Path) -> Carried {
        let text = self.leaks.statics.get(&path.to_token_stream().to_string()).copied();
        Carried { text, ..Carried::default() }
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> Carried {
        use syn::BinOp::*;
        if is_assignment(&e.op) {
            return self.assigned(&e.left, &e.right, e.op.span());
        }
        let carried = self.all([&*e.left, &*e.right]);
        if matches!(e.op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_)) {
            self.own_code(if matches!(e.op, Eq(_) | Ne(_)) { "eq" } else { "partial_cmp" }, &e.left);
        }
        match e.op {
            And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => Carried::default(),
            _ => carried,
        }
    }

    fn cast(&mut self, e: &syn::ExprCast) -> Carried {
        let carried = self.expr(&e.expr);
        match types::describe(&e.ty, &self.leaks.lower.base) {
            Ty::Passive => carried.only_text(),
            _ => Carried { looked_at: None, given: None, ..carried },
        }
    }

    /// A field or an element; one of an active value may be passive.
    fn part(&mut self, expr: &syn::Expr, base: &syn::Expr) -> Carried {
        let carried = self.expr(base);
        if carried.number && self.place(expr).is_some_and(|place| self.is_passive(&place)) {
            return carried.only_text();
        }
        carried
    }

    fn is_passive(&self, place: &Place) -> bool {
        types::is_passive(&self.leaks.lower.ty_of(place)) || self.leaks.lower.is_passive_part(place)
    }

    /// Whether an active value would be changed where no derivative follows.
    fn is_changed_here(&self, place: &Place) -> bool {
        self.leaks.lower.fact(place.root).active && !self.is_passive(place)
    }

    fn is_active_sequence(&self, place: &Place) -> bool {
        self.leaks.lower.fact(place.root).active && types::is_sequence(&self.leaks.lower.ty_of(place))
    }

    fn place(&self, expr: &syn::Expr) -> Option<Place> {
        let step = |base: &syn::Expr, step: Proj| {
            let mut place = self.place(base)?;
            place.path.push(step);
            Some(place)
        };
        match strip_parens(expr) {
            syn::Expr::Path(p) => {
                let name = p.path.get_ident()?;
                let own = self.locals.iter().any(|local| local.name == *name);
                self.leaks.names.get(&name.to_string()).filter(|_| !own).map(|var| Place::var(*var))
            }
            syn::Expr::Field(f) => step(&f.base, Proj::Field(f.member.clone())),
            syn::Expr::Index(i) if matches!(strip_parens(&i.index), syn::Expr::Range(_)) => self.place(&i.expr),
            syn::Expr::Index(i) => step(&i.expr, Proj::Index(affine::literal(0))),
            syn::Expr::Reference(r) => self.place(&r.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.place(&u.expr),
            _ => None,
        }
    }

    /// A closure's body, where its parameters carry this.
    fn closure(&mut self, c: &syn::ExprClosure, given: Carried) -> Carried {
        let before = self.locals.len();
        c.inputs.iter().for_each(|pattern| self.bind(pattern, given, false));
        let carried = self.expr(&c.body);
        self.locals.truncate(before);
        carried
    }

    /// Arguments; closures among them are given what the others carry.
    fn args(&mut self, args: &Args, given: Carried) -> Carried {
        let is_closure = |e: &&syn::Expr| matches!(strip_parens(e), syn::Expr::Closure(_));
        let plain = self.all(args.iter().filter(|e| !is_closure(e)));
        let closures = args.iter().filter(is_closure);
        closures.fold(plain, |carried, e| match strip_parens(e) {
            syn::Expr::Closure(c) => carried.with(self.closure(c, given.with(plain))),
            _ => carried,
        })
    }

    fn method(&mut self, m: &syn::ExprMethodCall) -> Carried {
        let receiver = self.expr(&m.receiver);
        let args = self.args(&m.args, receiver);
        let name = m.method.to_string();
        if name == "capacity" && self.place(&m.receiver).is_some_and(|place| self.is_active_sequence(&place)) {
            self.leaks.found.push(Leak::Capacity(m.method.span()));
        }
        let changes = is_mutating(&name) && !lends_mut(&name);
        if changes && self.place(&m.receiver).is_some_and(|place| self.is_changed_here(&place)) {
            self.leaks.found.push(Leak::Changed(m.method.span(), format!("`{name}`")));
        }
        let looked_at = self.leaks.call_looked_at(&m.method);
        self.changed_by(looked_at, &m.args);
        let known = names::is_scalar(&name, m.args.len()) || is_look(&m.method) || is_plain_method(m);
        // a method of std's of which nobody takes the value is called for what its closure does
        let for_nothing = known && self.discarded.as_ref() == Some(&Site::of(&m.method));
        let keeps = for_nothing && !receiver.number && m.args.iter().any(|arg| self.is_number(arg));
        if keeps || !known && (receiver.number || args.number) {
            self.leaks.is_told(&m.method, self.discarded.as_ref());
        }
        let receiver = Carried { looked_at: looked_at.or(receiver.looked_at), ..receiver };
        match name.as_str() {
            "to_string" if receiver.number => Carried::text(m.method.span()),
            "to_string" => receiver,
            name if STORING.contains(&name) && args.any() => {
                if !receiver.number || opens(&m.receiver) {
                    self.store(&m.receiver, args, m.method.span(), name);
                }
                receiver.with(args.only_text())
            }
            name if names::QUERIES.contains(&name) => Carried::default(),
            // the elements of the new chain are those that the closure gives
            "map" if is_chain(&m.receiver) && matches!(m.args.first(), Some(syn::Expr::Closure(_))) => args,
            _ => {
                if !known && !receiver.number && m.args.iter().any(|arg| self.is_number(arg)) {
                    self.is_beside(&m.receiver, m.method.span());
                }
                let unknown = !known && looked_at.is_none();
                let given = unknown.then(|| self.leaks.of_call(&m.method, &syn::Expr::MethodCall(m.clone())));
                receiver.with(args).with(self.of_beside(&m.receiver)).with(given.unwrap_or_default())
            }
        }
    }

    /// Whether an argument is an active number, and no closure.
    fn is_number(&mut self, arg: &syn::Expr) -> bool {
        !matches!(strip_parens(arg), syn::Expr::Closure(_)) && self.expr(arg).number
    }

    /// The passive variable that a place is of.
    fn passive_root(&self, place: &syn::Expr) -> Option<Var> {
        let name = root_name(place).filter(|name| !self.locals.iter().any(|local| local.name == **name))?;
        let var = self.leaks.names.get(&name.to_string()).copied()?;
        let fact = self.leaks.lower.fact(var);
        (!fact.active && !fact.open && !types::is_sequence(&fact.shape)).then_some(var)
    }

    /// Notes that a call that is not known is handed a place beside active values.
    fn is_beside(&mut self, place: &syn::Expr, call: Span) {
        if let (Some(var), false) = (self.passive_root(place), self.leaks.inside) {
            self.leaks.beside.entry(var).or_insert((self.leaks.at, call));
        }
    }

    /// What a call gives that is handed such a place.
    fn of_beside(&self, place: &syn::Expr) -> Carried {
        let kept = self.passive_root(place).filter(|var| self.leaks.beside.contains_key(var));
        Carried { kept, ..Carried::default() }
    }

    fn call(&mut self, c: &syn::ExprCall) -> Carried {
        let function = match strip_parens(&c.func) {
            syn::Expr::Path(_) => Carried::default(),
            other => self.expr(other),
        };
        let mut args = self.args(&c.args, Carried::default());
        if let syn::Expr::Path(p) = strip_parens(&c.func)
            && let Some(last) = p.path.segments.last()
        {
            let looked_at = self.leaks.call_looked_at(&last.ident);
            self.changed_by(looked_at, &c.args);
            args.looked_at = looked_at.or(args.looked_at);
        }
        if let (Some(span), None) = (args.text, function.text) {
            c.args.iter().filter_map(lent).for_each(|place| self.keep_text(place, span));
        }
        let syn::Expr::Path(p) = strip_parens(&c.func) else { return function.with(args) };
        let names: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
        let last = names.last().map_or("", String::as_str);
        match names.first().map(String::as_str) {
            Some("__d") if last == ANSWER || last == "integer" => args.only_text(),
            _ if names.len() > 1 && last == "to_string" && args.number => Carried::text(p.span()),
            _ if names.len() > 1 && names::QUERIES.contains(&last) => args.only_text(),
            Some("__d") => Carried { given: None, ..args },
            Some("f64" | "f32") => args,
            _ => {
                if args.number && CELLS.iter().any(|cell| names.iter().rev().nth(1).is_some_and(|owner| owner == cell))
                {
                    self.leaks.found.push(Leak::Stored(p.span(), names.join("::")));
                }
                if args.number && !is_plain_path(&p.path) && !self.is_own_function(p) {
                    self.leaks.is_told(&p.path.segments[names.len() - 1].ident, self.discarded.as_ref());
                }
                if !makes(&p.path) && c.args.iter().any(|arg| self.is_number(arg)) {
                    c.args.iter().for_each(|arg| self.is_beside(arg, p.span()));
                }
                let args = args.with(self.of_unknown(p, c));
                c.args.iter().fold(args, |carried, arg| carried.with(self.of_beside(arg)))
            }
        }
    }

    /// A call for whose derivatives nothing seemed to ask, and which may change active values all the same: somebody asks for what these become.
    fn changed_by(&mut self, looked_at: Option<usize>, args: &Args) {
        let Some(call) = looked_at else { return };
        if args.iter().flat_map(lent_within).any(|place| root_name(&place).is_some_and(|name| self.is_active(name))) {
            self.leaks.numbers.insert(call);
        }
    }

    fn is_active(&self, name: &Ident) -> bool {
        let own = self.locals.iter().any(|local| local.name == *name);
        let var = self.leaks.names.get(&name.to_string()).filter(|_| !own);
        var.is_some_and(|var| self.leaks.lower.fact(*var).active)
    }

    /// What a function gives that is told of no active value.
    fn of_unknown(&mut self, path: &syn::ExprPath, c: &syn::ExprCall) -> Carried {
        let own = self.is_own_function(path);
        match path.path.segments.last() {
            Some(last) if !own && !is_plain_path(&path.path) && self.leaks.call_looked_at(&last.ident).is_none() => {
                self.leaks.of_call(&last.ident, &syn::Expr::Call(c.clone()))
            }
            _ => Carried::default(),
        }
    }

    /// Whether a function's name is that of a closure.
    fn is_own_function(&self, path: &syn::ExprPath) -> bool {
        let local = |name: &Ident| self.locals.iter().any(|local| local.name == *name);
        path.path.get_ident().is_some_and(|name| self.is_variable(name) || local(name))
    }

    fn macro_(&mut self, mac: &syn::Macro) -> Carried {
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let span = mac.path.span();
        let args = match mac.parse_body_with(Args::parse_terminated) {
            Ok(args) => args,
            Err(_) => match mac.parse_body::<VecRepeat>() {
                Ok(VecRepeat { value, len }) => {
                    self.expr(&len);
                    [value].into_iter().collect()
                }
                Err(_) => Args::new(),
            },
        };
        let carried = args.iter().fold(Carried::default(), |all, arg| all.with(self.macro_arg(arg)));
        let carried = self.captured(&args, carried);
        match name.as_str() {
            "format" | "format_args" => written(carried, span),
            "write" | "writeln" => {
                if let Some(target) = args.first().filter(|_| carried.any()) {
                    self.keep_text(target, carried.text.unwrap_or(span));
                }
                Carried::default()
            }
            "vec" | "array" | "dbg" => carried,
            name if names::is_effect(name) || names::COMPARISONS.contains(&name) => Carried::default(),
            name if LOOKING.contains(&name) => Carried::default(),
            _ if names::is_logging(mac) && !carried.number => Carried::default(),
            name if names::makes_an_error(name) && !carried.number => carried,
            _ => {
                if self.mentions(mac.tokens.clone()) {
                    self.leaks.found.push(Leak::Macro(span, name));
                }
                carried
            }
        }
    }

    /// What a format string captures: the tokens' own names, as others stand behind it as arguments.
    fn captured(&self, args: &Args, carried: Carried) -> Carried {
        let texts = args.iter().filter_map(|arg| match arg {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(captured(&text.value())),
            _ => None,
        });
        let local = |name: String| self.locals.iter().rev().find(|local| local.name == name);
        texts.flatten().filter_map(local).fold(carried, |carried, local| carried.with(local.carried))
    }

    /// `value`, or `name = value`. What is shown of a user's type, its own code tells.
    fn macro_arg(&mut self, arg: &syn::Expr) -> Carried {
        let value = match arg {
            syn::Expr::Assign(named) => &named.right,
            value => value,
        };
        let carried = self.expr(value);
        if let Some(made) = made_of(value).filter(|_| carried.number) {
            self.leaks.is_told(made, None);
        }
        self.own_code("fmt", value);
        carried
    }

    /// Notes that a user's type looks at itself, by its implementation of a trait of std's.
    fn own_code(&mut self, method: &str, value: &syn::Expr) {
        let user = |place: &Place| matches!(self.leaks.lower.ty_of(place), Ty::Struct(_));
        let place = self.place(value);
        if place.is_some_and(|place| self.leaks.lower.fact(place.root).active && user(&place)) {
            self.leaks.is_told(&Ident::new(method, value.span()), None);
        }
    }

    /// An assignment. One to a whole variable of the function's is the front end's own: it has seen to what the variable carries.
    fn assigned(&mut self, left: &syn::Expr, right: &syn::Expr, span: Span) -> Carried {
        let carried = self.expr(right);
        let target = self.expr(left);
        if self.place(left).is_some_and(|place| self.is_changed_here(&place)) {
            self.leaks.found.push(Leak::Changed(span, "this assignment".to_owned()));
        }
        if carried.any() && !target.number {
            match strip_parens(left) {
                syn::Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.raise(name, carried)) => {}
                syn::Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.is_variable(name)) => {
                    carried.text.into_iter().for_each(|text| self.keep_text(left, text));
                }
                _ => self.store(left, carried, span, "="),
            }
        }
        Carried::default()
    }

    /// Something is stored in a place.
    fn store(&mut self, place: &syn::Expr, carried: Carried, span: Span, by: &str) {
        if let Some(text) = carried.text {
            self.keep_text(place, text);
        } else if !root_name(place).is_some_and(|name| self.is_own(name) && self.raise(name, carried)) {
            self.leaks.found.push(Leak::Stored(span, by.to_owned()));
        }
    }

    fn is_variable(&self, name: &Ident) -> bool {
        self.leaks.names.contains_key(&name.to_string())
    }

    fn is_own(&self, name: &Ident) -> bool {
        self.locals.iter().rev().find(|local| local.name == *name).is_some_and(|local| local.own)
    }

    /// Notes what a name of the tokens' own carries from here on; whether it is one.
    fn raise(&mut self, name: &Ident, carried: Carried) -> bool {
        let local = self.locals.iter_mut().rev().find(|local| local.name == *name);
        local.map(|local| local.carried = local.carried.with(carried)).is_some()
    }

    /// Notes that a place holds text of an active value.
    fn keep_text(&mut self, place: &syn::Expr, text: Span) {
        let (mut place, mut name) = (place, root_name(place));
        while let (None, syn::Expr::Call(c)) = (name, rootless(place)) {
            let Some(first) = c.args.first() else { break };
            (place, name) = (first, root_name(first));
        }
        match name {
            Some(name) if self.raise(name, Carried::text(text)) => {}
            Some(name) => match self.leaks.names.get(&name.to_string()).copied() {
                Some(var) => self.leaks.holds(var, Carried::text(text)),
                None => self.keep_in_static(name.to_token_stream(), text),
            },
            None => {
                if let syn::Expr::Path(p) = rootless(place) {
                    self.keep_in_static(p.path.to_token_stream(), text);
                }
            }
        }
    }

    fn keep_in_static(&mut self, path: TokenStream, text: Span) {
        self.leaks.statics.entry(path.to_string()).or_insert(text);
    }

    /// Whether tokens mention what carries anything.
    fn mentions(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(name) => self.path(&name.into()).any(),
            TokenTree::Group(group) => self.mentions(group.stream()),
            _ => false,
        })
    }
}

/// The name of the function or the method that an expression calls.
fn called(expr: &syn::Expr) -> Option<&Ident> {
    match strip_parens(expr) {
        syn::Expr::MethodCall(m) => Some(&m.method),
        syn::Expr::Call(c) => match strip_parens(&c.func) {
            syn::Expr::Path(p) => p.path.segments.last().map(|s| &s.ident),
            _ => None,
        },
        _ => None,
    }
}

/// The type of a value that is made on the spot: `Shown(&x)`, `Shown { x }`.
fn made_of(expr: &syn::Expr) -> Option<&Ident> {
    match strip_parens(expr) {
        syn::Expr::Reference(r) => made_of(&r.expr),
        syn::Expr::Struct(s) => s.path.segments.last().map(|s| &s.ident),
        call => called(call).filter(|name| name.to_string().starts_with(char::is_uppercase)),
    }
}

/// Text with this written in it.
fn written(carried: Carried, span: Span) -> Carried {
    match carried.any() {
        true => Carried::text(carried.text.unwrap_or(span)),
        false => Carried::default(),
    }
}

/// The variable that is lent to be changed.
fn lent(arg: &syn::Expr) -> Option<&syn::Expr> {
    match strip_parens(arg) {
        syn::Expr::Reference(r) if r.mutability.is_some() => Some(&r.expr),
        _ => None,
    }
}

/// All places in an argument that are lent to be changed.
fn lent_within(arg: &syn::Expr) -> Vec<syn::Expr> {
    struct Lent(Vec<syn::Expr>);
    impl<'a> Visit<'a> for Lent {
        fn visit_expr_reference(&mut self, r: &'a syn::ExprReference) {
            self.0.extend(r.mutability.map(|_| (*r.expr).clone()));
            visit::visit_expr_reference(self, r);
        }
    }
    let mut found = Lent(Vec::new());
    found.visit_expr(arg);
    found.0
}

/// The innermost receiver of methods, fields and indices.
fn rootless(expr: &syn::Expr) -> &syn::Expr {
    match strip_parens(expr) {
        syn::Expr::MethodCall(m) => rootless(&m.receiver),
        syn::Expr::Field(f) => rootless(&f.base),
        syn::Expr::Index(i) => rootless(&i.expr),
        syn::Expr::Reference(r) => rootless(&r.expr),
        syn::Expr::Unary(u) => rootless(&u.expr),
        other => other,
    }
}

/// Whether an expression is plainly an iterator of std: a method that makes one, or that gives another one.
fn is_chain(expr: &syn::Expr) -> bool {
    let syn::Expr::MethodCall(m) = strip_parens(expr) else { return false };
    MAKING.iter().any(|name| m.method == name) || GOING_ON.iter().any(|name| m.method == name) && is_chain(&m.receiver)
}

/// Whether a place is reached through a cell or a lock.
pub fn opens(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::MethodCall(m) => OPENING.iter().any(|name| m.method == name) || opens(&m.receiver),
        syn::Expr::Field(f) => opens(&f.base),
        syn::Expr::Index(i) => opens(&i.expr),
        syn::Expr::Reference(r) => opens(&r.expr),
        syn::Expr::Unary(u) => opens(&u.expr),
        _ => false,
    }
}

/// Whether an expression makes a value that leads to nothing outside: a literal, an array, a struct, a `Vec`.
fn is_made_here(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Lit(_) | syn::Expr::Array(_) | syn::Expr::Repeat(_) | syn::Expr::Macro(_) => true,
        syn::Expr::Call(c) => c.args.is_empty(),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Neg(_)) && is_made_here(&u.expr),
        syn::Expr::MethodCall(m) => ["to_vec", "collect", "clone", "to_owned"].iter().any(|name| m.method == name),
        syn::Expr::Binary(_) | syn::Expr::Cast(_) => true,
        _ => false,
    }
}
