//! A shadow that each parameter of a signature comes with: its names, and its trait.

use crate::emit::code::writer::is_mut;
use crate::ir::*;

/// A shadow that each parameter of a signature comes with.
#[derive(Clone, Copy)]
pub struct Slot<'a> {
    /// Of its names: `__d0: __D0`.
    pub letter: char,
    /// What it is made of.
    pub space: &'a str,
    /// A tangent, not a cotangent.
    pub is_dot: bool,
}

impl<'a> Slot<'a> {
    /// Tangents.
    pub const DOT: Slot<'static> = Slot { letter: 'd', space: "Space", is_dot: true };
    /// Tangents of cotangents.
    pub const BAR_DOT: Slot<'static> = Slot { letter: 't', space: "Space", is_dot: false };

    /// Cotangents.
    pub fn bar(space: &'a str) -> Self {
        Slot { letter: 's', space, is_dot: false }
    }

    /// The letter of its names.
    pub fn letter(self) -> char {
        self.letter
    }

    /// What it is made of.
    pub fn space(self) -> &'a str {
        self.space
    }

    /// Whether these are tangents of the parameters.
    pub fn is_dot(self) -> bool {
        self.is_dot
    }

    /// The argument's name.
    pub fn argument(self, k: usize) -> String {
        format!("__{}{k}", self.letter)
    }

    /// The argument's type.
    pub fn generic(self, k: usize) -> String {
        format!("__{}{k}", self.letter.to_ascii_uppercase())
    }

    /// The constant that says whether there is one of a parameter.
    pub fn is_on(self, k: usize) -> String {
        format!("{}::ON", self.generic(k))
    }

    /// The trait: what is written to has a tangent that is written to.
    pub fn kind(self, param: &Param) -> &'static str {
        if self.is_dot && !is_mut(param) { "DotSlot" } else { "BarSlot" }
    }
}
