//! The signature: parameters, result, and what is refused at first sight.

use crate::frontend::inline;
use crate::frontend::lower::patterns::Mode;
use crate::frontend::state::context::{Lower, New, Origin};
use crate::frontend::state::value::Value;
use crate::frontend::syntax::{bases, copied_params, iterator_params, objects, types};
use crate::ir::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

/// The most parameters of a function: sets of them are bits of a word.
const MOST: usize = 64;

impl Lower {
    /// Refuses functions of a kind that has no derivative.
    pub fn check_kind(&mut self, signature: &syn::Signature) {
        if let Some(a) = &signature.asyncness {
            self.errors.signature(a.span, "an `async fn`", "differentiate an ordinary function that it calls");
        }
        if let Some(u) = &signature.unsafety {
            self.errors.signature(u.span, "an `unsafe fn`", "write it in safe Rust");
        }
        if let Some(abi) = &signature.abi {
            self.errors.signature(abi.span(), "a foreign function", "write it in Rust");
        }
        if let Some(v) = &signature.variadic {
            self.errors.signature(v.span(), "a variadic function", "take a slice");
        }
    }

    /// The parameters, their names bound.
    pub fn params(&mut self, signature: &syn::Signature) -> Vec<Param> {
        if signature.inputs.is_empty() {
            self.errors.no_parameters(&signature.ident);
        }
        self.check_count(signature);
        let mut params = Vec::new();
        for (i, input) in signature.inputs.iter().enumerate() {
            match input {
                syn::FnArg::Typed(p) => params.push(self.param(i, p, &signature.generics)),
                syn::FnArg::Receiver(r) => params.extend(self.receiver(r)),
            }
        }
        let known: Vec<Ident> = signature.inputs.iter().flat_map(names_of_input).collect();
        let options = self.options.clone();
        let declared = self.scope.changes.clone();
        let local = |n: &Ident| options.constant.contains(n) && declared.declared.contains(&n.to_string());
        options.named().filter(|n| !known.contains(n) && !local(n)).for_each(|n| self.errors.no_parameter(n));
        self.options.constant_locals = options.constant.into_iter().filter(|n| !known.contains(n)).collect();
        params
    }

    /// Refuses more parameters than a set of them holds.
    fn check_count(&mut self, signature: &syn::Signature) {
        if let Some(input) = signature.inputs.iter().nth(MOST) {
            let instead = "pass several as a slice, an array or a struct that derives `Differentiable`";
            self.errors.signature(input.span(), "more than 64 parameters", instead);
        }
    }

    /// `self`, of the type that the block is for.
    fn receiver(&mut self, r: &syn::Receiver) -> Option<Param> {
        let Some(owner) = self.owner.clone() else {
            self.errors.method_alone(r.self_token.span);
            return None;
        };
        let (_, reference, exclusive) = through_reference(&r.ty);
        if r.colon_token.is_some() && !reference {
            let instead = "take `self`, `&self` or `&mut self`";
            self.errors.signature(r.ty.span(), "a receiver behind a smart pointer", instead);
        }
        let (ty, full) = (&owner.ty, with_type(&r.ty, &owner.ty));
        let shape = types::describe(ty, &self.base);
        let active = !self.options.constant.iter().any(|n| n == "self") && !types::is_passive(&shape);
        let known = if is_open(&shape) { self.struct_of(ty) } else { None };
        let kind = if active { known.unwrap_or_else(|| shape.clone()) } else { Ty::Passive };
        let (span, changes) = (r.self_token.span, exclusive || r.mutability.is_some());
        let var = self.new_var(New { hint: "this", span, ty: kind, changes, site: None });
        let fact = self.fact_mut(var);
        fact.active = active;
        fact.reference = reference;
        fact.receiver = true;
        if active && shape == Ty::Unknown {
            fact.origin = Origin::Named;
        }
        fact.shape = shape;
        self.bind_whole(var, &Ident::new("self", span), exclusive);
        let output = self.options.output.iter().any(|n| n == "self");
        let passing = passing(reference, exclusive, output);
        Some(Param {
            var,
            ty: quote!(#ty),
            full: quote!(#full),
            passing,
            active,
            cache: false,
            receiver: true,
            captured: false,
            list: None,
            copying: None,
            function: None,
            other_float: false,
            copies: inline::clones_are_copies(ty),
        })
    }

    /// Whether only the caller knows a type: it is generic, or behind `dyn`.
    fn is_open(&self, ty: &syn::Type, generics: &syn::Generics) -> bool {
        let around = self.owner.as_ref().map(|owner| &owner.generics);
        let parameters = generics.type_params().chain(around.into_iter().flat_map(|g| g.type_params()));
        let tokens = quote!(#ty);
        let mentions = |name: &Ident| crate::support::syntax::mentions(&tokens, name);
        let word = |word: &str| mentions(&Ident::new(word, Span::call_site()));
        parameters.map(|t| &t.ident).any(mentions) || word("dyn") || word("impl")
    }

    pub fn param(&mut self, i: usize, p: &syn::PatType, generics: &syn::Generics) -> Param {
        let simple = match &*p.pat {
            syn::Pat::Ident(name) if name.subpat.is_none() => Some(name.clone()),
            _ => None,
        };
        let hint = simple.as_ref().map_or_else(|| format!("arg{i}"), |n| n.ident.to_string());
        let named = |list: &[Ident]| simple.as_ref().is_some_and(|n| list.contains(&n.ident));
        let (constant, cache, output) =
            (named(&self.options.constant), named(&self.options.cache), named(&self.options.output));
        let (inner, reference, exclusive) = self.passed(&p.ty, constant);
        let shape = types::describe(inner, &self.base);
        let function = types::is_function(&p.ty, generics);
        let iterator = !constant && iterator_params::check_iterator(&mut self.errors, &p.ty, generics, &self.base);
        let parameter = types::function_type(&p.ty, generics, &self.base).filter(|_| function && !constant);
        let active = !constant && !types::is_passive(&shape) && !function && !iterator;
        let shape = self.check_type(inner, active).unwrap_or(shape);
        for (option, named) in [("cache", cache), ("output", output)] {
            if named && !exclusive {
                self.errors.not_exclusive(p.ty.span(), option, &hint);
            }
        }
        let known = if active && is_open(&shape) { self.struct_of(inner) } else { None };
        let ty = if active { known.unwrap_or_else(|| shape.clone()) } else { Ty::Passive };
        let changes = exclusive || simple.as_ref().is_some_and(|n| n.mutability.is_some());
        let var = self.new_var(New { hint: &hint, span: p.pat.span(), ty, changes, site: None });
        self.parameters.insert(var);
        let open = self.is_open(&p.ty, generics);
        self.note_param(var, (inner, shape), (active, reference), open);
        let copying = copied_params::copying(p);
        let given = Given { inner, active, changes, reference, exclusive, function: parameter.as_ref() };
        self.bind_given(var, p, simple, given);
        let (inner, full) = (types::with_lifetime(inner), types::with_lifetime(&p.ty));
        let full = copying.as_ref().map_or_else(|| quote!(#full), |(_, full)| full.clone());
        Param {
            var,
            ty: quote!(#inner),
            full,
            passing: passing(reference, exclusive, output),
            active,
            cache,
            receiver: false,
            captured: false,
            list: iterator_params::seen(p),
            copying: copying.as_ref().map(|(copying, _)| *copying),
            function: parameter,
            other_float: !constant && bases::is_of_fixed_float(&p.ty, &self.base),
            copies: inline::clones_are_copies(&p.ty),
        }
    }

    /// What is known of a parameter's variable.
    fn note_param(
        &mut self,
        var: Var,
        (inner, shape): (&syn::Type, Ty),
        (active, reference): (bool, bool),
        open: bool,
    ) {
        let fact = self.fact_mut(var);
        fact.active = active;
        fact.reference = reference;
        fact.open = open;
        fact.scalar = !reference && types::is_passive_scalar(inner);
        if active && shape == Ty::Unknown {
            fact.origin = if types::is_boxed(&quote!(#inner)) { Origin::Boxed } else { Origin::Named };
        }
        fact.shape = shape;
        let option = self.is_option_of_active(inner);
        self.fact_mut(var).option = active && option;
    }

    /// The names of a parameter's pattern.
    fn bind_given(&mut self, var: Var, p: &syn::PatType, simple: Option<syn::PatIdent>, given: Given<'_>) {
        let Given { inner, active, changes, reference, exclusive, function } = given;
        let is_lent = matches!(copied_params::copying(p), Some((Copying::Lent, _)));
        match (function, &simple) {
            (Some(f), Some(name)) if f.followed => {
                self.functions.push((var, f.clone()));
                self.scope.bind(&name.ident, Value::Function { var, depth: 0 });
            }
            (_, Some(name)) if active && is_lent => {
                let option = self.lent_parameter(var, exclusive);
                self.scope.bind(&name.ident, option);
            }
            (_, Some(name)) if active && !changes && self.is_option_of_active(inner) => {
                let option = self.option_parameter(var);
                self.scope.bind(&name.ident, option);
            }
            (_, Some(name)) if active && reference && name.mutability.is_some() => {
                let value = self.argument(var, exclusive);
                let value = self.declare(name, value, self.vars.len(), None);
                self.scope.bind(&name.ident, value);
            }
            _ => self.bind_param(var, p, simple, exclusive),
        }
    }

    /// What a parameter's type refers to, and how. A `&'static` that carries no derivative is a value, which the body may keep.
    fn passed<'t>(&self, ty: &'t syn::Type, constant: bool) -> (&'t syn::Type, bool, bool) {
        let (inner, reference, exclusive) = through_reference(ty);
        let passive = || constant || types::is_passive(&types::describe(inner, &self.base));
        match is_static(ty) && !exclusive && passive() {
            true => (ty, false, false),
            false => (inner, reference, exclusive),
        }
    }

    fn bind_param(&mut self, var: Var, p: &syn::PatType, simple: Option<syn::PatIdent>, exclusive: bool) {
        match simple {
            Some(name) => self.bind_whole(var, &name.ident, exclusive),
            None => {
                let (mark, value) = (self.vars.len(), self.argument(var, exclusive));
                self.bind_pattern(&p.pat, value, Mode::Alias { mark });
            }
        }
    }

    fn is_option_of_active(&self, ty: &syn::Type) -> bool {
        types::option_of(ty).is_some_and(|inner| !types::is_passive(&types::describe(inner, &self.base)))
    }

    fn bind_whole(&mut self, var: Var, name: &Ident, exclusive: bool) {
        let value = self.argument(var, exclusive);
        self.scope.bind(name, value);
    }

    fn argument(&self, var: Var, exclusive: bool) -> Value {
        let mut value = self.value_of(var);
        if let (Value::Active(a), true) = (&mut value, exclusive) {
            a.refs.exclusive = true;
        }
        value
    }

    /// Refuses parameters that look active and can never be; the structure of one that is of another float type.
    fn check_type(&mut self, ty: &syn::Type, active: bool) -> Option<Ty> {
        if let (syn::Type::Ptr(t), true) = (ty, active) {
            let instead = "pass a slice or a number, or declare the parameter `constant(..)`";
            self.errors.signature(t.star_token.span, "a raw pointer", instead);
        }
        if let Some(name) = types::holder(ty).filter(|_| active) {
            let instead =
                "take the numbers that it holds, by value or by reference, or declare the parameter `constant(..)`";
            self.errors.signature(name.span(), &format!("a `{name}`"), instead);
        }
        if let Some(span) = objects::object_in(ty).filter(|_| active) {
            let instead = "declare the parameter `constant(..)`, and derivatives flow through its methods by their arguments; or take a \
                           generic parameter, `p: &P` with `P: Trait`";
            self.errors.signature(span, "the fields of what stands behind `dyn`", instead);
        }
        if let Some(span) = nameless_reference(ty).filter(|_| active) {
            let instead = "pass the reference by itself, or pass the value and a `bool`";
            self.errors.signature(span, "a reference inside the type of a parameter", instead);
        }
        if let Some(span) = reference_in_slice(ty).filter(|_| active) {
            let instead =
                "pass `&[Vec<f64>]`, or one slice of all elements with the lengths, or mark it `constant(..)`";
            self.errors.signature(span, "a slice of references", instead);
        }
        let other = bases::other_float(ty, &self.base).filter(|_| active)?;
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        self.errors.other_float(other.span(), &other.to_string(), &base.to_string());
        Some(types::describe(ty, &Base::Concrete(other)))
    }

    /// Refuses a result without numbers, where the function `changes` nothing either.
    pub fn check_result(&mut self, signature: &syn::Signature, ty: &Ty, changes: bool) {
        let unit = matches!(ty, Ty::Tuple(all) if all.is_empty());
        if let syn::ReturnType::Type(_, written) = &signature.output
            && let Some(span) = borrowed_error(written)
        {
            let instead = "return an error of its own (`String`, an enum), or a `&'static str`";
            self.errors.signature(span, "a result whose error borrows from an argument", instead);
        }
        if let syn::ReturnType::Type(_, written) = &signature.output
            && let Some((span, exclusive)) = borrowed_number(written)
        {
            let instead = match exclusive {
                true => "return nothing, and change the value through a method or an index (`x[i] = ..`)",
                false => {
                    "return the value itself (`x[i]`, `x[..2].to_vec()`), or an index or a range with which the caller reads it"
                }
            };
            self.errors.signature(span, "a result that borrows from an argument", instead);
        }
        if let syn::ReturnType::Type(_, written) = &signature.output
            && bases::returns_fixed_float(signature, self.owner.as_deref())
        {
            let (Base::Concrete(base) | Base::Generic(base)) = self.base.clone();
            let found = quote!(#written).to_string();
            return self.errors.other_float(written.span(), &found, &base.to_string());
        }
        if let (syn::ReturnType::Type(_, written), false) = (&signature.output, unit)
            && types::is_answer(written, &self.base)
            && !(changes || types::is_unit_carried(written))
        {
            self.errors.passive_result(written.span());
        }
        if self.options.has_aux && !matches!(&signature.output, syn::ReturnType::Type(_, t) if is_pair(t)) {
            let instead = "return a pair: the number that is differentiated, and what stands beside it";
            self.errors.signature(signature.output.span(), "this result of a function that `has_aux`", instead);
        }
    }

    /// Refuses parameters that a rule by hand says nothing about, and a rule that says two things.
    pub fn check_rule(&mut self, function: &Function) {
        for param in &function.params {
            let span = function.vars.get(param.var.0 as usize).map_or_else(Span::call_site, |v| v.span);
            if param.cache || (param.active && param.passing == Passing::Mut) {
                let instead = "declare it `output(..)` if what it holds before does not count, or return the result";
                self.errors.own_rule(span, "a `&mut` parameter of a function with a rule", instead);
            }
        }
        if self.options.has_aux {
            let instead = "leave out either `has_aux` or the rule";
            self.errors.own_rule(function.name.span(), "a rule for a function that `has_aux`", instead);
        }
        let rule = self.options.rule.clone().unwrap_or_default();
        if let (true, Some(half)) = (rule.constant, rule.pushforward.or(rule.pullback)) {
            let instead = "leave out either `constant` or the rule";
            self.errors.own_rule(half.path.span(), "a rule for a function that is `constant`", instead);
        }
    }

    /// The return type as written, and what is known of it.
    pub fn result_type(&self, signature: &syn::Signature) -> (TokenStream, Ty) {
        match &signature.output {
            syn::ReturnType::Default => (quote!(()), Ty::Tuple(Vec::new())),
            syn::ReturnType::Type(_, ty) if self.options.has_aux => self.result_beside(ty),
            syn::ReturnType::Type(_, ty) if types::is_answer(ty, &self.base) => {
                (quote!(((), __d::Aux<#ty>)), types::describe(ty, &self.base))
            }
            syn::ReturnType::Type(_, ty) => (quote!(#ty), types::describe(ty, &self.base)),
        }
    }

    /// The type of a result and an auxiliary output, as operators take it.
    fn result_beside(&self, ty: &syn::Type) -> (TokenStream, Ty) {
        match ty {
            syn::Type::Tuple(pair) if is_pair(ty) => {
                let (y, aux) = (&pair.elems[0], &pair.elems[1]);
                (quote!((#y, __d::Aux<#aux>)), Ty::Tuple(vec![types::describe(y, &self.base), Ty::Passive]))
            }
            _ => (quote!(#ty), types::describe(ty, &self.base)),
        }
    }
}

/// `f: impl Fn(f64) -> f64` as a parameter of a type that has a name: derivative code has it in places where `impl` cannot stand.
pub fn with_named_types(item: &syn::ItemFn) -> syn::ItemFn {
    let mut item = item.clone();
    let mut named = NamedTypes(Vec::new());
    for input in &mut item.sig.inputs {
        if let syn::FnArg::Typed(p) = input {
            named.visit_type_mut(&mut p.ty);
        }
    }
    item.sig.generics.params.extend(named.0);
    item
}

struct NamedTypes(Vec<syn::GenericParam>);

impl VisitMut for NamedTypes {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::ImplTrait(t) = ty {
            let (name, bounds) = (format_ident!("Impl{}", self.0.len(), span = t.span()), &t.bounds);
            self.0.push(syn::parse_quote!(#name: #bounds));
            *ty = syn::parse_quote!(#name);
        } else {
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
}

fn is_pair(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Tuple(pair) if pair.elems.len() == 2)
}

fn passing(reference: bool, exclusive: bool, output: bool) -> Passing {
    match (reference, exclusive, output) {
        (false, ..) => Passing::Value,
        (true, false, _) => Passing::Ref,
        (true, true, false) => Passing::Mut,
        (true, true, true) => Passing::Out,
    }
}

/// Whether a type is a reference that lives as long as the program.
fn is_static(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Reference(r) if r.lifetime.as_ref().is_some_and(|l| l.ident == "static"))
}

/// The type behind a reference, whether there is one, and whether it is exclusive.
pub fn through_reference(ty: &syn::Type) -> (&syn::Type, bool, bool) {
    match ty {
        syn::Type::Reference(r) => (&r.elem, true, r.mutability.is_some()),
        syn::Type::Paren(p) => through_reference(&p.elem),
        syn::Type::Group(g) => through_reference(&g.elem),
        other => (other, false, false),
    }
}

/// The first `&` of a slice or array of references.
fn reference_in_slice(ty: &syn::Type) -> Option<Span> {
    let elem = match ty {
        syn::Type::Slice(s) => &*s.elem,
        syn::Type::Array(a) => &*a.elem,
        _ => return None,
    };
    match elem {
        syn::Type::Reference(r) => Some(r.and_token.span),
        elem => reference_in_slice(elem),
    }
}

/// A reference that lives shorter than the program in the error of a result: `&'a str` of `Result<f64, &'a str>`.
fn borrowed_error(ty: &syn::Type) -> Option<Span> {
    let syn::Type::Path(p) = ty else { return None };
    let last = p.path.segments.last().filter(|s| s.ident == "Result")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    args.args.iter().skip(1).find_map(|a| match a {
        syn::GenericArgument::Type(syn::Type::Reference(r)) => {
            r.lifetime.as_ref().filter(|l| l.ident != "static").map(|_| r.and_token.span)
        }
        _ => None,
    })
}

/// The reference of a result, by itself or in a tuple, an `Option` or a `Result`, and whether it is exclusive.
fn borrowed_number(ty: &syn::Type) -> Option<(Span, bool)> {
    match ty {
        ty if is_static(ty) => None,
        syn::Type::Reference(r) => Some((r.and_token.span, r.mutability.is_some())),
        syn::Type::Tuple(t) => t.elems.iter().find_map(borrowed_number),
        syn::Type::Paren(p) => borrowed_number(&p.elem),
        _ => borrowed_number(types::carried(ty)?),
    }
}

/// The reference in the argument of a type, `Option<&mut State>`.
fn nameless_reference(ty: &syn::Type) -> Option<Span> {
    let syn::Type::Path(p) = ty else { return None };
    let syn::PathArguments::AngleBracketed(args) = &p.path.segments.last()?.arguments else { return None };
    args.args.iter().find_map(|a| match a {
        syn::GenericArgument::Type(syn::Type::Reference(r)) if r.lifetime.is_none() => Some(r.and_token.span),
        syn::GenericArgument::Type(inner) => nameless_reference(inner),
        _ => None,
    })
}

/// The same references around another type.
fn with_type(ty: &syn::Type, inner: &syn::Type) -> syn::Type {
    match ty {
        syn::Type::Reference(r) => {
            let elem = Box::new(with_type(&r.elem, inner));
            syn::Type::Reference(syn::TypeReference { elem, ..r.clone() })
        }
        _ => inner.clone(),
    }
}

fn names_of_input(input: &syn::FnArg) -> Vec<Ident> {
    match input {
        syn::FnArg::Typed(p) => match &*p.pat {
            syn::Pat::Ident(name) => vec![name.ident.clone()],
            pattern => crate::frontend::syntax::pattern_names::names_of(pattern),
        },
        syn::FnArg::Receiver(r) => vec![Ident::new("self", r.self_token.span)],
    }
}

/// How a parameter is given.
struct Given<'a> {
    /// Its type, behind a reference.
    inner: &'a syn::Type,
    active: bool,
    changes: bool,
    reference: bool,
    exclusive: bool,
    /// Of a function that is given: its type.
    function: Option<&'a FunctionType>,
}

/// Whether nothing is known of a type, or of a list's elements.
fn is_open(shape: &Ty) -> bool {
    match shape {
        Ty::Vec(element) | Ty::Array(element) | Ty::Slice(element) => is_open(element),
        shape => *shape == Ty::Unknown,
    }
}
