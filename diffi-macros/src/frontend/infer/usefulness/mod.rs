//! Usefulness of calls (Griewank & Walther 6.2): whether anything asks for the derivative of a call's value.
//!
//! `let big = is_big(x); if big { .. }` asks for none, whatever `is_big` gives: the call is passive code then, and its function needs no
//! attribute. Names are followed from their uses back to what they are bound to, until nothing changes. What is not known to ask for
//! no derivative is useful. (`leaks` looks at the lowered function once more: a value that becomes a number there is useful after all.)

mod lending;
mod methods;
mod scope;

pub use methods::{is_known, is_known_name};

use crate::frontend::state::site::Site;
use crate::frontend::syntax::pattern_names::{names_of, names_with_mutability};
use crate::frontend::syntax::types;
use crate::frontend::syntax::writes::{Matches, is_mutating};
use crate::ir::{Base, Ty};
use crate::support::names;
use crate::support::syntax::{VecRepeat, makes, strip_parens};
use lending::{Lending, Lends};
use proc_macro2::Ident;
use scope::{Blocks, Scope, Starts};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use syn::punctuated::Punctuated;

type Args = Punctuated<syn::Expr, syn::Token![,]>;

/// The calls of a function, and whether their values are useful.
#[derive(Clone, Debug, Default)]
pub struct Usefulness {
    calls: BTreeMap<Site, bool>,
    /// The calls whose own values are useful, whatever they change.
    valued: BTreeSet<Site>,
    /// The calls of methods that are named like those by which std's sequences change.
    changing: BTreeSet<Site>,
    /// Casts to floats, by their words `as`, and the calls whose values they may cast.
    casts: BTreeMap<Site, BTreeSet<Site>>,
}

impl Usefulness {
    /// What a function's body asks for.
    pub fn of(item: &syn::ItemFn, base: &Base) -> Self {
        let returns = match &item.sig.output {
            syn::ReturnType::Default => true,
            syn::ReturnType::Type(_, ty) => !types::is_answer(ty, base),
        };
        let mut walk = Walk {
            base,
            returns,
            found: Usefulness::default(),
            bindings: Vec::new(),
            next: 0,
            params: 0,
            scope: Scope::default(),
            own: Blocks::of(item),
            blocks: HashMap::default(),
            backwards: true,
            read: Vec::new(),
            changed: true,
        };
        while std::mem::take(&mut walk.changed) {
            (walk.next, walk.scope, walk.backwards) = (0, Scope::default(), !walk.backwards);
            let params = item.sig.inputs.iter().filter_map(|input| match input {
                syn::FnArg::Typed(t) => Some((&*t.pat, Lending::of_type(&t.ty))),
                syn::FnArg::Receiver(_) => None,
            });
            params.for_each(|(pattern, lends)| walk.bind(pattern, lends));
            walk.params = walk.next;
            walk.block(&item.block, returns);
        }
        walk.found
    }

    /// Whether nothing asks for the derivative of a call's value.
    pub fn is_looked_at(&self, call: &Ident) -> bool {
        self.calls.get(&Site::of(call)) == Some(&false)
    }

    /// Whether nothing asks for the derivative of a call's value, which may be asked for what the call changes.
    pub fn is_answer(&self, call: &Ident) -> bool {
        let site = Site::of(call);
        (self.calls.contains_key(&site) || self.changing.contains(&site)) && !self.valued.contains(&site)
    }

    /// The calls whose values a cast to a float may cast.
    pub fn cast_of(&self, cast: &syn::ExprCast) -> Option<&BTreeSet<Site>> {
        self.casts.get(&Site::at(cast.as_token.span))
    }

    /// The call's value is a number after all.
    pub fn note_useful(&mut self, call: &Site) {
        self.calls.insert(call.clone(), true);
        self.valued.insert(call.clone());
    }
}

/// A name of the function's.
#[derive(Default)]
struct Binding {
    useful: bool,
    /// Whether it may change: by its declaration, or by what it stands for.
    changes: bool,
    /// Whether it stands for `&mut` of something.
    lends: Lends,
    /// Whether what it leads to does.
    pointee: Lends,
    /// The bindings of a closure's parameters, one list for each.
    closure: Option<Vec<Vec<usize>>>,
    /// The calls whose values it may hold.
    from: BTreeSet<Site>,
}

struct Walk<'a> {
    base: &'a Base,
    /// Whether the function gives a number.
    returns: bool,
    found: Usefulness,
    /// All bindings, in the order of the text.
    bindings: Vec<Binding>,
    next: usize,
    /// How many of them are parameters.
    params: usize,
    scope: Scope,
    own: Blocks,
    /// The function's blocks that were walked through.
    blocks: HashMap<*const syn::Block, Starts>,
    /// Whether statements are walked through from the last to the first: uses stand behind what they ask for.
    backwards: bool,
    /// The calls whose values are parts of what is walked through.
    read: Vec<Site>,
    changed: bool,
}

impl Walk<'_> {
    /// New bindings, not in scope yet.
    fn made(&mut self, pattern: &syn::Pat, Lending { itself: lends, pointee }: Lending) -> Vec<(String, usize)> {
        let names = names_with_mutability(pattern);
        names
            .into_iter()
            .map(|(name, mutable)| {
                let at = self.next;
                self.next += 1;
                if at == self.bindings.len() {
                    let changes = mutable || lends != Lends::Never;
                    self.bindings.push(Binding { lends, pointee, changes, ..Binding::default() });
                }
                (name.to_string(), at)
            })
            .collect()
    }

    fn bind(&mut self, pattern: &syn::Pat, lends: Lending) {
        let made = self.made(pattern, lends);
        self.scope.extend(made);
    }

    fn within<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.scope.len();
        let result = f(self);
        self.scope.truncate(before);
        result
    }

    fn named(&self, path: &syn::Path) -> Option<usize> {
        let name = path.get_ident()?.to_string();
        self.scope.find(&name)
    }

    /// Whether any of these is useful.
    fn is_useful(&self, bound: &[(String, usize)]) -> bool {
        bound.iter().any(|(_, at)| self.bindings[*at].useful)
    }

    fn ask(&mut self, at: usize, useful: bool) {
        self.changed |= useful && !self.bindings[at].useful;
        self.bindings[at].useful |= useful;
        self.read.extend(self.bindings[at].from.iter().cloned());
    }

    /// A call that may be one of a function that is not known.
    fn site(&mut self, name: &Ident, (valued, lends): (bool, bool)) {
        let (site, useful) = (Site::of(name), valued || lends);
        self.changed |= valued && self.found.valued.insert(site.clone());
        let known = self.found.calls.entry(site.clone()).or_insert_with(|| false);
        self.changed |= useful && !*known;
        *known |= useful;
        self.read.push(site);
    }

    /// Walks through what gives these bindings their values.
    fn given(&mut self, bound: &[(String, usize)], walk: impl FnOnce(&mut Self)) {
        let before = self.read.len();
        walk(self);
        let from = self.read.split_off(before);
        for (_, at) in bound {
            let known = self.bindings[*at].from.len();
            self.bindings[*at].from.extend(from.iter().cloned());
            self.changed |= self.bindings[*at].from.len() > known;
        }
    }

    /// Expressions whose values are looked at only, and are no parts of what is walked through.
    fn look(&mut self, expr: &syn::Expr) {
        let before = self.read.len();
        self.expr(expr, false);
        self.read.truncate(before);
    }

    fn block(&mut self, block: &syn::Block, useful: bool) {
        let known = self.blocks.get(&std::ptr::from_ref(block)).filter(|_| self.backwards).cloned();
        self.within(|w| match known {
            Some(known) => w.block_backwards(block, useful, known),
            None => w.block_forwards(block, useful),
        });
    }

    fn block_forwards(&mut self, block: &syn::Block, useful: bool) {
        let around = self.scope.len();
        let mut starts = Vec::new();
        for (k, stmt) in block.stmts.iter().enumerate() {
            starts.push((self.next, self.scope.len() - around));
            self.stmt(stmt, useful, k + 1 == block.stmts.len());
        }
        let (end, names) = (self.next, self.scope.behind(around));
        if self.own.has(block) {
            self.blocks.insert(block, Starts { starts, end, names });
        }
    }

    fn block_backwards(&mut self, block: &syn::Block, useful: bool, known: Starts) {
        let around = self.scope.len();
        self.scope.extend(known.names);
        for (k, (stmt, (next, names))) in block.stmts.iter().zip(known.starts).enumerate().rev() {
            self.next = next;
            self.scope.truncate(around + names);
            self.stmt(stmt, useful, k + 1 == block.stmts.len());
        }
        self.next = known.end;
    }

    fn stmt(&mut self, stmt: &syn::Stmt, useful: bool, is_last: bool) {
        match stmt {
            syn::Stmt::Local(local) => self.local(local),
            syn::Stmt::Expr(e, None) if is_last => self.expr(e, useful),
            syn::Stmt::Expr(e, _) => self.statement(e),
            syn::Stmt::Macro(m) => self.macro_(&m.mac, useful && is_last),
            syn::Stmt::Item(_) => {}
        }
    }

    /// An expression whose value nobody wants: a method is called for what it changes.
    fn statement(&mut self, expr: &syn::Expr) {
        match strip_parens(expr) {
            syn::Expr::MethodCall(m) if is_mutating(&m.method.to_string()) => self.method(m, false),
            syn::Expr::MethodCall(m) if !is_known(m) => self.every(expr),
            e => self.look(e),
        }
    }

    fn local(&mut self, local: &syn::Local) {
        let (pattern, written) = match &local.pat {
            syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            other => (other, None),
        };
        let lends = local.init.as_ref().map_or(Lending::default(), |init| self.lending(&init.expr));
        let bound = self.made(pattern, lends);
        if let Some(init) = &local.init {
            let passive = self.is_passive(written);
            match (pattern, strip_parens(&init.expr)) {
                (syn::Pat::Tuple(p), syn::Expr::Tuple(t)) if p.elems.len() == t.elems.len() => {
                    self.members(p, t, written, &bound);
                }
                (_, syn::Expr::Closure(c)) => self.closure_named(c, &bound),
                (_, init) => {
                    let useful = !passive && self.is_useful(&bound);
                    self.given(&bound, |w| w.expr(init, useful));
                }
            }
            if let Some((_, els)) = &init.diverge {
                self.look(els);
            }
        }
        self.scope.extend(bound);
    }

    /// Whether a type is written that carries no derivative.
    fn is_passive(&self, written: Option<&syn::Type>) -> bool {
        written.is_some_and(|ty| types::is_passive(&types::describe_variable(ty, self.base)))
    }

    /// `let (a, b): (f64, usize) = (x, y);`
    fn members(
        &mut self,
        pattern: &syn::PatTuple,
        tuple: &syn::ExprTuple,
        written: Option<&syn::Type>,
        bound: &[(String, usize)],
    ) {
        let mut rest = bound;
        for (k, (p, e)) in pattern.elems.iter().zip(&tuple.elems).enumerate() {
            let (own, others) = rest.split_at(names_of(p).len());
            rest = others;
            let ty = written.and_then(|ty| types::written_member(ty, k));
            let useful = !self.is_passive(ty) && self.is_useful(own);
            self.given(own, |w| w.expr(e, useful));
        }
    }

    fn closure_named(&mut self, c: &syn::ExprClosure, bound: &[(String, usize)]) {
        let useful = self.is_useful(bound);
        let mut params = Vec::new();
        self.given(bound, |w| params = w.closure(c, useful, Lends::Maybe.into()));
        if let [(_, at)] = bound {
            self.bindings[*at].closure = Some(params);
        }
    }

    /// A closure's body; the bindings of its parameters.
    fn closure(&mut self, c: &syn::ExprClosure, useful: bool, lends: Lending) -> Vec<Vec<usize>> {
        self.within(|w| {
            let params = c.inputs.iter().map(|pattern| {
                let made = w.made(pattern, lends);
                let at = made.iter().map(|(_, at)| *at).collect();
                w.scope.extend(made);
                at
            });
            let params = params.collect();
            w.expr(&c.body, useful);
            params
        })
    }

    /// Everything in an expression may be useful.
    fn every(&mut self, expr: &syn::Expr) {
        match strip_parens(expr) {
            syn::Expr::MethodCall(m) => {
                self.site(&m.method, (true, false));
                self.expr(&m.receiver, true);
                m.args.iter().for_each(|a| self.expr(a, true));
            }
            syn::Expr::Call(c) => {
                if let syn::Expr::Path(p) = strip_parens(&c.func)
                    && let Some(last) = p.path.segments.last()
                {
                    self.site(&last.ident, (true, false));
                }
                self.expr(&c.func, true);
                c.args.iter().for_each(|a| self.expr(a, true));
            }
            e => self.expr(e, true),
        }
    }

    fn expr(&mut self, expr: &syn::Expr, useful: bool) {
        use syn::Expr::*;
        match expr {
            Path(p) => {
                if let Some(at) = self.named(&p.path) {
                    self.ask(at, useful);
                }
            }
            Paren(e) => self.expr(&e.expr, useful),
            Group(e) => self.expr(&e.expr, useful),
            Reference(e) if e.mutability.is_some() => self.expr(&e.expr, true),
            Reference(e) => self.expr(&e.expr, useful),
            Unary(e) => self.expr(&e.expr, useful && !matches!(e.op, syn::UnOp::Not(_))),
            Binary(e) => self.binary(e, useful),
            Assign(e) => {
                let whole = matches!(strip_parens(&e.left), Path(_));
                self.assign(&e.left, &e.right, whole);
            }
            Cast(e) => self.cast(e, useful),
            MethodCall(m) => self.method(m, useful),
            Call(c) => self.call(c, useful),
            Tuple(e) => e.elems.iter().for_each(|e| self.expr(e, useful)),
            Array(e) => e.elems.iter().for_each(|e| self.expr(e, useful)),
            Repeat(e) => {
                self.look(&e.len);
                self.expr(&e.expr, useful);
            }
            Struct(e) => e.fields.iter().map(|f| &f.expr).chain(e.rest.as_deref()).for_each(|e| self.expr(e, useful)),
            Index(e) => {
                self.look(&e.index);
                self.expr(&e.expr, useful);
            }
            Field(e) => self.expr(&e.base, useful),
            Range(e) => e.start.iter().chain(&e.end).for_each(|e| self.look(e)),
            Try(e) => self.expr(&e.expr, useful),
            Closure(c) => {
                self.closure(c, useful, Lends::Maybe.into());
            }
            Macro(m) => self.macro_(&m.mac, useful),
            other => self.control(other, useful),
        }
    }

    /// The same for what consists of blocks.
    fn control(&mut self, expr: &syn::Expr, useful: bool) {
        use syn::Expr::*;
        match expr {
            If(e) => self.within(|w| {
                w.condition(&e.cond);
                w.block(&e.then_branch, useful);
                e.else_branch.iter().for_each(|(_, els)| w.expr(els, useful));
            }),
            Let(_) => self.condition(expr),
            Match(e) => self.arms(e, useful),
            Block(e) => self.block(&e.block, useful || e.label.is_some()),
            ForLoop(e) => self.within(|w| {
                let lends = w.lending(&e.expr);
                let bound = w.made(&e.pat, lends);
                let useful = w.is_useful(&bound);
                w.given(&bound, |w| w.expr(&e.expr, useful));
                w.scope.extend(bound);
                w.block(&e.body, false);
            }),
            While(e) => self.within(|w| {
                w.condition(&e.cond);
                w.block(&e.body, false);
            }),
            Loop(e) => self.block(&e.body, false),
            Return(e) => e.expr.iter().for_each(|e| self.expr(e, self.returns)),
            Break(e) => e.expr.iter().for_each(|e| self.expr(e, true)),
            Lit(_) | Continue(_) => {}
            other => self.unknown(other),
        }
    }

    /// Conditions bind the names of their patterns.
    fn condition(&mut self, cond: &syn::Expr) {
        match strip_parens(cond) {
            syn::Expr::Let(l) => {
                let lends = self.lending(&l.expr);
                let bound = self.made(&l.pat, lends);
                let useful = self.is_useful(&bound);
                self.given(&bound, |w| w.expr(&l.expr, useful));
                self.scope.extend(bound);
            }
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                self.condition(&b.left);
                self.condition(&b.right);
            }
            e => self.look(e),
        }
    }

    fn arms(&mut self, e: &syn::ExprMatch, useful: bool) {
        let lends = self.lending(&e.expr);
        let bound: Vec<Vec<(String, usize)>> = e.arms.iter().map(|arm| self.made(&arm.pat, lends)).collect();
        let on = bound.iter().any(|bound| self.is_useful(bound));
        let all: Vec<(String, usize)> = bound.iter().flatten().cloned().collect();
        self.given(&all, |w| w.expr(&e.expr, on));
        for (arm, bound) in e.arms.iter().zip(bound) {
            self.within(|w| {
                w.scope.extend(bound);
                arm.guard.iter().for_each(|(_, guard)| w.condition(guard));
                w.expr(&arm.body, useful);
            });
        }
    }

    /// Whatever it is: names and calls in it may be useful.
    fn unknown(&mut self, expr: &syn::Expr) {
        struct All<'w, 'a>(&'w mut Walk<'a>);
        impl<'e> syn::visit::Visit<'e> for All<'_, '_> {
            fn visit_expr(&mut self, e: &'e syn::Expr) {
                self.0.every(e);
            }
        }
        syn::visit::visit_expr(&mut All(self), expr);
    }

    fn binary(&mut self, e: &syn::ExprBinary, useful: bool) {
        use syn::BinOp::*;
        match e.op {
            And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => {
                self.look(&e.left);
                self.look(&e.right);
            }
            Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_) => {
                self.expr(&e.left, useful);
                self.expr(&e.right, useful);
            }
            // the `+=` of a view changes what it shows
            _ => self.assign(&e.left, &e.right, false),
        }
    }

    /// What a place gets is as useful as the variable that it is of, if the variable as a whole gets it, or is no reference.
    fn assign(&mut self, left: &syn::Expr, right: &syn::Expr, whole: bool) {
        let own = |at: &usize| whole || self.bindings[*at].lends == Lends::Never;
        let root = root(left).and_then(|path| self.named(path)).filter(own);
        match root {
            Some(at) => {
                let useful = self.bindings[at].useful;
                self.given(&[(String::new(), at)], |w| w.expr(right, useful));
            }
            None => self.expr(right, true),
        }
        self.place(left);
    }

    /// The indices of a place.
    fn place(&mut self, place: &syn::Expr) {
        match strip_parens(place) {
            syn::Expr::Path(_) => {}
            syn::Expr::Field(f) => self.place(&f.base),
            syn::Expr::Index(i) => {
                self.place(&i.expr);
                self.look(&i.index);
            }
            other => self.expr(other, true),
        }
    }

    fn cast(&mut self, e: &syn::ExprCast, useful: bool) {
        match types::describe(&e.ty, self.base) {
            Ty::Passive => self.look(&e.expr),
            Ty::Float => {
                let before = self.read.len();
                self.expr(&e.expr, false);
                let from = self.read.split_off(before);
                if !from.is_empty() {
                    self.found.casts.entry(Site::at(e.as_token.span)).or_default().extend(from);
                }
            }
            _ => self.expr(&e.expr, useful),
        }
    }

    fn call(&mut self, c: &syn::ExprCall, useful: bool) {
        let syn::Expr::Path(path) = strip_parens(&c.func) else {
            return self.unknown(&syn::Expr::Call(c.clone()));
        };
        let Some(last) = path.path.segments.last() else { return };
        if let Some(at) = self.named(&path.path) {
            self.ask(at, useful);
            let params = self.bindings[at].closure.as_ref();
            let wants = |k: usize| {
                params.and_then(|all| all.get(k)).is_none_or(|p| p.iter().any(|at| self.bindings[*at].useful))
            };
            let wants: Vec<bool> = (0..c.args.len()).map(wants).collect();
            c.args.iter().zip(wants).for_each(|(arg, useful)| self.expr(arg, useful));
            return;
        }
        let made = makes(&path.path);
        if !made {
            self.site(&last.ident, (useful, c.args.iter().any(|arg| self.lends(arg) == Lends::Probably)));
        }
        let useful = useful && last.ident != "Err";
        let inner = useful || !made && c.args.iter().any(|arg| self.may_lend(arg));
        c.args.iter().for_each(|arg| self.expr(arg, inner));
    }

    fn macro_(&mut self, mac: &syn::Macro, useful: bool) {
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if let ("matches", Ok(Matches(matched))) = (name.as_str(), mac.parse_body()) {
            return self.arms(&matched, false);
        }
        match (mac.parse_body_with(Args::parse_terminated), name.as_str()) {
            (Ok(args), "vec" | "dbg") => args.iter().for_each(|arg| self.expr(arg, useful)),
            (Ok(args), _) => args.iter().for_each(|arg| match arg {
                syn::Expr::Assign(named) if names::is_observer(&name) => self.look(&named.right),
                arg if names::is_observer(&name) => self.look(arg),
                arg => self.expr(arg, true),
            }),
            (Err(_), "vec") => {
                let Ok(VecRepeat { value, len }) = mac.parse_body() else { return };
                self.look(&len);
                self.expr(&value, useful);
            }
            (Err(_), _) => self.hidden(mac.tokens.clone()),
        }
    }

    /// Names in tokens that are no expressions.
    fn hidden(&mut self, tokens: proc_macro2::TokenStream) {
        for tree in tokens {
            match tree {
                proc_macro2::TokenTree::Ident(name) => {
                    if let Some(at) = self.named(&name.into()) {
                        self.ask(at, true);
                    }
                }
                proc_macro2::TokenTree::Group(group) => self.hidden(group.stream()),
                _ => {}
            }
        }
    }
}

/// The variable at the root of a place that leads through no reference.
fn root(place: &syn::Expr) -> Option<&syn::Path> {
    match strip_parens(place) {
        syn::Expr::Path(p) => Some(&p.path),
        syn::Expr::Field(f) => root(&f.base),
        syn::Expr::Index(i) => root(&i.expr),
        _ => None,
    }
}
