//! Parameters and results of types of which only rustc knows whether they carry derivatives: `kind: Kind`, `springs: &[Spring]`.
//!
//! Where derivative code reads no number of such a parameter, a type without a tangent makes it a constant. Where it does, rustc
//! says in one error that the type has none: a constant that panics makes types of which rustc complains no further.

use crate::ad::derivatives::Tangent;
use crate::emit::code::names::VALUE;
use crate::emit::items::frame::{Frame, has_lifetime, name_of};
use crate::emit::items::function::Handle;
use crate::frontend::syntax::named_types::{feature_of, users_own};
use crate::ir::visit::blocks;
use crate::ir::visit::parts::shared::{self, Part};
use crate::ir::*;
use crate::support::syntax::mentions;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;

impl Frame<'_> {
    /// Leaves it to rustc which parameters carry derivatives.
    pub fn ask(&mut self, push: &Tangent<'_>, handle: &Handle<'_>) {
        if !matches!(self.function.base, Base::Concrete(_)) || !self.has_scope() {
            return;
        }
        let mut named = Vec::new();
        for (k, param) in self.function.params.iter().enumerate() {
            let Some(asked) = self.asked_param(param) else { continue };
            let dot = push.pass.dots.get(&param.var);
            let read = dot.is_some_and(|dot| reads_inside(*dot, push)) || feature_of(&asked.named).is_some();
            let questions = self.questions(k, param, &asked, read);
            self.aliases += &self.holes.put(questions);
            self.places[k] = format!("__Place{k}");
            self.asked.insert(k);
            self.read.extend(read.then_some(k));
            named.push(asked.ty);
        }
        if let Some(asked) = self.asked_type(&self.function.ret) {
            let question = self.question_of_result(&asked);
            self.aliases += &self.holes.put(question);
            self.ret = VALUE.to_owned();
        }
        if self.may_leak(handle) {
            self.named = named.into_iter().chain(self.closed_parts(&self.function.ret)).collect();
        }
    }

    /// The answers for the same parameters in the frame around.
    pub fn take_answers(&mut self, around: &Frame<'_>) {
        self.places = around.places.clone();
        self.asked = around.asked.clone();
        self.read = around.read.clone();
    }

    /// The types that are a user's name alone, or containers of such, in a type.
    fn closed_parts(&self, written: &TokenStream) -> Vec<syn::Type> {
        match (self.asked_type(written), syn::parse2(written.clone())) {
            (Some(asked), _) => vec![asked.ty],
            (None, Ok(ty)) => parts(&ty).into_iter().flat_map(|part| self.closed_parts(&part)).collect(),
            (None, Err(_)) => Vec::new(),
        }
    }

    /// Whether rustc would find a private type in a public interface: it does not see that one stands behind a name of ours.
    fn may_leak(&self, handle: &Handle<'_>) -> bool {
        let public = !matches!(handle.visibility, syn::Visibility::Inherited);
        public && self.function.owner.is_none() && self.holes.plain_ty(&self.function.ret).is_none()
    }

    /// Whether derivative code has a scope of its own, for types that it names.
    fn has_scope(&self) -> bool {
        matches!(self.function.owner.as_ref().map(|o| &o.kind), None | Some(OwnerKind::Inherent))
    }

    fn asked_param(&self, param: &Param) -> Option<Asked> {
        let other = param.cache || param.copying.is_some() || param.list.is_some() || param.function.is_some();
        if param.active && !other { self.asked_type(&param.ty) } else { None }
    }

    /// A type that is a user's name alone, or a container of such, and has no part of which the function's generics say what it is.
    fn asked_type(&self, written: &TokenStream) -> Option<Asked> {
        let owner = self.function.owner.as_ref();
        let (generics, _) = self.own_generics(false);
        let around = owner.map(|o| &o.generics);
        let open = generics.into_iter().chain(around).flat_map(|g| &g.params).filter_map(name_of);
        let ty: syn::Type = syn::parse2(written.clone()).ok()?;
        let ty = match (&ty, owner) {
            (syn::Type::Path(p), Some(owner)) if p.path.is_ident("Self") => owner.ty.clone(),
            _ => ty,
        };
        let named = (*users_own(&ty).first()?).clone();
        let tokens = ty.to_token_stream();
        let this = Ident::new("Self", Span::call_site());
        let is_open = open.chain([&this]).any(|name| mentions(&tokens, name));
        (!is_open && !has_lifetime(&tokens)).then_some(Asked { ty, named })
    }

    /// The types that the parameter's shadow and kind are.
    fn questions(&self, k: usize, param: &Param, asked: &Asked, read: bool) -> TokenStream {
        let ty = &asked.ty;
        let (known, place, kind) =
            (format_ident!("__KNOWN{k}"), format_ident!("__Place{k}"), format_ident!("__Kind{k}"));
        let of = format_ident!(
            "{}",
            match param.passing {
                Passing::Value => "ValueKind",
                Passing::Ref => "RefKind",
                Passing::Mut => "MutKind",
                Passing::Out => "OutKind",
            }
        );
        let (float, span) = (self.float_name(), ty.span());
        let asks = |ty: &dyn ToTokens| {
            let ty = ty.to_token_stream();
            quote_spanned!(span=> { use __d::NotAskedPlace as _; __d::AskedPlace::<#ty, #float>::ACTIVE })
        };
        let answer = match read {
            true => {
                let named = users_own(&asked.ty);
                let (last, before) = named.split_last().expect("a type that is asked about has a name");
                let (before, refused): (Vec<TokenStream>, Vec<String>) =
                    before.iter().map(|named| (asks(named), self.refused(param, named))).unzip();
                let (whole, last) = (asks(ty), self.refused(param, last));
                quote_spanned! {span=>
                    if #whole { true } #(else if !#before { ::core::panic!(#refused) })* else { ::core::panic!(#last) }
                }
            }
            false => asks(ty),
        };
        quote_spanned! {span=>
            const #known: bool = #answer;
            type #place = <__d::Answer<#known> as __d::PlaceOf<#ty, #float>>::Place;
            type #kind = <__d::Answer<#known> as __d::#of<#ty, #float>>::Kind;
        }
    }

    fn refused(&self, param: &Param, named: &syn::Path) -> String {
        let name = match param.receiver {
            true => "self",
            false => &self.function.vars[param.var.0 as usize].hint,
        };
        let (ty, instead) = (text_of(named), instead_of(named));
        format!(
            "`{ty}` cannot carry a derivative, and numbers of `{name}` are read here [D0808]: \
             {instead}, or declare `#[differentiable(constant({name}))]`"
        )
    }

    /// The type that the result is. Where it carries no derivative, a part of it that could is named.
    fn question_of_result(&self, asked: &Asked) -> TokenStream {
        let (ty, float, span, value) =
            (&asked.ty, self.float_name(), asked.ty.span(), Ident::new(VALUE, Span::call_site()));
        let whole = text_of(ty);
        let refused = |named: &syn::Path| {
            let named = text_of(named);
            format!(
                "a function with `#[differentiable]` returns `{whole}`, which carries no derivative [D0803]: put \
                 `#[derive(Differentiable)]` on `{named}`, or leave the attribute off this function if it has no numbers"
            )
        };
        let parts = users_own(ty);
        let (last, before) = parts.split_last().expect("a type that is asked about has a name");
        let texts: Vec<String> = before.iter().map(|named| refused(named)).collect();
        let last = refused(last);
        quote_spanned! {span=>
            const __KNOWN_VALUE: bool = match { use __d::NotAskedResult as _; __d::AskedResult::<#ty, #float>::ACTIVE } {
                true => true,
                #(false if !{ use __d::NotAskedPlace as _; __d::AskedPlace::<#before, #float>::ACTIVE } => ::core::panic!(#texts),)*
                false => ::core::panic!(#last),
            };
            type #value = <__d::Answer<__KNOWN_VALUE> as __d::TypeOf<#ty>>::Type;
        }
    }
}

/// The types that a type is made of.
fn parts(ty: &syn::Type) -> Vec<TokenStream> {
    match ty {
        syn::Type::Paren(p) => parts(&p.elem),
        syn::Type::Group(g) => parts(&g.elem),
        syn::Type::Reference(r) => vec![r.elem.to_token_stream()],
        syn::Type::Array(a) => vec![a.elem.to_token_stream()],
        syn::Type::Slice(s) => vec![s.elem.to_token_stream()],
        syn::Type::Tuple(t) => t.elems.iter().map(ToTokens::to_token_stream).collect(),
        syn::Type::Path(p) => p.path.segments.last().map(|last| arguments(&last.arguments)).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn arguments(all: &syn::PathArguments) -> Vec<TokenStream> {
    let syn::PathArguments::AngleBracketed(all) = all else { return Vec::new() };
    let types = all.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty.to_token_stream()),
        _ => None,
    });
    types.collect()
}

/// A type, and the first of the user's names in it.
struct Asked {
    ty: syn::Type,
    named: syn::Path,
}

fn text_of(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

/// What to do about a type without derivatives.
fn instead_of(named: &syn::Path) -> String {
    let ty = text_of(named);
    match feature_of(named) {
        Some(feature) => {
            format!("switch on diffi's feature `{feature}`, or derive `Differentiable` for a type of your own")
        }
        None => format!("put `#[derive(Differentiable)]` on `{ty}`"),
    }
}

/// Whether derivative code looks into a shadow, or makes it a part of another one.
fn reads_inside(dot: Var, push: &Tangent<'_>) -> bool {
    let mut whole = BTreeSet::from([dot]);
    let mut found = false;
    block(&push.body, &mut whole, &mut found);
    shared::out(&push.dot, &mut |part| found |= matches!(part, Part::Place(p, _) if whole.contains(&p.root)));
    found
}

fn block(stmts: &Block, whole: &mut BTreeSet<Var>, found: &mut bool) {
    for stmt in &stmts.stmts {
        let built = match stmt {
            Stmt::Let { var, expr: Expr::Operand(Operand::Place(p)) }
                if p.path.is_empty() && whole.contains(&p.root) =>
            {
                whole.insert(*var);
                false
            }
            Stmt::Let { expr, .. } => !matches!(expr, Expr::Call(_) | Expr::Struct(_)),
            _ => false,
        };
        shared::head(stmt, &mut |part| {
            *found |= matches!(part, Part::Place(p, _) if whole.contains(&p.root) && (built || !p.path.is_empty()));
        });
        blocks(stmt).into_iter().for_each(|inner| block(inner, whole, found));
    }
}
