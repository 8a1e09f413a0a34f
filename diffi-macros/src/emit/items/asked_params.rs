//! Parameters of types of which only rustc knows whether they carry derivatives: `kind: Kind`.
//!
//! Where derivative code reads no number of such a parameter, a type without a tangent makes it a constant. Where it does, rustc
//! says in one error that the type has none.

use crate::ad::derivatives::Tangent;
use crate::emit::items::frame::{Frame, has_lifetime};
use crate::emit::items::function::Handle;
use crate::ir::visit::blocks;
use crate::ir::visit::parts::shared::{self, Part};
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;

impl Frame<'_> {
    /// Leaves it to rustc which parameters carry derivatives.
    pub fn ask(&mut self, push: &Tangent<'_>, handle: &Handle<'_>) {
        if !matches!(self.function.base, Base::Concrete(_)) || !self.has_scope() || self.may_leak(handle) {
            return;
        }
        for (k, param) in self.function.params.iter().enumerate() {
            let Some(ty) = self.asked_type(param) else { continue };
            let dot = push.pass.dots.get(&param.var);
            let read = dot.is_some_and(|dot| reads_inside(*dot, push));
            let questions = self.questions(k, param, &ty, read);
            self.aliases += &self.holes.put(questions);
            self.places[k] = format!("__Place{k}");
            self.asked.insert(k);
        }
    }

    /// The answers for the same parameters in the frame around.
    pub fn take_answers(&mut self, around: &Frame<'_>) {
        self.places = around.places.clone();
        self.asked = around.asked.clone();
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

    /// A type that is a name alone, and none of the function's generic ones.
    fn asked_type(&self, param: &Param) -> Option<syn::Type> {
        if !param.active || param.cache || param.copying.is_some() || param.list.is_some() || param.function.is_some() {
            return None;
        }
        let ty: syn::Type = syn::parse2(param.ty.clone()).ok()?;
        let owner = self.function.owner.as_ref();
        let ty = match (&ty, owner) {
            (syn::Type::Path(p), Some(owner)) if p.path.is_ident("Self") => owner.ty.clone(),
            _ => ty,
        };
        let syn::Type::Path(p) = &ty else { return None };
        let plain = p.qself.is_none() && p.path.segments.iter().all(|s| s.arguments.is_none());
        let first = p.path.segments.first()?;
        let is_float = p.path.is_ident("f64") || p.path.is_ident("f32");
        let (generics, _) = self.own_generics(false);
        let around = owner.map(|o| &o.generics);
        let mut parameters = generics.into_iter().chain(around).flat_map(|g| g.type_params());
        let is_open = first.ident == "Self" || is_float || parameters.any(|t| t.ident == first.ident);
        (plain && !is_open && !has_lifetime(&param.ty)).then_some(ty)
    }

    /// The types that the parameter's shadow and kind are.
    fn questions(&self, k: usize, param: &Param, ty: &syn::Type, read: bool) -> TokenStream {
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
        let answer = quote_spanned!(span=> { use __d::NotAskedPlace as _; __d::AskedPlace::<#ty>::ACTIVE });
        let answer = match read {
            true => {
                let refused = self.refused(param, ty);
                quote_spanned!(span=> match #answer { true => true, false => ::core::panic!(#refused) })
            }
            false => answer,
        };
        quote_spanned! {span=>
            const #known: bool = #answer;
            type #place = <__d::Answer<#known> as __d::PlaceOf<#ty, #float>>::Place;
            type #kind = <__d::Answer<#known> as __d::#of<#ty, #float>>::Kind;
        }
    }

    fn refused(&self, param: &Param, ty: &syn::Type) -> String {
        let name = match param.receiver {
            true => "self",
            false => &self.function.vars[param.var.0 as usize].hint,
        };
        let ty = ty.to_token_stream().to_string().replace(' ', "");
        format!(
            "`{ty}` cannot carry a derivative, and numbers of `{name}` are read here [D0808]: \
             put `#[derive(Differentiable)]` on `{ty}`, or declare `#[differentiable(constant({name}))]`"
        )
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
