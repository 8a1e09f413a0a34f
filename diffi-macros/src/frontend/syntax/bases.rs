//! The float type of a function: named in its signature, a type parameter, or that of a type in the signature.

use crate::frontend::projections::marker_params::names_without_markers;
use crate::frontend::projections::number_traits::NumberTraits;
use crate::frontend::syntax::types::{
    bounds_of, describe, is_float_path, is_function_parameter, is_passive, is_passive_name,
};
use crate::ir::{Base, Owner, OwnerKind};
use crate::support::syntax::mentions;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::visit::Visit;

/// Traits that make a type parameter a float.
const FLOATS: &[&str] = &["Float", "Real", "RealField", "Scalar", "Base", "FloatCore"];

/// Traits of arithmetic within a type, of std and of `num-traits`.
const ARITHMETIC: &[&str] = &[
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "Num",
    "NumOps",
    "NumAssign",
    "NumAssignOps",
    "Zero",
    "One",
    "ConstZero",
    "ConstOne",
    "FloatConst",
    "Inv",
    "MulAdd",
];

/// Traits that say nothing of a type's numbers.
const PLAIN: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "PartialEq", "PartialOrd", "Sized", "Send", "Sync", "Display", "Unpin"];

/// The name that stands for the float of a type in the signature, until [`projected`] fills it in.
const OF_A_TYPE: &str = "__FloatOfType";

/// The float type of a signature: its first float, or its float parameter, or that of the block around it, or that of a type in it.
pub fn base_of(signature: &syn::Signature, owner: Option<&Owner>) -> Base {
    let block = owner.and_then(|o| generic_float(&o.generics));
    if let Some(name) = generic_float(&signature.generics).or(block) {
        return Base::Generic(name);
    }
    let named = || owner.and_then(|o| o.floats.get(&signature.ident.to_string()).cloned());
    let of_a_type = || source(signature, owner).map(|_| Ident::new(OF_A_TYPE, Span::call_site()));
    let name = named_float(signature).or_else(named).or_else(of_a_type);
    Base::Concrete(name.unwrap_or_else(|| Ident::new("f64", Span::call_site())))
}

/// Whether a function is one of a trait of numbers that floats alone implement.
pub fn is_of_numbers(owner: Option<&Owner>) -> bool {
    let name = owner.and_then(|owner| if let OwnerKind::Trait(name) = &owner.kind { Some(name) } else { None });
    name.is_some_and(|name| NumberTraits::of_floats_alone(&name.to_string()).have_bound(is_own_arithmetic))
}

/// The float that a signature names.
pub fn named_float(signature: &syn::Signature) -> Option<Ident> {
    let mut first = FirstFloat(None);
    first.visit_return_type(&signature.output);
    signature.inputs.iter().for_each(|i| first.visit_fn_arg(i));
    let mut named = NamedFloat(None);
    named.visit_signature(signature);
    let mut bounds = FirstFloat(None);
    bounds.visit_generics(&signature.generics);
    first.0.or(named.0).or(bounds.0)
}

/// Whether the float type is that of a type in the signature.
pub fn is_of_a_type(base: &Base) -> bool {
    matches!(base, Base::Concrete(name) if name == OF_A_TYPE)
}

/// The name that stands for the float of a type, and the type.
pub fn projected(signature: &syn::Signature, owner: Option<&Owner>) -> Option<(Ident, syn::Type)> {
    match base_of(signature, owner) {
        Base::Concrete(name) if name == OF_A_TYPE => Some((name, source(signature, owner)?)),
        _ => None,
    }
}

/// Marks the parameters that are constant by an option: their types say nothing of the float.
pub fn with_constants(mut item: syn::ItemFn, constant: &[Ident]) -> syn::ItemFn {
    for input in &mut item.sig.inputs {
        let (attrs, named) = match input {
            syn::FnArg::Receiver(r) => (&mut r.attrs, constant.iter().any(|n| n == "self")),
            syn::FnArg::Typed(p) => {
                let named = matches!(&*p.pat, syn::Pat::Ident(name) if constant.contains(&name.ident));
                (&mut p.attrs, named)
            }
        };
        attrs.extend(named.then(|| -> syn::Attribute { syn::parse_quote!(#[constant]) }));
    }
    item
}

fn is_marked(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("constant"))
}

/// The type in a signature whose float is the function's: of the result, of `self`, or of another parameter.
fn source(signature: &syn::Signature, owner: Option<&Owner>) -> Option<syn::Type> {
    let inputs = || signature.inputs.iter();
    let result = match &signature.output {
        syn::ReturnType::Type(_, ty) => Some(&**ty),
        syn::ReturnType::Default => None,
    };
    let this = inputs().find_map(|i| match i {
        syn::FnArg::Receiver(r) if !is_marked(&r.attrs) => owner.map(|o| &o.ty),
        _ => None,
    });
    let others = inputs().filter_map(|i| match i {
        syn::FnArg::Typed(p) if !is_marked(&p.attrs) => Some(&*p.ty),
        _ => None,
    });
    let leaves: Vec<&syn::TypePath> = result.into_iter().chain(this).chain(others).filter_map(leaf).collect();
    let in_trait = owner.is_some_and(|o| matches!(o.kind, OwnerKind::Trait(_)));
    // two types of one float in a trait's bounds are a cycle to rustc where an implementation is for one of them
    let several = in_trait && leaves.iter().any(|leaf| is_closed_type(leaf, signature, owner));
    leaves.first().filter(|_| !several).and_then(|leaf| of_a_leaf(leaf, signature, owner))
}

/// Whether a type stands for itself: it is no `Self` of a trait, and not generic.
fn is_closed_type(leaf: &syn::TypePath, signature: &syn::Signature, owner: Option<&Owner>) -> bool {
    let all = owner.into_iter().map(|o| &o.generics).chain([&signature.generics]);
    let mut params = all.flat_map(|g| g.type_params());
    let tokens = quote!(#leaf);
    let own = leaf.path.segments.first().is_some_and(|s| s.ident == "Self");
    !own && !params.any(|p| mentions(&tokens, &p.ident))
}

/// The first type in a type that has a name which says nothing of its numbers.
fn leaf(ty: &syn::Type) -> Option<&syn::TypePath> {
    match ty {
        syn::Type::Reference(r) => leaf(&r.elem),
        syn::Type::Paren(p) => leaf(&p.elem),
        syn::Type::Group(g) => leaf(&g.elem),
        syn::Type::Array(a) => leaf(&a.elem),
        syn::Type::Slice(s) => leaf(&s.elem),
        syn::Type::Tuple(t) => t.elems.iter().find_map(leaf),
        syn::Type::Path(p) if p.qself.is_some() || is_passive_name(&p.path) => None,
        syn::Type::Path(p) => {
            let last = p.path.segments.last()?;
            let holds = ["Vec", "Option", "Result", "Box"].iter().any(|name| last.ident == name);
            let inner = crate::frontend::syntax::types::first_argument(last).filter(|_| holds);
            inner.map_or(Some(p), leaf)
        }
        _ => None,
    }
}

/// A type that is not generic, the parameter that it is generic over, or the `Self` of a trait.
fn of_a_leaf(leaf: &syn::TypePath, signature: &syn::Signature, owner: Option<&Owner>) -> Option<syn::Type> {
    let (ty, path) = (syn::Type::Path(leaf.clone()), &leaf.path);
    let owner_ty = owner.map(|o| &o.ty).filter(|_| path.is_ident("Self"));
    (owner_ty.is_some() || path.segments.first().is_none_or(|s| s.ident != "Self")).then_some(())?;
    let ty = owner_ty.cloned().unwrap_or(ty);
    let all: Vec<&syn::Generics> = owner.into_iter().map(|o| &o.generics).chain([&signature.generics]).collect();
    let tokens = quote!(#ty);
    let named = all.iter().flat_map(|g| g.type_params()).filter(|p| mentions(&tokens, &p.ident));
    let (open, markers): (Vec<_>, Vec<_>) = {
        let held = names_without_markers(&ty);
        named.partition(|param| held.contains(&param.ident.to_string()))
    };
    if all.iter().flat_map(|g| g.const_params()).any(|p| mentions(&tokens, &p.ident)) {
        return None;
    }
    if open.is_empty() && !markers.is_empty() {
        return None;
    }
    let Some(param) = open.first() else { return (!has_lifetime(&tokens)).then_some(ty) };
    let name = &param.ident;
    let plain = all.iter().flat_map(|g| bounds_of(name, g)).all(|b| is_one_of(b, PLAIN) || is_one_of(b, ARITHMETIC));
    let function = all.iter().any(|g| is_function_parameter(name, g));
    (plain && !function).then(|| syn::parse_quote!(#name))
}

struct FirstFloat(Option<Ident>);

impl<'a> Visit<'a> for FirstFloat {
    fn visit_ident(&mut self, name: &'a Ident) {
        if self.0.is_none() && (name == "f64" || name == "f32") {
            self.0 = Some(name.clone());
        }
        if self.0.is_none() && cfg!(feature = "num-complex") && (name == "Complex64" || name == "Complex32") {
            self.0 = Some(Ident::new(if name == "Complex64" { "f64" } else { "f32" }, name.span()));
        }
    }
}

/// The first type of a signature that is a float's by its name.
struct NamedFloat(Option<Ident>);

impl<'a> Visit<'a> for NamedFloat {
    fn visit_type_path(&mut self, ty: &'a syn::TypePath) {
        if self.0.is_none() && ty.qself.is_none() && is_float_path(&ty.path) {
            self.0 = ty.path.get_ident().cloned();
        }
        syn::visit::visit_type_path(self, ty);
    }
    fn visit_type_param_bound(&mut self, _: &'a syn::TypeParamBound) {}
}

/// The other float type, where a type is written with it.
pub fn other_float(ty: &syn::Type, base: &Base) -> Option<Ident> {
    let Base::Concrete(name) = base else { return None };
    first_float(ty).filter(|found| found != name && !is_of_a_type(base))
}

/// The float that a type is written with.
pub fn first_float(ty: &syn::Type) -> Option<Ident> {
    let mut first = FirstFloat(None);
    first.visit_type(ty);
    first.0
}

/// Whether a type's numbers are `f64` or `f32`, and those of the function generic: they carry none of its derivatives.
pub fn is_fixed(path: &syn::Path, base: &Base) -> bool {
    let Base::Generic(float) = base else { return false };
    let mut first = FirstFloat(None);
    first.visit_path(path);
    first.0.is_some() && !mentions(&quote!(#path), float)
}

/// Whether a type is written with `f64` or `f32`, in a function whose numbers are of a generic float: these are constants.
pub fn is_of_fixed_float(ty: &syn::Type, base: &Base) -> bool {
    matches!(base, Base::Generic(_)) && first_float(ty).is_some()
}

/// Whether a function of a generic float gives `f64` or `f32`, in which no derivative of it goes on.
pub fn returns_fixed_float(signature: &syn::Signature, owner: Option<&Owner>) -> bool {
    let base = base_of(signature, owner);
    matches!(&signature.output, syn::ReturnType::Type(_, ty) if is_of_fixed_float(ty, &base) && is_passive(&describe(ty, &base)))
}

/// The type parameter that is the float: by a trait of floats, or by arithmetic that stays within the type.
fn generic_float(generics: &syn::Generics) -> Option<Ident> {
    let is_float = |b: &syn::TypeParamBound| is_one_of(b, FLOATS) || is_named_for_floats(b);
    let bounded = |p: &&syn::TypeParam| bounds_of(&p.ident, generics).any(is_float);
    let found = generics.type_params().find(bounded);
    let closed = |p: &&syn::TypeParam| is_closed(&p.ident, generics) && !is_shared(&p.ident, generics);
    let by_own_trait = |p: &&syn::TypeParam| NumberTraits::of(&p.ident, &[generics]).have_bound(is_own_arithmetic);
    let found = found.or_else(|| generics.type_params().find(closed));
    found.or_else(|| generics.type_params().find(by_own_trait)).map(|p| p.ident.clone())
}

/// Whether a trait is one of arithmetic that stays within the type that has it.
fn is_own_arithmetic(bound: &syn::TypeParamBound) -> bool {
    is_one_of(bound, FLOATS) || is_one_of(bound, ARITHMETIC) && stays(bound, &Ident::new("Self", Span::call_site()))
}

/// Whether a type parameter is an operand or the result of another one's operator, which leads out of that: `T: Mul<U, Output = V>`.
fn is_shared(name: &Ident, generics: &syn::Generics) -> bool {
    let leads_there = |other: &Ident, bound: &syn::TypeParamBound| {
        is_one_of(bound, GIVE_OUTPUT) && !stays(bound, other) && mentions(&quote!(#bound), name)
    };
    let others = generics.type_params().map(|p| &p.ident).filter(|other| *other != name);
    others.into_iter().any(|other| bounds_of(other, generics).any(|bound| leads_there(other, bound)))
}

/// Whether a trait is called after floats, `GeoFloat`: rustc confirms that it builds on a trait of floats.
fn is_named_for_floats(bound: &syn::TypeParamBound) -> bool {
    const OTHERS: &[&str] = &["From", "Into", "To", "As", "Try", "Maybe", "Is", "Has"];
    let syn::TypeParamBound::Trait(t) = bound else { return false };
    let name = t.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    let of = name.strip_suffix("Float").or_else(|| name.strip_suffix("Flt")).or_else(|| name.strip_suffix("Real"));
    of.is_some_and(|prefix| !OTHERS.contains(&prefix))
}

/// Whether a type parameter has arithmetic, all of it within the type.
fn is_closed(name: &Ident, generics: &syn::Generics) -> bool {
    let mut arithmetic = bounds_of(name, generics).filter(|b| is_one_of(b, ARITHMETIC) || is_numeric(b)).peekable();
    arithmetic.peek().is_some() && arithmetic.all(|bound| stays(bound, name))
}

/// Whether a trait of the user's is one of numbers, as far as its name tells.
fn is_numeric(bound: &syn::TypeParamBound) -> bool {
    let syn::TypeParamBound::Trait(bound) = bound else { return false };
    let name = bound.path.segments.last().map(|s| s.ident.to_string().to_lowercase()).unwrap_or_default();
    NUMERIC.iter().any(|part| name.contains(part))
}

/// Parts of names of such traits.
const NUMERIC: &[&str] = &["number", "numeric", "real", "float", "scalar", "arithmetic"];

/// Whether the other operand and the result of an operator, where they are written, are the type itself.
fn stays(bound: &syn::TypeParamBound, name: &Ident) -> bool {
    let syn::TypeParamBound::Trait(bound) = bound else { return true };
    let Some(syn::PathArguments::AngleBracketed(args)) = bound.path.segments.last().map(|s| &s.arguments) else {
        return bound.path.segments.last().is_some_and(|s| !GIVE_OUTPUT.iter().any(|op| s.ident == op));
    };
    let gives = args.args.iter().any(|a| matches!(a, syn::GenericArgument::AssocType(_)));
    let is_own = |ty: &syn::Type| match ty {
        syn::Type::Path(p) => p.path.is_ident(name) || p.path.is_ident("Self"),
        syn::Type::Reference(r) => matches!(&*r.elem, syn::Type::Path(p) if p.path.is_ident(name)),
        _ => false,
    };
    let own = args.args.iter().all(|a| match a {
        syn::GenericArgument::Type(ty) | syn::GenericArgument::AssocType(syn::AssocType { ty, .. }) => is_own(ty),
        _ => true,
    });
    let operator = bound.path.segments.last().is_some_and(|s| GIVE_OUTPUT.iter().any(|op| s.ident == op));
    own && (gives || !operator)
}

/// Operators whose result is of a type that their bound names.
const GIVE_OUTPUT: &[&str] = &["Add", "Sub", "Mul", "Div", "Rem", "Neg"];

fn has_lifetime(tokens: &proc_macro2::TokenStream) -> bool {
    tokens.to_string().contains('\'')
}

fn is_one_of(bound: &syn::TypeParamBound, names: &[&str]) -> bool {
    match bound {
        syn::TypeParamBound::Trait(t) => t.path.segments.last().is_some_and(|s| names.iter().any(|f| s.ident == f)),
        syn::TypeParamBound::Lifetime(_) => names == PLAIN,
        _ => false,
    }
}
