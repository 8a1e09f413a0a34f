//! Functions inside of a function with names of generated code: `fn count(v: &[f64]) -> usize { .. }`. Derivative code has variables of these
//! names, and an item of a block cannot be imported under another one, so that the function gets another name there. So does one that stays
//! an item, as it calls itself, and is named like a function of the file: rustc takes its name for either where a macro imports it.

use crate::frontend::syntax::inner_functions::{function_of, in_order};
use crate::support::names::is_of_generated_code;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::format_ident;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with such functions under other names. `is_in_file` tells the names of the file's functions.
pub fn renamed(item: &syn::ItemFn, is_in_file: &dyn Fn(&str) -> bool) -> syn::ItemFn {
    let mut names = Names::default();
    names.visit_block(&item.block);
    let mut of_parameters = Names::default();
    item.sig.inputs.iter().for_each(|p| of_parameters.visit_fn_arg(p));
    let taken = |name: &String| names.closures.contains(name) || of_parameters.variables.contains(name);
    let doubled = names.items.iter().filter(|name| is_in_file(name));
    let functions = names.functions.iter().chain(doubled).filter(|name| !taken(name));
    let functions: BTreeSet<String> = functions.cloned().collect();
    let mut item = item.clone();
    if !functions.is_empty() {
        Renaming { functions, variables: names.variables }.visit_block_mut(&mut item.block);
    }
    item
}

/// What a block declares.
#[derive(Default)]
struct Names {
    functions: BTreeSet<String>,
    /// The functions that are no closures in derivative code.
    items: BTreeSet<String>,
    variables: BTreeSet<String>,
    closures: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let functions: Vec<syn::ItemFn> = block.stmts.iter().filter_map(function_of).cloned().collect();
        let closures = in_order(functions.clone());
        let items = functions.iter().filter(|f| closures.iter().all(|closure| closure.sig.ident != f.sig.ident));
        self.items.extend(items.map(|f| f.sig.ident.to_string()));
        visit::visit_block(self, block);
    }

    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.functions.extend(Some(f.sig.ident.to_string()).filter(|name| is_of_generated_code(name)));
        visit::visit_item_fn(self, f);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let closure = local.init.as_ref().is_some_and(|init| matches!(&*init.expr, syn::Expr::Closure(_)));
        if let (syn::Pat::Ident(name), true) = (&local.pat, closure) {
            self.closures.insert(name.ident.to_string());
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.variables.insert(name.ident.to_string());
        visit::visit_pat_ident(self, name);
    }
}

struct Renaming {
    functions: BTreeSet<String>,
    /// Names of variables: as values they may be these.
    variables: BTreeSet<String>,
}

impl Renaming {
    fn rename(&self, name: &mut Ident) {
        if self.functions.contains(&name.to_string()) {
            *name = format_ident!("{name}_inside", span = name.span());
        }
    }

    fn rename_path(&self, path: &mut syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() == 1 {
            self.rename(&mut path.segments[0].ident);
        }
    }

    /// Calls in the arguments of a macro.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
        for k in 0..trees.len() {
            let member =
                k > 0 && matches!(&trees[k - 1], TokenTree::Punct(p) if p.as_char() == '.' || p.as_char() == ':');
            let called = matches!(trees.get(k + 1), Some(TokenTree::Group(_)));
            match &mut trees[k] {
                TokenTree::Ident(name) if called && !member => self.rename(name),
                TokenTree::Group(g) => {
                    let mut inner = Group::new(g.delimiter(), self.tokens(g.stream()));
                    inner.set_span(g.span());
                    trees[k] = TokenTree::Group(inner);
                }
                _ => {}
            }
        }
        trees.into_iter().collect()
    }
}

impl VisitMut for Renaming {
    fn visit_item_fn_mut(&mut self, f: &mut syn::ItemFn) {
        self.rename(&mut f.sig.ident);
        visit_mut::visit_item_fn_mut(self, f);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        if let syn::Expr::Path(function) = &mut *call.func {
            self.rename_path(&mut function.path);
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_path_mut(&mut self, value: &mut syn::ExprPath) {
        if value.path.get_ident().is_some_and(|name| !self.variables.contains(&name.to_string())) {
            self.rename_path(&mut value.path);
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
    }
}
