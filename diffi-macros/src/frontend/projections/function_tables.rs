//! Constants that are functions or tables of functions, `const LAWS: [fn(f64) -> f64; 2] = [linear, cubic];`, as far as the module around a
//! function tells.
//!
//! What a module defines itself hides what it imports, so that the name means this constant where the function's attribute stands in the
//! text of the module, and in no macro and no block. A constant with a condition is none of them.

use super::defined::{Defined, beside};
use super::definitions::nearest;
use crate::frontend::lower::function_values::is_function_path;
use crate::support::syntax::strip_parens;
use crate::support::tokens::{lexed_here, position};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A constant that is a function, or holds some.
#[derive(Clone, Debug)]
pub struct FunctionTable {
    /// What it is, as text; none where a condition says whether it is there.
    value: Option<String>,
    /// Its type, as text.
    ty: String,
    module: Range<usize>,
}

impl FunctionTable {
    /// That of a constant or a static.
    pub fn of(value: &syn::Expr, ty: &syn::Type, attrs: &[syn::Attribute], module: Range<usize>) -> Option<Self> {
        const INERT: &[&str] = &["doc", "allow", "expect", "rustfmt"];
        let plain = attrs.iter().all(|a| INERT.iter().any(|name| a.path().is_ident(name)));
        let text = |tokens: &dyn ToTokens| tokens.to_token_stream().to_string();
        is_table(value).then(|| FunctionTable { value: plain.then(|| text(value)), ty: text(ty), module })
    }

    /// Whether its type says that it holds functions, by `fn(..)` or by the name of such a type.
    fn holds_functions(&self, here: &Defined) -> bool {
        let mut words = self.ty.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == "fn" || here.function_types.contains_key(word))
    }
}

/// The constants of functions that a function names, each with its value.
pub fn named_in(item: &syn::ItemFn) -> Vec<(Ident, syn::Expr)> {
    let Some(at) = position() else { return Vec::new() };
    let Some(here) = beside(&at.file).into_iter().next().filter(|here| !here.tables.is_empty()) else {
        return Vec::new();
    };
    if !here.attributes.contains(&(at.line, at.column)) {
        return Vec::new();
    }
    let (mut names, mut own) = (BTreeSet::new(), Own::default());
    constants(item.block.to_token_stream(), &mut names);
    own.visit_item_fn(item);
    names.retain(|name| !own.all && !own.names.contains(name));
    names.into_iter().filter_map(|name| Some((name.clone(), meaning(&here, &name, at.line)?))).collect()
}

/// What a name means in the innermost module around a line.
fn meaning(here: &Defined, name: &Ident, line: usize) -> Option<syn::Expr> {
    let module = nearest(&here.modules, line, |module| module).first().copied()?;
    let mut all = here.tables.get(&name.to_string())?.iter().filter(|table| table.module == *module);
    let table = all.next().filter(|table| all.next().is_none() && table.holds_functions(here))?;
    syn::parse2(lexed_here(table.value.as_ref()?)).ok()
}

/// The names that a function's own items and parameters may give another meaning.
#[derive(Default)]
struct Own {
    names: BTreeSet<Ident>,
    /// It imports whatever another module has.
    all: bool,
}

impl<'a> Visit<'a> for Own {
    fn visit_item(&mut self, item: &'a syn::Item) {
        constants(item.to_token_stream(), &mut self.names);
        visit::visit_item(self, item);
    }
    fn visit_use_glob(&mut self, _: &'a syn::UseGlob) {
        self.all = true;
    }
    fn visit_const_param(&mut self, param: &'a syn::ConstParam) {
        self.names.insert(param.ident.clone());
    }
}

/// Names that are written as constants are.
fn constants(tokens: TokenStream, found: &mut BTreeSet<Ident>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => constants(group.stream(), found),
            TokenTree::Ident(name) if name.to_string().starts_with(char::is_uppercase) => drop(found.insert(name)),
            _ => {}
        }
    }
}

/// Whether a constant's value is a function, or is a list or a tuple with functions in it.
fn is_table(value: &syn::Expr) -> bool {
    match strip_parens(value) {
        syn::Expr::Closure(_) => true,
        syn::Expr::Path(p) => is_function_path(p),
        syn::Expr::Cast(c) => is_table(&c.expr),
        syn::Expr::Reference(r) => r.mutability.is_none() && is_table(&r.expr),
        syn::Expr::Array(a) => !a.elems.is_empty() && a.elems.iter().all(is_row),
        _ => false,
    }
}

fn is_row(value: &syn::Expr) -> bool {
    match strip_parens(value) {
        syn::Expr::Tuple(t) => t.elems.iter().any(is_table),
        value => is_table(value),
    }
}

/// Where an attribute begins, as rustc counts.
pub fn begin(attribute: &syn::Attribute) -> (usize, usize) {
    let start = attribute.pound_token.span().start();
    (start.line, start.column + 1)
}
