//! Names that rustc confirms: code in the tangent that compiles only if they mean what the front end takes them for.

use crate::frontend::state::context::Lower;
use crate::frontend::syntax::{cuts, types};
use crate::ir::Base;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The function that takes values of std's types only.
pub const COPIED: &str = "is_copied_by_std";

/// Whether a statement only asks for a value's type.
pub fn is_question(tokens: &TokenStream) -> bool {
    crate::ir::purity::mentions(tokens, &Ident::new(COPIED, Span::call_site()))
}

impl Lower {
    /// Code that rustc checks once, and that never runs.
    pub fn confirm(&mut self, question: TokenStream) {
        let text = question.to_string();
        if !self.checks.iter().any(|known| known.to_string() == text) {
            self.checks.push(question);
        }
    }

    /// Compiles only if a function, by the path that the user writes, is this one of std.
    pub fn only_of_std(&mut self, path: &syn::ExprPath, std: &TokenStream) {
        let mut plain = path.clone();
        plain.path.segments.iter_mut().for_each(|s| s.arguments = syn::PathArguments::None);
        let span = path.span();
        self.confirm(quote_spanned!(span=> __d::is_of_std(#plain, #std);));
    }

    /// Compiles only if `stop_gradient` is ours, by the paths that the user writes.
    pub fn only_own_cuts(&mut self, item: &syn::ItemFn) {
        for path in cuts::paths(item.block.to_token_stream()) {
            self.only_of_std(&path, &quote!(__d::stop_gradient::<f64>));
        }
    }

    /// Compiles only if types that are taken for std's by their names carry no derivatives.
    pub fn only_passive_types(&mut self, item: &syn::ItemFn) {
        let mut found = PassiveTypes {
            floats: true,
            base: &self.base,
            generics: generic_names(&item.sig.generics),
            found: BTreeMap::new(),
        };
        found.visit_item_fn(item);
        let questions: Vec<TokenStream> = found.found.into_values().collect();
        questions.into_iter().for_each(|question| self.confirm(question));
    }
}

/// Compiles only if the types of a struct's fields that are taken for std's by their names carry no derivatives.
pub fn passive_fields<'a>(generics: &syn::Generics, fields: impl Iterator<Item = &'a syn::Type>) -> TokenStream {
    let base = Base::Concrete(Ident::new("f64", Span::call_site()));
    let mut found =
        PassiveTypes { floats: false, base: &base, generics: generic_names(generics), found: BTreeMap::new() };
    fields.for_each(|ty| found.visit_type(ty));
    checked(found.found.values())
}

/// The questions, where rustc sees them.
pub fn checked<'a>(questions: impl Iterator<Item = &'a TokenStream>) -> TokenStream {
    let mut questions = questions.peekable();
    match questions.peek() {
        Some(_) => quote!(const _: fn() = || { use __d::NamedLikeOthers as _; #(#questions)* };),
        None => TokenStream::new(),
    }
}

fn generic_names(generics: &syn::Generics) -> Vec<String> {
    generics.type_params().map(|p| p.ident.to_string()).collect()
}

/// The types that are taken for passive ones by their names, as questions.
struct PassiveTypes<'a> {
    /// Whether types are taken for floats by their names, too.
    floats: bool,
    base: &'a Base,
    generics: Vec<String>,
    found: BTreeMap<String, TokenStream>,
}

impl<'a> Visit<'a> for PassiveTypes<'_> {
    fn visit_type_path(&mut self, ty: &'a syn::TypePath) {
        visit::visit_type_path(self, ty);
        if self.floats && matches!(self.base, Base::Concrete(_)) && ty.qself.is_none() && types::is_float_path(&ty.path)
        {
            let (path, span) = (&ty.path, ty.span());
            let question = quote_spanned!(span=> __d::is_float_by_name::<#path>(););
            self.found.entry(path.to_token_stream().to_string()).or_insert(question);
        }
        let first = ty.path.segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
        let own = ty.qself.is_some() || first == "Self" || self.generics.contains(&first);
        if own || !types::is_passive_name(&ty.path) {
            return;
        }
        let mut path = ty.path.clone();
        path.segments.iter_mut().for_each(|s| fill_in(&mut s.arguments, self.base));
        let span = ty.span();
        let question = quote_spanned!(span=> __d::is_passive(__d::Named::<#path>::kind()););
        self.found.entry(path.to_token_stream().to_string()).or_insert(question);
    }
}

/// Floats in place of types that have no meaning where a question stands.
fn fill_in(arguments: &mut syn::PathArguments, base: &Base) {
    let syn::PathArguments::AngleBracketed(all) = arguments else { return };
    let float = match base {
        Base::Concrete(float) => float.clone(),
        Base::Generic(_) => Ident::new("f64", Span::call_site()),
    };
    all.args = std::mem::take(&mut all.args)
        .into_iter()
        .filter(|a| !matches!(a, syn::GenericArgument::Lifetime(_)))
        .map(|a| match a {
            syn::GenericArgument::Type(_) => syn::parse_quote!(#float),
            other => other,
        })
        .collect();
}
