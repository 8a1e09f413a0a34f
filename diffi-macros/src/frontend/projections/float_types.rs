//! Names of float types, `Math` of `type Math = f64`, as far as the source files around tell: `Math::hypot(x, y)`, `n as Math`.
//!
//! The type is written out, and an item of the function says that it is the name's: where it is another one, that does not compile.

use super::defined::{NamedType, beside};
use super::definitions::nearest;
use crate::frontend::syntax::file_names::FileNames;
use crate::ir::Owner;
use crate::support::tokens::position;
use proc_macro2::Ident;
use quote::{format_ident, quote_spanned};
use std::collections::BTreeMap;
use syn::visit_mut::{self, VisitMut};

/// The function with such names written out.
pub fn with_float_types(mut item: syn::ItemFn, owner: Option<&Owner>) -> syn::ItemFn {
    let around = owner.map(|owner| &owner.generics);
    let generics = [Some(&item.sig.generics), around].into_iter().flatten();
    let own = generics.flat_map(syn::Generics::type_params).map(|t| t.ident.to_string()).collect();
    let mut names = Names { own, found: BTreeMap::new() };
    names.visit_item_fn_mut(&mut item);
    for (k, (name, float)) in names.found.into_values().flatten().enumerate() {
        let (span, check) = (name.span(), format_ident!("__FLOAT{k}", span = name.span()));
        let check = quote_spanned!(span=> const #check: fn(#name) -> #float = |x| x;);
        item.block.stmts.extend(syn::parse2::<syn::Item>(check).ok().map(syn::Stmt::Item));
        item.block.stmts.rotate_right(1);
    }
    item
}

/// The names that a function mentions.
struct Names {
    /// Those of its own type parameters.
    own: Vec<String>,
    /// Each with the float that it stands for.
    found: BTreeMap<String, Option<(Ident, Ident)>>,
}

impl Names {
    fn write_out(&mut self, name: &mut Ident) {
        let text = name.to_string();
        if self.own.contains(&text) || !text.starts_with(char::is_uppercase) {
            return;
        }
        let known = || float_of(&text).map(|float| (name.clone(), format_ident!("{float}", span = name.span())));
        if let Some((_, float)) = self.found.entry(text.clone()).or_insert_with(known) {
            *name = Ident::new(&float.to_string(), name.span());
        }
    }
}

impl VisitMut for Names {
    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        if ty.qself.is_none() && ty.path.leading_colon.is_none() && ty.path.segments.len() == 1 {
            self.write_out(&mut ty.path.segments[0].ident);
        }
        visit_mut::visit_type_path_mut(self, ty);
    }

    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        if e.qself.is_none() && e.path.leading_colon.is_none() && e.path.segments.len() == 2 {
            self.write_out(&mut e.path.segments[0].ident);
        }
        visit_mut::visit_expr_path_mut(self, e);
    }
}

/// The float that a name stands for: in this file, or in all others that have it where this file imports it.
fn float_of(name: &str) -> Option<String> {
    let at = position()?;
    let files = beside(&at.file);
    let (here, elsewhere) = files.split_first()?;
    let here = here.float_types.get(name).map(|all| nearest(all, at.line, |t| &t.module)).unwrap_or_default();
    let all: Vec<&NamedType> = match here.is_empty() {
        true if !FileNames::here()?.imports(name) => return None,
        true => elsewhere.iter().filter_map(|file| file.float_types.get(name)).flatten().collect(),
        false => here,
    };
    let first = &all.first()?.text;
    all.iter().all(|t| t.text == *first).then(|| first.clone())
}
