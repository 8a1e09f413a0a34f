//! Names that rustc confirms: code in the tangent that compiles only if they mean what the front end takes them for.

use crate::frontend::iterators::own;
use crate::frontend::state::context::Lower;
use crate::frontend::syntax::{bases, constant_patterns, cuts, token_paths, types};
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
    [COPIED, own::ASKED]
        .iter()
        .any(|name| crate::support::syntax::mentions(tokens, &Ident::new(name, Span::call_site())))
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

    /// The same of `ndarray`.
    pub fn only_of_ndarray(&mut self, path: &syn::ExprPath, name: &str) {
        let dimensions = (name == "arr2").then(|| quote!(, 1));
        let name = Ident::new(name, Span::call_site());
        self.only_of_std(path, &quote!(__d::of_ndarray::#name::<f64 #dimensions>));
    }

    /// Compiles only if `stop_gradient` is ours, by the paths that the user writes.
    pub fn only_own_cuts(&mut self, item: &syn::ItemFn) {
        for path in cuts::paths(item.block.to_token_stream()) {
            self.only_of_std(&path, &quote!(__d::stop_gradient::<f64>));
        }
    }

    /// Compiles only if types that are taken for std's containers by their names are these.
    pub fn only_containers_of_std(&mut self, item: &syn::ItemFn) {
        let containers = [
            ("Vec", quote!(::std::vec::Vec)),
            ("Box", quote!(::std::boxed::Box)),
            ("VecDeque", quote!(::std::collections::VecDeque)),
        ];
        for (name, std) in containers {
            for mut path in token_paths::paths(item.to_token_stream(), &|found, _| found == name) {
                path.path.segments.iter_mut().for_each(|s| s.arguments = syn::PathArguments::None);
                let span = path.span();
                self.confirm(quote_spanned!(span=> __d::is_type_of_std::<#path<f64>, #std<f64>>();));
            }
        }
    }

    /// Compiles only if the traits of the generic float have the methods of floats, as those of `num-traits` do.
    pub fn only_known_float_trait(&mut self) {
        let Base::Generic(float) = self.base.clone() else { return };
        if self.in_body_of_floats {
            return;
        }
        let owner = self.owner.as_ref().map(|owner| &owner.generics);
        let Some(bounds) = owner.into_iter().chain([&self.generics]).find_map(|g| bounds_of(g, &float)) else { return };
        let span = float.span();
        self.confirm(quote_spanned!(span=> {
            #[allow(unused)]
            fn has_methods_of_floats<#float: #bounds>() {
                use __d::{ByFloat as _, ByFloatCore as _, ByNoKnownTrait as _, ByReal as _};
                __d::is_float_trait::<#float, _>((&&&&__d::Bounded::<#float>::NEW).known());
            }
        }));
    }

    /// Compiles only if letters in capitals that patterns take for new names are no constants.
    pub fn only_new_names(&mut self, item: &syn::ItemFn) {
        for name in constant_patterns::letters(item) {
            self.confirm(quote_spanned!(name.span()=> {
                #[allow(unused, non_snake_case)]
                fn is_a_new_name<T>(value: T) {
                    let #name = value;
                }
            }));
        }
    }

    /// Compiles only if the type of a parameter that indexes something carries no derivatives.
    pub fn only_index(&mut self, ty: &syn::Type) {
        let (tokens, span) = (ty.to_token_stream(), ty.span());
        let owner = self.owner.iter().flat_map(|owner| owner.generics.type_params());
        let mut open = self.generics.type_params().chain(owner).map(|t| t.ident.clone());
        let own = Ident::new("Self", Span::call_site());
        if !open.any(|name| crate::support::syntax::mentions(&tokens, &name))
            && !crate::support::syntax::mentions(&tokens, &own)
        {
            self.confirm(quote_spanned!(span=> __d::is_passive(__d::Named::<#ty>::kind());));
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
        let of_self = self.owner.iter().filter(|_| item.sig.receiver().is_some());
        of_self.for_each(|owner| found.visit_type(&owner.ty));
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

/// The bounds of a type parameter, if nothing in them but the parameter is generic, and no trait of `nalgebra` is among them.
fn bounds_of(generics: &syn::Generics, name: &Ident) -> Option<TokenStream> {
    let param = generics.type_params().find(|p| p.ident == *name)?;
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let of_param = predicates.filter_map(|p| match p {
        syn::WherePredicate::Type(t) if t.lifetimes.is_none() && t.bounded_ty == syn::parse_quote!(#name) => {
            Some(&t.bounds)
        }
        _ => None,
    });
    let bounds: Vec<&syn::TypeParamBound> = param.bounds.iter().chain(of_param.flatten()).collect();
    let all = quote!(#(#bounds)+*);
    let others = generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => Some(&t.ident).filter(|other| *other != name),
        syn::GenericParam::Const(c) => Some(&c.ident),
        syn::GenericParam::Lifetime(l) => Some(&l.lifetime.ident),
    });
    let foreign =
        ["RealField", "ComplexField", "SimdRealField", "Self"].map(|name| Ident::new(name, Span::call_site()));
    let is_open = others.chain(&foreign).any(|other| crate::support::syntax::mentions(&all, other));
    (!is_open && !bounds.is_empty()).then_some(all)
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
        let question = match types::is_enum_without_floats(&path) {
            true => quote_spanned!(span=> __d::is_only_names(__d::Named::<#path>::kind());),
            false => quote_spanned!(span=> __d::is_passive(__d::Named::<#path>::kind());),
        };
        self.found.entry(path.to_token_stream().to_string()).or_insert(question);
    }
}

/// Floats in place of types that have no meaning where a question stands.
fn fill_in(arguments: &mut syn::PathArguments, base: &Base) {
    let syn::PathArguments::AngleBracketed(all) = arguments else { return };
    let float = match base {
        Base::Concrete(float) if !bases::is_of_a_type(base) => float.clone(),
        _ => Ident::new("f64", Span::call_site()),
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
