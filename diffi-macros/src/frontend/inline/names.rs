//! The names in a function: those that it binds, those that it calls, and those that it takes from around it.

use proc_macro2::{Ident, TokenStream, TokenTree};
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

#[derive(Default)]
struct Names {
    bound: HashSet<String>,
    called: Vec<(Ident, Vec<syn::Expr>)>,
    used: HashSet<String>,
}

impl<'a> Visit<'a> for Names {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.bound.insert(pattern.ident.to_string());
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

    /// What a macro makes of its arguments is not known: any of them may become a name.
    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        self.add_all(mac.tokens.clone());
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
