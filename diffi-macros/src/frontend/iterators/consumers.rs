//! What runs a chain: sums, folds, collections.

use crate::frontend::infer::activity::Act;
use crate::frontend::iterators::cursors::names_chain;
use crate::frontend::iterators::methods::is_search;
use crate::frontend::iterators::tried;
use crate::frontend::lower::closures::Function;
use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Chain, Indexed, Maybe, Passive, Value};
use crate::frontend::syntax::unused::unused;
use crate::frontend::syntax::{literals, types};
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// A method of a chain: an adaptor, or a consumer.
    pub fn chain_method(&mut self, m: &syn::ExprMethodCall) -> Value {
        let name = m.method.to_string();
        self.only_method_of_iterators(&Called::of(m));
        if self.is_chain(&syn::Expr::MethodCall(m.clone())) {
            return self.chain_of_method(m).map_or(Value::Poison, |chain| Value::Chain(Rc::new(chain)));
        }
        if let Some(value) = self.next_part(m) {
            return value;
        }
        if let Some(from_end) = self.turned_round(m) {
            return self.expr(&from_end);
        }
        let lent = self.rest_of(&m.receiver).filter(|_| is_search(&name));
        if is_search(&name) && lent.is_none() && self.names_iterator(&m.receiver) {
            self.errors.half_run(m.method.span());
            return Value::Poison;
        }
        if let Some(written_out) = tried::written_out(m, lent.is_some()) {
            return match written_out {
                Ok(expr) => self.expr(&expr),
                Err(instead) => self.refuse(m.method.span(), "this method", instead),
            };
        }
        let wanted = self.jumps.expected.take();
        if let Some(fold) = self.fold_of_complex_numbers(m, wanted.as_ref()) {
            return self.chain_method(&fold);
        }
        let Some(chain) = lent.or_else(|| self.chain(&m.receiver)) else { return Value::Poison };
        if let Some(total) = self.total_of_options(&chain, m) {
            return total;
        }
        match self.total_of_a_type(&chain, m) {
            Some(fold) => self.chain_method(&fold),
            None => self.consumed(chain, m, wanted),
        }
    }

    /// A sum or product of complex numbers, as a fold.
    fn fold_of_complex_numbers(&mut self, m: &syn::ExprMethodCall, wanted: Option<&Ty>) -> Option<syn::ExprMethodCall> {
        let op = match m.method.to_string().as_str() {
            "sum" => Op::Add,
            "product" => Op::Mul,
            _ => return None,
        };
        let wanted = wanted.cloned().or_else(|| turbofish(self, m));
        self.complex_total(&op, wanted.as_ref(), m)
    }

    /// A method that runs a chain.
    fn consumed(&mut self, chain: Chain, m: &syn::ExprMethodCall, wanted: Option<Ty>) -> Value {
        let (span, name) = (m.span(), m.method.to_string());
        match (name.as_str(), m.args.len()) {
            ("sum", 0) => self.accumulate(chain, Op::Add, m),
            ("product", 0) => self.accumulate(chain, Op::Mul, m),
            ("fold", 2) => self.fold(chain, m),
            ("for_each", 1) => {
                let f = self.callee(&m.args[0]);
                self.drive(&chain, None, &mut |l, item, _| _ = l.apply(&f, vec![item]));
                Value::Unit
            }
            ("collect", 0) => self.collected_into(chain, m, wanted),
            ("unzip", 0) => self.unzip(chain, span),
            ("partition", 1) => self.partition(chain, &m.args[0], span),
            ("is_empty", 0) => self.chain_is_empty(chain, m),
            ("max_by" | "min_by" | "max_by_key" | "min_by_key", 1) => self.extreme_by(chain, m),
            ("reduce", 1) => self.reduce(chain, m),
            ("find", 1) => self.find(chain, m),
            ("next" | "last", 0) | ("nth", 1) => self.pick(chain, m),
            ("find_map" | "position" | "any" | "all", 1) => self.searched(&chain, m),
            ("len", 0) => self.chain_len(chain, m),
            ("count", 0) => self.chain_count(chain, span),
            ("remainder" | "into_remainder", 0) => self.remainder(&chain, m),
            _ => {
                self.errors.unknown_adaptor(m.method.span(), &name);
                Value::Poison
            }
        }
    }

    /// `collect()` into views, a library's vector, or a `Vec`.
    fn collected_into(&mut self, chain: Chain, m: &syn::ExprMethodCall, wanted: Option<Ty>) -> Value {
        let span = m.span();
        if may_give_references(&m.receiver) && self.gives_views(&chain) {
            return Value::Chain(Rc::new(chain));
        }
        match wanted.or_else(|| turbofish(self, m)) {
            Some(Ty::Library) => {
                let elements = self.collect(chain, Some(Ty::Vec(Box::new(Ty::Float))), span);
                self.vector(elements, span)
            }
            wanted => self.collect(chain, wanted, span),
        }
    }

    /// A method of a chain that an expression has given: it is evaluated once.
    pub fn method_of_chain(&mut self, chain: Rc<Chain>, m: &syn::ExprMethodCall) -> Value {
        if matches!(strip_parens(&m.receiver), syn::Expr::Path(_)) {
            return self.chain_method(m);
        }
        let scope = self.scope.clone();
        let name = unused("chain", &m.to_token_stream(), m.method.span());
        self.scope.bind(&name, Value::Chain(chain));
        let value = self.chain_method(&syn::ExprMethodCall { receiver: syn::parse_quote!(#name), ..m.clone() });
        self.scope = scope;
        value
    }

    fn chain_len(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Value {
        match chain {
            Chain::Indexed(ix) => match self.normalized(ix).hi {
                Some(hi) => Value::passive(hi),
                None => Value::Poison,
            },
            Chain::Stream(_) => Value::passive(self.passive_code(&syn::Expr::MethodCall(m.clone()))),
        }
    }

    /// What parts of one length leave over.
    fn remainder(&mut self, chain: &Chain, m: &syn::ExprMethodCall) -> Value {
        match chain {
            Chain::Indexed(Indexed { rest: Some(rest), .. }) => rest(self),
            _ => {
                self.errors.unknown_adaptor(m.method.span(), &m.method.to_string());
                Value::Poison
            }
        }
    }

    fn chain_is_empty(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Value {
        match self.chain_len(chain, m) {
            Value::Passive(p) => {
                let len = arithmetic::factor(&p.passive);
                Value::passive(PassiveCode { tokens: quote!(#len == 0), ..p.passive })
            }
            other => other,
        }
    }

    fn chain_count(&mut self, chain: Chain, span: Span) -> Value {
        match chain {
            Chain::Indexed(ix) if ix.hi.is_some() && !self.has_effects(&ix) => {
                let hi = self.normalized(ix).hi.expect("it has an end");
                Value::passive(self.atom("n", hi))
            }
            chain => {
                let count = self.counter(span);
                self.drive(&chain, None, &mut |l, _, _| {
                    l.next_count(count, span);
                });
                self.value_of(count)
            }
        }
    }

    /// `sum()`, `product()`.
    fn accumulate(&mut self, chain: Chain, op: Op, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let (hint, start) = match op {
            Op::Add => ("sum", quote!(-0.0)), // what std's sums begin with
            _ => ("product", quote!(1.0)),
        };
        let before = self.snapshot_state();
        let start = self.number(start);
        let var = self.new_var(New::mutable(hint, span, Ty::Float));
        self.emit(Stmt::Let { var, expr: Expr::Operand(Operand::Passive(PassiveCode { span, ..start })) });
        let mut active = false;
        self.drive(&chain, None, &mut |l, item, _| {
            active |= item.is_active() || matches!(item, Value::Poison);
            l.take_in(var, &op, item, span);
        });
        if !active {
            if self.open.last().is_some_and(|b| crate::frontend::iterators::changes(&b.stmts[before.0..])) {
                self.errors.unknown_adaptor(m.method.span(), &m.method.to_string());
                return Value::Poison;
            }
            self.restore_state(before);
            return Value::passive(self.passive_code(&syn::Expr::MethodCall(m.clone())));
        }
        self.value_of(var)
    }

    pub fn take_in(&mut self, var: Var, op: &Op, item: Value, span: Span) {
        let item = item.dereferenced_fully();
        match op {
            Op::Add => {
                if let Some(value) = self.float(&item, "+", span) {
                    self.assign(Place::var(var), Assign::Add, value, span);
                }
            }
            op => {
                let whole = self.value_of(var);
                let next = self.operation(op.clone(), &[whole.clone(), item], span);
                self.store(whole, next, span);
            }
        }
    }

    /// A float literal of the function's float type.
    pub fn number(&self, literal: proc_macro2::TokenStream) -> PassiveCode {
        PassiveCode::literal(match (&self.base, literal.to_string().as_str()) {
            (Base::Generic(t), "0.0") => quote!(<#t as ::core::default::Default>::default()),
            (Base::Generic(t), "- 0.0") => quote!(-<#t as ::core::default::Default>::default()),
            _ => literal,
        })
    }

    /// `fold(start, |acc, item| ..)`.
    fn fold(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let extreme = self.extreme_name(&m.args[1]);
        if let (Some(greater), Chain::Indexed(ix), true) = (extreme, &chain, self.is_passive(&m.args[0]))
            && self.is_written_out(&m.receiver)
        {
            return self.fold_extreme(ix.clone(), greater, m);
        }
        let f = self.callee(&m.args[1]);
        let carried = self.act(&syn::Expr::MethodCall(m.clone()));
        let start = self.fold_start(&m.args[0], &carried, span);
        let acc = self.variable(start, &acc_name(&m.args[1]), span);
        self.drive(&chain, None, &mut |l, item, _| {
            let next = l.fold_step(&f, acc.clone(), item);
            if let Some(next) = next {
                l.store(acc.clone(), next, span);
            }
        });
        acc
    }

    fn fold_start(&mut self, start: &syn::Expr, carried: &Act, span: Span) -> Value {
        match (strip_parens(start), carried) {
            (syn::Expr::Tuple(t), Act::Tuple(all)) if t.elems.len() == all.len() => {
                Value::Tuple(t.elems.iter().zip(all).map(|(e, act)| self.fold_start(e, act, span)).collect())
            }
            _ if carried.any() || self.assumed.contains(&Site::at(span)) => self.active_value(start),
            _ => self.expr(start),
        }
    }

    /// The next accumulator; `None` if it was changed in place (`acc + e`).
    fn fold_step(&mut self, f: &Function, acc: Value, item: Value) -> Option<Value> {
        let Function::Closure(c) = f else { return Some(self.apply(f, vec![acc, item])) };
        let Some(added) = added_to(&c.code) else { return Some(self.apply(f, vec![acc, item])) };
        let Value::Active(a) = &acc else { return Some(self.apply(f, vec![acc, item])) };
        if self.ty_of(&a.place) != Ty::Float {
            return Some(self.apply(f, vec![acc, item]));
        }
        let place = a.place.clone();
        let span = added.span();
        let added = added.clone();
        self.inline_with(c, vec![acc.clone(), item], &mut |l, _| {
            let value = l.expr(&added);
            if let Some(value) = l.float(&value.dereferenced_fully(), "+", span) {
                l.assign(place.clone(), Assign::Add, value, span);
            }
            Value::Unit
        });
        None
    }

    /// A mutable variable (or several, for a tuple) that starts with this value.
    pub fn variable(&mut self, start: Value, hint: &str, span: Span) -> Value {
        let name = syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: Some(Default::default()),
            ident: Ident::new(hint, span),
            subpat: None,
        };
        self.declare(&name, start.dereferenced_fully(), usize::MAX, None)
    }

    /// `collect()` into a `Vec`.
    pub fn collect(&mut self, chain: Chain, wanted: Option<Ty>, span: Span) -> Value {
        if let Chain::Indexed(ix) = &chain
            && ix.hi.is_some()
        {
            let ix = self.normalized(ix.clone());
            return self.collect_indexed(ix, wanted, span);
        }
        let floats = matches!(&wanted, Some(Ty::Vec(t)) if **t == Ty::Float);
        let elem = if floats { Ty::Float } else { element_of(&wanted) };
        let new = Expr::VecNew(PassiveCode::literal(quote!(::std::vec::Vec::new())));
        let var = self.bind("v", span, Ty::Vec(Box::new(elem)), new);
        self.fact_mut(var).changes = true;
        self.drive(&chain, None, &mut |l, item, _| l.push(Place::var(var), item.dereferenced_fully(), span));
        self.value_of(var)
    }

    /// Whether the elements are references to more than numbers: what is collected then is as many names for parts.
    fn gives_views(&mut self, chain: &Chain) -> bool {
        let Chain::Indexed(ix) = chain else { return false };
        let (vars, facts) = (self.vars.len(), self.facts.len());
        let (item, changes) = self.tried(ix);
        let views = ix.hi.is_some() && self.is_view(&item) && !changes;
        self.vars.truncate(vars);
        self.facts.truncate(facts);
        views
    }

    fn is_view(&self, item: &Value) -> bool {
        match item {
            Value::Active(a) => a.refs.depth > 0 && types::is_sequence(&self.ty_of(&a.place)),
            Value::Tuple(all) => all.iter().any(|v| self.is_view(v)),
            _ => false,
        }
    }

    /// The length is known: floats are written into place, other elements are pushed.
    fn collect_indexed(&mut self, ix: Indexed, wanted: Option<Ty>, span: Span) -> Value {
        let len = self.atom("n", ix.hi.clone().expect("it has an end"));
        let var = self.new_var(New::temp("v", span, Ty::Vec(Box::new(element_of(&wanted)))));
        self.fact_mut(var).changes = true;
        let k = self.iteration(span);
        let (body, filled) = self.inside(|l| {
            let at = PassiveCode::var(k, l.info(k));
            let item = (ix.get)(l, at.clone()).dereferenced_fully();
            l.collect_item(var, at, item, span)
        });
        let n = &len.tokens;
        let expr = match filled {
            true => Expr::VecRepeat { value: Operand::Passive(self.number(quote!(0.0))), len: len.clone() },
            false => Expr::VecNew(PassiveCode { tokens: quote!(::std::vec::Vec::with_capacity(#n)), ..len.clone() }),
        };
        self.emit(Stmt::Let { var, expr });
        let (lo, hi, down, step, until, checkpoint) = (affine::literal(0), len, ix.down, None, None, None);
        self.emit(Stmt::For(For { var: k, lo, hi, inclusive: false, step, down, until, checkpoint, body }));
        self.value_of(var)
    }

    /// Stores one element; whether it was a float, written into place.
    fn collect_item(&mut self, var: Var, at: PassiveCode, item: Value, span: Span) -> bool {
        let in_doubt = matches!(&item, Value::Active(a) if self.doubt(&a.place).is_some());
        let ty = if in_doubt { Ty::Unknown } else { self.value_ty(&item) };
        let known = element_ty(&self.info(var).ty);
        let open = matches!(known, Ty::Unknown | Ty::Passive);
        let number = |p: &Passive| open && !types::is_sequence(&p.ty) && !literals::is_made_of_members(&p.passive);
        let float = known == Ty::Float || ty == Ty::Float || matches!(&item, Value::Passive(p) if number(p));
        let float = float && (known == Ty::Float || !self.complex || self.are_real(std::slice::from_ref(&item)));
        if float {
            let element = Place { root: var, path: vec![Proj::Index(at)] };
            self.refine(&element, Ty::Float);
            if let Some(value) = self.float(&item, "collect", span) {
                self.assign(element, Assign::Set, value, span);
            }
            return true;
        }
        self.push(Place::var(var), item, span);
        false
    }

    /// An empty `Vec`, to be pushed to.
    pub fn empty_vec(&mut self, span: Span) -> Var {
        let new = Expr::VecNew(PassiveCode::literal(quote!(::std::vec::Vec::new())));
        let var = self.bind("v", span, Ty::Vec(Box::new(Ty::Unknown)), new);
        self.fact_mut(var).changes = true;
        var
    }

    /// A search from the end, as one in the chain that is turned round.
    fn turned_round(&self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let front = match m.method.to_string().as_str() {
            "rfold" => "fold",
            "rfind" => "find",
            "next_back" => "next",
            "nth_back" => "nth",
            "try_rfold" => "try_fold",
            _ => return None,
        };
        let (chain, args, front) = (&m.receiver, &m.args, Ident::new(front, m.method.span()));
        let lent = self.is_cursor(chain) && front != "fold";
        let by_ref = lent.then(|| quote!(.by_ref()));
        Some(syn::parse_quote_spanned!(m.method.span()=> #chain #by_ref.rev().#front(#args)))
    }

    /// Whether an expression is a variable that holds an iterator, or lends it.
    fn names_iterator(&self, expr: &syn::Expr) -> bool {
        names_chain(expr) && !self.is_written_out(expr)
    }

    /// `partition(f)` into two `Vec`s.
    fn partition(&mut self, chain: Chain, f: &syn::Expr, span: Span) -> Value {
        let f = self.callee(f);
        let (kept, rest) = (self.empty_vec(span), self.empty_vec(span));
        self.drive(&chain, None, &mut |l, item, _| {
            let holds = l.apply(&f, vec![item.clone().borrowed(false)]);
            let holds = l.show(&holds.dereferenced_fully(), span);
            let cond = l.atom("c", holds);
            let item = item.dereferenced_fully();
            let (then, ()) = l.inside(|l| l.push(Place::var(kept), item.clone(), span));
            let (els, ()) = l.inside(|l| l.push(Place::var(rest), item, span));
            l.emit(Stmt::If { cond, then, els });
        });
        Value::Tuple(vec![self.value_of(kept), self.value_of(rest)])
    }

    /// `next()`, `last()`, `nth(k)`.
    fn pick(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Value {
        let ix = match chain {
            Chain::Indexed(ix) if ix.hi.is_some() && !self.has_effects(&ix) => ix,
            chain if m.method == "last" => return self.last_of(&chain, m.span()),
            chain => return self.searched(&chain, m),
        };
        let ix = self.normalized(ix);
        let Some(hi) = ix.hi.clone() else { return Value::Poison };
        let n = self.atom("n", hi);
        let down = ix.down;
        let from_front = match m.method.to_string().as_str() {
            "last" => arithmetic::sub(&n, &affine::literal(1)),
            "nth" => {
                let k = self.integer(&m.args[0]);
                self.frozen("i", k)
            }
            _ => affine::literal(0),
        };
        debug_assert!(!down, "normalized chains run upwards");
        let (a, b) = (&from_front.tokens, &n.tokens);
        let present = match m.method == "last" {
            true => crate::frontend::state::value::over(quote!(#b > 0), &[&n]),
            false => crate::frontend::state::value::over(quote!(#a < #b), &[&from_front, &n]),
        };
        let get = ix.get;
        Value::Maybe(Maybe::new(present, move |l| get(l, from_front.clone())))
    }

    /// What can be undone if a chain turns out to be passive.
    /// How much there is by now, to be [taken back to](Self::restore_state).
    pub fn snapshot_state(&self) -> (usize, usize) {
        (self.open.last().map_or(0, |b| b.stmts.len()), self.vars.len())
    }

    /// Takes back what was tried.
    pub fn restore_state(&mut self, before: (usize, usize)) {
        if let Some(block) = self.open.last_mut() {
            block.stmts.truncate(before.0);
        }
    }
}

/// Whether the elements of a chain may be references, as far as its last step tells.
fn may_give_references(chain: &syn::Expr) -> bool {
    const MAKERS: &[&str] = &["map", "filter_map", "flat_map", "copied", "cloned", "scan", "map_while"];
    match strip_parens(chain) {
        syn::Expr::MethodCall(m) if m.method == "map" => match m.args.first().map(strip_parens) {
            Some(syn::Expr::Closure(c)) => matches!(strip_parens(&c.body), syn::Expr::Reference(_)),
            _ => false,
        },
        syn::Expr::MethodCall(m) => !MAKERS.iter().any(|name| m.method == name),
        _ => false,
    }
}

fn element_of(wanted: &Option<Ty>) -> Ty {
    wanted.as_ref().map_or(Ty::Unknown, element_ty)
}

fn element_ty(ty: &Ty) -> Ty {
    match types::element(ty) {
        Ty::Passive => Ty::Unknown,
        t => t,
    }
}

/// `collect::<Vec<f64>>()`.
fn turbofish(l: &Lower, m: &syn::ExprMethodCall) -> Option<Ty> {
    let arg = m.turbofish.as_ref()?.args.first()?;
    match arg {
        syn::GenericArgument::Type(t) => Some(types::describe(t, &l.base)),
        _ => None,
    }
}

/// The name that a fold's closure gives its accumulator.
fn acc_name(f: &syn::Expr) -> String {
    match strip_parens(f) {
        syn::Expr::Closure(c) => match c.inputs.first() {
            Some(syn::Pat::Ident(i)) => i.ident.to_string(),
            _ => "acc".into(),
        },
        _ => "acc".into(),
    }
}

/// `e` of `|acc, ..| acc + e`.
fn added_to(code: &syn::ExprClosure) -> Option<&syn::Expr> {
    let syn::Pat::Ident(acc) = code.inputs.first()? else { return None };
    let syn::Expr::Binary(b) = strip_parens(&code.body) else { return None };
    let syn::Expr::Path(left) = strip_parens(&b.left) else { return None };
    let adds = matches!(b.op, syn::BinOp::Add(_)) && left.path.is_ident(&acc.ident);
    let mut again = false;
    struct Mentions<'a>(&'a Ident, &'a mut bool);
    impl<'a> syn::visit::Visit<'a> for Mentions<'_> {
        fn visit_ident(&mut self, i: &'a Ident) {
            *self.1 |= i == self.0;
        }
    }
    syn::visit::Visit::visit_expr(&mut Mentions(&acc.ident, &mut again), &b.right);
    (adds && !again).then_some(&b.right)
}
