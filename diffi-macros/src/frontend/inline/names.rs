//! The names in a function: those that it binds, those that it calls, and those that it takes from around it.

use crate::frontend::syntax::pattern_names::{binds, names_of};
use crate::support::names::is_effect;
use crate::support::syntax::macro_arguments;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};

/// All names that anything within the function binds: variables, parameters, items, imports, generics.
pub fn bound(item: &syn::ItemFn) -> HashSet<String> {
    let mut names = Names::default();
    names.visit_item_fn(item);
    names.bound.remove(&item.sig.ident.to_string());
    names.bound
}

/// The calls of names alone.
pub fn calls(block: &syn::Block) -> Vec<(Ident, Vec<syn::Expr>)> {
    let mut names = Names::default();
    names.visit_block(block);
    names.called
}

/// The first names of all paths, without those that the function binds.
pub fn free(item: &syn::ItemFn) -> HashSet<String> {
    let mut names = Names::default();
    names.visit_item_fn(item);
    &names.used - &names.bound
}

/// Stands for all names.
pub const ANY: &str = "*";

/// The names whose types are known: parameters, variables with a type, and those that are made of such.
pub fn typed(item: &syn::ItemFn) -> HashSet<String> {
    let mut names = Typed(HashSet::new());
    for input in &item.sig.inputs {
        match input {
            syn::FnArg::Typed(param) => names.0.extend(names_of(&param.pat).iter().map(Ident::to_string)),
            syn::FnArg::Receiver(_) => _ = names.0.insert("self".to_owned()),
        }
    }
    names.visit_block(&item.block);
    names.0
}

/// Names with types, in the order of the code.
struct Typed(HashSet<String>);

impl Typed {
    fn add(&mut self, pattern: &syn::Pat, of: &syn::Expr) {
        let (pattern, known) = match pattern {
            syn::Pat::Type(typed) => (&*typed.pat, true),
            pattern => (pattern, false),
        };
        if known || self.names_one(of.to_token_stream()) {
            self.0.extend(names_of(pattern).iter().map(Ident::to_string));
        }
    }

    fn names_one(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(name) => self.0.contains(&name.to_string()),
            TokenTree::Group(group) => self.names_one(group.stream()),
            _ => false,
        })
    }
}

impl<'a> Visit<'a> for Typed {
    fn visit_local(&mut self, local: &'a syn::Local) {
        if let Some(init) = &local.init {
            self.add(&local.pat, &init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_for_loop(&mut self, on: &'a syn::ExprForLoop) {
        self.add(&on.pat, &on.expr);
        visit::visit_expr_for_loop(self, on);
    }
}

#[derive(Default)]
struct Names {
    bound: HashSet<String>,
    called: Vec<(Ident, Vec<syn::Expr>)>,
    used: HashSet<String>,
}

impl<'a> Visit<'a> for Names {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.bound.extend(binds(pattern).then(|| pattern.ident.to_string()));
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_item(&mut self, item: &'a syn::Item) {
        let name = match item {
            syn::Item::Const(i) => Some(&i.ident),
            syn::Item::Enum(i) => Some(&i.ident),
            syn::Item::Fn(i) => Some(&i.sig.ident),
            syn::Item::Mod(i) => Some(&i.ident),
            syn::Item::Static(i) => Some(&i.ident),
            syn::Item::Struct(i) => Some(&i.ident),
            syn::Item::Trait(i) => Some(&i.ident),
            syn::Item::Type(i) => Some(&i.ident),
            syn::Item::Macro(i) => i.ident.as_ref(),
            _ => None,
        };
        self.bound.extend(name.map(Ident::to_string));
        visit::visit_item(self, item);
    }

    fn visit_use_name(&mut self, name: &'a syn::UseName) {
        self.bound.insert(name.ident.to_string());
    }

    fn visit_use_rename(&mut self, name: &'a syn::UseRename) {
        self.bound.insert(name.rename.to_string());
    }

    fn visit_generic_param(&mut self, param: &'a syn::GenericParam) {
        match param {
            syn::GenericParam::Type(p) => self.bound.insert(p.ident.to_string()),
            syn::GenericParam::Const(p) => self.bound.insert(p.ident.to_string()),
            syn::GenericParam::Lifetime(_) => false,
        };
        visit::visit_generic_param(self, param);
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func
            && path.qself.is_none()
        {
            let arguments = || call.args.iter().cloned().collect();
            self.called.extend(path.path.get_ident().map(|name| (name.clone(), arguments())));
        }
        visit::visit_expr_call(self, call);
    }

    /// What a macro makes of its arguments is not known, but for those of std that evaluate them: any of them may become a name.
    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        let evaluates = mac.path.get_ident().is_some_and(|name| name == "vec" || is_effect(&name.to_string()));
        let mut within = Names::default();
        match macro_arguments(mac).filter(|_| evaluates) {
            Some(all) => all.iter().for_each(|e| within.visit_expr(e)),
            None => within.add_all(mac.tokens.clone()),
        }
        self.bound.extend(within.bound);
        self.called.extend(within.called);
        self.used.extend(within.used);
        visit::visit_macro(self, mac);
    }

    /// It may import any name.
    fn visit_use_glob(&mut self, _: &'a syn::UseGlob) {
        self.bound.insert(ANY.to_owned());
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.used.extend(path.segments.first().map(|s| s.ident.to_string()));
        visit::visit_path(self, path);
    }
}

impl Names {
    fn add_all(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => _ = self.bound.insert(name.to_string()),
                TokenTree::Group(group) => self.add_all(group.stream()),
                _ => {}
            }
        }
    }
}
