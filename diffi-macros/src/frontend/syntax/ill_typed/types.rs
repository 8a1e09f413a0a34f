//! What is known of a type for sure.

use crate::frontend::syntax::types::{arguments, is_passive_scalar};
use Type::*;

/// What is known of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Float,
    /// A reference to a float, which arithmetic takes, too.
    FloatRef,
    /// An integer's literal, or what is made of such.
    Literal,
    Integer(String),
    Bool,
    /// A slice, an array or a `Vec`.
    Sequence(Box<Type>),
    /// A shared reference to one.
    Shared(Box<Type>),
    Unknown,
}
impl Type {
    /// A type as it is written.
    pub fn of(ty: &syn::Type) -> Type {
        let of_element = |element: &syn::Type| match Type::of(element) {
            FloatRef => Unknown,
            element => Sequence(Box::new(element)),
        };
        match ty {
            syn::Type::Reference(r) => match (Type::of(&r.elem), &r.mutability) {
                (Float, None) => FloatRef,
                (Sequence(element), None) => Shared(element),
                (sequence @ Sequence(_), Some(_)) => sequence,
                _ => Unknown,
            },
            syn::Type::Slice(s) => of_element(&s.elem),
            syn::Type::Array(a) => of_element(&a.elem),
            syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32") => Float,
            syn::Type::Path(p) if p.path.is_ident("bool") => Bool,
            syn::Type::Path(p) if is_passive_scalar(ty) && !p.path.is_ident("char") => {
                p.path.get_ident().map_or(Unknown, |name| Integer(name.to_string()))
            }
            syn::Type::Path(p) => match p.path.segments.last() {
                Some(last) if p.path.segments.len() == 1 && last.ident == "Vec" => {
                    arguments(last).next().map_or(Unknown, of_element)
                }
                _ => Unknown,
            },
            _ => Unknown,
        }
    }

    /// Whether arithmetic takes it for a float.
    pub fn is_float(&self) -> bool {
        matches!(self, Float | FloatRef)
    }

    /// Whether it is an integer.
    pub fn is_integer(&self) -> bool {
        matches!(self, Literal | Integer(_))
    }

    /// Whether a value of the other type cannot stand for one of this.
    pub fn excludes(&self, other: &Type) -> bool {
        match (self, other) {
            (Float, other) => other.is_integer() || matches!(other, FloatRef | Bool | Sequence(_) | Shared(_)),
            (FloatRef | Integer(_) | Bool | Sequence(_) | Shared(_), Float) => true,
            _ => false,
        }
    }

    /// The elements of a sequence.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Sequence(element) | Shared(element) => Some(element),
            _ => None,
        }
    }
}
