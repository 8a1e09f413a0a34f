//! Operators between open types: of `T: Mul<U, Output = V>`, that derivative code has the operator's rule.

use crate::emit::items::frame::Frame;
use crate::frontend::syntax::types;
use crate::ir::{Base, OwnerKind};
use proc_macro2::Ident;
use quote::{ToTokens, quote};

/// Operators that have rules, by how many operands they have.
const OPERATORS: &[(&str, usize)] = &[
    ("Neg", 1),
    ("Add", 2),
    ("Sub", 2),
    ("Mul", 2),
    ("Div", 2),
    ("AddAssign", 2),
    ("SubAssign", 2),
    ("MulAssign", 2),
    ("DivAssign", 2),
];

impl Frame<'_> {
    /// The rules of the operators that bounds promise of open types, where all operands carry derivatives; in derivative code, with what their
    /// shadows are. The methods of traits may ask for no more than the traits do.
    pub fn operator_bounds(&self, derivative: bool) -> Vec<String> {
        let rules = self.operators();
        if rules.is_empty() {
            return rules;
        }
        let float = &self.float;
        let place = |name: &&Ident| {
            let place = format!("{name}: __d::Place<Base = {float}>");
            let shadow = |space: &str| {
                format!("{name}: __d::Place<Shadow<{space}> = <{name} as __d::Active>::Tangent<{space}>>")
            };
            if derivative { vec![place, shadow("Space"), shadow(float)] } else { vec![place] }
        };
        self.open_types().iter().flat_map(place).chain(rules).collect()
    }

    /// Whether there are such rules.
    pub fn has_operators(&self) -> bool {
        !self.operators().is_empty()
    }

    fn operators(&self) -> Vec<String> {
        let owner = self.function.owner.as_ref();
        if !matches!(owner.map(|o| &o.kind), None | Some(OwnerKind::Inherent)) {
            return Vec::new();
        }
        let open = self.open_types();
        let all: Vec<&syn::Generics> =
            owner.map(|o| &o.generics).into_iter().chain([&self.function.generics]).collect();
        let bounds = |name: &&Ident| -> Vec<String> {
            let (name, bounds) = (*name, all.iter().flat_map(|g| types::bounds_of(name, g)));
            bounds.filter_map(|bound| self.operator_bound(name, bound, &open)).collect()
        };
        open.iter().flat_map(bounds).collect()
    }

    fn operator_bound(&self, name: &Ident, bound: &syn::TypeParamBound, open: &[&Ident]) -> Option<String> {
        let syn::TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        let (_, operands) = OPERATORS.iter().find(|(operator, _)| last.ident == operator)?;
        let own: syn::Type = syn::parse_quote!(#name);
        let resolved = |ty: &syn::Type| if is_path(ty, "Self") { own.clone() } else { ty.clone() };
        let (op, right) = (&last.ident, types::first_argument(last).map_or(own.clone(), resolved));
        if *operands == 2 && !self.carries(&right, open) {
            return None;
        }
        let gives =
            if last.ident.to_string().ends_with("Assign") { Some(own.clone()) } else { output(last).map(resolved) };
        let out = gives.filter(|ty| self.carries(ty, open));
        let rule = match (operands, out) {
            (1, out) => {
                let out = out.map(|ty| quote!(, Out = #ty));
                quote!(#name: __d::library::Unary<__d::library::op::#op #out>)
            }
            (_, out) => {
                let out = out.map(|ty| quote!(, Out = #ty));
                quote!(#name: __d::library::Binary<__d::library::op::#op, #right #out>)
            }
        };
        Some(self.holes.put(rule))
    }

    /// Whether a type is the float, or one of the open types.
    fn carries(&self, ty: &syn::Type, open: &[&Ident]) -> bool {
        let (Base::Concrete(float) | Base::Generic(float)) = &self.function.base;
        open.iter().chain([&float]).any(|name| is_path(ty, &name.to_string()))
    }
}

/// `V` of `Mul<U, Output = V>`.
fn output(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
    args.args.iter().find_map(|a| match a {
        syn::GenericArgument::AssocType(assoc) => Some(&assoc.ty),
        _ => None,
    })
}

fn is_path(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.to_token_stream().to_string() == name)
}
