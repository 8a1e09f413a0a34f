//! Types of expressions, as far as a function's text and its module tell.

use crate::frontend::projections::field_types::{list_of, name_of};
use crate::frontend::syntax::types::is_integer_type;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A struct of the module, by its name.
    Own(String),
    /// `f64` or `f32`, by its name.
    Float(String),
    Integer,
    /// A slice, an array or a `Vec`.
    List(Box<Kind>),
    Ref(Box<Kind>, Exclusive),
    Tuple(Vec<Option<Kind>>),
    /// An iterator, by its items.
    Items(Box<Kind>),
}

/// Whether a reference is `&mut`.
pub type Exclusive = bool;

impl Kind {
    pub fn lent(self, exclusive: Exclusive) -> Self {
        Kind::Ref(Box::new(self), exclusive)
    }

    pub fn list(self) -> Self {
        Kind::List(Box::new(self))
    }

    pub fn items(self) -> Self {
        Kind::Items(Box::new(self))
    }

    /// What references lead to, and how many there are; whether the last one is `&mut`.
    pub fn behind(&self) -> (&Kind, usize, Option<Exclusive>) {
        match self {
            Kind::Ref(inner, exclusive) => {
                let (kind, depth, last) = inner.behind();
                (kind, depth + 1, last.or(Some(*exclusive)))
            }
            kind => (kind, 0, None),
        }
    }

    /// As the text of a type has it, of what operators are given.
    pub fn text(&self) -> Option<String> {
        match self {
            Kind::Own(name) | Kind::Float(name) => Some(name.clone()),
            Kind::Ref(inner, false) => Some(format!("&{}", inner.text()?)),
            _ => None,
        }
    }
}

/// The kind that a written type is; `is_own` says which names are structs of the module.
pub fn kind_of(ty: &syn::Type, is_own: &dyn Fn(&str) -> bool) -> Option<Kind> {
    match ty {
        syn::Type::Reference(r) => Some(kind_of(&r.elem, is_own)?.lent(r.mutability.is_some())),
        syn::Type::Slice(s) => Some(kind_of(&s.elem, is_own)?.list()),
        syn::Type::Array(a) => Some(kind_of(&a.elem, is_own)?.list()),
        syn::Type::Paren(p) => kind_of(&p.elem, is_own),
        syn::Type::Group(g) => kind_of(&g.elem, is_own),
        syn::Type::Tuple(t) => Some(Kind::Tuple(t.elems.iter().map(|ty| kind_of(ty, is_own)).collect())),
        syn::Type::Path(p) => match list_of(p) {
            Some(of) => Some(kind_of(of, is_own)?.list()),
            None => named(&name_of(ty)?.to_string(), is_own),
        },
        _ => None,
    }
}

fn named(name: &str, is_own: &dyn Fn(&str) -> bool) -> Option<Kind> {
    match name {
        "f64" | "f32" => Some(Kind::Float(name.to_owned())),
        name if is_integer_type(name) => Some(Kind::Integer),
        name => is_own(name).then(|| Kind::Own(name.to_owned())),
    }
}
