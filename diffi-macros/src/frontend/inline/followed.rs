//! Functions that have no derivative code, and are followed where they are called beside their text: those that give functions, and those
//! whose references lead to more than one place.
//!
//! `fn scaled(k: f64) -> impl Fn(f64) -> f64` and `fn halves(x: &[f64]) -> (&[f64], &[f64])` stand in their callers as inner functions do.

use crate::frontend::projections::kinds::{of_function, reference};
use crate::frontend::syntax::types::{self, is_function, is_function_parameter};
use crate::ir::Base;
use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// Whether a function gives a function, or references that no one place stands for.
pub fn is_followed(function: &syn::ItemFn) -> bool {
    let sig = &function.sig;
    let syn::ReturnType::Type(_, ty) = &sig.output else { return false };
    let named = sig.inputs.iter().all(|input| matches!(input, syn::FnArg::Typed(p) if p.attrs.is_empty()));
    let plain = sig.constness.is_none() && sig.asyncness.is_none() && sig.unsafety.is_none() && sig.abi.is_none();
    let generic = sig.generics.params.iter().any(|param| match param {
        syn::GenericParam::Type(of) => !is_function_parameter(&of.ident, &sig.generics),
        syn::GenericParam::Const(_) => true,
        syn::GenericParam::Lifetime(_) => false,
    });
    let one_place = reference(ty).is_some() && of_function(sig).is_some();
    named && plain && !generic && (is_function(ty, &sig.generics) || !one_place && lends(ty))
}

/// Whether a type has a reference to what may carry a derivative in it.
fn lends(ty: &syn::Type) -> bool {
    struct Lends(bool);
    impl<'a> Visit<'a> for Lends {
        fn visit_type_reference(&mut self, r: &'a syn::TypeReference) {
            let base = Base::Concrete(syn::Ident::new("f64", Span::call_site()));
            self.0 |= !types::is_passive(&types::describe(&r.elem, &base));
            visit::visit_type_reference(self, r);
        }
        fn visit_type_impl_trait(&mut self, _: &'a syn::TypeImplTrait) {}
        fn visit_type_trait_object(&mut self, _: &'a syn::TypeTraitObject) {}
    }
    let mut found = Lends(false);
    found.visit_type(ty);
    found.0
}

/// The function as an inner one of a caller, which knows none of its lifetimes and bounds.
pub fn opened(mut function: syn::ItemFn) -> syn::ItemFn {
    let generics = std::mem::take(&mut function.sig.generics);
    for input in &mut function.sig.inputs {
        if let syn::FnArg::Typed(param) = input {
            match is_function(&param.ty, &generics) {
                true => *param.ty = syn::parse_quote!(_),
                false => Lifetimes.visit_type_mut(&mut param.ty),
            }
        }
    }
    function.sig.output = syn::parse_quote!(-> _);
    function
}

/// Leaves out lifetimes.
struct Lifetimes;

impl VisitMut for Lifetimes {
    fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
        r.lifetime = None;
        visit_mut::visit_type_reference_mut(self, r);
    }
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        *lifetime = syn::Lifetime::new("'_", lifetime.span());
    }
}
