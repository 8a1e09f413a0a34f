//! Loops over the elements of arrays, alone and together.

use crate::frontend::arrays::library::{library, operation};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Refs, Value};
use crate::ir::affine::gathered;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;

impl Lower {
    /// A name for a value, in code that is written here.
    pub fn name_for(&mut self, value: Value) -> Ident {
        let name = format_ident!("__array{}", self.vars.len());
        self.scope.bind(&name, value);
        name
    }

    pub fn element_loop(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let scope = self.scope.clone();
        let array = self.name_for(receiver.clone());
        let value = match (m.method.to_string().as_str(), &m.args.iter().collect::<Vec<_>>()[..]) {
            ("map", [f]) => self.map_elements(receiver, f, true, span),
            ("mapv" | "mapv_into", [f]) => self.map_elements(receiver, f, false, span),
            ("fold", [start, f]) => self.expr(&syn::parse_quote_spanned!(span=> #array.iter().fold(#start, #f))),
            ("mapv_inplace", [f]) => self.expr(
                &syn::parse_quote_spanned!(span=> #array.iter_mut().for_each(|element| *element = (#f)(*element))),
            ),
            ("map_inplace", [f]) => self.expr(&syn::parse_quote_spanned!(span=> #array.iter_mut().for_each(#f))),
            ("zip_mut_with", [other, syn::Expr::Closure(f)]) if f.inputs.len() == 2 => {
                let (a, b, body) = (&f.inputs[0], &f.inputs[1], &f.body);
                self.expr(&syn::parse_quote_spanned!(span=> #array.iter_mut().zip((#other).iter()).for_each(|(#a, #b)| #body)))
            }
            ("map_axis", [axis, f]) => self.mapped_lanes(receiver, axis, f, span),
            _ => {
                self.errors.unknown_method(m.method.span(), &m.method.to_string());
                Value::Poison
            }
        };
        self.scope = scope;
        value
    }

    /// The same shape, with a function of each element.
    pub fn map_elements(&mut self, receiver: Value, f: &syn::Expr, by_reference: bool, span: Span) -> Value {
        let refs = if by_reference { Refs::SHARED } else { Refs::default() };
        let bare = receiver.clone().dereferenced_fully();
        let flat = self.as_sequence(bare.clone(), span);
        let f = self.callee(f);
        let chain = self.elements_of(flat, refs, span).mapped(move |l, v| l.apply(&f, vec![v]));
        let shape = self.shape_of(&bare, None, span);
        self.gathered_array(chain, shape, span)
    }

    /// A function of each element, which the array has as a method: rustc has to know that it is done by elements.
    pub fn map_by_method(&mut self, receiver: Value, f: &syn::Expr, span: Span) -> Value {
        let bare = receiver.dereferenced_fully();
        let flat = self.as_sequence(bare.clone(), span);
        let f = self.callee(f);
        let chain = self.elements_of(flat, Refs::default(), span).mapped(move |l, v| l.apply(&f, vec![v]));
        let shape = self.shape_by("shape_by_elements", &bare, None, span);
        self.gathered_array(chain, shape, span)
    }

    /// Without an axis, a function of each one-dimensional part along it.
    pub fn mapped_lanes(&mut self, receiver: Value, axis: &syn::Expr, f: &syn::Expr, span: Span) -> Value {
        let bare = receiver.dereferenced_fully();
        let array = self.name_for(bare.clone());
        let Some(chain) = self.chain(&syn::parse_quote_spanned!(span=> #array.lanes(#axis))) else {
            return Value::Poison;
        };
        let f = self.callee(f);
        let chain = chain.mapped(move |l, v| l.apply(&f, vec![v]));
        let axis = self.parameter(axis);
        let shape = self.shape_of(&bare, Some(&axis), span);
        self.gathered_array(chain, shape, span)
    }

    pub fn gathered_array(&mut self, chain: Chain, shape: PassiveCode, span: Span) -> Value {
        let elements = self.collect(chain, Some(Ty::Vec(Box::new(Ty::Float))), span);
        self.shaped(elements, shape, span)
    }

    /// An array of this shape, of a vector's elements.
    pub fn shaped(&mut self, elements: Value, shape: PassiveCode, span: Span) -> Value {
        let (op, tokens) = (operation("Shaped", span), &shape.tokens);
        let op = PassiveCode { tokens: quote!(#op(#tokens)), ..shape.clone() };
        self.rule(op, &[elements], Ty::Library, "array", span)
    }

    pub fn shape_of(&mut self, array: &Value, without: Option<&PassiveCode>, span: Span) -> PassiveCode {
        self.shape_by("shape", array, without, span)
    }

    /// The same by a function of the runtime, which asks something of the array.
    fn shape_by(&mut self, by: &str, array: &Value, without: Option<&PassiveCode>, span: Span) -> PassiveCode {
        let shown = match array {
            Value::Active(a) => self.show_place(&a.place, Refs::SHARED),
            Value::Passive(p) => self.passive_operand(p),
            _ => PassiveCode::literal(quote!(())),
        };
        let a = &shown.tokens;
        let mut shape = match without {
            None => {
                let of = library(by, span);
                PassiveCode { tokens: quote!(#of(#a)), ..shown.clone() }
            }
            Some(axis) => {
                let (of, axis_tokens) = (library("shape_without", span), &axis.tokens);
                gathered(quote!(#of(#a, #axis_tokens)), [&shown, axis].into_iter(), span)
            }
        };
        if let Value::Active(a) = array {
            shape.reads.remove(&a.place.root);
            shape.shapes.insert(a.place.root);
        }
        shape
    }

    /// `Zip::from(a).and(b).for_each(f)`.
    pub fn zipped(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        const METHODS: &[&str] = &["for_each", "par_for_each", "map_collect", "fold", "all", "any", "map_assign_into"];
        if !METHODS.iter().any(|n| m.method == n) {
            return None;
        }
        let producers = zip_of(&m.receiver)?;
        match m.method.to_string().as_str() {
            "fold" => return self.zip_fold(&producers, m),
            "all" | "any" => return self.zip_asked(&producers, m),
            "map_assign_into" => return self.zip_assigned(producers, m),
            _ => {}
        }
        let Some(syn::Expr::Closure(f)) = m.args.first() else { return None };
        let patterns = patterns_for(&producers, f.inputs.iter().cloned().collect());
        Some(self.zip_loop(&producers, &patterns, &f.body, m.method == "map_collect", m.span()))
    }

    /// `Zip::from(a).and(b).all(|a, b| ..)`.
    fn zip_asked(&mut self, producers: &[syn::Expr], m: &syn::ExprMethodCall) -> Option<Value> {
        let Some(syn::Expr::Closure(f)) = m.args.first() else { return None };
        let patterns = patterns_for(producers, f.inputs.iter().cloned().collect());
        let (chain, pattern) = self.side_by_side(producers, &patterns, m.span())?;
        let (method, body) = (&m.method, &f.body);
        Some(self.expr(&syn::parse_quote_spanned!(m.span()=> #chain.#method(|#pattern| #body))))
    }

    /// `Zip::from(a).and(b).map_assign_into(into, |a, b| ..)`.
    fn zip_assigned(&mut self, mut producers: Vec<syn::Expr>, m: &syn::ExprMethodCall) -> Option<Value> {
        let [into, syn::Expr::Closure(f)] = &m.args.iter().collect::<Vec<_>>()[..] else { return None };
        let mut patterns = patterns_for(&producers, f.inputs.iter().cloned().collect());
        let (to, body) = (format_ident!("__to{}", self.vars.len()), &f.body);
        producers.push((*into).clone());
        patterns.push(syn::parse_quote!(#to));
        let body = syn::parse_quote_spanned!(m.span()=> *#to = #body);
        Some(self.zip_loop(&producers, &patterns, &body, false, m.span()))
    }

    /// `Zip::from(a).and(b).fold(start, |sum, a, b| ..)`.
    fn zip_fold(&mut self, producers: &[syn::Expr], m: &syn::ExprMethodCall) -> Option<Value> {
        let [start, syn::Expr::Closure(f)] = &m.args.iter().collect::<Vec<_>>()[..] else { return None };
        let patterns: Vec<syn::Pat> = f.inputs.iter().cloned().collect();
        let (sum, patterns) = patterns.split_first()?;
        let patterns = patterns_for(producers, patterns.to_vec());
        let (chain, pattern) = self.side_by_side(producers, &patterns, m.span())?;
        let body = &f.body;
        Some(self.expr(&syn::parse_quote_spanned!(m.span()=> #chain.fold(#start, |#sum, #pattern| #body))))
    }

    /// The operands of a `Zip` as one iterator, and what stands for its items.
    fn side_by_side(
        &self,
        producers: &[syn::Expr],
        patterns: &[syn::Pat],
        span: Span,
    ) -> Option<(syn::Expr, proc_macro2::TokenStream)> {
        let mut all = producers.iter().map(|p| self.produced(p));
        let mut chain = all.next()?;
        let mut pattern = patterns.first().map_or_else(|| quote!(_), ToTokens::to_token_stream);
        for (next, p) in all.zip(patterns.iter().skip(1)) {
            chain = syn::parse_quote_spanned!(span=> #chain.zip(#next));
            pattern = quote!((#pattern, #p));
        }
        Some((chain, pattern))
    }

    pub fn zip_loop(
        &mut self,
        producers: &[syn::Expr],
        patterns: &[syn::Pat],
        body: &syn::Expr,
        collects: bool,
        span: Span,
    ) -> Value {
        let Some((chain, pattern)) = self.side_by_side(producers, patterns, span) else { return Value::Poison };
        match (collects, producers.first().map(whole)) {
            (true, Some(first)) => {
                let along = producers.first().and_then(lanes_of);
                let first = self.expr(&first).dereferenced_fully();
                let f: syn::Expr = syn::parse_quote_spanned!(span=> |#pattern| #body);
                let Some(chain) = self.chain(&syn::parse_quote_spanned!(span=> #chain.map(#f))) else {
                    return Value::Poison;
                };
                let along =
                    along.map(|axis| PassiveCode { span, ..PassiveCode::literal(quote!(__d::library::Axis(#axis))) });
                let shape = self.shape_of(&first, along.as_ref(), span);
                self.gathered_array(chain, shape, span)
            }
            _ => self.expr(&syn::parse_quote_spanned!(span=> #chain.for_each(|#pattern| #body))),
        }
    }

    /// What one operand of a `Zip` iterates over.
    pub fn produced(&self, producer: &syn::Expr) -> syn::Expr {
        let span = producer.span();
        match strip_parens(producer) {
            syn::Expr::MethodCall(m) if self.is_library_chain(m) => producer.clone(),
            syn::Expr::Reference(r) if r.mutability.is_some() => {
                let inner = &r.expr;
                syn::parse_quote_spanned!(span=> (#inner).iter_mut())
            }
            syn::Expr::MethodCall(m) if m.method.to_string().ends_with("_mut") => {
                syn::parse_quote_spanned!(span=> (#producer).iter_mut())
            }
            syn::Expr::Reference(r) => {
                let inner = &r.expr;
                syn::parse_quote_spanned!(span=> (#inner).iter())
            }
            _ => syn::parse_quote_spanned!(span=> (#producer).iter()),
        }
    }

    /// `azip!((a in &mut x, &b in &y) ..)`.
    pub fn azip(&mut self, mac: &syn::Macro) -> Option<Value> {
        let azip = mac.parse_body::<Azip>().ok()?;
        let (patterns, producers): (Vec<_>, Vec<_>) = azip.operands.into_iter().unzip();
        Some(self.zip_loop(&producers, &patterns, &azip.body, false, mac.path.span()))
    }
}

/// The operands of `Zip::from(a).and(b)`.
fn zip_of(expr: &syn::Expr) -> Option<Vec<syn::Expr>> {
    match strip_parens(expr) {
        syn::Expr::Call(c) => {
            let syn::Expr::Path(p) = &*c.func else { return None };
            let names: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
            let zip = names.len() > 1 && names[names.len() - 2] == "Zip";
            match names.last().filter(|_| zip)?.as_str() {
                "from" => Some(c.args.iter().cloned().collect()),
                "indexed" => Some(c.args.iter().map(indexed).collect()),
                _ => None,
            }
        }
        syn::Expr::MethodCall(m) if m.method == "and" => {
            let mut all = zip_of(&m.receiver)?;
            all.extend(m.args.iter().cloned());
            Some(all)
        }
        syn::Expr::MethodCall(m) if m.method == "and_broadcast" => {
            let mut all = zip_of(&m.receiver)?;
            let first = match whole(all.first()?) {
                syn::Expr::Reference(r) => *r.expr,
                first => first,
            };
            let part = m.args.first()?;
            all.push(syn::parse_quote_spanned!(m.span()=> (#part).broadcast(#first.raw_dim()).unwrap()));
            Some(all)
        }
        _ => None,
    }
}

/// Whether an expression is a `Zip`.
pub fn is_zip(expr: &syn::Expr) -> bool {
    zip_of(expr).is_some()
}

/// Of the rows or the columns of a matrix, the axis along which they lie.
fn lanes_of(producer: &syn::Expr) -> Option<usize> {
    let syn::Expr::MethodCall(m) = strip_parens(producer) else { return None };
    match m.method.to_string().as_str() {
        "rows" | "rows_mut" => Some(1),
        "columns" | "columns_mut" => Some(0),
        _ => None,
    }
}

/// The array of an operand.
fn whole(producer: &syn::Expr) -> syn::Expr {
    match producer {
        syn::Expr::MethodCall(m) if m.method.to_string().starts_with("indexed_iter") => (*m.receiver).clone(),
        syn::Expr::MethodCall(m) if lanes_of(producer).is_some() => (*m.receiver).clone(),
        producer => producer.clone(),
    }
}

/// The elements of an operand with their indices.
fn indexed(producer: &syn::Expr) -> syn::Expr {
    let (method, inner) = match strip_parens(producer) {
        syn::Expr::Reference(r) if r.mutability.is_some() => ("indexed_iter_mut", &*r.expr),
        syn::Expr::MethodCall(m) if m.method.to_string().ends_with("_mut") => ("indexed_iter_mut", producer),
        syn::Expr::Reference(r) => ("indexed_iter", &*r.expr),
        _ => ("indexed_iter", producer),
    };
    let method = Ident::new(method, producer.span());
    syn::parse_quote_spanned!(producer.span()=> (#inner).#method())
}

/// The patterns of a closure for so many operands: of elements with indices, the first two stand for one.
fn patterns_for(producers: &[syn::Expr], patterns: Vec<syn::Pat>) -> Vec<syn::Pat> {
    match &patterns[..] {
        [at, element, rest @ ..] if patterns.len() == producers.len() + 1 => {
            std::iter::once(syn::parse_quote!((#at, #element))).chain(rest.iter().cloned()).collect()
        }
        _ => patterns,
    }
}

/// `azip!`'s arguments.
struct Azip {
    operands: Vec<(syn::Pat, syn::Expr)>,
    body: syn::Expr,
}

impl syn::parse::Parse for Azip {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let content;
        syn::parenthesized!(content in input);
        let mut operands: Vec<(syn::Pat, syn::Expr)> = Vec::new();
        let mut index = None;
        if content.peek(syn::Ident) && content.fork().parse::<Ident>()? == "index" && !content.peek2(syn::Token![in]) {
            content.parse::<Ident>()?;
            index = Some(syn::Pat::parse_single(&content)?);
            content.parse::<syn::Token![,]>()?;
        }
        while !content.is_empty() {
            let pattern = syn::Pat::parse_single(&content)?;
            content.parse::<syn::Token![in]>()?;
            operands.push((pattern, content.parse()?));
            if !content.is_empty() {
                content.parse::<syn::Token![,]>()?;
            }
        }
        if let (Some(at), Some((pattern, producer))) = (index, operands.first_mut()) {
            *pattern = syn::parse_quote!((#at, #pattern));
            *producer = indexed(producer);
        }
        Ok(Azip { operands, body: input.parse()? })
    }
}
