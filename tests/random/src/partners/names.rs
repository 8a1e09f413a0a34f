//! Variables under names that std, the language's libraries and generated code have, too.

use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Ident, Member};

const NAMES: &[&str] = &[
    "max",
    "sum",
    "len",
    "iter",
    "swap",
    "map",
    "fold",
    "replace",
    "take",
    "identity",
    "sqrt",
    "clone",
    "first",
    "push",
    "black_box",
    "value",
    "dot",
    "zip",
    "count",
    "default",
    "drop",
    "vec",
    "array",
    "ws",
    "bar",
    "dot_bar",
    "tape",
    "ln",
    "min",
    "exp",
    "get",
    "rev",
    "result",
    "row",
    "range",
    "some",
    "index",
    "p0",
    "y",
    "y_bar",
    "x_dot",
    "frame",
    "core",
    "std",
    "diffi",
    "f",
    "g",
    "abs",
    "pow",
    "powi",
    "sin",
    "cos",
    "from",
    "into",
    "as_ref",
    "borrow",
    "next",
    "last",
    "step",
    "sort",
    "fill",
    "extend",
    "drain",
    "insert",
    "remove",
    "contains",
    "position",
    "any",
    "all",
    "print",
];

/// Every variable of the program, the first ones first.
pub fn of_std(file: &mut syn::File) {
    let mut found = Found::default();
    found.visit_file(file);
    let free = found.order.into_iter().filter(|name| !found.functions.contains(name));
    let names: BTreeMap<String, &str> = free.zip(NAMES.iter().copied()).collect();
    Rename(names).visit_file_mut(file);
}

#[derive(Default)]
struct Found {
    order: Vec<String>,
    functions: BTreeSet<String>,
}

impl Visit<'_> for Found {
    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
        let name = pat.ident.to_string();
        if !self.order.contains(&name) && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            self.order.push(name);
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_signature(&mut self, signature: &syn::Signature) {
        self.functions.insert(signature.ident.to_string());
        visit::visit_signature(self, signature);
    }
}

struct Rename(BTreeMap<String, &'static str>);

impl Rename {
    fn rename(&self, name: &mut Ident) {
        if let Some(new) = self.0.get(&name.to_string()) {
            *name = Ident::new(new, name.span());
        }
    }
}

impl VisitMut for Rename {
    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        self.rename(&mut pat.ident);
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.get_ident().is_some() {
            self.rename(&mut path.path.segments[0].ident);
        }
    }

    /// `vec![a, b]` and its kind.
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let list = call.parse_body_with(syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated);
        if let Ok(mut list) = list {
            list.iter_mut().for_each(|e| self.visit_expr_mut(e));
            call.tokens = quote::quote!(#list);
        } else if let Ok((mut value, mut len)) = call.parse_body_with(repeated) {
            self.visit_expr_mut(&mut value);
            self.visit_expr_mut(&mut len);
            call.tokens = quote::quote!(#value; #len);
        }
    }

    fn visit_member_mut(&mut self, _: &mut Member) {}
}

fn repeated(input: syn::parse::ParseStream) -> syn::Result<(syn::Expr, syn::Expr)> {
    let value = input.parse()?;
    input.parse::<syn::Token![;]>()?;
    Ok((value, input.parse()?))
}
