//! Names of floats and of what is made of them, `Math` of `type Math = f64`, `Grid` of `type Grid = [[f64; N]; N]`, as far as the source
//! files around tell: `Math::hypot(x, y)`, `n as Math`, `let mut next: Grid = ..`.
//!
//! The type is written out, and an item of the function says that it is the name's: where it is another one, that does not compile.

use super::defined::{NamedType, beside};
use super::definitions::nearest;
use super::field_types::{list_of, name_of};
use crate::frontend::syntax::file_names::FileNames;
use crate::ir::Owner;
use crate::support::tokens::{lexed_of_users, position};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote_spanned};
use std::collections::BTreeMap;
use syn::visit_mut::{self, VisitMut};

/// The function with such names written out.
pub fn with_value_types(mut item: syn::ItemFn, owner: Option<&Owner>) -> syn::ItemFn {
    let mut names = Names { own: own_names(&item, owner), found: BTreeMap::new() };
    names.visit_item_fn_mut(&mut item);
    for (k, (name, known)) in names.found.into_values().flatten().enumerate() {
        let (span, check) = (name.span(), format_ident!("__TYPE{k}", span = name.span()));
        let check = quote_spanned!(span=> const #check: fn(&#name) -> &#known = |x| x;);
        item.block.stmts.extend(syn::parse2::<syn::Item>(check).ok().map(syn::Stmt::Item));
        item.block.stmts.rotate_right(1);
    }
    item
}

/// The function with such names written out in its signature alone, and nothing that confirms them: for who reads only that.
pub fn with_known_signature(mut item: syn::ItemFn) -> syn::ItemFn {
    let mut names = Names { own: own_names(&item, None), found: BTreeMap::new() };
    names.visit_signature_mut(&mut item.sig);
    item
}

/// What a function and its block are generic over, and the items in it.
fn own_names(item: &syn::ItemFn, owner: Option<&Owner>) -> Vec<String> {
    let around = owner.map(|owner| &owner.generics);
    let generics = [Some(&item.sig.generics), around].into_iter().flatten();
    let params = generics.flat_map(|generics| &generics.params).filter_map(|param| match param {
        syn::GenericParam::Type(t) => Some(t.ident.to_string()),
        syn::GenericParam::Const(c) => Some(c.ident.to_string()),
        syn::GenericParam::Lifetime(_) => None,
    });
    let items = item.block.stmts.iter().filter_map(|statement| match statement {
        syn::Stmt::Item(item) => Some(super::variants::names_of(item)),
        _ => None,
    });
    params.chain(items.flatten()).collect()
}

/// Whether a type is a float, or is made of such, of names and of std's containers: what a name is written out for.
pub(super) fn is_made_of_values(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => is_part(&array.elem),
        syn::Type::Path(p) => is_float(p) || list_of(p).is_some_and(is_part),
        _ => false,
    }
}

fn is_part(ty: &syn::Type) -> bool {
    is_made_of_values(ty) || matches!(ty, syn::Type::Path(p) if p.qself.is_none() && p.path.get_ident().is_some())
}

fn is_float(ty: &syn::TypePath) -> bool {
    ty.path.is_ident("f64") || ty.path.is_ident("f32")
}

/// The names that a function mentions.
struct Names {
    /// Those that mean something else in it.
    own: Vec<String>,
    /// Each with the type that it stands for.
    found: BTreeMap<String, Option<(Ident, syn::Type)>>,
}

impl Names {
    fn known(&mut self, name: &Ident) -> Option<syn::Type> {
        let text = name.to_string();
        if self.own.contains(&text) || !text.starts_with(char::is_uppercase) {
            return None;
        }
        let own = &self.own;
        let found = self.found.entry(text).or_insert_with_key(|text| Some((name.clone(), value_of(text, own)?)));
        found.as_ref().map(|(_, known)| known.clone())
    }
}

impl VisitMut for Names {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let Some(known) = name_of(ty).cloned().and_then(|name| self.known(&name)) {
            *ty = known;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        if e.qself.is_none() && e.path.leading_colon.is_none() && e.path.segments.len() == 2 {
            let name = &mut e.path.segments[0].ident;
            if let Some(syn::Type::Path(float)) =
                self.known(name).filter(|ty| matches!(ty, syn::Type::Path(p) if is_float(p)))
            {
                *name = Ident::new(&float.path.segments[0].ident.to_string(), name.span());
            }
        }
        visit_mut::visit_expr_path_mut(self, e);
    }
}

/// The type that a name stands for: in this file, or in all others that have it where this file imports it.
fn value_of(name: &str, own: &[String]) -> Option<syn::Type> {
    let at = position()?;
    let files = beside(&at.file);
    let (here, elsewhere) = files.split_first()?;
    let inner = here.modules.iter().filter(|module| module.contains(&at.line)).min_by_key(|module| module.len())?;
    let near = here.value_types.get(name).map(|all| nearest(all, at.line, |t| &t.module)).unwrap_or_default();
    let all: Vec<&NamedType> = match near.is_empty() {
        true if !FileNames::here()?.imports(name) => return None,
        true => elsewhere.iter().filter_map(|file| file.value_types.get(name)).flatten().collect(),
        false => near,
    };
    let first = all.first().filter(|first| all.iter().all(|t| t.text == first.text))?;
    let tokens = lexed_of_users(&first.text)?;
    let beside = here.value_types.contains_key(name) && first.module == *inner;
    let mut names = Vec::new();
    mentioned(&tokens, &mut names);
    let foreign = |name: &String| own.contains(name) || !beside && !OF_STD.contains(&name.as_str());
    syn::parse2(tokens).ok().filter(|_| !names.iter().any(foreign))
}

/// The names that stand for the same everywhere.
const OF_STD: [&str; 3] = ["f64", "f32", "Vec"];

fn mentioned(tokens: &TokenStream, names: &mut Vec<String>) {
    for tree in tokens.clone() {
        match tree {
            TokenTree::Ident(name) => names.push(name.to_string()),
            TokenTree::Group(group) => mentioned(&group.stream(), names),
            _ => {}
        }
    }
}
