//! Arrays that a function makes.

use crate::frontend::arrays::library::known::constructor;
use crate::frontend::arrays::library::{library, operation};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::affine::gathered;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

impl Lower {
    /// `array![..]` of active values.
    pub fn array_macro(&mut self, mac: &syn::Macro) -> Value {
        self.only_known_macro(&mac.path);
        let span = mac.path.span();
        match mac.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated) {
            Ok(rows) => self.array_of(rows, span),
            Err(_) => self.refuse(span, "this `array!`", "write its elements"),
        }
    }

    /// `arr1(&[..])`, `arr2(&[[..], ..])`; `arr1(x)` and `aview1(x)` of a slice.
    pub fn array_call(&mut self, p: &syn::ExprPath, c: &syn::ExprCall) -> Option<Value> {
        let name = p.path.segments.last()?.ident.to_string();
        if self.library && ["arr0", "aview0"].contains(&name.as_str()) && c.args.len() == 1 {
            self.only_of_ndarray(p, &name);
            return Some(self.array_of_one(&c.args[0], c.span()));
        }
        if self.library && ["general_mat_mul", "general_mat_vec_mul"].contains(&name.as_str()) {
            return Some(self.expr(&updated_product(c)?));
        }
        if self.library && name == "kron" && c.args.len() == 2 {
            return Some(self.expr(&kronecker(c)?));
        }
        let known = ["arr1", "arr2", "aview1"].contains(&name.as_str()) && c.args.len() == 1;
        let argument = strip_parens(c.args.first().filter(|_| self.library && known)?);
        self.only_of_ndarray(p, &name);
        if let syn::Expr::Reference(r) = argument
            && let syn::Expr::Array(a) = strip_parens(&r.expr)
        {
            return Some(self.array_of(a.elems.clone(), c.span()));
        }
        (name != "arr2").then(|| self.array_from(argument, c.span()))
    }

    /// An array without axes.
    fn array_of_one(&mut self, number: &syn::Expr, span: Span) -> Value {
        let number = self.active_value(number).dereferenced_fully();
        let (op, dims) = (operation("Filled", span), library("dims", span));
        let op = PassiveCode { span, ..PassiveCode::literal(quote!(#op(#dims([])))) };
        self.rule(op, &[number], Ty::Library, "array", span)
    }

    /// An array of one axis, of a list's elements.
    fn array_from(&mut self, list: &syn::Expr, span: Span) -> Value {
        let list = self.active_value(list).dereferenced_fully();
        let list = self.owned(list, span);
        self.vector(list, span)
    }

    fn array_of(&mut self, rows: Punctuated<syn::Expr, syn::Token![,]>, span: Span) -> Value {
        let mut shape = vec![rows.len()];
        let mut elements: Vec<syn::Expr> = rows.into_iter().collect();
        while let Some(syn::Expr::Array(first)) = elements.first() {
            shape.push(first.elems.len());
            let rows = elements.into_iter().map(|row| match row {
                syn::Expr::Array(a) => a.elems.into_iter().collect(),
                element => vec![element],
            });
            elements = rows.collect::<Vec<Vec<syn::Expr>>>().concat();
        }
        let (args, _) = self.elements(elements.iter().collect());
        let ty = Ty::Vec(Box::new(Ty::Float));
        let vec = Value::place(Place::var(self.bind("elements", span, ty, Expr::VecOf(args))));
        let dims = library("dims", span);
        self.shaped(vec, PassiveCode { span, ..PassiveCode::literal(quote!(#dims([#(#shape),*]))) }, span)
    }

    /// `stack![axis, a, b]`, `concatenate![axis, a, b]`.
    pub fn join_macro(&mut self, mac: &syn::Macro, stacked: bool) -> Value {
        self.only_known_macro(&mac.path);
        let list = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let args: Vec<syn::Expr> = mac.parse_body_with(list).map(|args| args.into_iter().collect()).unwrap_or_default();
        match args.split_first() {
            Some((axis, arrays)) => self.join(axis, arrays, stacked, mac.path.span()),
            None => Value::Poison,
        }
    }

    /// `stack(axis, &[a, b])`, `concatenate(axis, &[a, b])`.
    pub fn join_call(&mut self, p: &syn::ExprPath, c: &syn::ExprCall) -> Option<Value> {
        let name = p.path.segments.last()?.ident.to_string();
        if !self.library || !["stack", "concatenate"].contains(&name.as_str()) || c.args.len() != 2 {
            return None;
        }
        let syn::Expr::Reference(r) = strip_parens(&c.args[1]) else { return None };
        let syn::Expr::Array(a) = strip_parens(&r.expr) else { return None };
        let arrays: Vec<syn::Expr> = a.elems.iter().cloned().collect();
        Some(self.join(&c.args[0], &arrays, name == "stack", c.span()))
    }

    pub fn join(&mut self, axis: &syn::Expr, arrays: &[syn::Expr], stacked: bool, span: Span) -> Value {
        let axis = self.parameter(axis);
        let along = |op: &str| {
            let (op, axis_tokens) = (operation(op, span), &axis.tokens);
            PassiveCode { tokens: quote!(#op(#axis_tokens)), ..axis.clone() }
        };
        let (insert, concatenate) = (along("InsertAxis"), along("Concatenate"));
        let mut all: Option<Value> = None;
        for array in arrays {
            let mut value = self.expr(array).dereferenced_fully();
            if stacked {
                value = self.rule(insert.clone(), &[value], Ty::Library, "part", span);
            }
            all = Some(match all {
                None => value,
                Some(before) => self.rule(concatenate.clone(), &[before, value], Ty::Library, "joined", span),
            });
        }
        all.unwrap_or(Value::Poison)
    }

    /// A constructor of an array, with active arguments.
    pub fn library_call(&mut self, p: &syn::ExprPath, c: &syn::ExprCall) -> Option<Value> {
        let (owner, name) = constructor(c)?;
        let span = c.span();
        let args: Vec<&syn::Expr> = c.args.iter().collect();
        if !owner.starts_with("Array") {
            return self.new_matrix(p, &owner, &name, &args, span);
        }
        if owner.starts_with("ArrayViewMut") {
            let instead =
                "make an array of the numbers, and copy them back (`slice.copy_from_slice(array.as_slice().unwrap())`)";
            return Some(self.refuse(span, "a view by which a slice is changed", instead));
        }
        if let Some(points) = self.expr_of_spaced(&name, &args, span) {
            return Some(self.expr(&points));
        }
        Some(match (name.as_str(), &args[..]) {
            ("from_vec" | "from", [v]) => {
                let array = self.array_from(v, span);
                if let Value::Active(a) = &array {
                    self.fact_mut(a.place.root).view = owner.starts_with("ArrayView");
                }
                array
            }
            ("from_diag", [v]) => {
                let v = self.active_value(v).dereferenced_fully();
                let op = PassiveCode { span, ..PassiveCode::literal(operation("FromDiagonal", span)) };
                self.rule(op, &[v], Ty::Library, "matrix", span)
            }
            ("from_iter", [chain]) => {
                let chain = self.chain(chain)?;
                let v = self.collect(chain, Some(Ty::Vec(Box::new(Ty::Float))), span);
                self.vector(v, span)
            }
            ("from_shape", [shape, v]) if owner.starts_with("ArrayView") => {
                let shape = self.parameter(shape);
                let v = self.active_value(v).dereferenced_fully();
                let v = self.owned(v, span);
                let array = self.shaped(v, shape, span);
                if let Value::Active(a) = &array {
                    self.fact_mut(a.place.root).view = true;
                }
                array
            }
            ("from_diag_elem", [n, v]) => {
                let diagonal = syn::parse_quote_spanned!(span=> ::ndarray::Array2::from_diag(&::ndarray::Array1::from_elem(#n, #v)));
                self.expr(&diagonal)
            }
            ("from_shape_simple_fn", [shape, syn::Expr::Closure(f)]) if f.inputs.is_empty() => {
                let body = &f.body;
                return self.filled_by(shape, &syn::parse_quote_spanned!(span=> |_| #body), span);
            }
            ("from_shape_vec", [shape, v]) => {
                let shape = self.parameter(shape);
                let v = self.active_value(v).dereferenced_fully();
                self.shaped(v, shape, span)
            }
            ("from_elem", [shape, v]) => {
                let (shape, v) = (self.parameter(shape), self.expr(v));
                let (op, tokens) = (operation("Filled", span), &shape.tokens);
                let op = PassiveCode { tokens: quote!(#op(#tokens)), ..shape.clone() };
                if let Value::Active(a) = &v {
                    self.refine(&a.place, Ty::Float);
                }
                self.rule(op, &[v.dereferenced_fully()], Ty::Library, "array", span)
            }
            ("from_shape_fn", [shape, f]) => return self.filled_by(shape, f, span),
            _ => {
                self.errors.unknown_method(p.span(), &name);
                Value::Poison
            }
        })
    }

    /// `linspace(start, end, n)`, `logspace(base, start, end, n)` and `geomspace(start, end, n)`, as `ndarray` has them.
    fn expr_of_spaced(&self, name: &str, args: &[&syn::Expr], span: Span) -> Option<syn::Expr> {
        let (Base::Concrete(float) | Base::Generic(float)) = &self.base;
        let steps = quote!(if __n > 1 { (__end - __start) / ((__n - 1) as #float) } else { 0.0 });
        Some(match (name, args) {
            ("linspace", [start, end, n]) => syn::parse_quote_spanned! {span=> {
                let (__start, __end, __n) = (#start, #end, #n);
                let __step = #steps;
                ::ndarray::Array1::from_shape_fn(__n, |__i| __start + __step * (__i as #float))
            }},
            ("logspace", [base, start, end, n]) => syn::parse_quote_spanned! {span=> {
                let (__start, __end, __n) = (#start, #end, #n);
                let __base: #float = #base;
                let (__sign, __base, __step) = (__base.signum(), __base.abs(), #steps);
                ::ndarray::Array1::from_shape_fn(__n, |__i| __sign * __base.powf(__start + __step * (__i as #float)))
            }},
            ("geomspace", [start, end, n]) => syn::parse_quote_spanned! {span=> {
                let __start: #float = #start;
                let __end: #float = #end;
                let (__sign, __start, __end, __n) = (__start.signum(), __start.abs().ln(), __end.abs().ln(), #n);
                let __step = #steps;
                ::ndarray::Array1::from_shape_fn(__n, |__i| __sign * (__start + __step * (__i as #float)).exp())
            }},
            _ => return None,
        })
    }

    /// A vector's elements as an array of one axis.
    pub fn vector(&mut self, elements: Value, span: Span) -> Value {
        let len = self.length(&elements, span);
        let (dims, n) = (library("dims", span), &len.tokens);
        let shape = PassiveCode { tokens: quote!(#dims([#n])), ..len.clone() };
        self.shaped(elements, shape, span)
    }

    /// `from_shape_fn(shape, f)`, for one or two axes.
    pub fn filled_by(&mut self, shape: &syn::Expr, f: &syn::Expr, span: Span) -> Option<Value> {
        let lengths: Vec<syn::Expr> = match strip_parens(shape) {
            syn::Expr::Tuple(t) => t.elems.iter().cloned().collect(),
            syn::Expr::Array(a) => a.elems.iter().cloned().collect(),
            e => vec![e.clone()],
        };
        let elements = self.filled_elements(&lengths, f, span, false)?;
        let dims = library("dims", span);
        let lengths: Vec<PassiveCode> = lengths.iter().map(|n| self.parameter(n)).collect();
        let tokens = lengths.iter().map(|o| &o.tokens);
        let shape = gathered(quote!(#dims([#(#tokens),*])), lengths.iter(), span);
        Some(self.shaped(elements, shape, span))
    }

    /// The elements of a new array by a function of their indices, in logical order.
    pub fn filled_elements(&mut self, lengths: &[syn::Expr], f: &syn::Expr, span: Span, apart: bool) -> Option<Value> {
        let indices: Vec<Ident> =
            (0..lengths.len()).map(|k| format_ident!("__index{}_{}", k, self.vars.len())).collect();
        let at: syn::Expr = match &indices[..] {
            [i] => syn::parse_quote!(#i),
            all => syn::parse_quote!((#(#all),*)),
        };
        let size = lengths.iter().map(|n| quote!((#n))).reduce(|a, b| quote!(#a * #b))?;
        let place = lengths.iter().zip(&indices).map(|(n, i)| (quote!((#n)), quote!(#i)));
        let place = place.fold(None, |all: Option<TokenStream>, (n, i)| {
            Some(all.map_or(quote!(#i), |all| quote!((#all) * #n + #i)))
        });
        let values = format_ident!("__values{}", self.vars.len());
        let mut fill = match apart {
            true => quote!(#values[#place] = (#f)(#(#indices),*);),
            false => quote!(#values[#place] = (#f)(#at);),
        };
        for (n, i) in lengths.iter().zip(&indices).rev() {
            fill = quote!(for #i in 0..(#n) { #fill });
        }
        let block: syn::Expr = syn::parse_quote_spanned!(span=> {
            let mut #values: ::std::vec::Vec<_> = vec![0.0; #size];
            #fill
            #values
        });
        Some(self.expr(&block))
    }

    /// The type of a new array that only its constructor names: generated code may use it where nothing else tells.
    pub fn annotate(&mut self, pattern: &syn::Pat, init: &syn::Expr) {
        let (syn::Pat::Ident(name), syn::Expr::Call(c)) = (pattern, strip_parens(init)) else { return };
        let (Some(_), syn::Expr::Path(p)) = (constructor(c), &*c.func) else { return };
        let Some(Value::Active(a)) = self.scope.get(&name.ident) else { return };
        let root = a.place.root;
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        let mut owner = p.path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        let Some(last) = owner.segments.last_mut() else { return };
        if last.arguments.is_empty() && self.info(root).written.is_none() && last.ident != "Array" {
            last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(<#base>));
            self.info_mut(root).written = Some(quote!(#owner));
        }
    }
}

/// `general_mat_mul(alpha, &a, &b, beta, &mut c)`, which is `c = alpha a b + beta c`.
fn updated_product(c: &syn::ExprCall) -> Option<syn::Expr> {
    let [alpha, a, b, beta, onto] = &c.args.iter().collect::<Vec<_>>()[..] else { return None };
    let onto: syn::Expr = match strip_parens(onto) {
        syn::Expr::Reference(r) => (*r.expr).clone(),
        onto => syn::parse_quote!(*#onto),
    };
    Some(syn::parse_quote_spanned! {c.span()=> {
        let __product = (#a).dot(#b);
        #onto *= #beta;
        (#onto).scaled_add(#alpha, &__product);
    }})
}

/// `kron(&a, &b)`: every element of `a` times `b`.
fn kronecker(c: &syn::ExprCall) -> Option<syn::Expr> {
    let [a, b] = &c.args.iter().collect::<Vec<_>>()[..] else { return None };
    Some(syn::parse_quote_spanned! {c.span()=> {
        let (__a, __b) = (#a, #b);
        let (__m, __n) = (__b.nrows(), __b.ncols());
        ::ndarray::Array2::from_shape_fn((__a.nrows() * __m, __a.ncols() * __n), |(__i, __j)| {
            __a[[__i / __m, __j / __n]] * __b[[__i % __m, __j % __n]]
        })
    }})
}
