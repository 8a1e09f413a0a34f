//! Types as far as their names tell. A reference, or a box, is what it leads to: methods are looked for there, too.

use crate::frontend::syntax::types::first_argument;

/// A type, by the names in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TypeName {
    /// One of which nothing is known.
    #[default]
    Unknown,
    /// One that has a name, with the types that it is of.
    Named(String, Vec<TypeName>),
    /// Any that has these traits.
    With(Vec<String>),
    /// A vector, an array, a slice or a queue of such elements.
    Sequence(Box<TypeName>),
    /// An iterator over such items.
    Iterator(Box<TypeName>),
    /// An `Option` or a `Result` of such a value.
    Maybe(Box<TypeName>),
    /// Several values.
    Tuple(Vec<TypeName>),
}

use TypeName::{Iterator, Maybe, Named, Sequence, Tuple, Unknown, With};

impl TypeName {
    /// A type as it is written.
    pub fn of(ty: &syn::Type) -> Self {
        match ty {
            syn::Type::Reference(r) => Self::of(&r.elem),
            syn::Type::Paren(p) => Self::of(&p.elem),
            syn::Type::Group(g) => Self::of(&g.elem),
            syn::Type::Array(a) => Sequence(Box::new(Self::of(&a.elem))),
            syn::Type::Slice(s) => Sequence(Box::new(Self::of(&s.elem))),
            syn::Type::Tuple(t) => Tuple(t.elems.iter().map(Self::of).collect()),
            syn::Type::ImplTrait(of) => Self::with(&of.bounds),
            syn::Type::TraitObject(of) => Self::with(&of.bounds),
            syn::Type::Path(p) if p.qself.is_none() => Self::named(&p.path),
            _ => Unknown,
        }
    }

    fn named(path: &syn::Path) -> Self {
        let Some(last) = path.segments.last() else { return Unknown };
        let first = || first_argument(last).map(Self::of).unwrap_or_default();
        let of_self = path.segments.len() > 1 && path.segments[0].ident == "Self";
        match last.ident.to_string().as_str() {
            "Box" | "Rc" | "Arc" => first(),
            "Vec" | "VecDeque" => Sequence(Box::new(first())),
            "Option" | "Result" => Maybe(Box::new(first())),
            name if of_self => Named(format!("Self::{name}"), Vec::new()),
            name => Named(name.to_owned(), arguments(last)),
        }
    }

    fn with<'a>(bounds: impl IntoIterator<Item = &'a syn::TypeParamBound>) -> Self {
        let traits: Vec<&syn::PathSegment> = bounds.into_iter().filter_map(trait_of).collect();
        let iterated = traits.iter().find(|of| ["Iterator", "IntoIterator"].iter().any(|name| of.ident == name));
        match iterated {
            Some(of) => Iterator(Box::new(item_of(of).unwrap_or_default())),
            None => With(traits.iter().map(|of| of.ident.to_string()).collect()),
        }
    }

    /// The type with what names in it stand for.
    pub fn replaced(&self, by: &dyn Fn(&str) -> Option<TypeName>) -> Self {
        let each = |all: &[TypeName]| all.iter().map(|ty| ty.replaced(by)).collect();
        let inner = |ty: &TypeName| Box::new(ty.replaced(by));
        match self {
            Named(name, of) => by(name).unwrap_or_else(|| Named(name.clone(), each(of))),
            Sequence(ty) => Sequence(inner(ty)),
            Iterator(ty) => Iterator(inner(ty)),
            Maybe(ty) => Maybe(inner(ty)),
            Tuple(all) => Tuple(each(all)),
            Unknown | With(_) => self.clone(),
        }
    }

    /// What a name in a type stands for, where the type is this one.
    pub fn standing_for(&self, name: &str, ty: &TypeName) -> Option<TypeName> {
        match (self, ty) {
            (Named(own, _), ty) if own == name => Some(ty.clone()),
            (Sequence(a), Sequence(b) | Iterator(b)) | (Maybe(a), Maybe(b)) => a.standing_for(name, b),
            (Tuple(a), Tuple(b)) | (Named(_, a), Named(_, b)) => {
                a.iter().zip(b).find_map(|(a, b)| a.standing_for(name, b))
            }
            _ => None,
        }
    }

    /// What is known by one of the two: a part that is written as `_` is that of the value.
    pub fn or_known(self, value: TypeName) -> Self {
        match (self, value) {
            (Unknown, value) => value,
            (Sequence(ty), Sequence(of) | Iterator(of)) => Sequence(Box::new(ty.or_known(*of))),
            (Maybe(ty), Maybe(of)) => Maybe(Box::new(ty.or_known(*of))),
            (Tuple(all), Tuple(of)) if all.len() == of.len() => {
                Tuple(all.into_iter().zip(of).map(|(ty, of)| ty.or_known(of)).collect())
            }
            (Named(name, all), Named(_, of)) if all.len() <= of.len() && all.iter().all(|ty| *ty == Unknown) => {
                Named(name, of)
            }
            (ty, _) => ty,
        }
    }

    /// What a loop over it runs through.
    pub fn item(&self) -> TypeName {
        match self {
            Sequence(ty) | Iterator(ty) | Maybe(ty) => (**ty).clone(),
            _ => Unknown,
        }
    }
}

/// The names of a bound's traits.
pub fn traits<'a>(
    bounds: impl IntoIterator<Item = &'a syn::TypeParamBound>,
) -> impl std::iter::Iterator<Item = String> {
    bounds.into_iter().filter_map(trait_of).map(|of| of.ident.to_string())
}

fn trait_of(bound: &syn::TypeParamBound) -> Option<&syn::PathSegment> {
    match bound {
        syn::TypeParamBound::Trait(of) => of.path.segments.last(),
        _ => None,
    }
}

/// `T` of `Iterator<Item = T>`.
fn item_of(segment: &syn::PathSegment) -> Option<TypeName> {
    let syn::PathArguments::AngleBracketed(all) = &segment.arguments else { return None };
    all.args.iter().find_map(|arg| match arg {
        syn::GenericArgument::AssocType(of) if of.ident == "Item" => Some(TypeName::of(&of.ty)),
        _ => None,
    })
}

fn arguments(segment: &syn::PathSegment) -> Vec<TypeName> {
    let syn::PathArguments::AngleBracketed(all) = &segment.arguments else { return Vec::new() };
    let types = all.args.iter().filter_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(TypeName::of(ty)),
        _ => None,
    });
    types.collect()
}
