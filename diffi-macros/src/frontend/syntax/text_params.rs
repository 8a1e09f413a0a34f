//! Parameters of any type that becomes text (`name: impl Into<String>`, `label: S` with `S: AsRef<str>`): no number is such a type, and so
//! they carry no derivative. Derivative code runs the function more than once, and copies them.

use crate::frontend::syntax::types::{bounds_of, first_argument};
use crate::support::options::Options;
use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::visit::Visit;

/// The parameters of a function.
type Inputs = syn::punctuated::Punctuated<syn::FnArg, syn::Token![,]>;

/// Traits whose argument says what a value becomes.
const CONVERSIONS: &[&str] = &["Into", "AsRef", "Borrow"];

/// Types that hold text, and where std has them.
const TEXTS: &[(&str, &str)] = &[
    ("String", "::std::string::String"),
    ("str", "::core::primitive::str"),
    ("Path", "::std::path::Path"),
    ("PathBuf", "::std::path::PathBuf"),
    ("OsStr", "::std::ffi::OsStr"),
    ("OsString", "::std::ffi::OsString"),
];

/// Types that hold another one.
const HOLDERS: &[&str] = &["Box", "Rc", "Arc", "Cow"];

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
    text_of(bound).is_some()
}

/// The text that a bound says a value becomes, and where std has it.
fn text_of(bound: &syn::TypeParamBound) -> Option<(&syn::Path, &'static str)> {
    let syn::TypeParamBound::Trait(of) = bound else { return None };
    let last = of.path.segments.last().filter(|last| CONVERSIONS.iter().any(|name| last.ident == name))?;
    first_argument(last).and_then(text)
}

/// The text that a type is, or holds.
fn text(ty: &syn::Type) -> Option<(&syn::Path, &'static str)> {
    let syn::Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    match TEXTS.iter().find(|(name, _)| last.ident == name) {
        Some((_, of_std)) => Some((&p.path, of_std)),
        None => first_argument(last).filter(|_| HOLDERS.iter().any(|name| last.ident == name)).and_then(text),
    }
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
    let found = Texts::of(inputs, generics);
    inputs.iter_mut().for_each(|input| copied(input, generics));
    item.block.stmts.splice(0..0, found);
    Some((options, item))
}

/// Finds the names of text in bounds.
struct Texts(Vec<syn::Stmt>);

impl Texts {
    /// Items that compile only if the names in the bounds of a signature are those of std.
    fn of(inputs: &Inputs, generics: &syn::Generics) -> Vec<syn::Stmt> {
        let mut found = Texts(Vec::new());
        inputs.iter().for_each(|input| found.visit_fn_arg(input));
        found.visit_generics(generics);
        found.0
    }
}

impl<'a> Visit<'a> for Texts {
    fn visit_type_param_bound(&mut self, bound: &'a syn::TypeParamBound) {
        let Some((written, of_std)) = text_of(bound) else { return };
        let Ok(of_std) = syn::parse_str::<syn::Path>(of_std) else { return };
        let (span, name) = (written.span(), format_ident!("__TEXT{}", self.0.len()));
        self.0.push(syn::parse_quote_spanned!(span=> const #name: fn() = __d::is_type_of_std::<&#written, &#of_std>;));
    }
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
