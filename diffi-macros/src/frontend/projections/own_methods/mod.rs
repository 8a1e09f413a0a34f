//! Methods of the user's own that have names of others': `get` of a grid, `push` of a stack, `len` of a vector of the plane.
//!
//! The front end knows methods of std, of libraries and of floats by their names. Where the type of a receiver is one whose definition
//! stands in the source files around, and so does the method, with the attribute, the call is written with a raw name, `grid.r#get(i, j)`:
//! that is the same to rustc, and no name that the front end knows. rustc confirms it, as no other type has derivative code of the method.
//!
//! What types expressions have is read from the signature, from `let`s and patterns, from the fields of structs, and from what functions
//! and std's methods give ([`infer`], [`of_std`]). Where one of these is not known, the method is what it is by its name.

mod around;
mod infer;
mod known;
mod of_std;
mod scope;
pub mod table;
mod types;

use crate::frontend::projections::definitions::type_name;
use crate::frontend::state::site::Site;
use crate::frontend::syntax::enum_types::has_no_floats;
use crate::frontend::syntax::types::is_passive;
use crate::ir::{Owner, OwnerKind, Sibling};
use crate::support::names::{is_macro_of_std, is_question};
use around::Around;
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use scope::Scope;
use std::collections::HashMap;
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use types::TypeName;

/// The function with calls of such methods by raw names.
pub fn with_own_methods(mut item: syn::ItemFn, owner: Option<&Owner>) -> syn::ItemFn {
    let mut asks = Asks(false);
    asks.visit_block(&item.block);
    if asks.0 {
        let this = owner.map(type_of_block).unwrap_or_default();
        let scope = Scope::new(Rc::new(Around::of(&item, owner)), this);
        OwnMethods { owner, scope, exclusive: HashMap::new() }.function(&mut item);
    }
    item
}

/// The calls by raw names of which it is known whether they take their receivers by `&mut`, and whether they do.
pub fn exclusive_calls(item: &syn::ItemFn, owner: Option<&Owner>) -> HashMap<Site, bool> {
    let mut raw = Raw(false);
    raw.visit_block(&item.block);
    if !raw.0 {
        return HashMap::new();
    }
    let this = owner.map(type_of_block).unwrap_or_default();
    let scope = Scope::new(Rc::new(Around::of(item, owner)), this);
    let mut found = OwnMethods { owner, scope, exclusive: HashMap::new() };
    found.function(&mut item.clone());
    found.exclusive
}

/// The type of a block; of a trait any that has it.
fn type_of_block(owner: &Owner) -> TypeName {
    match &owner.kind {
        OwnerKind::Trait(of) => TypeName::With(vec![of.to_string()]),
        _ => TypeName::of(&owner.ty),
    }
}

/// Whether a method has the name of another's.
struct Asks(bool);

impl<'a> Visit<'a> for Asks {
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        self.0 |= known::is_known(&m.method.to_string());
        visit::visit_expr_method_call(self, m);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        self.0 |= mac.path.get_ident().is_some_and(|name| is_macro_of_std(&name.to_string()));
    }
}

/// Whether a method has a raw name.
struct Raw(bool);

impl<'a> Visit<'a> for Raw {
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        self.0 |= is_raw(&m.method);
        visit::visit_expr_method_call(self, m);
    }
}

fn is_raw(method: &Ident) -> bool {
    method.to_string().starts_with("r#")
}

struct OwnMethods<'o> {
    owner: Option<&'o Owner>,
    scope: Scope,
    /// Whether calls by raw names take their receivers by `&mut`.
    exclusive: HashMap<Site, bool>,
}

impl OwnMethods<'_> {
    fn function(&mut self, item: &mut syn::ItemFn) {
        let before = self.scope.enter();
        for input in &item.sig.inputs {
            match input {
                syn::FnArg::Receiver(_) => self.scope.add("self", self.scope.this.clone()),
                syn::FnArg::Typed(param) => self.scope.bind(&param.pat, self.scope.written(&param.ty)),
            }
        }
        self.visit_block_mut(&mut item.block);
        self.scope.leave(before);
    }

    /// Whether a method is one of the user's, with derivative code.
    fn is_own(&self, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        if !known::is_known(&name) {
            return false;
        }
        let ty = self.scope.type_of(&m.receiver);
        self.is_sibling(&ty, &name).unwrap_or_else(|| {
            self.scope.function(&ty, &name).is_some_and(|(owner, function)| {
                let of_user = function.of.as_ref().is_none_or(|of| self.scope.around.has_trait(of));
                // derivative code of an enum without floats has none of its methods, and calls them as they are
                (function.is_method || has_no_floats(&owner)) && of_user && !owner.starts_with(char::is_lowercase)
            })
        })
    }

    /// Whether a method takes its receiver by `&mut`.
    fn is_exclusive(&self, m: &syn::ExprMethodCall) -> Option<bool> {
        let (ty, name) = (self.scope.type_of(&m.receiver), m.method.unraw().to_string());
        match self.sibling(&ty, &name) {
            Some(sibling) => Some(sibling.exclusive),
            None => self.scope.function(&ty, &name).map(|(_, function)| function.exclusive),
        }
    }

    /// Whether a method of the block around the function is called by derivative code of its name.
    fn is_sibling(&self, ty: &TypeName, name: &str) -> Option<bool> {
        let sibling = self.sibling(ty, name)?;
        let gives_a_number = !sibling.passive && !is_passive(&sibling.ty);
        Some(sibling.projection.is_none() && (gives_a_number || !is_question(name)))
    }

    /// A method of the block around the function, if it is one of this type.
    fn sibling(&self, ty: &TypeName, name: &str) -> Option<&Sibling> {
        let owner = self.owner.filter(|owner| matches!(owner.kind, OwnerKind::Inherent | OwnerKind::Trait(_)))?;
        let same = match (ty, &self.scope.this) {
            (TypeName::Named(ty, _), TypeName::Named(this, _)) => ty == this && type_name(&owner.ty)? == ty,
            (ty, this) => ty == this && *ty != TypeName::Unknown,
        };
        owner.functions.get(name).filter(|_| same)
    }

    /// A part of the function that has variables of its own.
    fn inside(&mut self, part: impl FnOnce(&mut Self)) {
        let before = self.scope.enter();
        part(self);
        self.scope.leave(before);
    }
}

impl VisitMut for OwnMethods<'_> {
    fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
        self.visit_expr_mut(&mut m.receiver);
        let params =
            m.args.iter().any(|e| matches!(e, syn::Expr::Closure(_))).then(|| of_std::closure_params(&self.scope, m));
        for arg in &mut m.args {
            match (arg, &params) {
                (syn::Expr::Closure(c), Some(params)) => self.inside(|v| {
                    v.scope.params(c, params);
                    v.visit_expr_mut(&mut c.body);
                }),
                (arg, _) => self.visit_expr_mut(arg),
            }
        }
        if let (syn::Expr::Path(p), Some(pushed)) = (&*m.receiver, m.args.last())
            && let (Some(name), true) = (p.path.get_ident(), m.method == "push" || m.method == "push_back")
        {
            let element = self.scope.type_of(pushed);
            self.scope.filled(&name.to_string(), element);
        }
        if is_raw(&m.method) {
            let known = self.is_exclusive(m).map(|exclusive| (Site::of(&m.method), exclusive));
            self.exclusive.extend(known);
        } else if self.is_own(m) {
            m.method = Ident::new_raw(&m.method.unraw().to_string(), m.method.span());
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.inside(|v| visit_mut::visit_block_mut(v, block));
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        self.scope.local(local);
    }

    fn visit_expr_let_mut(&mut self, e: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut e.expr);
        let ty = self.scope.type_of(&e.expr);
        self.scope.bind(&e.pat, ty);
    }

    fn visit_expr_if_mut(&mut self, e: &mut syn::ExprIf) {
        self.inside(|v| {
            v.visit_expr_mut(&mut e.cond);
            v.visit_block_mut(&mut e.then_branch);
        });
        e.else_branch.iter_mut().for_each(|(_, other)| self.visit_expr_mut(other));
    }

    fn visit_expr_while_mut(&mut self, e: &mut syn::ExprWhile) {
        self.inside(|v| visit_mut::visit_expr_while_mut(v, e));
    }

    fn visit_arm_mut(&mut self, _: &mut syn::Arm) {
        unreachable!("`visit_expr_match_mut` visits arms");
    }

    fn visit_expr_match_mut(&mut self, e: &mut syn::ExprMatch) {
        self.visit_expr_mut(&mut e.expr);
        let ty = self.scope.type_of(&e.expr);
        for arm in &mut e.arms {
            self.inside(|v| {
                v.scope.bind(&arm.pat, ty.clone());
                arm.guard.iter_mut().for_each(|(_, guard)| v.visit_expr_mut(guard));
                v.visit_expr_mut(&mut arm.body);
            });
        }
    }

    fn visit_expr_for_loop_mut(&mut self, e: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut e.expr);
        let item = self.scope.type_of(&e.expr).item();
        self.inside(|v| {
            v.scope.bind(&e.pat, item);
            v.visit_block_mut(&mut e.body);
        });
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.inside(|v| {
            v.scope.params(closure, &[]);
            v.visit_expr_mut(&mut closure.body);
        });
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.inside(|v| v.function(item));
    }

    /// The arguments of macros of std, where they are expressions.
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if !mac.path.get_ident().is_some_and(|name| is_macro_of_std(&name.to_string())) {
            return;
        }
        let listed = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(mut arguments) = mac.parse_body_with(listed) {
            let before = arguments.to_token_stream().to_string();
            arguments.iter_mut().for_each(|e| self.visit_expr_mut(e));
            if arguments.to_token_stream().to_string() != before {
                mac.tokens = arguments.to_token_stream();
            }
        } else if let Ok(mut repeated) = mac.parse_body_with(repeated) {
            self.visit_expr_mut(&mut repeated.0);
            let (value, count) = repeated;
            mac.tokens = quote!(#value; #count);
        }
    }
}

/// `value; count`.
fn repeated(input: syn::parse::ParseStream<'_>) -> syn::Result<(syn::Expr, syn::Expr)> {
    let value = input.parse()?;
    input.parse::<syn::Token![;]>()?;
    Ok((value, input.parse()?))
}
