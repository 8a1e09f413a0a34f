//! Parameters of any type that becomes text (`name: impl Into<String>`, `label: S` with `S: AsRef<str>`): no number is such a type, and so
//! they carry no derivative. Derivative code runs the function more than once, and copies them.

use crate::frontend::syntax::types::bounds_of;
use crate::support::options::Options;
use proc_macro2::Ident;
use quote::ToTokens;

/// Traits whose argument says what a value becomes.
const CONVERSIONS: &[&str] = &["Into", "AsRef", "Borrow"];

/// Types that hold text, or lead to some.
const TEXTS: &[&str] = &["String", "str", "Cow", "Path", "PathBuf", "OsStr", "OsString"];

/// Whether a type is open, and has a bound that says that it becomes text.
pub fn becomes_text(ty: &syn::Type, generics: &syn::Generics) -> bool {
    match ty {
        syn::Type::Paren(p) => becomes_text(&p.elem, generics),
        syn::Type::Reference(r) => becomes_text(&r.elem, generics),
        syn::Type::ImplTrait(t) => t.bounds.iter().any(gives_text),
        syn::Type::Path(p) => p.path.get_ident().is_some_and(|name| bounds_of(name, generics).any(gives_text)),
        _ => false,
    }
}

fn gives_text(bound: &syn::TypeParamBound) -> bool {
    let syn::TypeParamBound::Trait(of) = bound else { return false };
    let Some(last) = of.path.segments.last() else { return false };
    let syn::PathArguments::AngleBracketed(given) = &last.arguments else { return false };
    let mut types = given.args.iter().filter_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    CONVERSIONS.iter().any(|name| last.ident == name) && types.next().is_some_and(is_text)
}

/// Whether a type is text, or a box of some.
fn is_text(ty: &syn::Type) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    let Some(last) = p.path.segments.last() else { return false };
    let boxed = ["Box", "Rc", "Arc"].iter().any(|name| last.ident == name);
    let of_text = matches!(&last.arguments, syn::PathArguments::AngleBracketed(given) if given.args.iter().any(|arg| {
        matches!(arg, syn::GenericArgument::Type(inner) if is_text(inner))
    }));
    TEXTS.iter().any(|name| last.ident == name) || boxed && of_text
}

/// The options with these parameters as constants, and the function with copies of them, if it has any.
pub fn with_text_params(options: &Options, item: &syn::ItemFn) -> Option<(Options, syn::ItemFn)> {
    let names: Vec<Ident> = item.sig.inputs.iter().filter_map(|input| text_param(input, &item.sig.generics)).collect();
    if names.is_empty() {
        return None;
    }
    let (mut options, mut item) = (options.clone(), item.clone());
    options.constant.extend(names);
    let syn::Signature { inputs, generics, .. } = &mut item.sig;
    inputs.iter_mut().for_each(|input| copied(input, generics));
    Some((options, item))
}

fn text_param(input: &syn::FnArg, generics: &syn::Generics) -> Option<Ident> {
    let syn::FnArg::Typed(param) = input else { return None };
    let syn::Pat::Ident(name) = &*param.pat else { return None };
    becomes_text(&param.ty, generics).then(|| name.ident.clone())
}

/// Says that a parameter that is taken by value has copies.
fn copied(input: &mut syn::FnArg, generics: &mut syn::Generics) {
    let syn::FnArg::Typed(param) = input else { return };
    if !becomes_text(&param.ty, generics) {
        return;
    }
    match &mut *param.ty {
        syn::Type::ImplTrait(t) => t.bounds.push(syn::parse_quote!(::core::clone::Clone)),
        syn::Type::Path(p) => {
            let ty = p.path.to_token_stream();
            generics.make_where_clause().predicates.push(syn::parse_quote!(#ty: ::core::clone::Clone));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_say_what_becomes_text() {
        let generics: syn::Generics = syn::parse_quote!(<S: Into<String>, P: AsRef<Path>, T: Into<f64>>);
        let text = |ty: syn::Type| becomes_text(&ty, &generics);
        assert!(text(syn::parse_quote!(S)) && text(syn::parse_quote!(&P)));
        assert!(text(syn::parse_quote!(impl AsRef<str>)) && text(syn::parse_quote!(impl Into<Box<str>>)));
        assert!(!text(syn::parse_quote!(T)) && !text(syn::parse_quote!(impl Into<Vec<f64>>)));
        assert!(!text(syn::parse_quote!(impl ToString)), "a number has text, too");
    }
}
