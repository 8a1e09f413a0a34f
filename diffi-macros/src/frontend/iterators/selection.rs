//! Largest and smallest elements: a passive index is found first, by the user's own comparison,
//! and then one element is read.

use crate::frontend::lower::closures::Function;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Indexed, Maybe, Value, over};
use crate::frontend::syntax::effects;
use crate::ir::affine;
use crate::ir::*;
use crate::support::syntax::{has_return, strip_parens};
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// `f64::max` or `f64::min`, by its path or by `|a, b| a.max(b)`; whether it is the larger one.
    pub fn extreme_name(&self, f: &syn::Expr) -> Option<bool> {
        match strip_parens(f) {
            syn::Expr::Path(p) => is_larger(&p.path.segments.last()?.ident),
            syn::Expr::Closure(c) => {
                let names: Vec<String> = c.inputs.iter().filter_map(plain_name).collect();
                let syn::Expr::MethodCall(m) = strip_parens(&c.body) else { return None };
                let (a, b) = (name_of(&m.receiver)?, name_of(m.args.first()?)?);
                let both = names.len() == 2 && [&a, &b].iter().all(|n| names.contains(n)) && a != b;
                is_larger(&m.method).filter(|_| both)
            }
            _ => None,
        }
    }

    /// `chain.fold(start, f64::max)` with a passive start.
    pub fn fold_extreme(&mut self, ix: Indexed, greater: bool, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let (chain, start, f) =
            (self.passive_code(&m.receiver), self.passive_code(&m.args[0]), self.passive_code(&m.args[1]));
        let (c, s, f_tokens) = (&chain.tokens, &start.tokens, &f.tokens);
        let better = if greater { quote!(best > start) } else { quote!(best < start) };
        let one_by_one = quote!({
            let best = (#c).fold(start, #f_tokens);
            if #better || start != start {
                (#c).position(|value| value.to_owned() == best).unwrap_or(usize::MAX)
            } else {
                usize::MAX
            }
        });
        let search = match self.elements_in_order(&m.receiver) {
            Some(elements) => in_blocks(&elements.tokens, greater, &one_by_one),
            None => one_by_one,
        };
        let tokens = quote!({ let start = #s; #search });
        let at = self.hold("at", PassiveCode { span, ..over(tokens, &[&chain, &start, &f]) });
        let ix = self.normalized(ix);
        let a = &at.tokens;
        let cond = self.atom("c", over(quote!(#a != usize::MAX), &[&at]));
        let before = self.jumps.pending_before();
        let (then, x) = self.inside(|l| (ix.get)(l, at.clone()).dereferenced_fully());
        let (els, y) = self.inside(|_| Value::passive(start));
        self.join_if(cond, before, (then, x), (els, y))
    }

    /// `x.iter()` of `x.iter().copied()`, which may be an iterator over a slice.
    fn elements_in_order(&self, chain: &syn::Expr) -> Option<PassiveCode> {
        let syn::Expr::MethodCall(copied) = strip_parens(chain) else { return None };
        let syn::Expr::MethodCall(elements) = strip_parens(&copied.receiver) else { return None };
        let fits = (copied.method == "copied" || copied.method == "cloned") && elements.method == "iter";
        fits.then(|| self.passive_code(&copied.receiver))
    }

    /// `max_by`, `min_by`, `max_by_key`, `min_by_key`.
    pub fn extreme_by(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let ix = match chain {
            Chain::Indexed(ix) if self.is_written_out(&m.receiver) && !self.has_effects(&ix) => ix,
            chain => return self.best_of(&chain, m),
        };
        let source = self.passive_code(&m.receiver);
        let compare = self.function_tokens(&m.args[0]);
        let (c, s, method) = (&compare.tokens, &source.tokens, &m.method);
        let by = match m.method.to_string().ends_with("key") {
            true => {
                let key = applied(c, &[quote!(&element.1)]);
                quote!(|element| #key)
            }
            false => {
                let ordering = applied(c, &[quote!(&left.1), quote!(&right.1)]);
                quote!(|left, right| #ordering)
            }
        };
        let tokens = quote!((#s).enumerate().#method(#by).map_or(usize::MAX, |found| found.0));
        let at = self.hold("at", PassiveCode { span, ..over(tokens, &[&source, &compare]) });
        let ix = self.normalized(ix);
        self.found_at(ix, at)
    }

    /// `find(predicate)`: the first element for which the predicate holds.
    pub fn find(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Value {
        let pure = effects::of_expr(&self.scope, &m.args[0]).is_pure();
        match chain {
            Chain::Indexed(ix) if pure && self.is_written_out(&m.receiver) && !self.has_effects(&ix) => {
                let (source, predicate) = (self.passive_code(&m.receiver), self.passive_code(&m.args[0]));
                let (s, holds) = (&source.tokens, applied(&predicate.tokens, &[quote!(&element)]));
                let tokens = quote!((#s).position(|element| #holds).unwrap_or(usize::MAX));
                let at = self.hold("at", PassiveCode { span: m.span(), ..over(tokens, &[&source, &predicate]) });
                let ix = self.normalized(ix);
                self.found_at(ix, at)
            }
            chain => self.searched(&chain, m),
        }
    }

    fn found_at(&mut self, ix: Indexed, at: PassiveCode) -> Value {
        let a = &at.tokens;
        let present = over(quote!(#a != usize::MAX), &[&at]);
        let get = ix.get;
        Value::Maybe(Maybe::new(present, move |l| get(l, at.clone())))
    }

    /// `reduce(f)`: a selection for `f64::max`, a loop otherwise.
    pub fn reduce(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let Chain::Indexed(ix) = chain else {
            let f = self.callee(&m.args[0]);
            return self.reduce_stream(&chain, &f, span);
        };
        if let (Some(greater), true) = (self.extreme_name(&m.args[0]), self.is_written_out(&m.receiver)) {
            let chain = self.passive_code(&m.receiver);
            let at =
                self.hold("at", PassiveCode { span, ..over(position_of_extreme(&chain.tokens, greater), &[&chain]) });
            let ix = self.normalized(ix);
            return self.found_at(ix, at);
        }
        let f = self.callee(&m.args[0]);
        self.reduce_by(ix, f, span)
    }

    /// Floats that are run through once: the first one starts.
    fn reduce_stream(&mut self, chain: &Chain, f: &Function, span: proc_macro2::Span) -> Value {
        let acc = self.option_content(&proc_macro2::Ident::new("acc", span), &Ty::Float, None);
        let count = self.counter(span);
        self.drive(chain, None, &mut |l, item, _| {
            let k = l.next_count(count, span);
            let at = &k.tokens;
            let cond = l.atom("first", over(quote!(#at == 0), &[&k]));
            let (then, ()) = l.inside(|l| l.store(acc.clone(), item.clone().dereferenced_fully(), span));
            let (els, ()) = l.inside(|l| {
                let next = l.apply(f, vec![acc.clone(), item.clone()]);
                l.store(acc.clone(), next, span);
            });
            l.emit(Stmt::If { cond, then, els });
        });
        let n = self.hold("n", PassiveCode::var(count, self.info(count)));
        let t = &n.tokens;
        Value::Maybe(Maybe::new(over(quote!(#t > 0), &[&n]), move |_| acc.clone()))
    }

    fn reduce_by(&mut self, ix: Indexed, f: Function, span: proc_macro2::Span) -> Value {
        let ix = self.normalized(ix);
        let Some(hi) = ix.hi.clone() else { return Value::Poison };
        let n = self.atom("n", hi);
        let t = &n.tokens;
        let present = over(quote!(#t > 0), &[&n]);
        let content = move |l: &mut Lower| {
            let first = (ix.get)(l, affine::literal(0)).dereferenced_fully();
            let ty = l.value_ty(&first);
            let start = l.whole(&first, span);
            let var = l.bind("acc", span, ty, Expr::Operand(start));
            l.fact_mut(var).changes = true;
            let rest = Chain::Indexed(Indexed { lo: affine::literal(1), ..ix.clone() });
            let acc = l.value_of(var);
            l.drive(&rest, None, &mut |l, item, _| {
                let next = l.apply(&f, vec![acc.clone(), item]);
                l.store(acc.clone(), next, span);
            });
            acc
        };
        Value::Maybe(Maybe::new(present, content))
    }
}

/// The search in a slice, where rustc finds that the elements are one; else one by one.
fn in_blocks(elements: &TokenStream, greater: bool, one_by_one: &TokenStream) -> TokenStream {
    let search = if greater { quote!(largest) } else { quote!(smallest) };
    quote!({
        use __d::{OverOther as _, OverSlice as _};
        match (&__d::Run(#elements)).slice() {
            ::core::option::Option::Some(all) => __d::#search(all, start),
            ::core::option::Option::None => #one_by_one,
        }
    })
}

/// A function applied to expressions; a closure's parameters are bound to them, so that their types are known in its body.
pub fn applied(function: &TokenStream, args: &[TokenStream]) -> TokenStream {
    match syn::parse2::<syn::ExprClosure>(function.clone()) {
        Ok(closure) if closure.inputs.len() == args.len() => {
            let (inputs, body) = (closure.inputs.iter(), &closure.body);
            match has_return(body) {
                true => quote!((|| { let (#(#inputs,)*) = (#(#args,)*); #body })()),
                false => quote!({ let (#(#inputs,)*) = (#(#args,)*); #body }),
            }
        }
        _ => quote!((#function)(#(#args),*)),
    }
}

fn plain_name(pattern: &syn::Pat) -> Option<String> {
    match pattern {
        syn::Pat::Ident(i) => Some(i.ident.to_string()),
        syn::Pat::Reference(r) => plain_name(&r.pat),
        syn::Pat::Type(t) => plain_name(&t.pat),
        _ => None,
    }
}

fn name_of(expr: &syn::Expr) -> Option<String> {
    match strip_parens(expr) {
        syn::Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => name_of(&u.expr),
        _ => None,
    }
}

/// The position of the largest, or least, element; `usize::MAX` where there is none.
fn position_of_extreme(elements: &TokenStream, greater: bool) -> TokenStream {
    let better = if greater { quote!(value > best) } else { quote!(value < best) };
    quote!({
        let (mut best, mut at) = (::core::option::Option::None, usize::MAX);
        for (k, value) in (#elements).enumerate() {
            let value = value.to_owned();
            if best.is_none_or(|best| #better || best != best) {
                best = ::core::option::Option::Some(value);
                at = k;
            }
        }
        at
    })
}

/// Whether a name is that of the larger of two numbers, or of the smaller one.
fn is_larger(name: &proc_macro2::Ident) -> Option<bool> {
    match name.to_string().as_str() {
        "max" => Some(true),
        "min" => Some(false),
        _ => None,
    }
}
