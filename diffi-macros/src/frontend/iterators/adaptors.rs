//! What makes a chain of a chain.

use crate::frontend::iterators::cursors::names_chain;
use crate::frontend::iterators::filters::{always_some, filter_mapped, filtered, flat_mapped, flattened, mapped_while};
use crate::frontend::iterators::itertools::is_of_itertools;
use crate::frontend::iterators::methods::is_adaptor;
use crate::frontend::lower::closures;
use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Chain, Drive, Indexed, Stream, Value, over, smaller};
use crate::frontend::syntax::effects;
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// A chain written as a method call.
    pub fn chain_of_method(&mut self, m: &syn::ExprMethodCall) -> Option<Chain> {
        let name = m.method.to_string();
        self.only_method_of_iterators(&Called::of(m));
        if !self.is_chain(&m.receiver) && !self.adapts_own(m) || !is_adaptor(&name) {
            return self.start_or_receiver(m);
        }
        if let Some(lent) = self.lent_rest(&syn::Expr::MethodCall(m.clone())) {
            return Some(lent);
        }
        if let Some(lent) = self.lent_own(m) {
            return Some(lent);
        }
        let chain = self.chain(&m.receiver)?;
        self.adapted(chain, m)
    }

    fn start_or_receiver(&mut self, m: &syn::ExprMethodCall) -> Option<Chain> {
        match self.is_chain(&m.receiver) {
            true if m.method == "into_iter" || m.method == "iter" => self.chain(&m.receiver),
            _ => self.start(m),
        }
    }

    fn adapted(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Option<Chain> {
        let (span, name) = (m.span(), m.method.to_string());
        match (name.as_str(), m.args.first()) {
            ("copied", None) => Some(chain.mapped(|_, v| v.dereferenced())),
            ("cloned", None) => Some(chain.mapped(move |l, v| l.owned_part(v.dereferenced(), span))),
            ("by_ref", None) if names_chain(&m.receiver) => {
                self.errors.half_run(m.method.span());
                None
            }
            ("by_ref" | "fuse", None) => Some(chain),
            ("peekable", None) if matches!(chain, Chain::Indexed(_)) => Some(chain),
            ("clone", None) => Some(self.copy_of_cursor(chain)),
            ("enumerate", None) => Some(self.enumerate(chain, span)),
            ("rev", None) => self.rev(chain, span),
            ("cycle", None) => self.cycle(chain, span),
            ("flatten", None) => Some(flattened(chain, span)),
            ("zip", Some(other)) => {
                let other = self.chain(other)?;
                self.zip(chain, other, span)
            }
            ("chain", Some(other)) => Some(joined(chain, self.chain(other)?)),
            ("skip" | "take" | "step_by", Some(n)) => self.counted_off(chain, n, &name, span),
            ("map" | "inspect" | "filter" | "filter_map" | "flat_map", Some(f)) => {
                let f = self.callee(f);
                Some(applied_to_each(chain, f, &name, span))
            }
            ("take_while" | "skip_while" | "map_while" | "scan", Some(first)) => {
                self.adapted_while(chain, m, first, &name)
            }
            (name, _) if is_of_itertools(name) => self.of_itertools(chain, m),
            _ => {
                self.errors.unknown_adaptor(m.method.span(), &name);
                None
            }
        }
    }

    /// `skip(n)`, `take(n)`, `step_by(n)`.
    fn counted_off(&mut self, chain: Chain, n: &syn::Expr, name: &str, span: Span) -> Option<Chain> {
        let n = self.integer(n);
        if name == "take" {
            return self.take(chain, n, span);
        }
        let chain = self.run_through(chain);
        if name == "skip" { self.skip(chain, n, span) } else { self.step_by(chain, n, span) }
    }

    /// Adaptors that end, or begin, where a function says so.
    fn adapted_while(&mut self, chain: Chain, m: &syn::ExprMethodCall, first: &syn::Expr, name: &str) -> Option<Chain> {
        let span = m.span();
        match name {
            "take_while" | "skip_while" if matches!(chain, Chain::Indexed(_)) && self.tests_with_effects(&chain, m) => {
                let chain = self.run_through_always(chain);
                Some(self.gated(chain, first, span, name == "skip_while", true))
            }
            "take_while" => self.take_while(chain, m, first, span),
            "skip_while" => self.skip_while(chain, m, first, span),
            _ => {
                let (start, f) = match name {
                    "map_while" => (None, first),
                    _ => (Some(first), m.args.iter().nth(1)?),
                };
                let start = start.map(|start| self.expr(start));
                Some(mapped_while(chain, start, self.callee(f), always_some(f), span))
            }
        }
    }

    /// A chain of which no element is passed over, if to make one changes something.
    pub fn run_through(&mut self, chain: Chain) -> Chain {
        match chain {
            Chain::Indexed(ix) if !ix.integers && self.has_effects(&ix) => {
                let extent = Chain::Indexed(ix.clone()).extent();
                let chain = Chain::Indexed(ix);
                Chain::stream(move |l, frame, each| l.drive(&chain, frame, each)).with_extent(extent)
            }
            chain => chain,
        }
    }

    fn run_through_always(&mut self, chain: Chain) -> Chain {
        let extent = chain.extent();
        Chain::stream(move |l, frame, each| l.drive(&chain, frame, each)).with_extent(extent)
    }

    /// Whether the function of a method, or an element that it is given, changes something.
    fn tests_with_effects(&mut self, chain: &Chain, m: &syn::ExprMethodCall) -> bool {
        let changes = m.args.iter().any(|f| !effects::of_expr(&self.scope, f).is_pure());
        changes || matches!(chain, Chain::Indexed(ix) if self.has_effects(ix))
    }

    fn indexed_or_refuse(&mut self, chain: Chain, what: &str, span: Span) -> Option<Indexed> {
        match chain {
            Chain::Indexed(ix) => Some(ix),
            Chain::Stream(_) => {
                self.errors.unknown_adaptor(span, what);
                None
            }
        }
    }

    fn enumerate(&mut self, chain: Chain, span: Span) -> Chain {
        match chain {
            Chain::Indexed(ix) => {
                let ix = self.normalized(ix);
                let get = ix.get;
                let get = move |l: &mut Lower, k: PassiveCode| {
                    let value = get(l, k.clone());
                    Value::Tuple(vec![l.integer_value(k), value])
                };
                Chain::Indexed(Indexed { get: Rc::new(get), integers: false, ..ix })
            }
            Chain::Stream(s) => {
                let extent = s.extent;
                let counted = Chain::stream(move |l, frame, each| {
                    let count = l.counter(span);
                    (s.drive)(l, frame, &mut |l, value, mark| {
                        let k = l.next_count(count, span);
                        let k = l.integer_value(k);
                        each(l, Value::Tuple(vec![k, value]), mark);
                    });
                });
                counted.with_extent(extent)
            }
        }
    }

    /// An index as a value; the variable, if it is one.
    pub fn integer_value(&mut self, k: PassiveCode) -> Value {
        let one = k.reads.len() == 1 && k.tokens.clone().into_iter().count() == 1;
        match k.reads.iter().next() {
            Some(var) if one => {
                self.fact_mut(*var).counter = true;
                self.value_of(*var)
            }
            _ => Value::passive(k),
        }
    }

    /// A mutable counter, starting at zero.
    pub fn counter(&mut self, span: Span) -> Var {
        let var = self.new_var(New { hint: "count", span, ty: Ty::Passive, changes: true, site: None });
        self.info_mut(var).mutable = true;
        self.emit(Stmt::Let { var, expr: Expr::Passive(PassiveCode::literal(quote!(0usize))) });
        var
    }

    /// The counter's value, and one more from now on.
    pub fn next_count(&mut self, var: Var, span: Span) -> PassiveCode {
        let k = self.hold("at", PassiveCode::var(var, self.info(var)));
        let name = &self.info(var).name;
        let mut next = PassiveCode::literal(quote!(#name + 1));
        next.reads.insert(var);
        self.assign(Place::var(var), Assign::Set, Operand::Passive(next), span);
        k
    }

    /// `if cond { .. }`; without one just what is inside.
    pub fn guarded(&mut self, cond: Option<PassiveCode>, f: &mut dyn FnMut(&mut Lower)) {
        let Some(cond) = cond else { return f(self) };
        let cond = self.atom("c", cond);
        let (then, ()) = self.inside(f);
        self.emit(Stmt::If { cond, then, els: Block::default() });
    }

    pub fn rev(&mut self, chain: Chain, span: Span) -> Option<Chain> {
        if let Chain::Stream(Stream { drive, back: Some(back), extent }) = chain {
            return Some(Chain::Stream(Stream { drive: back, back: Some(drive), extent }));
        }
        let ix = self.indexed_or_refuse(chain, "rev", span)?;
        if ix.step.is_none() && ix.hi.is_some() {
            return Some(Chain::Indexed(Indexed { down: !ix.down, ..ix }));
        }
        let ix = self.normalized(ix);
        if ix.hi.is_none() {
            self.errors.unknown_adaptor(span, "rev");
            return None;
        }
        Some(Chain::Indexed(Indexed { down: true, ..ix }))
    }

    fn skip(&mut self, chain: Chain, n: PassiveCode, span: Span) -> Option<Chain> {
        let n = self.frozen("n", n);
        match chain {
            Chain::Indexed(ix) => {
                let ix = if ix.down || ix.step.is_some() { self.normalized(ix) } else { ix };
                let lo = arithmetic::add(&ix.lo, &n);
                Some(Chain::Indexed(Indexed { lo, ..ix }))
            }
            Chain::Stream(s) => {
                let extent = s.extent;
                let rest = Chain::stream(move |l, frame, each| {
                    let count = l.counter(span);
                    (s.drive)(l, frame, &mut |l, value, mark| {
                        let k = l.next_count(count, span);
                        let (k_, n_) = (&k.tokens, &n.tokens);
                        let cond = over(quote!(#k_ >= #n_), &[&k, &n]);
                        l.guarded(Some(cond), &mut |l| each(l, value.clone(), mark));
                    });
                });
                Some(rest.with_extent(extent))
            }
        }
    }

    fn take(&mut self, chain: Chain, n: PassiveCode, span: Span) -> Option<Chain> {
        let n = self.frozen("n", n);
        match chain {
            Chain::Indexed(ix) => {
                let ix = self.normalized(ix);
                let hi = Some(ix.hi.as_ref().map_or(n.clone(), |h| smaller(h, &n)));
                Some(Chain::Indexed(Indexed { hi, ..ix }))
            }
            stream => {
                let extent = stream.extent();
                let some = Chain::stream(move |l, frame, each| {
                    let count = l.counter(span);
                    let begins = (!extent.is_whole()).then(|| over_less(&affine::literal(0), &n));
                    l.guarded(begins, &mut |l| {
                        l.drive_until(&stream, frame, span, &mut |l, value, mark, source| {
                            let k = l.next_count(count, span);
                            l.guarded(Some(over_less(&k, &n)), &mut |l| each(l, value.clone(), mark));
                            l.stop(source, over_less(&n, &arithmetic::add(&k, &affine::literal(2))), span);
                        });
                    });
                });
                Some(some.with_extent(extent.cut()))
            }
        }
    }

    fn step_by(&mut self, chain: Chain, step: PassiveCode, span: Span) -> Option<Chain> {
        let step = self.frozen("step", step);
        match chain {
            Chain::Indexed(ix) => {
                let step = self.atom("step", step);
                let ix = if ix.down || ix.step.is_some() { self.normalized(ix) } else { ix };
                Some(Chain::Indexed(Indexed { step: Some(step), ..ix }))
            }
            Chain::Stream(s) => {
                let extent = s.extent;
                let some = Chain::stream(move |l, frame, each| {
                    let count = l.counter(span);
                    (s.drive)(l, frame, &mut |l, value, mark| {
                        let k = l.next_count(count, span);
                        let (k_, s_) = (&k.tokens, arithmetic::factor(&step));
                        let cond = over(quote!(#k_ % #s_ == 0), &[&k, &step]);
                        l.guarded(Some(cond), &mut |l| each(l, value.clone(), mark));
                    });
                });
                Some(some.with_extent(extent))
            }
        }
    }

    fn cycle(&mut self, chain: Chain, span: Span) -> Option<Chain> {
        let chain = match chain {
            stream @ Chain::Stream(_) if self.is_collected(&stream) => self.listed_elements(&stream, span)?,
            chain => chain,
        };
        let ix = self.indexed_or_refuse(chain, "cycle", span)?;
        let ix = self.normalized(ix);
        let n = self.atom("n", ix.hi?);
        let get = ix.get;
        let get = move |l: &mut Lower, k: PassiveCode| {
            let (i, m) = (arithmetic::factor(&k), &n.tokens);
            get(l, over(quote!(#i % #m), &[&k, &n]))
        };
        Some(Chain::Indexed(Indexed::counted(None, Rc::new(get))))
    }

    /// How many elements the predicate holds for at the start: the user's own tokens.
    fn leading(&mut self, m: &syn::ExprMethodCall, f: &syn::Expr) -> PassiveCode {
        let (receiver, args) = (&m.receiver, f);
        self.function_tokens(f);
        let count: syn::Expr = syn::parse_quote!(#receiver.take_while(#args).count());
        let tokens = self.passive_code(&count);
        self.hold("run", PassiveCode { span: m.method.span(), ..tokens })
    }

    fn take_while(&mut self, chain: Chain, m: &syn::ExprMethodCall, f: &syn::Expr, span: Span) -> Option<Chain> {
        match chain {
            Chain::Indexed(_) if self.is_written_out(&m.receiver) => {
                let n = self.leading(m, f);
                self.take(chain, n, span)
            }
            chain => {
                let effects = self.tests_with_effects(&chain, m);
                Some(self.gated(chain, f, span, false, effects))
            }
        }
    }

    fn skip_while(&mut self, chain: Chain, m: &syn::ExprMethodCall, f: &syn::Expr, span: Span) -> Option<Chain> {
        match chain {
            Chain::Indexed(_) if self.is_written_out(&m.receiver) => {
                let n = self.leading(m, f);
                self.skip(chain, n, span)
            }
            chain => {
                let effects = self.tests_with_effects(&chain, m);
                Some(self.gated(chain, f, span, true, effects))
            }
        }
    }

    /// Whether a chain's own tokens can be run again.
    pub fn is_written_out(&self, chain: &syn::Expr) -> bool {
        match strip_parens(chain) {
            // what takes elements out finds none the second time
            syn::Expr::MethodCall(m) if ["drain", "splice", "extract_if"].iter().any(|name| m.method == name) => false,
            syn::Expr::MethodCall(m) => self.is_written_out(&m.receiver),
            syn::Expr::Path(p) => {
                !p.path.get_ident().is_some_and(|n| matches!(self.scope.get(n), Some(Value::Chain(_))))
            }
            _ => true,
        }
    }

    /// Elements up to (or from) the first for which the predicate fails; it is asked no more after that, if that can be seen.
    fn gated(&mut self, chain: Chain, f: &syn::Expr, span: Span, skip: bool, once: bool) -> Chain {
        let f = self.callee(f);
        let extent = if skip { chain.extent() } else { chain.extent().cut() };
        let gated = Chain::stream(move |l, frame, each| {
            let new = New { hint: "past", span, ty: Ty::Passive, changes: true, site: None };
            let past = l.new_var(new);
            l.info_mut(past).mutable = true;
            l.emit(Stmt::Let { var: past, expr: Expr::Passive(PassiveCode::literal(quote!(false))) });
            l.drive_until(&chain, frame, span, &mut |l, value, mark, source| {
                let p = l.info(past).name.clone();
                let asks = once.then(|| l.unless(past, None));
                l.guarded(asks, &mut |l| {
                    let holds = l.apply(&f, vec![value.clone().borrowed(false)]);
                    let holds = l.show(&holds.dereferenced_fully(), span);
                    let h = arithmetic::factor(&holds);
                    let mut next = over(quote!(#p || !#h), &[&holds]);
                    next.reads.insert(past);
                    l.assign(Place::var(past), Assign::Set, Operand::Passive(next), span);
                });
                let cond = if skip { quote!(#p) } else { quote!(!#p) };
                let mut cond = PassiveCode::literal(cond);
                cond.reads.insert(past);
                l.guarded(Some(cond), &mut |l| each(l, value.clone(), mark));
                if !skip {
                    let past = PassiveCode::var(past, l.info(past));
                    l.stop(source, past, span);
                }
            });
        });
        gated.with_extent(extent)
    }
}

pub fn over_less(k: &PassiveCode, n: &PassiveCode) -> PassiveCode {
    let (a, b) = (&k.tokens, &n.tokens);
    over(quote!(#a < #b), &[k, n])
}

/// One chain after the other; the second is not begun if the first was left.
fn joined(a: Chain, b: Chain) -> Chain {
    let extent = a.extent().and(b.extent());
    let back = match (backwards(&a), backwards(&b)) {
        (Some(a), Some(b)) if !extent.endless => Some(one_after_the_other(b, a)),
        _ => None,
    };
    let [first, second] = [a, b].map(|chain| -> Drive { Rc::new(move |l, frame, each| l.drive(&chain, frame, each)) });
    Chain::Stream(Stream { drive: one_after_the_other(first, second), back, extent })
}

/// Runs through a chain from the end to the start.
pub fn backwards(chain: &Chain) -> Option<Drive> {
    match chain.clone() {
        Chain::Indexed(ix) if ix.hi.is_none() => None,
        Chain::Indexed(ix) => Some(Rc::new(move |l, frame, each| {
            if let Some(back) = l.rev(Chain::Indexed(ix.clone()), ix.lo.span) {
                l.drive(&back, frame, each);
            }
        })),
        Chain::Stream(s) => s.back,
    }
}

fn one_after_the_other(a: Drive, b: Drive) -> Drive {
    Rc::new(move |l, frame, each| {
        a(l, frame, each);
        let left = frame.map(|f| l.jumps.frame(f)).filter(|f| f.left).map(|f| f.leave);
        let cond = left.map(|v| {
            let name = &l.info(v).name;
            let mut o = PassiveCode::literal(quote!(!#name));
            o.reads.insert(v);
            o
        });
        l.guarded(cond, &mut |l| b(l, frame, each));
    })
}

/// Adaptors that apply a function to each element.
fn applied_to_each(chain: Chain, f: closures::Function, name: &str, span: Span) -> Chain {
    match name {
        "map" => chain.mapped(move |l, v| l.apply(&f, vec![v])),
        "inspect" => chain.mapped(move |l, v| {
            l.apply(&f, vec![v.clone().borrowed(false)]);
            v
        }),
        "filter" => filtered(chain, f, span),
        "filter_map" => filter_mapped(chain, f, span),
        _ => flat_mapped(chain, f, span),
    }
}
