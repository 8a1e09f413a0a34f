//! Methods of arrays.

use crate::frontend::arrays::library::known::{BORROWED, LOOPS, MATRICES, asks_for_array, edit, is_fallible, view};
use crate::frontend::arrays::library::operation;
use crate::frontend::arrays::library::reshaped::is_reshaped;
use crate::frontend::arrays::library::rewritten::is_checked;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Refs, Value};
use crate::frontend::syntax::types;
use crate::ir::affine::gathered;
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// A method of an array.
    pub fn library_method(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        if let Some(value) = self.zipped(m) {
            return Some(value);
        }
        if self.library && ["unwrap", "expect"].iter().any(|n| m.method == n) && self.is_sure(&m.receiver) {
            return Some(self.expr(&m.receiver));
        }
        if let Some(value) = self.rewritten_method(m).or_else(|| self.method_of_matrix(m)) {
            return Some(value);
        }
        if !self.may_be_array(&m.receiver) && !self.is_product_of_arrays(m) {
            return None;
        }
        if !self.is_known_of_arrays(m) {
            let raw = m.method == "into_raw_vec_and_offset" && self.act(&m.receiver).any();
            return raw.then(|| {
                self.errors.raw_memory(m.method.span());
                Value::Poison
            });
        }
        if let Some(lanes) = by_lanes(m) {
            return Some(self.expr(&lanes));
        }
        let expected = self.jumps.expected.take();
        let receiver = self.expr(&m.receiver);
        let ty = self.value_ty(&receiver);
        let array =
            matches!(receiver, Value::Active(_) | Value::Passive(_)) && ty != Ty::Float && !types::is_sequence(&ty);
        Some(match array {
            true => self.method_of_array(receiver, m, expected),
            false => self.method_of(receiver, m),
        })
    }

    /// Whether what a constant of unknown type is multiplied by is an array: then it is one itself.
    fn is_product_of_arrays(&self, m: &syn::ExprMethodCall) -> bool {
        let own = || self.unannotated.as_ref().is_some_and(|known| known.gives_own(&m.receiver));
        let takes_array = || m.args.first().is_some_and(|arg| self.guess(arg) == Ty::Library);
        let is_product = self.library && m.method == "dot" && m.args.len() == 1;
        is_product && self.guess(&m.receiver) == Ty::Passive && takes_array() && !own()
    }

    /// Whether arrays have a method of this name; those that others have too need an array as their receiver.
    fn is_known_of_arrays(&mut self, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        view(m).is_some() && (!asks_for_array(m) || self.guess(&m.receiver) == Ty::Library)
            || edit(m).is_some()
            || LOOPS.contains(&name.as_str())
            || MATRICES.contains(&name.as_str())
            || name == "dot"
            || is_whole_view(m)
            || is_variance(m)
            || by_lanes(m).is_some()
            || is_of_elements(m) && (self.guess(&m.receiver) == Ty::Library || self.is_matrix_product(&m.receiver))
            || is_reshaped(m) && self.guess(&m.receiver) == Ty::Library
            || self.guess(&m.receiver) == Ty::Library && names::scalar(&name, m.args.len()).is_some()
    }

    fn method_of_array(&mut self, receiver: Value, m: &syn::ExprMethodCall, expected: Option<Ty>) -> Value {
        let (name, span) = (m.method.to_string(), m.span());
        match name.as_str() {
            "view" | "reborrow" if m.args.is_empty() => receiver.behind(Refs::SHARED),
            "view_mut" if m.args.is_empty() => receiver.behind(Refs::EXCLUSIVE),
            "dot" if m.args.len() == 1 => {
                let other = self.expr(&m.args[0]);
                let ty = expected.filter(|t| *t == Ty::Float).unwrap_or(Ty::Unknown);
                let op = PassiveCode::literal(operation("Dot", span));
                self.rule(op, &[receiver.dereferenced_fully(), other.dereferenced_fully()], ty, "product", span)
            }
            _ if MATRICES.contains(&name.as_str()) => self.matrix_method(receiver.dereferenced_fully(), m),
            _ if LOOPS.contains(&name.as_str()) => self.element_loop(receiver, m),
            _ if edit(m).is_some() => self.edit_method(receiver, m),
            _ if view(m).is_some() => self.view_method(receiver, m),
            _ if is_variance(m) => self.variance(receiver, m),
            _ if is_reshaped(m) => self.reshaped(receiver, m),
            "product" => {
                self.element_loop(receiver, &syn::parse_quote!(array.fold(1.0, |product, value| product * value)))
            }
            "swap" if m.args.len() == 2 => self.exchanged_elements(m),
            _ => {
                let (method, args) = (&m.method, &m.args);
                let of_element: syn::Expr = syn::parse_quote!(|element| element.#method(#args));
                match name.as_str() {
                    "abs" => self.map_elements(receiver, &of_element, false, span),
                    _ => self.map_by_method(receiver, &of_element, span),
                }
            }
        }
    }

    /// Whether what is unwrapped is there for sure, or else the function has no value.
    fn is_sure(&self, expr: &syn::Expr) -> bool {
        let checked = |m: &syn::ExprMethodCall| is_checked(m) && self.guess(&m.receiver) == Ty::Library;
        is_fallible(expr) || matches!(strip_parens(expr), syn::Expr::MethodCall(m) if checked(m))
    }

    /// Whether an expression is the product of an array with something. A method of arrays says that it is no number.
    fn is_matrix_product(&self, expr: &syn::Expr) -> bool {
        match strip_parens(expr) {
            syn::Expr::MethodCall(m) => m.method == "dot" && self.guess(&m.receiver) == Ty::Library,
            _ => false,
        }
    }

    pub fn view_method(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Value {
        let (name, span) = (m.method.to_string(), m.span());
        let Some(op) = view(m) else { return Value::Poison };
        let (path, sizes) = (operation(op, span), m.turbofish.as_ref().filter(|_| op.starts_with("Fixed")));
        let path = quote!(#path #sizes);
        let args: Vec<PassiveCode> = m.args.iter().map(|a| self.parameter(a)).collect();
        let op = match args.is_empty() {
            true => PassiveCode { span, ..PassiveCode::literal(path) },
            false => {
                let tokens = args.iter().map(|o| &o.tokens);
                gathered(quote!(#path(#(#tokens),*)), args.iter(), span)
            }
        };
        let ty = match name.as_str() {
            "sum" | "mean" => Ty::Float,
            "to_vec" => Ty::Vec(Box::new(Ty::Float)),
            _ => Ty::Library,
        };
        match receiver {
            Value::Active(a) if name.ends_with("_mut") => self.part_mut(a.place, op, ty, span),
            Value::Passive(p) if name.ends_with("_mut") => {
                p.root.into_iter().for_each(|root| self.activate(root, span));
                Value::Poison
            }
            receiver => {
                let value = self.rule(op, &[receiver.dereferenced_fully()], ty, &name, span);
                if let Value::Active(a) = &value {
                    self.fact_mut(a.place.root).view = BORROWED.contains(&name.as_str());
                }
                value
            }
        }
    }

    /// `a.var(ddof)` and its root `a.std(ddof)`, by the recurrence that `ndarray` uses (Welford 1962), so that values are the same.
    fn variance(&mut self, array: Value, m: &syn::ExprMethodCall) -> Value {
        let fold = syn::parse_quote!(array.fold((0.0, 0.0, 0.0), |(mean, squares, count), value| {
            let (count, delta) = (count + 1.0, value - mean);
            let mean = mean + delta / count;
            (mean, (value - mean).mul_add(delta, squares), count)
        }));
        let moments = self.element_loop(array, &fold);
        let (name, ddof) = (Ident::new("moments", crate::support::tokens::apart()), &m.args[0]);
        let scope = self.scope.clone();
        self.scope.bind(&name, moments);
        let variance: syn::Expr = syn::parse_quote!((#name.1 / (#name.2 - (#ddof))));
        let value = match m.method == "std" {
            true => self.expr(&syn::parse_quote!(#variance.sqrt())),
            false => self.expr(&variance),
        };
        self.scope = scope;
        value
    }

    /// `a.swap(i, j)`.
    fn exchanged_elements(&mut self, m: &syn::ExprMethodCall) -> Value {
        let (array, i, j) = (&m.receiver, &m.args[0], &m.args[1]);
        let (a, b) = (self.expr(&syn::parse_quote!(#array[#i])), self.expr(&syn::parse_quote!(#array[#j])));
        self.swap_places(a, b, m.span());
        Value::Unit
    }

    /// A passive argument of an operation: fit to be evaluated again.
    pub fn parameter(&mut self, arg: &syn::Expr) -> PassiveCode {
        if self.act(arg).any() {
            self.errors.active_integer(arg.span(), "an axis or an index");
        }
        let o = self.passive_code(arg);
        if self.is_stable(&o) { o } else { self.hold("at", o) }
    }

    pub fn edit_method(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Value {
        let span = m.span();
        let Some(name) = edit(m) else { return Value::Poison };
        let place = match receiver {
            Value::Active(a) => a.place,
            Value::Passive(p) => {
                match p.root {
                    Some(root) => self.activate(root, span),
                    None => self.errors.unknown_reference(span),
                }
                return Value::Poison;
            }
            _ => return Value::Poison,
        };
        match (name, &m.args.iter().collect::<Vec<_>>()[..]) {
            ("AddScaled", [by, other]) if self.act(by).any() => {
                let (by, other) = (self.expr(by), self.expr(other));
                let term = self.operation(Op::Mul, &[other.dereferenced_fully(), by.dereferenced_fully()], span);
                self.edit("AddAssign", None, &place, &term, span);
            }
            ("AddScaled", [by, other]) => {
                let (by, other) = (self.parameter(by), self.expr(other));
                self.edit(name, Some(&by), &place, &other.dereferenced_fully(), span);
            }
            (_, [other]) => {
                let other = self.expr(other);
                self.edit(name, None, &place, &other.dereferenced_fully(), span);
            }
            _ => self.errors.unknown_method(m.method.span(), &m.method.to_string()),
        }
        Value::Unit
    }
}

/// `a.var_axis(axis, ddof)` and `std_axis`, lane by lane.
fn by_lanes(m: &syn::ExprMethodCall) -> Option<syn::Expr> {
    let name = match m.method.to_string().as_str() {
        "var_axis" => "var",
        "std_axis" => "std",
        "fold_axis" => return folded_lanes(m),
        _ => return None,
    };
    let (method, array, mut args) = (Ident::new(name, m.method.span()), &m.receiver, m.args.iter());
    let (axis, ddof) = (args.next()?, args.next()?);
    Some(syn::parse_quote_spanned!(m.span()=> #array.map_axis(#axis, |lane| lane.#method(#ddof))))
}

/// `a.fold_axis(axis, start, f)`, lane by lane.
fn folded_lanes(m: &syn::ExprMethodCall) -> Option<syn::Expr> {
    let (array, mut args) = (&m.receiver, m.args.iter());
    let (axis, start, f) = (args.next()?, args.next()?, args.next()?);
    let fold = match f {
        syn::Expr::Closure(f) if f.inputs.len() == 2 => {
            let (sum, value, body) = (&f.inputs[0], &f.inputs[1], &f.body);
            let sum = match sum {
                syn::Pat::Reference(r) => &r.pat,
                sum => sum,
            };
            syn::parse_quote_spanned!(m.span()=> |#sum, #value| #body)
        }
        f => f.clone(),
    };
    let fold: syn::Expr = fold;
    Some(syn::parse_quote_spanned!(m.span()=> #array.map_axis(#axis, |__lane| __lane.fold(#start, #fold))))
}

/// A view of the whole: `nalgebra`'s views of a part have arguments.
fn is_whole_view(m: &syn::ExprMethodCall) -> bool {
    m.args.is_empty() && ["view", "view_mut", "reborrow"].iter().any(|name| m.method == name)
}

/// `a.var(ddof)` and `a.std(ddof)`.
fn is_variance(m: &syn::ExprMethodCall) -> bool {
    (m.method == "var" || m.method == "std") && m.args.len() == 1
}

/// Methods that are done element by element, and that types of the user's may have, too.
fn is_of_elements(m: &syn::ExprMethodCall) -> bool {
    m.method == "product" && m.args.is_empty() || m.method == "swap" && m.args.len() == 2
}
