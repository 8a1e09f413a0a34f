//! Declarations in the text of the user, the same in every round of lowering.

use crate::ir::*;
use proc_macro2::{Ident, Span};

/// A declaration in the user's text, the same in every round of lowering.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(String);

impl Site {
    /// The site of a declared name.
    pub fn of(name: &Ident) -> Self {
        Site(format!("{name} {:?}", name.span()))
    }

    /// A member of what a closure returns.
    pub fn member(span: Span, member: usize) -> Self {
        Site(format!("{span:?} member {member}"))
    }

    /// The ends of the part that a reference leads to.
    pub fn ends(name: &Ident) -> Self {
        Site(format!("{name} {:?} ends", name.span()))
    }

    /// A part of a variable, whichever its indices are.
    pub fn part(place: &Place) -> Self {
        let mut name = format!("{:?}", place.root);
        for step in &place.path {
            name += &match step {
                Proj::Field(member) => format!(" .{}", quote::ToTokens::to_token_stream(member)),
                Proj::Payload(variant, member) => format!(" {variant}.{}", quote::ToTokens::to_token_stream(member)),
                Proj::Index(_) => " []".to_owned(),
                Proj::Range(..) => String::new(),
                Proj::Deref => " *".to_owned(),
            };
        }
        Site(name)
    }

    /// A site without a name of its own, such as the accumulator of a `fold`.
    pub fn at(span: Span) -> Self {
        Site(format!("{span:?}"))
    }
}
