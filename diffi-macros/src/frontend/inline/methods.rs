//! Inlining of small methods: one that stands in the same block as its caller becomes an inner function of the copy that derivative code
//! is made of.
//!
//! `self.force(i)` is written `__self_force(&self, i)`, and so is `other.force(i)` of a variable that has the block's type. The block says
//! what the method is, so rustc has nothing to confirm.

use super::eligible::{is_small, takes, with_types};
use super::{MOST, names};
use crate::frontend::projections::hidden_methods::hidden_by_trait;
use crate::frontend::projections::receivers::Receivers;
use crate::ir::{Owner, OwnerKind};
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, HashMap};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with those methods that it calls as inner functions; none if there are none.
pub fn with_methods(item: &syn::ItemFn, owner: &Owner) -> Option<syn::ItemFn> {
    let plain = matches!(owner.kind, OwnerKind::Inherent) && owner.generics.params.is_empty();
    let has_small = owner.functions.values().any(|known| known.text.is_some());
    let found = if plain && has_small { methods(item, owner) } else { Methods::new() };
    if found.is_empty() {
        return None;
    }
    let mut with = item.clone();
    let own = own_variables(item, owner);
    WrittenOut { found: &found, own: &own }.visit_block_mut(&mut with.block);
    let inner = found.values().map(|method| syn::Stmt::Item(syn::Item::Fn(inner(method, owner, &found))));
    with.block.stmts = inner.chain(with.block.stmts).collect();
    Some(with)
}

/// The text of a method that may be inlined.
pub fn small_method(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let receiver = item.sig.receiver()?;
    let (_, lifetime) = receiver.reference.as_ref().filter(|_| receiver.colon_token.is_none())?;
    let mut sig = without_receiver(&item.sig);
    if receiver.mutability.is_some() && matches!(sig.output, syn::ReturnType::Default) {
        sig.output = syn::parse_quote!(-> f64); // it gives as much as one that gives a number
    }
    (lifetime.is_none() && is_small(&syn::ItemFn { sig, ..item.clone() })).then(|| item.clone())
}

/// The variables that are of the block's type, `self`, parameters, and what functions of the block give; and whether they are references.
fn own_variables(item: &syn::ItemFn, owner: &Owner) -> HashMap<String, bool> {
    let receivers = Receivers::of(item, Some(owner));
    let gives = |path: &syn::Path| match path.segments.iter().collect::<Vec<_>>()[..] {
        [_, name] => owner.functions.get(&name.ident.to_string()).is_some_and(|known| known.gives_own),
        _ => false,
    };
    let lent = item.sig.receiver().is_some_and(|receiver| receiver.reference.is_some());
    let is_reference = |name: &str| if name == "self" { lent } else { !receivers.is_value(name) };
    receivers.of_type(&owner.ty, &gives).into_iter().map(|name| (name.clone(), is_reference(&name))).collect()
}

type Methods = BTreeMap<String, syn::ItemFn>;

/// The methods that are called so, and those that they call in turn.
fn methods(item: &syn::ItemFn, owner: &Owner) -> Methods {
    let (bound, mut typed) = (names::bound(item), names::typed(item));
    let (mut found, mut refused) = (Methods::new(), Vec::new());
    let mut calls = calls(item, owner);
    let mut at = 0;
    while let Some(Call { name, arguments, on_value }) = calls.get(at).cloned() {
        at += 1;
        let text = owner.functions.get(&name).and_then(|known| known.text.as_deref());
        let Some(method) = text.filter(|_| item.sig.ident != name) else { continue };
        let hidden = on_value && hidden_by_trait(&name).is_some();
        let free = !hidden && names::free(method).is_disjoint(&bound);
        let clear = free && (found.contains_key(&name) || found.len() < MOST);
        if !clear || !takes(&without_receiver(&method.sig), &arguments, &typed) {
            refused.push(name);
        } else if found.insert(name, method.clone()).is_none() {
            typed.extend(names::typed(method));
            calls.extend(self::calls(method, owner));
        }
    }
    found.retain(|name, _| !refused.contains(name));
    // a method that calls another one stays a call itself, since calls of cheap functions keep little on the tape
    let calls_others = |method: &syn::ItemFn, found: &Methods| {
        self::calls(method, owner).iter().any(|call| !found.contains_key(&call.name))
    };
    while let Some(name) = found.iter().find(|(_, method)| calls_others(method, &found)).map(|(name, _)| name.clone()) {
        found.remove(&name);
    }
    found
}

fn without_receiver(signature: &syn::Signature) -> syn::Signature {
    let inputs = signature.inputs.iter().filter(|input| matches!(input, syn::FnArg::Typed(_))).cloned().collect();
    syn::Signature { inputs, ..signature.clone() }
}

fn function_name(method: &str, span: Span) -> Ident {
    format_ident!("__self_{}", method.trim_start_matches("r#"), span = span)
}

/// The method as an inner function, whose `self` is called `__self`.
fn inner(method: &syn::ItemFn, owner: &Owner, found: &Methods) -> syn::ItemFn {
    let syn::ItemFn { mut sig, mut block, .. } = with_types(method.clone());
    WrittenOut { found, own: &own_variables(method, owner) }.visit_block_mut(&mut block);
    Renamed.visit_block_mut(&mut block);
    let ty = &owner.ty;
    let this: syn::FnArg = match is_exclusive(method) {
        true => syn::parse_quote!(__self: &mut #ty),
        false => syn::parse_quote!(__self: &#ty),
    };
    sig.inputs = [this].into_iter().chain(without_receiver(&sig).inputs).collect();
    sig.ident = function_name(&sig.ident.to_string(), sig.ident.span());
    syn::ItemFn { attrs: Vec::new(), vis: syn::Visibility::Inherited, sig, block }
}

fn is_exclusive(method: &syn::ItemFn) -> bool {
    method.sig.receiver().is_some_and(|receiver| receiver.mutability.is_some())
}

/// A call of a method.
#[derive(Clone)]
struct Call {
    name: String,
    arguments: Vec<syn::Expr>,
    /// The receiver is no reference.
    on_value: bool,
}

/// The calls of methods on variables of the block's type.
fn calls(item: &syn::ItemFn, owner: &Owner) -> Vec<Call> {
    struct Calls {
        own: HashMap<String, bool>,
        found: Vec<Call>,
    }
    impl<'a> Visit<'a> for Calls {
        fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
            let is_reference = variable(&call.receiver).and_then(|name| self.own.get(&name.to_string()));
            let (name, arguments) = (call.method.to_string(), call.args.iter().cloned().collect());
            self.found.extend(is_reference.map(|lent| Call { name, arguments, on_value: !lent }));
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut calls = Calls { own: own_variables(item, owner), found: Vec::new() };
    calls.visit_block(&item.block);
    calls.found
}

fn variable(e: &syn::Expr) -> Option<&Ident> {
    match strip_parens(e) {
        syn::Expr::Path(p) if p.qself.is_none() => p.path.get_ident(),
        _ => None,
    }
}

/// Writes calls of methods as calls of inner functions.
struct WrittenOut<'a> {
    found: &'a Methods,
    own: &'a HashMap<String, bool>,
}

impl VisitMut for WrittenOut<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        let syn::Expr::MethodCall(call) = e else { return };
        let name = call.method.to_string();
        let Some(this) = variable(&call.receiver) else { return };
        let Some(is_reference) = self.own.get(&this.to_string()) else { return };
        let this = if *is_reference { quote!(*#this) } else { quote!(#this) };
        if let Some(method) = self.found.get(&name).filter(|_| call.turbofish.is_none()) {
            let (function, args) = (function_name(&name, call.method.span()), &call.args);
            *e = match is_exclusive(method) {
                true => syn::parse_quote!(#function(&mut #this, #args)),
                false => syn::parse_quote!(#function(&#this, #args)),
            };
        }
    }
}

/// Calls `self` by another name.
struct Renamed;

impl VisitMut for Renamed {
    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        if e.path.is_ident("self") {
            e.path = syn::parse_quote!(__self);
        }
    }
}
