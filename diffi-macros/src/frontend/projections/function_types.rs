//! Parameters of types that are names for functions, `law: Law` of `type Law = fn(f64) -> f64`, as far as the source files around tell.
//!
//! The type is written out. Where the name is one of another type, generated code does not compile.

use super::defined::{NamedType, beside};
use super::definitions::nearest;
use crate::support::tokens::{lexed_here, position};
use proc_macro2::Ident;

/// The function with the types of its parameters that are functions written out.
pub fn with_function_types(mut item: syn::ItemFn) -> syn::ItemFn {
    let own: Vec<Ident> = item.sig.generics.type_params().map(|t| t.ident.clone()).collect();
    for input in &mut item.sig.inputs {
        let syn::FnArg::Typed(p) = input else { continue };
        let syn::Type::Path(path) = &*p.ty else { continue };
        let name = path.path.get_ident().filter(|name| path.qself.is_none() && !own.contains(name));
        if let Some(known) = name.and_then(function_type) {
            *p.ty = known;
        }
    }
    item
}

/// What a name stands for: in this file, or in all others that have it.
fn function_type(name: &Ident) -> Option<syn::Type> {
    let at = position()?;
    let files = beside(&at.file);
    let (here, elsewhere) = files.split_first()?;
    let name = name.to_string();
    let here = here.function_types.get(&name).map(|all| nearest(all, at.line, |t| &t.module)).unwrap_or_default();
    let all: Vec<&NamedType> = match here.is_empty() {
        true => elsewhere.iter().filter_map(|file| file.function_types.get(&name)).flatten().collect(),
        false => here,
    };
    let first = &all.first()?.text;
    let agreed = all.iter().all(|t| t.text == *first);
    syn::parse2(lexed_here(first)).ok().filter(|_| agreed)
}
