//! Lifetimes that stand in the result alone, `fn f<'a>(x: f64) -> Result<f64, &'a str>`: they are as long as callers like.

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with `'static` in their place.
pub fn with_static_results(item: &syn::ItemFn) -> syn::ItemFn {
    let mut bound = Mentioned::default();
    item.sig.inputs.iter().for_each(|input| bound.visit_fn_arg(input));
    item.sig.generics.where_clause.iter().for_each(|clause| bound.visit_where_clause(clause));
    item.sig.generics.type_params().for_each(|param| bound.visit_type_param(param));
    let is_free = |p: &syn::LifetimeParam| p.bounds.is_empty() && !bound.0.contains(&p.lifetime.ident);
    let free: Vec<Ident> =
        item.sig.generics.lifetimes().filter(|p| is_free(p)).map(|p| p.lifetime.ident.clone()).collect();
    let mut item = item.clone();
    if !free.is_empty() {
        let params = std::mem::take(&mut item.sig.generics.params);
        let stays =
            |p: &syn::GenericParam| !matches!(p, syn::GenericParam::Lifetime(l) if free.contains(&l.lifetime.ident));
        item.sig.generics.params = params.into_iter().filter(stays).collect();
        Static(&free).visit_item_fn_mut(&mut item);
    }
    item
}

#[derive(Default)]
struct Mentioned(Vec<Ident>);

impl<'a> Visit<'a> for Mentioned {
    fn visit_lifetime(&mut self, lifetime: &'a syn::Lifetime) {
        self.0.push(lifetime.ident.clone());
        visit::visit_lifetime(self, lifetime);
    }
}

struct Static<'a>(&'a [Ident]);

impl VisitMut for Static<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if self.0.contains(&lifetime.ident) {
            lifetime.ident = Ident::new("static", lifetime.ident.span());
        }
        visit_mut::visit_lifetime_mut(self, lifetime);
    }
}
